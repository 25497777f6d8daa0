"""Records of what a configuration may say, a class per kind of block."""
