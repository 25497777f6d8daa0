"""The experiments: claims 18, 19 and 20."""
