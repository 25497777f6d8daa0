"""Pairs of coalitions chosen in batches, by what they tell about the Shapley values.

The product process (`fits.product_process`) has an odd and an even part that are independent. A
pair of complements shows the odd part f at a coalition S, and the Shapley values phi depend on f
alone. Given the pairs so far, the expected squared error of phi falls by

    |cov(phi, f(S))|^2 / var(f(S)),

which does not depend on the values at S. Pairs are therefore chosen one after the other, each given
those before it, and a whole batch is evaluated before the process is fitted again. ShaplEIG
(Rundel et al. 2026, Section 4) chooses single coalitions by the information gain, the logarithm of
a determinant, and fits after each.
"""

import numpy as np

from ..games import Game, empty_value, grand_value
from ..samplers.sizes import SIZES
from ..samplers.without_replacement import stratified_coalitions
from ..threads import one_blas_thread
from .fits.product_process import ProductProcess, covariance, process_of, shapley_of_sections
from .pairs import Pairs, draw_pairs

MOST_PAIRS = 64  # that are chosen; more are drawn
LEAST_FIRST = 5  # pairs that are drawn before any is chosen, or half as many as there are players
BATCH = 6  # pairs that are chosen at once
CANDIDATES = 512  # pairs among which these are chosen
NUGGET = 1e-6  # variance of a value beyond the process, at least


def informative_pairs(game: Game, budget: int, sizes: str, rng: np.random.Generator) -> Pairs:
    """The end points and (budget - 2) // 2 distinct pairs, as `draw_pairs`, but chosen if few.

    Some pairs are drawn first, and with all pairs, more than `MOST_PAIRS` or hardly more than those
    drawn first there are no others. The weight of a pair is the Shapley kernel over the share of
    its size that was evaluated.
    """
    d, m = game.n_players, (budget - 2) // 2
    first = max(LEAST_FIRST, d // 2 + 1)
    if m > MOST_PAIRS or m <= first or d > 2 * MOST_PAIRS or 2 * m + 2 >= 1 << d:
        return draw_pairs(game, budget, sizes, rng)
    seen, _ = stratified_coalitions(SIZES[sizes](d), first, d, rng, paired=True)
    others, _ = stratified_coalitions(SIZES[sizes](d), CANDIDATES + first, d, rng, paired=True)
    others = others[~(others[:, None] == seen).all(axis=2).any(axis=1)]
    ends = empty_value(game), grand_value(game)
    values, opposite = _evaluated(game, seen)
    while len(seen) < m:
        with one_blas_thread():
            process = process_of(_weighted(seen, values, opposite, *ends))
            chosen = most_informative(process, others, min(BATCH, m - len(seen)))
        more = _evaluated(game, others[chosen])
        seen = np.vstack([seen, others[chosen]])
        values, opposite = np.append(values, more[0]), np.append(opposite, more[1])
        others = np.delete(others, chosen, axis=0)
    return _weighted(seen, values, opposite, *ends)


def most_informative(process: ProductProcess, coalitions: np.ndarray, count: int) -> list[int]:
    """Numbers of the pairs that reduce the variance of the Shapley values most, one by one.

    The process must have been fitted to pairs and the end points; ``coalitions`` (k, d) bool are
    one of each pair to choose from.
    """
    lengths, known = process.lengths, process.odd_rows()
    signs = np.where(coalitions, 1.0, -1.0)
    matrix = _odd(lengths, known, known)
    matrix[np.diag_indices(len(matrix))] += NUGGET
    factor = np.linalg.cholesky(matrix)
    half = np.linalg.solve(factor, _odd(lengths, known, signs))
    told = shapley_of_sections(lengths, signs)  # cov(phi, f(S)) before and, then, given the pairs
    told -= half.T @ np.linalg.solve(factor, shapley_of_sections(lengths, known))
    variances = 0.5 * (1.0 - np.exp(-lengths.sum())) + NUGGET - np.square(half).sum(axis=0)
    chosen: list[int] = []
    for _ in range(min(count, len(signs))):
        variances = np.maximum(variances, NUGGET)
        gains = np.square(told).sum(axis=1) / variances
        gains[chosen] = -1.0
        best = int(np.argmax(gains))
        chosen.append(best)
        root = np.sqrt(variances[best])
        row = (_odd(lengths, signs[best : best + 1], signs)[0] - half[:, best] @ half) / root
        half = np.vstack([half, row])
        told = told - np.outer(row, told[best] / root)
        variances = variances - np.square(row)
    return chosen


def _odd(lengths: np.ndarray, signs: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Covariances (n, k) of the odd part."""
    return 0.5 * (covariance(lengths, signs, others) - covariance(lengths, signs, -others))


def _evaluated(game: Game, coalitions: np.ndarray) -> np.ndarray:
    """Values (2, m) of the coalitions and of their complements."""
    return game(np.concatenate([coalitions, ~coalitions])).reshape(2, -1)


def _weighted(
    coalitions: np.ndarray, values: np.ndarray, opposite: np.ndarray, empty: float, grand: float
) -> Pairs:
    """The pairs in the order of their sizes, and weights by the number of each size."""
    d, sizes = coalitions.shape[1], coalitions.sum(axis=1)
    counts = np.bincount(sizes)[sizes]
    weights = np.where(2 * sizes == d, 0.5, 1.0) / (sizes * (d - sizes)) / counts
    order = np.argsort(sizes, kind="stable")
    return Pairs(coalitions, values, opposite, weights, empty, grand).part(order)
