"""Figures on Bell, Devanathan & Boyd 2024."""
