"""Complementary contributions: a coalition's value less that of its complement."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..games import Game
from ..samplers import uniform_subsets
from ..samplers.allocation import fill_up
from .base import BLOCK_CELLS, Card, Estimate, Estimator, Names
from .featurewise import TWO_STAGES
from .strata import Strata, StrataStream, cover

ZHANG = "Zhang, Sun, Liu, Xiong, Pei & Ren 2023"


def _warm_up_draws(d: int) -> int:
    """Draws that fill every stratum once: a cover for each size up to d / 2, one draw for d / 2."""
    return sum(1 if 2 * s == d else -(-d // s) for s in range(1, d // 2 + 1))


def _empty_strata(game: Game) -> Strata:
    """Strata of the sizes 1, ..., d - 1; size d has one coalition, of two evaluations."""
    d = game.n_players
    empty, grand = game(np.stack([np.zeros(d, dtype=bool), np.ones(d, dtype=bool)]))
    return Strata(np.full(d, (grand - empty) / d), np.full(d - 1, 1.0 / d))


def _warm_up(game: Game, strata: Strata, rng: np.random.Generator) -> None:
    d = game.n_players
    for size in range(1, d // 2 + 1):
        # A half and its complement serve every player with the same two evaluations.
        _add(game, strata, cover(d, size, rng)[: 1 if 2 * size == d else None])


def _draw(game: Game, strata: Strata, sizes: np.ndarray, rng: np.random.Generator) -> None:
    d = game.n_players
    block = max(1, BLOCK_CELLS // (2 * d))
    for start in range(0, len(sizes), block):
        _add(game, strata, uniform_subsets(sizes[start : start + block], d, rng))


def _add(game: Game, strata: Strata, coalitions: np.ndarray) -> None:
    values = game(np.concatenate([coalitions, ~coalitions]))
    contributions = values[: len(coalitions)] - values[len(coalitions) :]
    cells = coalitions.sum(axis=1) - 1
    strata.add(coalitions, cells, contributions)
    strata.add(~coalitions, game.n_players - 2 - cells, -contributions)


@dataclass(frozen=True)
class ComplementaryContributions(StrataStream):
    """phi_i = (1/d) sum_s of the mean of u(S) = v(S) - v(D minus S) over S with i, |S| = s.

    A draw u(S) = -u(D minus S) serves all players, in S at size |S| and out of it at d - |S|. Sizes
    1 to d - 1 are drawn alike; size d is evaluated once. A warm-up gives each stratum a draw,
    without which the mean of a stratum that the draws miss would be 0, and biased. Unbiased; not
    efficient. 2 n + 2 evaluations for n draws, the warm-up included.
    """

    id: ClassVar[str] = "complementary-contributions"
    names: ClassVar[Names] = {"CC": {}}
    draw_cost: ClassVar[int] = 2
    card: ClassVar[Card] = Card(
        family="semivalue",
        definition="Values of coalitions less those of their complements, stratified by size and "
        "shared by all players.",
        evaluations="2 n + 2",
        cost="O(d)",
        source=ZHANG,
        unbiased=True,
    )

    def minimum_budget(self, n_players: int) -> int:
        """The end points and a draw for each stratum."""
        return 2 + 2 * _warm_up_draws(n_players)

    def start(self, game: Game, rng: np.random.Generator) -> Strata:
        """A draw for each stratum."""
        strata = _empty_strata(game)
        _warm_up(game, strata, rng)
        return strata

    def extend(self, game: Game, strata: Strata, draws: int, rng: np.random.Generator) -> None:
        """Add draws of uniform size."""
        _draw(game, strata, rng.integers(1, game.n_players, size=draws), rng)


@dataclass(frozen=True)
class NeymanComplementaryContributions(Estimator):
    """Complementary contributions, the second half of the budget by Neyman's allocation.

    n_s draws of the sizes s and d - s leave the sum over players of the variances
    sum_i (d / s var_is + d / (d - s) var_i(d-s)) / n_s, which is least for n_s proportional to the
    root of the bracket (at s = d / 2, the sum of var_is alone). The variances are those of the
    first half, of which two warm-ups give each stratum two draws.
    """

    id: ClassVar[str] = "neyman-complementary"
    names: ClassVar[Names] = {"CCN": {}}
    card: ClassVar[Card] = Card(
        family="semivalue",
        definition="Complementary contributions, with half of the draws allotted to the sizes by "
        "the standard deviations found before.",
        evaluations="2 n + 2",
        cost="O(d)",
        source=f"{ZHANG}, Neyman allocation",
        bias=TWO_STAGES,
    )

    def minimum_budget(self, n_players: int) -> int:
        """The end points and two draws for each stratum."""
        return 2 + 4 * _warm_up_draws(n_players)

    def estimate(self, game: Game, budget: int, rng: np.random.Generator) -> Estimate:
        """Estimate within ``budget`` evaluations; raises `BudgetTooSmall` below the minimum."""
        d = game.n_players
        self.check_budget(d, budget)
        strata = _empty_strata(game)
        if d == 1:
            return strata.estimate(2)
        _warm_up(game, strata, rng)
        _warm_up(game, strata, rng)
        draws = (budget - 2) // 2
        more = max(draws // 2 - 2 * _warm_up_draws(d), 0)
        _draw(game, strata, rng.integers(1, d, size=more), rng)
        sizes = np.arange(1, d // 2 + 1)
        counts = fill_up(*_needs(strata, sizes), draws - 2 * _warm_up_draws(d) - more)
        _draw(game, strata, np.repeat(sizes, counts), rng)
        return strata.estimate(2 + 2 * draws)


def _needs(strata: Strata, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Neyman's weights of the sizes up to d / 2, and the draws done there."""
    d = len(strata.offset)
    half = 2 * sizes == d
    spread = strata.variances().sum(axis=0)
    own, partner = spread[sizes - 1], spread[d - sizes - 1]
    both = d / sizes * own + d / (d - sizes) * partner
    # A draw serves each player on one of its two sides.
    done = strata.counts[0, sizes - 1] + np.where(half, 0, strata.counts[0, d - sizes - 1])
    return np.sqrt(np.where(half, own, both)), done
