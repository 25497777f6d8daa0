"""Which estimator to use for a user's model, how sure that is, and what it costs."""

from .comparison import Comparison
from .run import ESTIMATORS, compare
from .several import Comparisons
from .tables import CompareError

__all__ = ["ESTIMATORS", "CompareError", "Comparison", "Comparisons", "compare"]
