"""Shapley values of an expensive model: as few evaluations as a tolerance takes."""

import logging
from dataclasses import dataclass

import numpy as np
import scipy

from ..games import CachedGame, Game, empty_value, grand_value
from ..samplers.sizes import leverage_sizes
from ..samplers.without_replacement import capped_shares, pairs_of_size, stratified_coalitions
from .auto import Auto
from .base import Estimate
from .convergence import ALPHA
from .pairs import Pairs

GROWTH = 1.5  # pairs at one look over those at the look before
FIRST = 3  # pairs per player at the first look
logger = logging.getLogger("shapaudit.progress")


@dataclass(frozen=True)
class ToleratedEstimate:
    """Where an explanation stopped.

    Attributes
    ----------
    values, standard_errors : (d,)
    evaluations : rows of the game that the values rest on
    half_width : of the widest of the simultaneous intervals of 95 %; 0 where all is exact
    converged : whether it is within the tolerance
    """

    values: np.ndarray
    standard_errors: np.ndarray
    evaluations: int
    half_width: float
    converged: bool


def explain(
    game: Game,
    tolerance: float,
    *,
    budget: int = 10_000,
    batch_size: int | None = None,
    seed: int = 0,
) -> ToleratedEstimate:
    """Shapley values by `auto`, until all are within ``tolerance`` or the budget is spent.

    Coalitions are drawn once, for the whole budget, and evaluated in parts, the next half as large
    again as all before; each part is a sample like the whole. After each, the largest half-width
    of the intervals of all players is looked at, at 5 % over the numbers of players and of looks
    (Bonferroni). These intervals are as good as the standard errors of `Auto`: measured, not
    proved. Progress is logged to `shapaudit.progress`.

    Give a `CachedGame` with a path, and a run that was interrupted resumes: the same seed asks for
    the same coalitions.

    Parameters
    ----------
    tolerance : largest error of any player, in units of the values
    budget : evaluations never exceeded
    batch_size : coalitions per call of the game, at most; None: all of a part
    seed : of the coalitions

    Raises `BudgetTooSmall` below the minimum of `auto`, and ValueError unless the tolerance is
    positive.
    """
    if not tolerance > 0:
        raise ValueError(f"tolerance must be positive; got {tolerance}.")
    estimator, d = Auto(), game.n_players
    estimator.check_budget(d, budget)
    cached = game if isinstance(game, CachedGame) else CachedGame(game, batch_size)
    if d == 1:
        estimate = estimator.estimate(cached, 2, np.random.default_rng(seed))
        return _explanation(estimate, 1, tolerance)
    plan = PairPlan(d, budget, np.random.default_rng(seed))
    looks = plan.looks()
    for draws in looks:
        pairs = plan.evaluated(cached, draws)
        estimate = estimator.estimate_from(pairs, np.random.default_rng([seed, draws]))
        explanation = _explanation(estimate, len(looks), tolerance)
        logger.info(
            "auto: %d of %d evaluations, half-width %.3g, tolerance %.3g",
            *(estimate.evaluations, budget, explanation.half_width, tolerance),
        )
        if explanation.converged:
            break
    return explanation


def _explanation(estimate: Estimate, looks: int, tolerance: float) -> ToleratedEstimate:
    limit = -scipy.special.ndtri(ALPHA / (2 * len(estimate.values) * looks))
    errors = estimate.known_errors()
    width = float(limit * errors.max())
    return ToleratedEstimate(
        estimate.values, errors, estimate.evaluations, width, width <= tolerance
    )


class PairPlan:
    """Pairs of coalitions for a budget, each size in random order: its first ones are a sample."""

    def __init__(self, n_players: int, budget: int, rng: np.random.Generator):
        self.d = n_players
        coalitions, _ = stratified_coalitions(
            leverage_sizes(n_players), (budget - 2) // 2, n_players, rng, paired=True
        )
        sizes = coalitions.sum(axis=1)
        order = np.lexsort([rng.random(len(sizes)), sizes])
        self.coalitions, self.sizes = coalitions[order], sizes[order]
        self.counts = np.bincount(self.sizes, minlength=n_players // 2 + 1)[1:]
        starts = np.cumsum(self.counts) - self.counts
        self.place = np.arange(len(sizes)) - starts[self.sizes - 1]

    def looks(self) -> list[int]:
        """Numbers of pairs after which to look, the last all of them."""
        most = len(self.coalitions)
        counts = [min(max(FIRST * self.d, 8), most)]
        while counts[-1] < most:
            counts.append(min(int(np.ceil(GROWTH * counts[-1])), most))
        return counts

    def evaluated(self, game: Game, draws: int) -> Pairs:
        """About so many of the pairs, each size in its share, with their values and weights."""
        sizes = np.arange(1, self.d // 2 + 1)
        halved = np.where(2 * sizes == self.d, 0.5, 1.0)
        whole = draws == len(self.coalitions)
        shares = capped_shares(halved / len(sizes), pairs_of_size(sizes, self.d), draws)
        counts = self.counts if whole else np.minimum(np.ceil(shares - 1e-9), self.counts)
        chosen = self.place < counts[self.sizes - 1]
        coalitions, own = self.coalitions[chosen], self.sizes[chosen]
        expected = np.maximum(counts, 1)[own - 1]
        weights = halved[own - 1] / (own * (self.d - own)) / expected
        values = game(np.concatenate([coalitions, ~coalitions]))
        m = len(own)
        ends = empty_value(game), grand_value(game)
        return Pairs(coalitions, values[:m], values[m:], weights, *ends)
