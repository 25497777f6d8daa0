"""Laws: data whose conditional laws are known, so that conditional games have an exact truth.

`Law.sample` draws rows, `Law.given` is the law of the other features once some are known (Chen,
Covert, Lundberg & Lee 2023, Sections 4.2 and 5.1.3 need it).
"""

from .base import Law, LawError
from .chain import ChainLaw
from .copula import MARGINS, CopulaLaw
from .discrete import DiscreteLaw
from .gaussian import GaussianLaw, check_covariance, dependent_columns
from .keeping import LAWS, law_from_arrays, law_to_arrays
from .mixture import MixtureLaw

__all__ = [
    "LAWS",
    "MARGINS",
    "ChainLaw",
    "CopulaLaw",
    "DiscreteLaw",
    "GaussianLaw",
    "Law",
    "LawError",
    "MixtureLaw",
    "check_covariance",
    "dependent_columns",
    "law_from_arrays",
    "law_to_arrays",
]
