"""Shapley values from the values of coalitions, not from marginal contributions."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..games import Game
from ..samplers import sample_sizes, uniform_subsets
from .base import Card, Names
from .featurewise_order import subsets_without
from .strata import Strata, StrataStream, border_cost, border_values, cover

KOLPACZKI = "Kolpaczki, Bengs, Muschalik & Huellermeier 2024"


@dataclass(frozen=True)
class SVARM(StrataStream):
    """Mean value of the coalitions with a player, less that of those without it.

    A coalition S drawn with probability 1 / (|S| C(d, |S|) H_d), H_d the harmonic number, has for
    each of its members the law of the players up to and including it in a uniform permutation; the
    complement of such a draw serves the players that are not in it. 2 d + 2 n evaluations, the
    first 2 d for one draw of each kind per player. Unbiased; not efficient.
    """

    id: ClassVar[str] = "svarm"
    names: ClassVar[Names] = {"SVARM": {}}
    draw_cost: ClassVar[int] = 2
    card: ClassVar[Card] = Card(
        family="semivalue",
        definition="Mean value of coalitions with a player less that of coalitions without it, "
        "each value shared by all players it serves.",
        evaluations="2 d + 2 n",
        cost="O(d)",
        source=f"{KOLPACZKI}, Algorithm 1",
        unbiased=True,
    )

    def minimum_budget(self, n_players: int) -> int:
        """Two values for each player."""
        return 2 * n_players

    def start(self, game: Game, rng: np.random.Generator) -> Strata:
        """One coalition with each player and one without."""
        d = game.n_players
        players = np.tile(np.arange(d), 2)
        coalitions = subsets_without(players, rng.integers(d, size=2 * d), d, rng)
        coalitions[np.arange(d), np.arange(d)] = True
        strata = Strata(np.zeros(d), np.array([1.0, -1.0]))
        owners = np.eye(d, dtype=bool)[players]
        strata.add(owners, np.repeat([0, 1], d), game(coalitions))
        return strata

    def extend(self, game: Game, strata: Strata, draws: int, rng: np.random.Generator) -> None:
        """Add pairs of one coalition for its members and one for those who are not in it."""
        d = game.n_players
        sizes = sample_sizes(1.0 / np.arange(1, d + 1), 2 * draws, rng)
        served = uniform_subsets(sizes, d, rng)
        coalitions = np.concatenate([served[:draws], ~served[draws:]])
        strata.add(served, np.repeat([0, 1], draws), game(coalitions))


def stratified_sizes(n_players: int) -> np.ndarray:
    """Probabilities (d - 3,) of the sizes 2, ..., d - 2 (Kolpaczki et al. 2024).

    Proportional to 1 / min(s, d - s), but 1 / (d log d) for d / 2 where d is even.
    """
    size = np.arange(2, n_players - 1)
    weight = 1.0 / np.minimum(size, n_players - size)
    half = 2 * size == n_players
    if not half.any() or half.all():
        return weight / weight.sum()
    middle = 1.0 / (n_players * np.log(n_players))
    return np.where(half, middle, (1.0 - middle) * weight / weight[~half].sum())


@dataclass(frozen=True)
class StratifiedSVARM(StrataStream):
    """SVARM with strata by the size of the coalition: every value serves all d players.

    The sizes 0, 1, d - 1 and d are evaluated in full, 2 d + 2 evaluations; then, as a warm-up, for
    each other size s the pieces of one permutation, ceil(d / min(s, d - s)) evaluations; then n
    draws. As each value serves the players in the coalition and those out of it, one cover per size
    fills all strata, where the published warm-up takes one for each side. Unbiased; not efficient;
    exact up to three players.
    """

    id: ClassVar[str] = "stratified-svarm"
    names: ClassVar[Names] = {"Stratified SVARM": {}}
    draw_cost: ClassVar[int] = 1
    card: ClassVar[Card] = Card(
        family="semivalue",
        definition="SVARM with strata by coalition size: each value serves all players, the "
        "outermost sizes are evaluated in full.",
        evaluations=r"2 d + 2 + \sum_{s=2}^{d-2} \lceil d / \min(s, d - s) \rceil + n",
        cost="O(d)",
        source=f"{KOLPACZKI}, Algorithm 2",
        unbiased=True,
    )

    def minimum_budget(self, n_players: int) -> int:
        """The outermost sizes, and the cover of the others."""
        pieces = (-(-n_players // min(s, n_players - s)) for s in range(2, n_players - 1))
        return border_cost(n_players) + sum(pieces)

    def exact_budget(self, n_players: int) -> int | None:
        """Up to three players there is nothing to draw."""
        return self.minimum_budget(n_players) if n_players <= 3 else None

    def start(self, game: Game, rng: np.random.Generator) -> Strata:
        """The outermost sizes exactly, and a cover of the others."""
        d = game.n_players
        inner = max(d - 3, 0)
        strata = Strata(_border_part(game), np.repeat([1.0 / d, -1.0 / d], inner))
        for size in range(2, d - 1):
            small = cover(d, min(size, d - size), rng)
            self._add(game, strata, small if 2 * size <= d else ~small)
        return strata

    def extend(self, game: Game, strata: Strata, draws: int, rng: np.random.Generator) -> None:
        """Add coalitions of random sizes."""
        d = game.n_players
        sizes = 1 + sample_sizes(stratified_sizes(d), draws, rng)
        self._add(game, strata, uniform_subsets(sizes, d, rng))

    @staticmethod
    def _add(game: Game, strata: Strata, coalitions: np.ndarray) -> None:
        values = game(coalitions)
        cells = coalitions.sum(axis=1) - 2
        strata.add(coalitions, cells, values)
        strata.add(~coalitions, cells + game.n_players - 3, values)


def _border_part(game: Game) -> np.ndarray:
    """What the sizes 0, 1, d - 1 and d contribute to the Shapley values (d,)."""
    d = game.n_players
    empty, grand, singles, all_but = border_values(game)
    ends = singles - empty + grand - all_but
    if d < 3:
        return ends / 2.0
    with_player = (all_but.sum() - all_but) / (d - 1)
    without_player = (singles.sum() - singles) / (d - 1)
    return (ends + with_player - without_player) / d
