"""Figures on Grah & Thouvenot 2020."""
