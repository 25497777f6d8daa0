"""Packages for Shapley values, audited on small models and games with exact values.

A file of `cases/` has recipes of models, a file of `adapters/` asks one package. Both also run
where the library is not installed: they import NumPy, and the packages that they are about.
"""
