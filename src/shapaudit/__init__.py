"""Which Shapley-value estimator can be trusted, at what budget, and which theorems hold."""

__version__ = "0.1.0"
