"""How often the limits of ratios decide wrongly, under the laws of the tasks and heavier ones."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from shapaudit.statistics.calibration import (
    decided_by_means,
    decided_typically,
    level_means,
    level_medians,
    log_normal,
)
from shapaudit.statistics.limits import MINIMUM_UNITS, Limit, clopper_pearson
from shapaudit_audit.report.tasks import Task

RIVAL = "kernel-shap"  # the estimator whose errors are beside those of the reference
ALPHA, CORRECTED = 0.05, 0.001  # alone, and about what a comparison has in a family
SIZE, RUNS, FEW_RUNS = 40, 10_000, 150  # units of a sample; samples, fewer if resampled
RESAMPLES = 199
OTHER = 0.3  # spread of the second column of a generated law, in logarithms
CERTAIN = 0.95  # of the limits of each share


class Share(NamedTuple):
    """Wrong decisions of one kind of limits at a nominal level: their number among samples."""

    kind: str
    level: float
    wrong: int
    samples: int

    @property
    def limits(self) -> Limit:
        """The share with exact limits."""
        return clopper_pearson(self.kind, self.wrong, self.samples, 1 - CERTAIN)


def of_tasks(tasks: Mapping[str, Task]) -> Iterator[tuple[str, np.ndarray]]:
    """Labels and errors (explicands, 2) of two estimators at headline budgets, where many."""
    for task in tasks.values():
        units = task.units(task.headline)
        if {RIVAL, task.reference} <= set(units) and len(units) >= MINIMUM_UNITS:
            yield task.label, units[[RIVAL, task.reference]].to_numpy()


def generated(spreads: Sequence[float]) -> Iterator[tuple[float, np.ndarray]]:
    """Log-normal units (m, 2), the first column of each of some spreads."""
    for spread in spreads:
        yield spread, log_normal(spread, OTHER)


def shares(units: np.ndarray) -> list[Share]:
    """Of the typical ratio at both levels, and of the ratio of means without and with its rule.

    The rule is that half of the units count.
    """
    typical = level_medians(units)
    of_medians = [
        Share(
            "typical", level, round(sum(decided_typically(typical, level, SIZE, RUNS)) * RUNS), RUNS
        )
        for level in (ALPHA, CORRECTED)
    ]
    means = decided_by_means(level_means(units), ALPHA, SIZE, FEW_RUNS, RESAMPLES)
    return of_medians + [
        Share(kind, ALPHA, round(share * FEW_RUNS), FEW_RUNS)
        for kind, share in zip(("means", "means, by the rule"), means, strict=True)
    ]
