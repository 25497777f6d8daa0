"""What the notebook and the report read of the experiments of Chen, Covert, Lundberg & Lee 2023.

Some follow the published protocol, one pair and many trials; the others are tasks of many pairs.
The errors of the protocol are squared norms, as published; those of the tasks are norms, as
everywhere else in this project.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from shapaudit.estimators import create
from shapaudit.report.findings import Findings
from shapaudit.report.tasks import Comparison, compare_tasks
from shapaudit.statistics.agreement import (
    PUBLISHED,
    TRIALS,
    biased,
    compare_cells,
    decompose,
    published_cells,
)
from shapaudit.study.reading import experiments_of, load_estimates

from . import PAPER

# (a, b): the error of a over that of b, at the last budget.
CONTRASTS = (
    ("antithetic-mc", "optimised-mc"),
    ("me-anti", "me"),
    ("mef-adapt", "mef"),
    ("rof-adapt", "plain-mc"),
    ("mef-adapt-deviation", "mef-adapt"),
    ("rof-adapt-deviation", "rof-adapt"),
    ("me-gauss", "me"),
    ("me-stratified", "me"),
    ("sobol-walks", "antithetic-mc"),
    ("psgd-sqrt", "kernel-shap"),
    ("psgd-free", "paired-kernel-shap"),
    ("outer-sizes", "paired-kernel-shap"),
    ("leverage-shap", "paired-kernel-shap"),
    ("leverage-shap", "mef-adapt-deviation"),
    ("regression-adjusted", "paired-kernel-shap"),
    ("odd-fourier", "third-order"),
    ("odd-fourier", "regression-adjusted"),
)


@dataclass(frozen=True, eq=False)
class Protocol:
    """The published protocol on one pair.

    Attributes
    ----------
    name, label, players, trials : the experiment's
    cells : our `agreement.decompose`
    published : `agreement.published_cells` of as many players
    alpha : error rate of all comparisons together
    """

    name: str
    label: str
    players: int
    trials: int
    cells: pd.DataFrame
    published: pd.DataFrame
    alpha: float

    @cached_property
    def comparison(self) -> pd.DataFrame:
        """Our errors over the published ones, from `agreement.compare_cells`."""
        cells = compare_cells(self.cells, self.published, self.alpha)
        columns = (cells[key].to_numpy() for key in ("bias", "variance", "spread"))
        return cells.assign(biased=biased(*columns, TRIALS, self.alpha))


@dataclass(frozen=True, eq=False)
class Replication:
    """The protocols by name, the tasks, and the best estimators on the games of an earlier paper.

    The tasks are experiments of this project with the estimators of the paper and others.
    """

    protocols: Mapping[str, Protocol]
    tasks: Comparison
    best: Comparison

    @property
    def protocol(self) -> Protocol:
        """The first one of the configuration: that with the model of the public code."""
        return next(iter(self.protocols.values()))

    @cached_property
    def contrasts(self) -> pd.DataFrame:
        """`CONTRASTS` at the last budget of every task that ran both."""
        return self.tasks.at_last_budgets(CONTRASTS)


def load(found: Findings) -> Replication:
    """The experiments of a study; raises `MissingExperiment` where one of the roles has none."""
    protocols, tasks, best = (
        experiments_of(found.study, PAPER.key, role) for role in ("protocol", "task", "best")
    )
    published = found.printed(PAPER.key)
    return Replication(
        {name: _protocol(found, name, block, published) for name, block in protocols.items()},
        compare_tasks(found, tasks),
        compare_tasks(found, best),
    )


def _protocol(found: Findings, name: str, block: Mapping, published: pd.DataFrame) -> Protocol:
    game = found.study["games"][block["game"]]
    frame = load_estimates(found.results, name, block)
    specs = {key: found.study["estimators"][key] for key in block["estimators"]}
    return Protocol(
        name=name,
        label=game["label"],
        players=game["players"],
        trials=block["repetitions"],
        cells=decompose(frame[frame["pair"] == 0], published_methods(specs)),
        published=published_cells(published, block.get("data", ""), game["players"]),
        alpha=found.study["claims"]["alpha"],
    )


def published_methods(specs: Mapping[str, Mapping]) -> dict[str, str]:
    """Published methods that the estimators of some blocks are, by name, from their cards.

    Raises ValueError naming two estimators that are the same method.
    """
    methods: dict[str, str] = {}
    for name, spec in specs.items():
        for method in create(spec["estimator"], spec.get("params")).aliases:
            if method not in PUBLISHED:
                continue
            if method in methods.values():
                other = next(key for key, known in methods.items() if known == method)
                raise ValueError(f"{other} and {name} are both {method}; leave out one of them.")
            methods[name] = method
    return methods
