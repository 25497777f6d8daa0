"""How often the limits of ratios decide wrongly, under the laws of the tasks and heavier ones."""

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from shapaudit.report.latex import escape, number, percent, tabular
from shapaudit.report.tasks import Task
from shapaudit.statistics.calibration import (
    decided_by_means,
    decided_typically,
    level_means,
    level_medians,
    log_normal,
)
from shapaudit.statistics.simultaneous import MINIMUM_UNITS

RIVAL = "kernel-shap"  # the estimator whose errors are beside those of the reference
SPREADS = (0.5, 1.5, 2.5)  # of generated laws, in logarithms
ALPHA, CORRECTED = 0.05, 0.001  # alone, and about what a comparison has in a family
SIZE, RUNS, FEW_RUNS = 40, 10_000, 150  # units of a sample; samples, fewer if resampled
RESAMPLES = 199


def laws(tasks: Mapping[str, Task]) -> Iterator[tuple[str, np.ndarray]]:
    """Names and units (m, 2): errors of two estimators at the last budgets, and generated ones."""
    for task in tasks.values():
        units = task.units(task.budgets[-1])
        if {RIVAL, task.reference} <= set(units) and len(units) >= MINIMUM_UNITS:
            yield escape(task.label), units[[RIVAL, task.reference]].to_numpy()
    for spread in SPREADS:
        yield f"log-normal, spreads {spread:g} and 0.3", log_normal(spread)


def calibration_table(tasks: Mapping[str, Task]) -> str:
    """Shares of wrong decisions at nominal levels: of the typical ratio, and of the ratio of means.

    The last without and with the rule that half of the units count.
    """
    means_of = partial(decided_by_means, alpha=ALPHA, size=SIZE, runs=FEW_RUNS)
    body = []
    for name, units in laws(tasks):
        typical = level_medians(units)
        shares = [
            decided_typically(typical, ALPHA, SIZE, RUNS),
            decided_typically(typical, CORRECTED, SIZE, RUNS),
        ]
        found = [*map(sum, shares), *means_of(level_means(units), resamples=RESAMPLES)]
        body.append([name, *(percent(share, 2) for share in found)])
    levels = [percent(level, 1) for level in (ALPHA, CORRECTED, ALPHA, ALPHA)]
    kinds = ["typical", "typical", "means", "means, by the rule"]
    header = [["", *kinds], [f"{number(SIZE)} units, nominal level", *levels]]
    return tabular("@{}lrrrr@{}", header, [body])
