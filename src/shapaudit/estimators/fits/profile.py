"""Games of the number of players alone: a part of the processes of `auto`, and a fit that is exact.

A game w(|S|) gives every player (w(d) - w(0)) / d. It is a sum over k of w_k C(|S|, k) / C(d, k),
in which all unanimity games of k players have the same coefficient. The odd part of a summand,

    p_k(s) = (C(s, k) - C(d - s, k)) / (2 C(d, k)),  s = |S|,

is that of its dual as well, 1 - C(d - s, k) / C(d, k), which rises at once and then flattens, as
where a few members, rows or data sets do nearly as well as all. For k = d it is a jump at the empty
set. Up to k = 2 it is additive. Independent w_k of equal variance, k = 3, ..., d, make the odd part
a random function of the size. The p_k span all odd functions of the size, since the C(s, k) span
all functions.
"""

from functools import lru_cache

import numpy as np
from scipy.linalg import lapack

from ..pairs import Pairs
from .fit import Fit

SPARE = 5  # pairs in excess of the coefficients of an additive game and a function of the size
RANK = 1e-7  # of the largest singular value, below which an odd function is left out
LEAST_PIVOT = 1e-6  # of the largest: below, the pairs do not determine the values


def enough_pairs(count: int, n_players: int) -> bool:
    """Whether so many pairs may tell a function of the size from an additive game.

    There are `SPARE` more than the d + d // 2 coefficients of both.
    """
    return count >= n_players + n_players // 2 + SPARE


@lru_cache(maxsize=8)
def contained(n_players: int) -> np.ndarray:
    """C(s, k) / C(d, k) (d, d + 1), rows k = 1, ..., d, columns s = 0, ..., d.

    It is the share of the sets of k players that s players contain.
    """
    d, size = n_players, np.arange(n_players + 1.0)
    before = np.arange(float(d))[:, None]
    shares = np.cumprod(np.maximum(size - before, 0.0) / (d - before), axis=0)
    shares.setflags(write=False)
    return shares


@lru_cache(maxsize=8)
def odd_functions(n_players: int) -> np.ndarray:
    """Odd functions (r, d + 1) of the size, 2 r <= d + 1, columns s = 0, ..., d.

    The sum of their products is the covariance of the odd part, 1 at the grand coalition. None with
    fewer than three players.
    """
    d, sets = n_players, contained(n_players)[2:]
    above = d // 2 + 1
    parts = (sets - sets[:, ::-1])[:, above:] / np.sqrt(max(d - 2, 1))
    _, lengths, rows = np.linalg.svd(parts, full_matrices=False)
    kept = lengths > RANK * lengths.max(initial=0.0)
    functions = np.zeros((int(kept.sum()), d + 1))
    functions[:, above:] = lengths[kept, None] * rows[kept]
    functions -= functions[:, ::-1]
    functions.setflags(write=False)
    return functions


def profile_features(signs: np.ndarray) -> np.ndarray:
    """The odd functions (r, n) at signs (n, d)."""
    return odd_functions(signs.shape[1])[:, (signs > 0).sum(axis=1)]


def profile_shapley(n_players: int) -> np.ndarray:
    """Shapley value (r,) of each player in each of the odd functions: 2 / d of it at the end."""
    return odd_functions(n_players)[:, -1] * (2.0 / n_players)


def fit_profile(pairs: Pairs) -> Fit | None:
    """Least squares by an additive game and a free function of the size.

    The function has its own value at each size, and at the grand coalition. Therefore the pairs of
    each size determine differences of Shapley values only, from columns and odd parts minus their
    means over the size, and the total determines the mean. Where half of the players are present
    the odd part of the function is 0. The fit is for pairs that it explains, so that its residuals
    left out are those of the fit. None where the pairs are too few or do not determine the values.
    """
    m, d = pairs.coalitions.shape
    if not enough_pairs(m, d):
        return None
    sizes = pairs.coalitions.sum(axis=1)
    counts = np.maximum(np.bincount(sizes, minlength=d + 1), 1)
    free = 2 * sizes < d

    def without_means(columns: np.ndarray) -> np.ndarray:
        sums = np.zeros((d + 1, columns.shape[1]))
        np.add.at(sums, sizes[free], columns[free])
        return columns - (sums / counts[:, None])[sizes]

    columns = without_means(pairs.coalitions - (sizes / d)[:, None])
    rest = without_means(pairs.odd_part[:, None])[:, 0]
    gram = (pairs.weights * columns.T) @ columns
    # The columns have no part along equal values of all players, to which any number may be given.
    gram += np.trace(gram) / d**2
    factor, refused = lapack.dpotrf(gram, lower=1)
    pivots = np.diag(factor)
    if refused or pivots.min() < LEAST_PIVOT * pivots.max():
        return None
    values = lapack.dpotrs(factor, columns.T @ (pairs.weights * rest), lower=1)[0]
    left = rest - columns @ values
    values += pairs.total / d - values.mean()
    return Fit(values, left, left)
