"""Figures on Chen, Covert, Lundberg & Lee 2023."""
