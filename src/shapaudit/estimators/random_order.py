"""Walks along structured and quasi-random permutations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..games import Game, walk
from ..samplers.permutation_sets import QUASI_RANDOM, STRUCTURED, set_size, with_reverses
from .base import BLOCK_CELLS, WALK_COST, AnytimeEstimator, Card, Estimate, Names, SampleMean

MITCHELL = "Mitchell, Cooper, Frank & Holmes 2022"
LS_SPA = "Bell, Devanathan & Boyd 2024, Section 3.5"

SETS = {
    "uniform": ("uniform permutations", "d T + 1", "Castro, Gomez & Tejada 2009"),
    "antithetic": ("uniform permutations and their reverses", "2 d T + 1", MITCHELL),
    "cyclic": (
        "all cyclic shifts of uniform permutations",
        "d^2 T + 1",
        "Yang, Zhou, Fu, Liu & Zheng 2024 (Latin squares)",
    ),
    "williams": (
        "Williams' squares of uniform permutations",
        r"d^2 T + 1 \text{ ($d$ even)}, 2 d^2 T + 1 \text{ ($d$ odd)}",
        "Williams 1949, as permutations of players",
    ),
    "affine": (
        "affine maps modulo the first prime q from d on, of uniform permutations",
        r"d^2 (q - 1) T + 1",
        "Rotman 1995, Chapter 9 (sharply 2-transitive groups), as permutations of players",
    ),
    "orthogonal": (
        "permutations nearest to the axes of random frames, both ways",
        "2 d (d - 1) T + 1",
        f"{MITCHELL}, Section 4",
    ),
}


@dataclass(frozen=True)
class RandomOrder(SampleMean):
    """Walks along T independent sets of permutations; the set is the unit of standard errors.

    Unbiased and efficient, whatever the sets, because each permutation in them is uniform. With
    "uniform" and "antithetic" these are the walks of `OptimisedMonteCarlo` and
    `AntitheticMonteCarlo`, to the last bit.

    Parameters
    ----------
    permutations : a sampler of `samplers.permutation_sets.STRUCTURED`; sets of 1, 2, d, d
        (2 d for odd d), (q - 1) d and 2 (d - 1) permutations
    """

    id: ClassVar[str] = "random-order"
    names: ClassVar[Names] = {"orthogonal spherical codes": {"permutations": "orthogonal"}}
    fixed_cost: ClassVar[int] = 1

    permutations: Literal["uniform", "antithetic", "cyclic", "williams", "affine", "orthogonal"] = (
        "cyclic"
    )

    @property
    def card(self) -> Card:
        """The card of these permutations."""
        what, evaluations, source = SETS[self.permutations]
        return Card(
            family="random order",
            definition=f"Marginal contributions along {what}.",
            evaluations=evaluations,
            cost=WALK_COST,
            source=source,
            aliases=self.aliases,
            unbiased=True,
            efficient=True,
            additive=True,
        )

    def unit_cost(self, n_players: int) -> int:
        """The walks of one set."""
        return n_players * set_size(self.permutations, n_players)

    def draw(self, game: Game, units: int, rng: np.random.Generator) -> np.ndarray:
        """Means (units, d) over the walks of each set."""
        d = game.n_players
        sets = STRUCTURED[self.permutations](units, d, rng)
        return walk(game, sets.reshape(-1, d)).reshape(units, -1, d).mean(axis=1)


@dataclass(frozen=True)
class QuasiRandomOrder(AnytimeEstimator):
    """Walks along quasi-random permutations, in R replicates of n permutations each.

    d n R + 1 evaluations, with reverses 2 d n R + 1. Standard errors come from the spread between
    the replicates' means, of R - 1 degrees of freedom: confidence limits want Student's quantile.
    The quasi-random points are most even when n is a power of two.

    Parameters
    ----------
    permutations : "sobol" sorts Sobol' points; "permutohedron" takes the permutations nearest to
        Sobol' points on the sphere
    replicates : R; the fewer, the longer the sequences and the less certain the standard errors,
        of which a single replicate has none
    antithetic : each permutation joined by its reverse
    """

    id: ClassVar[str] = "quasi-random-order"
    names: ClassVar[Names] = {
        "argsort QMC": {"permutations": "sobol"},
        "permutohedron QMC": {"permutations": "permutohedron"},
    }

    permutations: Literal["sobol", "permutohedron"] = "sobol"
    replicates: int = 4
    antithetic: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown choice, or without a replicate."""
        super().__post_init__()
        if self.replicates < 1:
            raise ValueError(f"{self.id}: replicates must be at least 1; got {self.replicates}.")

    @property
    def card(self) -> Card:
        """The card of these permutations."""
        what, source = {
            "sobol": ("that sort scrambled Sobol' points", LS_SPA),
            "permutohedron": (
                "nearest to scrambled Sobol' points on the sphere",
                f"{MITCHELL}, Section 4",
            ),
        }[self.permutations]
        return Card(
            family="random order",
            definition=f"Marginal contributions along permutations {what}"
            + (", and their reverses." if self.antithetic else "."),
            evaluations=f"{'2 ' if self.antithetic else ''}d n R + 1",
            cost=WALK_COST,
            source=source,
            aliases=self.aliases,
            unbiased=True,
            efficient=True,
            additive=True,
        )

    def _unit_cost(self, d: int) -> int:
        return d * self.replicates * (2 if self.antithetic else 1)

    def minimum_budget(self, n_players: int) -> int:
        """One permutation in each replicate."""
        return 1 + self._unit_cost(n_players)

    def trajectory(
        self, game: Game, checkpoints: Sequence[int], rng: np.random.Generator
    ) -> list[Estimate]:
        """Estimates at increasing budgets, from one run; raises `BudgetTooSmall`."""
        d = game.n_players
        self.check_checkpoints(d, checkpoints)
        cost = self._unit_cost(d)
        points = [(checkpoint - 1) // cost for checkpoint in checkpoints]
        permutations = QUASI_RANDOM[self.permutations](points[-1], d, self.replicates, rng)
        sums = np.zeros((self.replicates, d))
        estimates = []
        done = 0
        for last in points:
            sums += self._walk_sums(game, permutations[:, done:last])
            means = sums / last
            done = last
            errors = None
            if self.replicates > 1:
                errors = means.std(axis=0, ddof=1) / np.sqrt(self.replicates)
            estimates.append(Estimate(means.mean(axis=0), 1 + cost * last, errors))
        return estimates

    def _walk_sums(self, game: Game, permutations: np.ndarray) -> np.ndarray:
        """Sums (R, d), over the permutations (R, n, d), of (mean) marginal contributions."""
        replicates, n, d = permutations.shape
        sums = np.zeros((replicates, d))
        block = max(1, BLOCK_CELLS // (self._unit_cost(d) * d))
        for start in range(0, n, block):
            part = permutations[:, start : start + block]
            walked = with_reverses(part) if self.antithetic else part
            gains = walk(game, walked.reshape(-1, d)).reshape(replicates, -1, d)
            sums += gains.sum(axis=1) * (part.shape[1] / walked.shape[1])
        return sums
