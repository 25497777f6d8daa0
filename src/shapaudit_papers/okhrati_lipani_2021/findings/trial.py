"""Three algorithms, and others, on explicands of one model whose Shapley values are exact."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from shapaudit.estimators import (
    AntitheticMonteCarlo,
    Estimator,
    MultilinearSampling,
    OptimisedMonteCarlo,
)
from shapaudit.samplers.quadrature import plan, quadrature_rule
from shapaudit.statistics.summaries import ExplicandMeans
from shapaudit_audit.study.samples import with_samples
from shapaudit_papers.theory.multilinear import bias_and_variance, size_moments

METHODS = ("optimised-mc", "owen", "halved-owen")  # Castro, Algorithm 1, Algorithm 2
CASTRO = METHODS[0]


def exact_error(
    estimator: Estimator, budget: int, moments: Sequence[np.ndarray]
) -> tuple[float, float] | None:
    """Expected squared bias and variance, means over players and games; None for others.

    ``moments`` are those of `size_moments`, plain and paired, (2, ..., d, d) each.
    """
    d = moments[0].shape[-1]
    if isinstance(estimator, MultilinearSampling):
        cost = estimator.minimum_budget(d) // _least(estimator)
        settings = (estimator.halved, estimator.levels, estimator.draws)
        rule, counts = plan(estimator.grid, budget // cost, d, *settings)
        bias, variance = bias_and_variance(moments[estimator.halved], rule, counts)
        return float(np.square(bias).mean()), float(variance.mean())
    if isinstance(estimator, OptimisedMonteCarlo | AntitheticMonteCarlo):
        # The players before one in a random order have the law of a uniform q.
        paired = isinstance(estimator, AntitheticMonteCarlo)
        units = (budget - estimator.fixed_cost) // estimator.unit_cost(d)
        rule = quadrature_rule("random", 1)
        _, variance = bias_and_variance(moments[paired], rule, np.array([units]))
        return 0.0, float(variance.mean())
    return None


def _least(estimator: MultilinearSampling) -> int:
    """Draws in the smallest budget."""
    one_player = estimator.minimum_budget(1)
    return one_player // (2 * (1 + estimator.halved))


@dataclass(frozen=True, eq=False)
class TableExperiment(ExplicandMeans):
    """An experiment on a game with tables: many explicands of one model.

    Attributes
    ----------
    name, label, players, repetitions : the experiment's
    provenance : of the data
    accuracy : of the model on the test rows
    difference : between two exact methods, the largest over explicands and players
    estimators : by name, in the order of the study
    means : squared errors over players and seeds, by (estimator, budget) and explicand
    tables : values (explicands, 2^d)
    """

    name: str
    label: str
    players: int
    repetitions: int
    provenance: str
    accuracy: float
    difference: float
    estimators: Mapping[str, Estimator]
    means: pd.DataFrame
    tables: np.ndarray

    def budget_of(self, estimator: str, samples: int) -> int:
        """Evaluations that so many samples of an estimator take."""
        return with_samples(self.estimators[estimator], samples, self.players)[1]

    @cached_property
    def samples(self) -> list[int]:
        """Numbers of samples at which all three algorithms have a budget of their own."""
        known = set(self.budgets)
        candidates = {(n - 1) // self.players for n in known}
        return sorted(
            s for s in candidates if s and all(self.budget_of(m, s) in known for m in METHODS)
        )

    def errors(self, estimator: str, budget: int) -> np.ndarray:
        """Squared errors (explicands,)."""
        return self.means.loc[(estimator, budget)].to_numpy()

    def at_samples(self, samples: int) -> pd.DataFrame:
        """Squared errors (explicands, 3) of the three algorithms at equal samples."""
        errors = {m: self.errors(m, self.budget_of(m, samples)) for m in METHODS}
        return pd.DataFrame(errors)

    def at_budget(self, budget: int) -> pd.DataFrame:
        """Squared errors (explicands, estimators) at equal evaluations."""
        return self.means.xs(budget, level="budget").T

    @cached_property
    def _moments(self) -> list[np.ndarray]:
        tables = [np.asarray(table) for table in self.tables]
        return [
            np.stack([size_moments(table, paired) for table in tables], axis=1)
            for paired in (False, True)
        ]

    def exact(self, estimator: str, budget: int) -> tuple[float, float] | None:
        """Exact squared bias and variance, means over players and explicands; None if unknown."""
        return exact_error(self.estimators[estimator], budget, self._moments)

    def exact_of_method(self, method: str, budget: int) -> tuple[float, float]:
        """The same of one of `METHODS`; raises ValueError for an estimator without exact errors."""
        error = self.exact(method, budget)
        if error is None:
            raise ValueError(f"the errors of {method!r} are not known exactly.")
        return error
