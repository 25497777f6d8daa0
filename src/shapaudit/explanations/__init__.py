"""Shapley values of the rows of a table, whatever the model."""
