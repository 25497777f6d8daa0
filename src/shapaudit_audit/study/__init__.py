"""A study: what its configuration says, its jobs, and the tables that they leave on disk."""
