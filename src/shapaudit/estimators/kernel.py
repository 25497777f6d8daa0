"""Least squares on coalitions sampled with replacement, under the efficiency constraint."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from ..bits import joint_counts, sums_over_coalitions, weighted_joint_counts
from ..games import Game, empty_value, grand_value
from ..samplers import sample_sizes, uniform_subsets
from ..samplers.sizes import SIZES, Sizes, kernel_sizes
from .base import BLOCK_CELLS, Card, Estimate, Names, UnitEstimator
from .sandwich import sandwich_errors

RANK_TOLERANCE = 1e-10
UNITS_PER_PLAYER = 6  # from which 95 % intervals hold the values about as often as they should


def solve_constrained(
    gram: np.ndarray, moment: np.ndarray, start: np.ndarray, normals: np.ndarray
) -> np.ndarray:
    """Minimise c'A c - 2 b'c over the plane through ``start`` orthogonal to the ``normals``.

    Where A (p, p) leaves directions of the plane free, the solution closest to ``start`` (p,) is
    taken; the ``normals`` (p, k) are orthonormal.
    """
    # Within the plane the constraints have no more to say: with P the projection on their
    # orthogonal complement and N the normals, the matrix is P A P + level N N'.
    image = gram @ normals
    within = normals.T @ image
    level = (np.trace(gram) - np.trace(within)) / len(gram)
    side = image - 0.5 * normals @ (within + level * np.eye(len(within)))
    lifted = gram - np.hstack([side, normals]) @ np.hstack([normals, side]).T
    right = moment - gram @ start
    right = right - normals @ (normals.T @ right)
    try:
        factor = scipy.linalg.cho_factor(lifted, check_finite=False)
        pivots = np.abs(np.diag(factor[0]))
        if pivots.min() ** 2 > RANK_TOLERANCE * pivots.max() ** 2:
            return start + scipy.linalg.cho_solve(factor, right, check_finite=False)
    except scipy.linalg.LinAlgError:
        pass
    inner = lifted - level * (normals @ normals.T)
    return start + np.linalg.pinv(inner, rcond=RANK_TOLERANCE, hermitian=True) @ right


def solve_efficient(gram: np.ndarray, moment: np.ndarray, total: float) -> np.ndarray:
    """Minimise phi'A phi - 2 b'phi subject to sum phi = total.

    With fewer independent coalitions than players there are many solutions, and solving the
    singular system returns noise; here it is the one closest to the equal split total/d. On an
    additive game that is never further from the Shapley values than the equal split.
    """
    d = len(moment)
    return solve_constrained(gram, moment, np.full(d, total / d), np.full((d, 1), d**-0.5))


def kernel_curvature(n_players: int) -> float:
    """E[x x'] = this times the identity along the hyperplane, for coalitions from the kernel.

    Given its size l a coalition has E[P x x' P] = l (d - l) / (d (d - 1)) P, so the mean over
    sizes of probability 1 / (Z l (d - l)) is 1 / (d Z) = 1 / (2 H_{d-1}).
    """
    return 0.5 / (1.0 / np.arange(1, n_players)).sum()


def _sums(
    coalitions: np.ndarray, rewards: np.ndarray, paired: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Sums of z z' (d, d) and of reward times z (d,), complements included where ``paired``.

    Those of complements 1 - z follow from those of z.
    """
    gram = joint_counts(coalitions)
    if not paired:
        return gram, sums_over_coalitions(rewards, coalitions)
    m, members = len(coalitions), np.diag(gram)
    own, opposite = rewards[:m], rewards[m:]
    both = 2.0 * gram - members - members[:, None] + m
    return both, sums_over_coalitions(own - opposite, coalitions) + opposite.sum()


class SampledLeastSquares(UnitEstimator):
    """Sizes from a distribution, uniform subsets of a size, weights kernel / distribution.

    ``ridge`` is the weight of the equal split, in coalitions: it adds what so many coalitions add
    along the hyperplane on average, all of them explained by the equal split. With
    ``standard_errors`` the draws are kept and looked at again for each estimate.
    """

    fixed_cost: ClassVar[int] = 2

    @property
    @abstractmethod
    def sizes(self) -> Sizes:
        """Name of the distribution of the sizes."""

    @property
    @abstractmethod
    def paired(self) -> bool:
        """Whether each coalition comes with its complement."""

    ridge: float = 0.0
    standard_errors: bool = False

    @property
    def _group(self) -> int:
        return 2 if self.paired else 1

    def minimum_budget(self, n_players: int) -> int:
        """The end points and one draw; one player needs the end points only."""
        return 2 + (self._group if n_players > 1 else 0)

    def unit_cost(self, n_players: int) -> int:
        """A coalition, or a pair of complements."""
        return self._group

    def units_for_errors(self, n_players: int) -> int | None:
        """As the inverse of the sampled matrix takes."""
        return UNITS_PER_PLAYER * n_players if self.standard_errors else None

    def stream(
        self, game: Game, checkpoints: Sequence[int], rng: np.random.Generator
    ) -> Iterator[Estimate]:
        """The estimates of `trajectory`, nothing evaluated before it is asked for."""
        d = game.n_players
        self.check_checkpoints(d, checkpoints)
        empty = empty_value(game)
        total = grand_value(game) - empty
        if d == 1:
            errors = np.zeros(1) if self.standard_errors else None
            yield from (Estimate(np.array([total]), 2, errors) for _ in checkpoints)
            return
        probabilities = SIZES[self.sizes](d)
        weights = kernel_sizes(d) / probabilities
        prior = self.ridge * kernel_curvature(d)
        gram, moment = prior * np.eye(d), np.full(d, prior * total / d)
        block = max(1, BLOCK_CELLS // (self._group * d))
        done = 0
        kept: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for checkpoint in checkpoints:
            last = (checkpoint - 2) // self._group
            while done < last:
                m = min(block, last - done)
                drawn = sample_sizes(probabilities, m, rng)
                coalitions = uniform_subsets(drawn, d, rng)
                if self.paired:
                    drawn = np.concatenate([drawn, d - drawn])
                    coalitions = np.concatenate([coalitions, ~coalitions])
                rewards = game(coalitions) - empty
                if self.standard_errors:
                    kept.append((coalitions[:m], rewards.reshape(-1, m), weights[drawn[:m] - 1]))
                if self.sizes == "kernel":
                    counts, sums = _sums(coalitions[:m], rewards, self.paired)
                    gram += counts
                    moment += sums
                else:
                    shares = weights[drawn - 1]
                    gram += weighted_joint_counts(shares, coalitions)
                    moment += sums_over_coalitions(shares * rewards, coalitions)
                done += m
            values = solve_efficient(gram, moment, total)
            errors = self._errors(kept, gram, values, total) if self.standard_errors else None
            yield Estimate(values, 2 + last * self._group, errors)

    def _errors(
        self,
        kept: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]],
        gram: np.ndarray,
        values: np.ndarray,
        total: float,
    ) -> np.ndarray:
        """Standard errors (d,) from the units kept so far, in blocks."""
        drawn, gained, shares = zip(*kept, strict=True)
        coalitions, weights = np.concatenate(drawn), np.concatenate(shares)
        rewards = np.concatenate(gained, axis=1)
        slopes = rewards[0] - coalitions @ values
        if self.paired:
            slopes -= rewards[1] - (total - coalitions @ values)
        return sandwich_errors(gram, coalitions, weights * slopes, self._group * weights)


@dataclass(frozen=True)
class KernelSHAP(SampledLeastSquares):
    """Weighted least squares on m sampled coalitions (Lundberg & Lee 2017, Theorem 2).

    Coalitions are drawn with replacement in proportion to the Shapley kernel (Covert & Lee 2021,
    Section 3.2). Costs m + 2 evaluations. Efficient; consistent, with a bias of order 1/m. Below
    about d coalitions the least squares has many solutions: the one closest to the equal split is
    returned. With ``standard_errors`` there are asymptotic ones, for the cost of another fit.
    """

    id: ClassVar[str] = "kernel-shap"
    names: ClassVar[Names] = {"LS": {}, "KernelSHAP": {}}
    sizes: ClassVar[Sizes] = "kernel"
    paired: ClassVar[bool] = False
    card: ClassVar[Card] = Card(
        family="least squares",
        definition="Least squares on coalitions drawn from the Shapley kernel, the values summing "
        "to v(grand) - v(empty).",
        evaluations="m + 2",
        cost="O(d^2)",
        source="Lundberg & Lee 2017, Theorem 2; Covert & Lee 2021, Section 3.2",
        bias="of order 1/m: the sampled system is inverted",
        efficient=True,
    )

    standard_errors: bool = False


@dataclass(frozen=True)
class PairedKernelSHAP(SampledLeastSquares):
    """KernelSHAP with each coalition joined by its complement (Covert & Lee 2021, Section 4.2).

    m pairs cost 2 m + 2 evaluations. Efficient; consistent; exact on games whose even part
    v(S) + v(D minus S) is all there is beside an additive part, once m reaches about d pairs.
    """

    id: ClassVar[str] = "paired-kernel-shap"
    names: ClassVar[Names] = {"LS_ANTI": {}, "Paired KernelSHAP": {}}
    sizes: ClassVar[Sizes] = "kernel"
    paired: ClassVar[bool] = True
    card: ClassVar[Card] = Card(
        family="least squares",
        definition="KernelSHAP with each sampled coalition joined by its complement.",
        evaluations="2 m + 2",
        cost="O(d^2)",
        source="Covert & Lee 2021, Section 4.2",
        bias="of order 1/m: the sampled system is inverted",
        efficient=True,
    )

    standard_errors: bool = False


@dataclass(frozen=True)
class ImportanceLeastSquares(SampledLeastSquares):
    """Least squares on coalitions sampled by size, with importance weights and a ridge.

    A coalition of size l weighs its Shapley kernel over its probability, q_l / C(d, l). The error
    is asymptotically the sum over sizes of (C(d, l) w_l)^2 / q_l times the mean of r^2 l (d - l),
    r being the residual at the solution (its odd part when paired), up to a factor: it is least
    for q_l proportional to rms(r) / sqrt(l (d - l)). Residuals alike for all sizes make
    "projected" the optimum; residuals that grow as sqrt(l (d - l)) make "leverage" the optimum.

    Parameters
    ----------
    sizes : "kernel", as KernelSHAP; "leverage", all sizes alike; "projected", see above
    paired : whether each coalition comes with its complement
    ridge : weight of the equal split, in coalitions. With kernel sizes this is the regularised
        KernelSHAP of Chen et al. 2023, Section 5.2 (which states no unit); it does not grow with
        the budget, so the estimate stays consistent. The published regularisation of Lundberg &
        Lee 2017 is an l1 penalty.
    """

    id: ClassVar[str] = "importance-least-squares"

    sizes: Sizes = "leverage"
    paired: bool = True
    ridge: float = 0.0
    standard_errors: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for unknown sizes or a negative ridge."""
        super().__post_init__()
        if not self.ridge >= 0:
            raise ValueError(f"{self.id}: ridge must not be negative.")

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        joined = ", each joined by its complement" if self.paired else ""
        pulled = f", with {self.ridge:g} coalitions for the equal split" if self.ridge else ""
        return Card(
            family="least squares",
            definition=f"Least squares on coalitions with {self.sizes} sizes and importance "
            f"weights{joined}{pulled}.",
            evaluations="2 m + 2" if self.paired else "m + 2",
            cost="O(d^2)",
            source="Chen et al. 2023, Section 5.2; Musco & Witter 2025, Section 3",
            bias="of order 1/m: the sampled system is inverted"
            + (", and towards the equal split" if self.ridge else ""),
            efficient=True,
        )
