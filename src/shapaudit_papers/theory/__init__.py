"""Constants, bounds and exact recursions; each function names its equation."""
