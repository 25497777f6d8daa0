"""Upper quantiles of the laws that limits rest on.

They are those of `scipy.stats`, whose import takes two thirds of a second longer: more than many a
process of a study works.
"""

import numpy as np
from scipy.special import ndtri, stdtrit


def normal_quantile(share: float) -> float:
    """What a standard normal variable exceeds with the probability ``share``."""
    return -float(ndtri(share))


def student_quantile(share: float | np.ndarray, freedom: int) -> float | np.ndarray:
    """What Student's t of ``freedom`` degrees exceeds with the probability ``share``."""
    return -stdtrit(freedom, share)
