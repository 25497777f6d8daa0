"""Unbiased KernelSHAP: least squares with the exact matrix, a mean of independent draws."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ..games import Game, empty_value, grand_value
from ..samplers import sample_sizes, uniform_subsets
from ..samplers.sizes import SIZES, Sizes
from .base import Card, Estimate, Names, SampleMean


class _FromEmpty:
    """A game less its value of the empty coalition."""

    def __init__(self, game: Game, empty: float) -> None:
        self.game, self.empty, self.n_players = game, empty, game.n_players

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        return self.game(coalitions) - self.empty


@dataclass(frozen=True)
class UnbiasedKernelSHAP(SampleMean):
    """The least squares of KernelSHAP with its exact matrix (Covert & Lee 2021, Section 3.3).

    Along the hyperplane that matrix is a multiple of the identity, so the solution is the equal
    split plus the mean over draws of d / (l (d - l) q_l) (v(S) - v(empty)) (x - l/d), for a
    uniform subset S of indicator x and size l of probability q_l. m draws cost m + 2 evaluations,
    or 2 m + 2 in pairs. Unbiased and efficient; not exact on additive games, whose linear part
    the sampled matrix of KernelSHAP would have removed.

    Parameters
    ----------
    sizes : "kernel" as published; "leverage" or "projected" as in `ImportanceLeastSquares`
    paired : whether each coalition comes with its complement (Section 4.2); a pair is one draw
    """

    id: ClassVar[str] = "unbiased-kernel-shap"
    names: ClassVar[Names] = {"Unbiased KernelSHAP": {}}
    fixed_cost: ClassVar[int] = 2

    sizes: Sizes = "kernel"
    paired: bool = False

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        joined = ", each joined by its complement" if self.paired else ""
        return Card(
            family="least squares",
            definition="KernelSHAP with the exact matrix of its normal equations, on coalitions "
            f"with {self.sizes} sizes{joined}.",
            evaluations="2 m + 2" if self.paired else "m + 2",
            cost="O(d)",
            source="Covert & Lee 2021, Sections 3.3 and 4.2",
            aliases=self.aliases,
            unbiased=True,
            efficient=True,
        )

    def unit_cost(self, n_players: int) -> int:
        """One coalition, or two complements."""
        return 1 + self.paired

    def minimum_budget(self, n_players: int) -> int:
        """The end points and one draw; one player needs the end points only."""
        return 2 if n_players == 1 else super().minimum_budget(n_players)

    def stream(
        self, game: Game, checkpoints: Sequence[int], rng: np.random.Generator
    ) -> Iterator[Estimate]:
        """The estimates of `trajectory`, nothing evaluated before it is asked for."""
        d = game.n_players
        self.check_checkpoints(d, checkpoints)
        empty = empty_value(game)
        equal = (grand_value(game) - empty) / d
        if d == 1:
            yield from [Estimate(np.array([equal]), 2)] * len(checkpoints)
            return
        for each in super().stream(_FromEmpty(game, empty), checkpoints, rng):
            yield replace(each, values=equal + each.values)

    def draw(self, game: Game, units: int, rng: np.random.Generator) -> np.ndarray:
        """Deviations (units, d) from the equal split."""
        d = game.n_players
        probabilities = SIZES[self.sizes](d)
        sizes = sample_sizes(probabilities, units, rng)
        coalitions = uniform_subsets(sizes, d, rng)
        if self.paired:
            values = game(np.concatenate([coalitions, ~coalitions]))
            rewards = 0.5 * (values[:units] - values[units:])
        else:
            rewards = game(coalitions)
        factors = d / (sizes * (d - sizes) * probabilities[sizes - 1])
        deviations = coalitions - sizes[:, None] / d
        deviations *= (factors * rewards)[:, None]
        return deviations
