"""The bandwidth of the kernel removal by a corrected information criterion, per coalition size.

Of the model's output regressed on the features of a coalition by the weights of the removal, with
fitted values H f, the criterion is log(|f - H f|^2 / n) + (1 + tr H / n) / (1 - (tr H + 2) / n)
(Hurvich, Simonoff & Tsai 1998). Aas, Jullum & Loland 2021, Section 3.3, sum it over coalitions of a
size, for one bandwidth per size.
"""

from collections.abc import Callable

import numpy as np
from numba import njit

from ..progress import progress

GRID = np.geomspace(0.05, 3.2, 19)  # in units of the distance D
MOST_ROWS = 250  # whose outputs are regressed
MOST_COALITIONS = 10  # of a size
TINY = 1e-300  # in the place of a residual of 0

Squares = Callable[[np.ndarray, np.ndarray], np.ndarray]


def regressed_rows(rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The rows (m, d) whose outputs are regressed: all, or `MOST_ROWS` of them at random."""
    taken = rng.choice(len(rows), size=min(len(rows), MOST_ROWS), replace=False)
    return rows[np.sort(taken)]


def chosen_bandwidths(
    rows: np.ndarray, outputs: np.ndarray, squares: Squares, rng: np.random.Generator
) -> np.ndarray:
    """The bandwidth (d + 1,) of each size of coalitions, from `GRID`; 1 for size 0, where any does.

    Parameters
    ----------
    rows : (n, d), see `regressed_rows`
    outputs : (n,) of the model on them
    squares : D^2 (n,) of these rows from a row, on the features of a coalition; infinite where a
        category differs
    rng : draws coalitions of each size
    """
    d = rows.shape[1]
    bandwidths = np.ones(d + 1)
    for size in progress(range(1, d + 1), "bandwidths", "sizes of coalitions"):
        criteria = np.zeros(len(GRID))
        for members in _coalitions(size, d, rng):
            criteria += _criteria(np.stack([squares(row, members) for row in rows]), outputs, GRID)
        bandwidths[size] = GRID[np.argmin(criteria) if np.isfinite(criteria).any() else -1]
    return bandwidths


def _coalitions(size: int, n_features: int, rng: np.random.Generator) -> np.ndarray:
    """Distinct coalitions (m, d) of a size, at most `MOST_COALITIONS`."""
    order = np.argsort(rng.random((MOST_COALITIONS, n_features)), axis=1)
    return np.unique(order < size, axis=0)


@njit(cache=True, nogil=True)
def _criteria(squares: np.ndarray, outputs: np.ndarray, bandwidths: np.ndarray) -> np.ndarray:
    """The criterion (k,) of each bandwidth; infinite where the weights leave no freedom."""
    n = outputs.size
    criteria = np.empty(bandwidths.size)
    for k in range(bandwidths.size):
        scale = 2.0 * bandwidths[k] * bandwidths[k]
        rest = 0.0
        trace = 0.0
        for i in range(n):
            mass = 0.0
            total = 0.0
            for j in range(n):
                weight = np.exp(-squares[i, j] / scale)
                mass += weight
                total += weight * outputs[j]
            rest += (outputs[i] - total / mass) ** 2
            trace += 1.0 / mass
        free = 1.0 - (trace + 2.0) / n
        criteria[k] = np.inf
        if free > 0.0:
            criteria[k] = np.log(max(rest / n, TINY)) + (1.0 + trace / n) / free
    return criteria
