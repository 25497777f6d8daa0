"""Recipes of models and games; a file has `FAMILY`, `LIBRARY` and `CASES`, recipes by name."""
