"""The odd part of a game as an unpenalised polynomial of order three, by one table.

With few players the normal equations, the fit at the pairs and the leverages are values of
functions on all coalitions whose Walsh coefficients are known: each is one transform, whatever the
number of pairs (`walsh`). Games without interactions of more than four players have an odd part of
order three, as their even orders have no share in it, and are met exactly.
"""

from math import comb

import numpy as np
from scipy.linalg import lapack

from ...games import coalition_index
from ..pairs import Pairs
from ..walsh import MAX_TABLE, gather, sets_of_order, transform
from .fit import LEAST_REMAINING, Fit
from .fourier import OddFeatures
from .triangular import lower_inverse

LEAST_PIVOT = 1e-6  # of the largest: below, the pairs do not determine the coefficients


def coefficients(n_players: int) -> int:
    """Number of coefficients of an odd polynomial of order three."""
    return n_players + comb(n_players, 3)


def fit_cubic(pairs: Pairs) -> Fit | None:
    """Weighted least squares on the signs and all products of three, exact at the grand coalition.

    None where there are too many players for a table, or too few pairs.
    """
    m, d = pairs.coalitions.shape
    if not 3 <= d <= MAX_TABLE or m < coefficients(d):
        return None
    sets = [sets_of_order(1, d), sets_of_order(3, d)]
    masks = np.concatenate([(1 << members).sum(axis=1) for members in sets])
    cells = coalition_index(~pairs.coalitions)  # chi_T counts the members of T outside S
    weights = pairs.weights / pairs.weights.mean()
    gram, moment = (
        np.bincount(cells, weights=shares, minlength=1 << d)
        for shares in (weights, weights * pairs.odd_part)
    )
    transform(gram)
    transform(moment)
    factor, refused = lapack.dpotrf(gather(gram, masks, masks).T, lower=1, clean=1)
    pivots = np.diag(factor)
    if refused or pivots.min() < LEAST_PIVOT * pivots.max():
        return None
    inverse = lapack.dlauum(lower_inverse(factor), lower=1, overwrite_c=1)[0]
    inverse = np.tril(inverse) + np.tril(inverse, -1).T
    free, towards = inverse @ moment[masks], inverse.sum(axis=1)
    lacking = 0.5 * pairs.total - free.sum()
    met = free + lacking / towards.sum() * towards
    fitted, grand = (_values(masks, walsh, d)[cells] for walsh in (met, towards))
    places = (masks[:, None] ^ masks).ravel()
    spread = np.bincount(places, weights=inverse.ravel(), minlength=1 << d)
    transform(spread)
    leverages = weights * (spread[cells] - np.square(grand) / towards.sum())
    left = pairs.odd_part - fitted
    shapley = OddFeatures(d, sets[1:]).shapley(met[:d], met[d:])
    return Fit(shapley, left, left / np.maximum(1.0 - leverages, LEAST_REMAINING))


def _values(masks: np.ndarray, walsh: np.ndarray, d: int) -> np.ndarray:
    """Values (2^d,) of the function with these Walsh coefficients."""
    table = np.zeros(1 << d)
    table[masks] = walsh
    transform(table)
    return table
