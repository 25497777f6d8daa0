"""Fits to coalitions and their complements, which `auto` and others combine."""
