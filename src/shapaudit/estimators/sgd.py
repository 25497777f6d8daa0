"""Projected stochastic gradient descent on the weighted least-squares problem."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numba import njit

from shapaudit.samplers.gradients import (
    DEFAULT_STEP,
    gradient_bound,
    importance_sizes,
    strong_convexity,
)

from ..games import Game, empty_value, grand_value
from ..samplers import binomial_sizes, projected_gradient_sizes, sample_sizes, uniform_subsets
from ..sums import sum_of, sum_where
from .base import BLOCK_CELLS, AnytimeEstimator, Card, Estimate, Names
from .projections import dykstra, project_ball, project_intersection

PROJECTIONS = ("hyperplane", "ball", "intersection", "dykstra")


@njit(cache=True, nogil=True)
def _descend(
    phi: np.ndarray,
    mean: np.ndarray,
    coalitions: np.ndarray,
    rewards: np.ndarray,
    factors: np.ndarray,
    steps: np.ndarray,
    rates: np.ndarray,
    target: np.ndarray,
) -> None:
    """Advance iterate and average (d,) in place by the mini-batches (T, b, d) of coalitions.

    ``factors`` (T, b) hold 2 w_i / p_i; the average moves by ``rates`` (T,) towards the iterate.
    """
    n_steps, batch, d = coalitions.shape
    total, radius, projection = target
    moved = np.empty(d)
    for t in range(n_steps):
        for j in range(d):
            moved[j] = phi[j]
        for i in range(batch):
            residual = sum_where(coalitions[t, i], phi) - rewards[t, i]
            pull = steps[t] * factors[t, i] / batch * residual
            for j in range(d):
                moved[j] -= pull if coalitions[t, i, j] else 0.0
        excess = 0.0
        if projection == 0:
            excess = sum_of(moved) - total
        elif projection == 1:
            moved[:] = project_ball(moved, radius)
        elif projection == 2:
            moved[:] = project_intersection(moved, total, radius)
        else:
            moved[:] = dykstra(moved, total, radius)[0]
        for j in range(d):
            phi[j] = moved[j] - excess / d
            mean[j] += rates[t] * (phi[j] - mean[j])


@dataclass(frozen=True)
class ProjectedSGD(AnytimeEstimator):
    """Projected SGD for F(phi) = (X phi - Y)'W(X phi - Y) (Grah & Thouvenot 2020, Section 4).

    Each step draws ``batch`` coalitions of probability p_i and moves along the unbiased gradient
    2 w_i (<x_i, phi> - y_i) x_i / p_i of F, from phi_0 = v(M)/d. Steps are in the convention of
    the paper, ∇F with its factor 2; the authors' public code descends F/2, so a step s there is
    s/2 here. T steps cost T ``batch`` + 2 evaluations, twice as many of them when ``paired``. The
    iterates are unbiased in no finite time; efficient unless ``projection`` is "ball". No
    standard errors.

    With sampling "projected", step "contracting", the last iterate and pairs there is nothing to
    tune: the size distribution minimises the projected gradient's second moment for residuals
    that are alike, and the steps are those of a strongly convex problem (F has the constant
    2 mu on the hyperplane), delayed by t0 = 1 / min_l q_l, so that no single step overshoots on
    an additive game.

    Parameters
    ----------
    sampling : "importance", p_i proportional to L_i (the size is drawn, then a uniform subset of
        it), "uniform" over the 2^d - 2 coalitions, or "projected" (see above)
    step : "constant" gamma_t = ``scale``; "inverse-sqrt" ``scale``/sqrt(t);
        "inverse" ``scale`` 2/(mu (t + 1)); "radius" ``scale`` 2 D/(B sqrt(t));
        "contracting" ``scale``/(2 mu (t + t0))
    scale : factor of the step size; 1 gives the last three as stated
    average : "last" iterate, "uniform" mean of phi_0..phi_T, or "weighted" by t + 1
    projection : "hyperplane" (K1), "ball" (K2), "intersection" (closed form), "dykstra" (the
        iteration of the paper, which stops by a tolerance)
    batch : coalitions per step, or pairs
    paired : whether each coalition comes with its complement
    ratio : D / C; sqrt(d) when None, as in the authors' public code
    bound : C, a bound on |v(S) - v(empty)|; it matters only for projections on the ball
    """

    id: ClassVar[str] = "projected-sgd"
    names: ClassVar[Names] = {
        "SGD-Shapley": {  # whatever Grah & Thouvenot let vary
            "sampling": ("importance", "uniform"),
            "step": ("inverse", "constant", "inverse-sqrt", "radius"),
            "paired": False,
        },
        "LS_SGD": {  # `default_rule`, which Chen et al. 2023 run
            "sampling": "importance",
            "step": "inverse-sqrt",
            "scale": 0.05,
            "average": "uniform",
            "projection": "hyperplane",
            "batch": 1,
            "paired": False,
            "ratio": None,
        },
    }
    definition: ClassVar[str] = (
        "Stochastic gradients of the least squares, projected on the efficient vectors."
    )

    sampling: Literal["importance", "uniform", "projected"] = "importance"
    step: Literal["constant", "inverse-sqrt", "inverse", "radius", "contracting"] = "inverse"
    scale: float = 1.0
    average: Literal["last", "uniform", "weighted"] = "weighted"
    projection: Literal["hyperplane", "ball", "intersection", "dykstra"] = "hyperplane"
    batch: int = 1
    paired: bool = False
    ratio: float | None = None
    bound: float = 1.0

    def __post_init__(self) -> None:
        """Raise ValueError for parameters that make no descent."""
        super().__post_init__()
        if not self.scale > 0 or self.batch < 1 or not self.bound > 0:
            raise ValueError(f"{self.id}: scale and bound must be positive, batch at least 1.")
        if self.ratio is not None and not self.ratio > 0:
            raise ValueError(f"{self.id}: ratio D / C must be positive.")

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        fixed = self.step == "constant" and self.average == "last"
        return Card(
            family="stochastic gradient",
            definition=self.definition,
            evaluations=f"{self._step_cost} T + 2" if self._step_cost > 1 else "T + 2",
            cost="O(d)",
            source="Grah & Thouvenot 2020, Section 4",
            aliases=self.aliases,
            bias="the share of the start that the steps have left",
            efficient=self.projection != "ball",
            consistent=not fixed,
        )

    def minimum_budget(self, n_players: int) -> int:
        """The end points and one step; one player needs the end points only."""
        return 2 + (self._step_cost if n_players > 1 else 0)

    @property
    def _step_cost(self) -> int:
        return self.batch * (2 if self.paired else 1)

    def radius_ratio(self, d: int) -> float:
        """Radius of K over the bound D."""
        return np.sqrt(d) if self.ratio is None else self.ratio

    def size_law(self, d: int) -> np.ndarray:
        """Probabilities (d - 1,) of the sizes 1, ..., d - 1."""
        if self.sampling == "uniform":
            return binomial_sizes(d)
        if self.sampling == "projected":
            return projected_gradient_sizes(d)
        return importance_sizes(d, self.radius_ratio(d))

    def step_sizes(self, d: int, t: np.ndarray) -> np.ndarray:
        """Step sizes (m,) of the steps t (m,), counted from 1."""
        if self.step == "constant":
            return np.full(len(t), self.scale)
        if self.step == "inverse-sqrt":
            return self.scale / np.sqrt(t)
        if self.step == "inverse":
            return self.scale * 2.0 / (strong_convexity(d) * (t + 1.0))
        if self.step == "contracting":
            delay = 1.0 / self.size_law(d).min()
            return self.scale / (2.0 * strong_convexity(d) * (t + delay))
        ratio = self.radius_ratio(d)
        return self.scale * 2.0 * ratio / (gradient_bound(d, ratio, 1.0) * np.sqrt(t))

    def averaging_rates(self, t: np.ndarray) -> np.ndarray:
        """Weight (m,) of iterate t in the running average of phi_0, ..., phi_t."""
        if self.average == "last":
            return np.ones(len(t))
        return 1.0 / (t + 1.0) if self.average == "uniform" else 2.0 / (t + 2.0)

    def trajectory(
        self, game: Game, checkpoints: Sequence[int], rng: np.random.Generator
    ) -> list[Estimate]:
        """Estimates at increasing budgets, from one run.

        Raises `BudgetTooSmall`, and ValueError when the projection's set K is empty.
        """
        d = game.n_players
        self.check_checkpoints(d, checkpoints)
        empty = empty_value(game)
        total = grand_value(game) - empty
        phi = np.full(d, total / d)
        if d == 1:
            return [Estimate(phi, 2) for _ in checkpoints]
        target = (total, self.radius_ratio(d) * self.bound, PROJECTIONS.index(self.projection))
        probabilities = self.size_law(d)
        sizes = np.arange(1, d)
        # 2 w_i / p_i with p_i = q_l / C(d, l): the binomial coefficients cancel.
        factor_of_size = 2.0 * (d - 1) / (sizes * (d - sizes) * probabilities)
        mean = phi.copy()
        cost = self._step_cost
        block = max(1, BLOCK_CELLS // (d * cost))
        done = 0
        estimates = []
        for checkpoint in checkpoints:
            last = (checkpoint - 2) // cost
            while done < last:
                m = min(block, last - done)
                drawn = sample_sizes(probabilities, m * self.batch, rng)
                coalitions = uniform_subsets(drawn, d, rng)
                if self.paired:
                    drawn = np.repeat(drawn, 2)
                    coalitions = np.stack([coalitions, ~coalitions], axis=1).reshape(-1, d)
                rewards = game(coalitions) - empty
                t = np.arange(done + 1, done + m + 1)
                _descend(
                    phi,
                    mean,
                    coalitions.reshape(m, cost, d),
                    rewards.reshape(m, cost),
                    factor_of_size[drawn - 1].reshape(m, cost),
                    self.step_sizes(d, t),
                    self.averaging_rates(t),
                    target,
                )
                done += m
            estimates.append(Estimate(mean.copy(), 2 + last * cost))
        return estimates


def default_rule() -> ProjectedSGD:
    """Projected SGD as the authors' code runs it when nothing is set."""
    return ProjectedSGD(step="inverse-sqrt", scale=DEFAULT_STEP, average="uniform")
