"""Many runs of projected SGD on a tabulated game: steps, sizes and averages are the estimator's.

In a table a coalition is a number: drawing it and finding its value take no array of players, and
one loop holds all runs. The estimator, which takes any game, spends most of a short run on calls.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numba import njit

from ..games import TabularGame
from ..samplers import sample_sizes
from .sgd import ProjectedSGD

BLOCK_DRAWS = 1 << 21  # coalitions in memory at a time


@cache
def _by_size(n_players: int) -> tuple[np.ndarray, np.ndarray]:
    """Coalitions (2^d,) as numbers, ordered by size, and where each size starts (d + 2,)."""
    sizes = np.bitwise_count(np.arange(1 << n_players))
    order = np.argsort(sizes, kind="stable")
    return order, np.searchsorted(sizes[order], np.arange(n_players + 2))


@njit(cache=True, nogil=True)
def _residual(values: np.ndarray, apart: np.ndarray, share: float, coalition: int) -> float:
    """<x, phi> - (v(S) - v(empty)) at phi = share + apart."""
    residual = values[0] - values[coalition]
    for j in range(apart.size):
        residual += (coalition >> j & 1) * (share + apart[j])
    return residual


@njit(cache=True, nogil=True)
def _descend(
    values: np.ndarray,
    drawn: np.ndarray,
    sizes: np.ndarray,
    factors: np.ndarray,
    steps: np.ndarray,
    rates: np.ndarray,
    paired: bool,
    inner: np.ndarray,
    ends: np.ndarray,
    out: np.ndarray,
) -> None:
    """Averages (runs, times, d) after the numbers of steps ``ends``, runs from the equal split.

    Coalitions and their sizes are (runs, T, batch). Iterates are kept as deviations from the equal
    split: they sum to zero, and K is the ball of the squared radius ``inner``.
    """
    batch, d = drawn.shape[2], out.shape[2]
    gradient = np.empty(d)
    share = (values[-1] - values[0]) / d
    for run in range(len(out)):
        apart, mean, k = np.zeros(d), np.zeros(d), 0
        for t in range(steps.size):
            gradient[:] = 0.0
            for i in range(batch):
                coalition, size = drawn[run, t, i], sizes[run, t, i]
                residual = _residual(values, apart, share, coalition)
                if paired:
                    opposite = values.size - 1 - coalition
                    residual = (residual - _residual(values, apart, share, opposite)) / 2
                pull, mean_member = factors[size - 1] * residual / batch, size / d
                for j in range(d):
                    gradient[j] += pull * ((coalition >> j & 1) - mean_member)
            squared = 0.0
            for j in range(d):
                apart[j] -= steps[t] * gradient[j]
                squared += apart[j] * apart[j]
            shrink = np.sqrt(inner / squared) if squared > inner else 1.0
            for j in range(d):
                apart[j] *= shrink
                mean[j] += rates[t] * (apart[j] - mean[j])
            if t + 1 == ends[k]:
                for j in range(d):
                    out[run, k, j] = share + mean[j]
                k += 1


def many_runs(
    sgd: ProjectedSGD,
    game: TabularGame,
    budgets: Sequence[int],
    count: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Estimates (count, budgets, d) of independent runs, of the same law as those of ``sgd``.

    ``budgets`` increase by a step at least. Raises ValueError for a projection other than on the
    hyperplane or the intersection.
    """
    if sgd.projection not in ("hyperplane", "intersection"):
        raise ValueError(f"no many runs with projection {sgd.projection!r}; run the estimator.")
    d, values = game.n_players, game.values
    sgd.check_checkpoints(d, budgets)
    ends = (np.asarray(budgets) - 2) // (sgd.minimum_budget(d) - 2)  # the cost of a step
    t = np.arange(1, ends[-1] + 1)
    law, size = sgd.size_law(d), np.arange(1, d)
    factors = 2.0 * (d - 1) / (size * (d - size) * law)  # 2 w_i / p_i
    inner = np.inf
    if sgd.projection == "intersection":
        inner = (sgd.radius_ratio(d) * sgd.bound) ** 2 - (values[-1] - values[0]) ** 2 / d
    order, starts = _by_size(d)
    counts = np.diff(starts)
    out = np.empty((count, len(ends), d))
    for part in np.array_split(out, 1 + count * len(t) * sgd.batch // BLOCK_DRAWS):
        sizes = sample_sizes(law, len(part) * len(t) * sgd.batch, rng)
        drawn = order[starts[sizes] + (rng.random(len(sizes)) * counts[sizes]).astype(np.int64)]
        shape = len(part), len(t), sgd.batch
        drawn, sizes = drawn.reshape(shape), sizes.reshape(shape)
        steps, rates = sgd.step_sizes(d, t), sgd.averaging_rates(t)
        _descend(values, drawn, sizes, factors, steps, rates, sgd.paired, inner, ends, part)
    return out
