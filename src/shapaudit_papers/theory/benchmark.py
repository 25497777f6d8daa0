"""Expected squared errors of the methods of Chen et al. 2023 at equal numbers of samples.

Section 5.2.1 and Tables 2 to 7: a sample is one evaluation. The methods with one stage have
expectations in closed form; adaptive ones and stochastic gradients are not among them.
"""

from collections.abc import Callable

import numpy as np

from shapaudit.samplers.quadrature import plan

from .exact_errors import Errors, walk_errors
from .multilinear import bias_and_variance, size_moments
from .pairing import draw_parts


def _grid(values: np.ndarray, draws: int, paired: bool) -> Errors:
    """On the grid with both ends, as many levels as two draws at each allow."""
    d = len(values).bit_length() - 1
    rule, counts = plan("equal", draws, d, paired)
    bias, variance = bias_and_variance(size_moments(values, paired), rule, counts)
    return Errors(float(np.square(bias).sum()), float(variance.sum()))


def _regression(values: np.ndarray, samples: int, paired: bool) -> Errors:
    """To first order in 1 / samples; the end points are not counted, as in the paper."""
    parts = draw_parts(values, fitted=True)
    ratio = float(parts.ratio()) if paired else 1.0
    return Errors(0.0, ratio * float(parts.plain.sum()) / samples)


# By published name: squared bias and variance on a table (2^d,), of m samples and d players.
EXPECTED: dict[str, Callable[[np.ndarray, int, int], Errors]] = {
    "ME": lambda v, m, d: _grid(v, m // (d + 1), False),
    "ME_RAND": lambda v, m, d: walk_errors(v, m // (d + 1)),
    "ME_ANTI": lambda v, m, d: _grid(v, m // (2 * d + 2), True),
    "MEF": lambda v, m, d: _grid(v, m // (2 * d), False),
    "MEF_RAND": lambda v, m, d: walk_errors(v, m // (2 * d)),
    "MEF_ANTI": lambda v, m, d: _grid(v, m // (4 * d), True),
    "RO": lambda v, m, d: walk_errors(v, (m - 1) // d),
    "RO_ANTI": lambda v, m, d: walk_errors(v, 2 * ((m - 1) // (2 * d)), antithetic=True),
    "ROF": lambda v, m, d: walk_errors(v, m // (2 * d)),
    "ROF_ANTI": lambda v, m, d: walk_errors(v, 2 * (m // (4 * d)), antithetic=True),
    "LS": lambda v, m, d: _regression(v, m, False),
    "LS_ANTI": lambda v, m, d: _regression(v, m, True),
}


# Known to first order only: their errors at few samples are larger than that.
FIRST_ORDER = ("LS", "LS_ANTI")


def expected_errors(values: np.ndarray, method: str, samples: int) -> Errors:
    """Squared bias and variance of a method of `EXPECTED` on a table (2^d,).

    A random q gives each player the contributions of a random order, so that its variance is the
    same. The regressions' is to first order in one over the samples, the others' are exact.
    """
    return EXPECTED[method](values, samples, len(values).bit_length() - 1)
