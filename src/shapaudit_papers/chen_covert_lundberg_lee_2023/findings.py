"""What the notebook and the report read of the experiments of Chen, Covert, Lundberg & Lee 2023.

Some follow the published protocol, one explicand and many trials; the others are tasks of many
explicands. The errors of the protocol are squared norms, as published; those of the tasks are
norms, as everywhere else in this project.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from shapaudit.estimators import create
from shapaudit.statistics.agreement import (
    PUBLISHED,
    TRIALS,
    biased,
    compare_cells,
    decompose,
    published_cells,
)
from shapaudit.statistics.joint_agreement import JointTest, joint_test
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.tasks import TaskComparison, compare_tasks
from shapaudit_audit.study.blocks.runs import EstimatorBlock, ExperimentBlock
from shapaudit_audit.study.collection_base import TABLES, read_tables
from shapaudit_audit.study.reading import experiments_of, load_estimates
from shapaudit_papers.theory.benchmark import EXPECTED, FIRST_ORDER, expected_errors

from . import PAPER

# (a, b): the error of a over that of b, at the headline budget.
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
    """The published protocol on one explicand.

    Attributes
    ----------
    name, label, players, trials : the experiment's
    cells : our `agreement.decompose`
    published : `agreement.published_cells` of as many players
    alpha : error rate of all comparisons together
    squares : squared errors, by method and trial and by number of samples
    table : values (2^d,) of the game, None for too many players
    """

    name: str
    label: str
    players: int
    trials: int
    cells: pd.DataFrame
    published: pd.DataFrame
    alpha: float
    squares: pd.DataFrame | None = None
    table: np.ndarray | None = None

    @cached_property
    def joint(self) -> JointTest | None:
        """The printed errors over their expectations, all cells together.

        Of the methods whose expectations are known exactly; None without a table of the game.
        """
        if self.table is None or self.squares is None or self.published.empty:
            return None
        squares, ratios = {}, {}
        printed = self.published.set_index(["method", "samples"])["error"]
        for method in (name for name in EXPECTED if name not in FIRST_ORDER):
            samples = [n for n in self.squares.columns if (method, n) in printed.index]
            if samples and method in self.squares.index.unique("method"):
                squares[method] = self.squares.loc[method, samples].to_numpy()
                ratios[method] = np.array(
                    [
                        printed[method, n] / expected_errors(self.table, method, n).total
                        for n in samples
                    ]
                )
        return joint_test(squares, ratios, TRIALS) if ratios else None

    @cached_property
    def comparison(self) -> pd.DataFrame:
        """Our errors over the published ones, from `agreement.compare_cells`."""
        cells = compare_cells(self.cells, self.published, self.alpha)
        bias, variance, spread = (cells[key].to_numpy() for key in ("bias", "variance", "spread"))
        return cells.assign(biased=biased(bias, variance, spread, TRIALS, self.alpha))


@dataclass(frozen=True, eq=False)
class ChenReplication:
    """The protocols by name, the tasks, and the best estimators on the games of an earlier paper.

    The tasks are experiments of this project with the estimators of the paper and others.
    """

    protocols: Mapping[str, Protocol]
    tasks: TaskComparison
    best: TaskComparison

    @property
    def protocol(self) -> Protocol:
        """The first one of the configuration: that with the model of the public code."""
        return next(iter(self.protocols.values()))

    @cached_property
    def contrasts(self) -> pd.DataFrame:
        """`CONTRASTS` at the headline budget of every task that ran both."""
        return self.tasks.at_headlines(CONTRASTS)


def load(findings: Findings) -> ChenReplication:
    """The experiments of a study; raises `MissingExperiment` where one of the roles has none."""
    protocols, tasks, best = (
        experiments_of(findings.study, PAPER.key, role) for role in ("protocol", "task", "best")
    )
    published = findings.printed(PAPER.key)
    return ChenReplication(
        {name: _protocol(findings, name, block, published) for name, block in protocols.items()},
        compare_tasks(findings, tasks),
        compare_tasks(findings, best),
    )


def _protocol(
    findings: Findings, name: str, block: ExperimentBlock, published: pd.DataFrame
) -> Protocol:
    game = findings.study.games[block.game]
    frame = load_estimates(findings.results, name, block)
    frame = frame[frame["explicand"] == 0]
    methods = published_methods({key: findings.study.estimators[key] for key in block.estimators})
    own = frame[frame["estimator"].isin(methods)]
    folder = Path(findings.results) / "games" / block.game
    return Protocol(
        name=name,
        label=game.label,
        players=game.players,
        trials=block.repetitions,
        cells=decompose(frame, methods),
        published=published_cells(published, block.data or "", game.players),
        alpha=findings.study.claims.alpha,
        squares=own.assign(method=own["estimator"].map(methods)).pivot(
            index=["method", "repetition"], columns="budget", values="squared_error"
        ),
        table=read_tables(folder)[0] if (folder / TABLES).exists() else None,
    )


def published_methods(specs: Mapping[str, EstimatorBlock]) -> dict[str, str]:
    """Published methods that the estimators of some blocks are, by name, from their cards.

    Raises ValueError naming two estimators that are the same method.
    """
    methods: dict[str, str] = {}
    for name, spec in specs.items():
        for method in create(spec.estimator, spec.params).aliases:
            if method not in PUBLISHED:
                continue
            if method in methods.values():
                other = next(key for key, known in methods.items() if known == method)
                raise ValueError(f"{other} and {name} are both {method}; leave out one of them.")
            methods[name] = method
    return methods
