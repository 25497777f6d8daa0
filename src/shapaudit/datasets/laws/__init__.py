"""Laws: data whose conditional laws are known, so that conditional games have an exact truth.

`Law.sample` draws rows, `Law.given` is the law of the other features once some are known (Chen,
Covert, Lundberg & Lee 2023, Sections 4.2 and 5.1.3 need it).
"""

from .base import Law, LawError
from .discrete import DiscreteLaw
from .gaussian import GaussianLaw, dependent_columns

__all__ = ["DiscreteLaw", "GaussianLaw", "Law", "LawError", "dependent_columns"]
