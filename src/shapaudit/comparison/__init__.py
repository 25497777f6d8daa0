"""Which estimator to use for a user's model, how sure that is, and what it costs."""

from ..datasets.mixed import TableError
from .comparison import Comparison
from .run import ESTIMATORS, compare
from .several import Comparisons

__all__ = ["ESTIMATORS", "Comparison", "Comparisons", "TableError", "compare"]
