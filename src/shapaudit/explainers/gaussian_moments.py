"""Mean and variance of an activation of a normal variable.

ReLU, leaky ReLU and probit have closed forms; logistic and tanh are integrated by the trapezoidal
rule, whose error falls exponentially in the spacing (Trefethen & Weideman 2014) where that of Gauss
and Hermite suffers from their poles.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
import scipy

from ..nets import ACTIVATIONS
from ..nets.activations import LEAK, PEAK

POINTS, REACH = 49, 6.0  # of the trapezoidal rule, and standard deviations that it covers


def activation_moments(
    name: str, mean: np.ndarray, variance: np.ndarray, with_variance: bool = True
) -> tuple[np.ndarray, np.ndarray | None]:
    """Mean and variance of an activation of N(mean, variance), elementwise; shapes broadcast.

    Parameters
    ----------
    name : key of `nets.ACTIVATIONS`
    with_variance : False leaves the variance out, None
    """
    if name in ("relu", "leaky-relu"):
        return _piecewise(mean, variance, LEAK if name == "leaky-relu" else 0.0, with_variance)
    if name == "probit":
        return _probit(mean, variance, with_variance)
    return _integrated(ACTIVATIONS[name].value, mean, variance, with_variance)


def _piecewise(
    mean: np.ndarray, variance: np.ndarray, leak: float, with_variance: bool
) -> tuple[np.ndarray, np.ndarray | None]:
    """leak z + (1 - leak) max(z, 0); the covariance of z and max(z, 0) is variance P(z > 0)."""
    spread = np.sqrt(variance)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = mean / spread
    ratio = np.where(spread > 0, ratio, np.where(mean > 0, np.inf, -np.inf))
    above = scipy.special.ndtr(ratio)
    bell = spread * (PEAK * np.exp(-0.5 * ratio * ratio))
    kept = mean * above + bell
    first = leak * mean + (1 - leak) * kept
    if not with_variance:
        return first, None
    own = np.maximum((mean * mean + variance) * above + mean * bell - kept * kept, 0.0)
    slope = 1 - leak
    return first, variance * (leak * leak + 2 * leak * slope * above) + slope * slope * own


def _probit(
    mean: np.ndarray, variance: np.ndarray, with_variance: bool
) -> tuple[np.ndarray, np.ndarray | None]:
    """E Phi(z) = Phi(a) and E Phi(z)^2 = Phi(a) - 2 T(a, h), with Owen's function T."""
    a = mean / np.sqrt(1 + variance)
    first = scipy.special.ndtr(a)
    if not with_variance:
        return first, None
    second = first - 2 * scipy.special.owens_t(a, 1 / np.sqrt(1 + 2 * variance))
    return first, np.maximum(second - first * first, 0.0)


def _integrated(
    value: Callable[[np.ndarray], np.ndarray],
    mean: np.ndarray,
    variance: np.ndarray,
    with_variance: bool,
) -> tuple[np.ndarray, np.ndarray | None]:
    points, weights = _rule()
    values = value(mean[..., None] + np.sqrt(variance)[..., None] * points)
    first = values @ weights
    if not with_variance:
        return first, None
    return first, np.maximum((values - first[..., None]) ** 2 @ weights, 0.0)


@cache
def _rule() -> tuple[np.ndarray, np.ndarray]:
    """Points and weights for the mean of a function of a standard normal variable."""
    points = np.linspace(-REACH, REACH, POINTS)
    weights = np.exp(-0.5 * points**2)
    return points, weights / weights.sum()
