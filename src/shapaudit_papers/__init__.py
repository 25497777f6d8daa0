"""The audited papers, a package each, and the theory that they share."""
