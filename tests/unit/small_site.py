"""A comparison of three estimators that somebody made of a model of their own, and its site."""

import numpy as np
import pandas as pd

from shapaudit_audit.report.site.page import Contents, render
from shapaudit_audit.report.tasks import Task, TaskComparison

SPECS = {
    "paired-kernel-shap": {"label": "Reference", "estimator": "paired-kernel-shap"},
    "a": {"label": "A", "estimator": "optimised-monte-carlo"},
    "b": {"label": "B", "estimator": "antithetic-monte-carlo"},
}
CONFIG = {
    **{"study": "mine", "seed": 1, "results": "results/mine", "claims": {"alpha": 0.05}},
    "models": {"m": {"dataset": "d", "trainer": "xgboost"}},
    "games": {"g": {"model": "m"}},
}


def own_comparison(errors, label="The task", specs=SPECS):
    """A comparison over one task with mean errors by (estimator, budget), the same for 12 rows."""
    index = pd.MultiIndex.from_tuples(errors, names=["estimator", "budget"])
    spread = 1 + np.arange(12) / 100
    means = pd.DataFrame([value * spread for value in errors.values()], index=index)
    task = Task("t", label, 3, 2, "paired-kernel-shap", 3.0, means)
    return TaskComparison({"t": task}, specs, 0.05)


def config_of(*several):
    """A configuration with an experiment for each task of some comparisons."""
    names = (name for compared in several for name in compared.tasks)
    return CONFIG | {"experiments": {name: {"game": "g"} for name in names}}


def own_pages(compared, earlier=None):
    """The files of the site of a study of one's own."""
    study = config_of(*filter(None, (compared, earlier)))
    return render(Contents(study, {"git": {"commit": None}}, compared, earlier=earlier))
