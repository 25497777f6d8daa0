"""The site of a study: some pages in one folder that need no network.

`pages` says which files there are, `page` makes them.
"""
