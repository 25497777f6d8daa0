"""Claims, the gathering and saving of their evidence, and their verdicts.

Names are imported from the modules: a workflow that only wants to know which papers there are
loads nothing else.
"""
