"""What the notebook and the report read of the experiments of Okhrati & Lipani 2021.

Errors are squared, and means over the players, as published.
"""

from .loading import load

__all__ = ["load"]
