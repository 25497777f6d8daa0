"""KernelSHAP: least squares on sampled coalitions under the efficiency constraint."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ..games import empty_value, grand_value
from ..samplers import kernel_sizes, sample_sizes, uniform_subsets
from .base import BLOCK_CELLS, AnytimeEstimator, Estimate

RANK_TOLERANCE = 1e-10


def solve_constrained(gram: np.ndarray, moment: np.ndarray, total: float) -> np.ndarray:
    """Minimise phi'A phi - 2 b'phi subject to sum phi = total.

    Where A (d, d) leaves directions of the hyperplane free, the solution closest to the equal
    split total/d is taken.
    """
    d = len(moment)
    equal = total / d
    # Projected on the directions that sum to zero, the constraint has no more to say.
    centred = gram - gram.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    right = moment - gram.sum(axis=1) * equal
    right = right - right.mean()
    ridge = np.trace(centred) / d / d
    try:
        factor = cho_factor(centred + ridge, check_finite=False)
        pivots = np.abs(np.diag(factor[0]))
        if pivots.min() ** 2 > RANK_TOLERANCE * pivots.max() ** 2:
            return equal + cho_solve(factor, right, check_finite=False)
    except LinAlgError:
        pass
    return equal + np.linalg.pinv(centred, rcond=RANK_TOLERANCE, hermitian=True) @ right


class _SampledLeastSquares(AnytimeEstimator):
    """Sizes from the Shapley kernel, uniform subsets, unit weights (the kernel is the sampler)."""

    group: ClassVar[int]

    def minimum_budget(self, n_players):
        """The end points and one draw; one player needs the end points only."""
        return 2 + (self.group if n_players > 1 else 0)

    def _draw(self, probabilities, m, d, rng):
        return uniform_subsets(sample_sizes(probabilities, m, rng), d, rng)

    def trajectory(self, game, checkpoints, rng):
        """Estimates at increasing budgets, from one run; raises `BudgetTooSmall`."""
        d = game.n_players
        self.check_checkpoints(d, checkpoints)
        empty = empty_value(game)
        total = grand_value(game) - empty
        if d == 1:
            return [Estimate(np.array([total]), 2) for _ in checkpoints]
        probabilities = kernel_sizes(d)
        gram, moment = np.zeros((d, d)), np.zeros(d)
        block = max(1, BLOCK_CELLS // (self.group * d))
        done = 0
        estimates = []
        for checkpoint in checkpoints:
            last = (checkpoint - 2) // self.group
            while done < last:
                m = min(block, last - done)
                coalitions = self._draw(probabilities, m, d, rng)
                rewards = game(coalitions) - empty
                # Counts below 2^24 are exact in single precision, at twice the speed.
                design = coalitions.astype(np.float32)
                gram += design.T @ design
                moment += rewards @ coalitions
                done += m
            values = solve_constrained(gram, moment, total)
            estimates.append(Estimate(values, 2 + last * self.group))
        return estimates


@dataclass(frozen=True)
class KernelSHAP(_SampledLeastSquares):
    """Weighted least squares on m sampled coalitions (Lundberg & Lee 2017, Theorem 2).

    Coalitions are drawn with replacement in proportion to the Shapley kernel (Covert & Lee 2021,
    Section 3.2). Costs m + 2 evaluations. Efficient; consistent, with a bias of order 1/m. Below
    about d coalitions the least squares has many solutions: the one closest to the equal split is
    returned. No standard errors.
    """

    id: ClassVar[str] = "kernel-shap"
    group: ClassVar[int] = 1


@dataclass(frozen=True)
class PairedKernelSHAP(_SampledLeastSquares):
    """KernelSHAP with each coalition joined by its complement (Covert & Lee 2021, Section 4.2).

    m pairs cost 2 m + 2 evaluations. Efficient; consistent; exact on games whose even part
    v(S) + v(D minus S) is all there is beside an additive part, once m reaches about d pairs.
    """

    id: ClassVar[str] = "paired-kernel-shap"
    group: ClassVar[int] = 2

    def _draw(self, probabilities, m, d, rng):
        coalitions = super()._draw(probabilities, m, d, rng)
        return np.concatenate([coalitions, ~coalitions])
