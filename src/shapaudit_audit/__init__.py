"""The machinery of a study and its audit; it knows no paper."""
