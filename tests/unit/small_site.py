"""A comparison of three estimators that somebody made of a model of their own, and its site."""

import numpy as np
import pandas as pd

from shapaudit_audit.report.advice import TREE
from shapaudit_audit.report.site.page import Contents, render
from shapaudit_audit.report.tasks import Task, TaskComparison
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_audit.study.blocks.study import Study

SPECS = {
    "paired-kernel-shap": EstimatorBlock(label="Reference", estimator="paired-kernel-shap"),
    "a": EstimatorBlock(label="A", estimator="optimised-monte-carlo"),
    "b": EstimatorBlock(label="B", estimator="antithetic-monte-carlo"),
}
GAME = {"model": "m", "reward": "prediction", "players": 3, "explicands": 12}
CONFIG = {
    **{"study": "mine", "seed": 1, "results": "results/mine", "claims": {"alpha": 0.05}},
    **{"datasets": {}, "estimators": {}},
    "models": {"m": {"dataset": "d", "trainer": "xgboost"}},
    "games": {"g": GAME | {"truth": {"method": "enumeration"}}},
}
RUNS = {"game": "g", "budgets": [50], "repetitions": 2, "estimators": [*SPECS]}


def own_comparison(errors, label="The task", specs=SPECS):
    """A comparison over one task with mean errors by (estimator, budget), the same for 12 rows."""
    index = pd.MultiIndex.from_tuples(errors, names=["estimator", "budget"])
    spread = 1 + np.arange(12) / 100
    means = pd.DataFrame([value * spread for value in errors.values()], index=index)
    task = Task("t", label, 3, 2, "paired-kernel-shap", 3.0, means, kind=TREE)
    return TaskComparison({"t": task}, specs, 0.05)


def own_study(*experiments):
    """A configuration with experiments of some names."""
    return record(Study, CONFIG | {"experiments": dict.fromkeys(experiments, RUNS)})


def config_of(*several):
    """A configuration with an experiment for each task of some comparisons."""
    return own_study(*(name for compared in several for name in compared.tasks))


def own_pages(compared, earlier=None):
    """The files of the site of a study of one's own."""
    study = config_of(*filter(None, (compared, earlier)))
    return render(Contents(study, {"git": {"commit": None}}, compared, earlier=earlier))
