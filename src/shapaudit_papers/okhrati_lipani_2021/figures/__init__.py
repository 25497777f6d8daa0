"""Figures on Okhrati & Lipani 2021."""
