"""Shapley values of an expensive model: as few evaluations as a tolerance takes."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy

from ..games import CachedGame, Game
from ..samplers.sizes import leverage_sizes
from ..samplers.spread import Spread, candidates, pays
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
    Auto().check_budget(game.n_players, budget)
    cached = game if isinstance(game, CachedGame) else CachedGame(game, batch_size)
    for look in refined(lambda rows: cached(rows)[:, None], game.n_players, budget, seed):
        explanation = _explanation(look.estimates[0], look.looks, tolerance)
        logger.info(
            "auto: %d of %d evaluations, half-width %.3g, tolerance %.3g",
            *(explanation.evaluations, budget, explanation.half_width, tolerance),
        )
        if explanation.converged:
            break
    return explanation


class Look(NamedTuple):
    """The estimates of all outputs after a part of the coalitions, and the number of all looks."""

    estimates: list[Estimate]
    looks: int

    def half_widths(self) -> np.ndarray:
        """Half-width of the widest interval of each output (k,), see `half_width`."""
        return np.array([half_width(estimate, self.looks) for estimate in self.estimates])


def refined(
    values: Callable[[np.ndarray], np.ndarray],
    n_players: int,
    budget: int,
    seed: int,
    *,
    whole: bool = False,
) -> Iterator[Look]:
    """Estimates by `auto` from ever more of the coalitions that are drawn for a budget.

    ``values`` gives those of coalitions (m, d), for each of k outputs (m, k); it is asked again
    for coalitions of earlier looks, and should remember them. ``whole``: at the end only.
    """
    estimator = Auto()
    if n_players == 1:
        ends = values(np.array([[False], [True]]))
        yield Look([Estimate(change, 2, np.zeros(1)) for change in np.diff(ends, axis=0).T], 1)
        return
    plan = PairPlan(n_players, budget, np.random.default_rng(seed))
    counts = plan.looks()[-1:] if whole else plan.looks()
    for draws in counts:
        pairs = plan.evaluated(values, draws)
        rng = [seed, draws]
        yield Look(
            [estimator.estimate_from(each, np.random.default_rng(rng)) for each in pairs],
            len(counts),
        )


def half_width(estimate: Estimate, looks: int) -> float:
    """Of the widest of the intervals of all players, at 5 % over the numbers of players and looks.

    Bonferroni's correction: they hold together, at whichever look one stops.
    """
    limit = -scipy.special.ndtri(ALPHA / (2 * len(estimate.values) * looks))
    return float(limit * estimate.known_errors().max())


def _explanation(estimate: Estimate, looks: int, tolerance: float) -> ToleratedEstimate:
    width = half_width(estimate, looks)
    return ToleratedEstimate(
        *(estimate.values, estimate.known_errors(), estimate.evaluations),
        *(width, bool(width <= tolerance)),
    )


class PairPlan:
    """Pairs of coalitions for a budget, of each size in an order whose first ones are a sample."""

    def __init__(self, n_players: int, budget: int, rng: np.random.Generator):
        self.d, draws = n_players, (budget - 2) // 2
        probabilities = leverage_sizes(n_players)
        drawn, _ = stratified_coalitions(probabilities, draws, n_players, rng, paired=True)
        self.counts = np.bincount(drawn.sum(axis=1), minlength=n_players // 2 + 1)
        chosen = pays(len(drawn), n_players)
        self._spread = Spread(
            candidates(self.counts, n_players, rng) if chosen else rng.permutation(drawn)
        )

    def looks(self) -> list[int]:
        """Numbers of pairs after which to look, the last all of them."""
        most = int(self.counts.sum())
        counts = [min(max(FIRST * self.d, 8), most)]
        while counts[-1] < most:
            counts.append(min(int(np.ceil(GROWTH * counts[-1])), most))
        return counts

    def evaluated(self, game: Callable[[np.ndarray], np.ndarray], draws: int) -> list[Pairs]:
        """About so many of the pairs, each size in its share, with their weights.

        For each of the k outputs of a ``game`` from coalitions (m, d) to values (m, k).
        """
        sizes = np.arange(1, self.d // 2 + 1)
        halved = np.where(2 * sizes == self.d, 0.5, 1.0)
        shares = capped_shares(halved / len(sizes), pairs_of_size(sizes, self.d), draws)
        counts = self.counts.copy()
        if draws < counts.sum():
            counts[1:] = np.minimum(np.ceil(shares - 1e-9), counts[1:])
        coalitions = self._spread.first(counts)
        own = coalitions.sum(axis=1)
        weights = halved[own - 1] / (own * (self.d - own)) / counts[own]
        values = game(np.concatenate([coalitions, ~coalitions]))
        ends = game(np.repeat([[False], [True]], self.d, axis=1))
        m = len(own)
        return [
            Pairs(coalitions, column[:m], column[m:], weights, float(empty), float(grand))
            for column, (empty, grand) in zip(values.T, ends.T, strict=True)
        ]
