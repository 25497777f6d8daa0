"""What the notebook and the report read of LS-SPA: Bell, Devanathan & Boyd 2024."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import comb
from pathlib import Path
from typing import cast

import numpy as np
import pandas as pd
import scipy

from shapaudit import datasets, models
from shapaudit.estimators.risk import LEVEL
from shapaudit.statistics.limits import Limit, clopper_pearson
from shapaudit.statistics.ranks import factor_limits, least_units
from shapaudit.statistics.simultaneous import Ratio
from shapaudit.truth import Truth
from shapaudit_audit.audit.reading import find_claim
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.study.blocks.runs import ExperimentBlock
from shapaudit_audit.study.collection_base import read_tables
from shapaudit_audit.study.reading import experiments_of, load_estimates
from shapaudit_audit.study.results import read_truths

from . import PAPER

MONTE_CARLO = "optimised-mc"
RISK_CLAIMS, TOY_CLAIM = tuple(f"bdb24-12{letter}" for letter in "abc"), "bdb24-08a"


@dataclass(frozen=True, eq=False)
class Chains:
    """The experiments on one regression.

    Attributes
    ----------
    name, label, players, n_train : the game's
    condition, r_squared : of the training columns' correlation matrix, and of all features
    runs : norms of the errors, by estimator and number of chains (rows) and run, NaN where it did
        not go that far
    truth_error : root of the truth's summed variances
    labels : of the estimators
    alpha : error rate of `ratios`
    """

    name: str
    label: str
    players: int
    n_train: int
    condition: float
    r_squared: float
    runs: pd.DataFrame
    truth_error: float
    labels: Mapping[str, str]
    alpha: float

    @cached_property
    def errors(self) -> pd.DataFrame:
        """Means over the runs, by estimator (rows) and number of chains (columns)."""
        return self.runs.mean(axis=1).unstack("chains").loc[list(self.labels)]

    @cached_property
    def counts(self) -> pd.Series:
        """Runs of each estimator by number of chains, the fewest."""
        return self.runs.count(axis=1).groupby("chains").min()

    @property
    def share(self) -> float:
        """Error rate of the limits of one pair of estimators."""
        return self.alpha / max(1, comb(len(self.labels), 2))

    @cached_property
    def compared(self) -> int | None:
        """The largest number of chains with runs enough for limits, None without."""
        enough = self.counts.index[self.counts >= least_units(self.share)]
        return int(enough.max()) if len(enough) else None

    @cached_property
    def ratios(self) -> dict[tuple[str, str], Ratio]:
        """Error of a run of one estimator over another's, at `compared`; empty without.

        Runs are the units. The limits hold for all pairs together, hence for those that are looked
        at because one of them is the best.
        """
        if self.compared is None:
            return {}
        errors = self.runs.xs(self.compared, level="chains")
        units = {name: row.dropna().to_numpy() for name, row in errors.iterrows()}
        return {
            (a, b): factor_limits(units[a], units[b], self.share)
            for a, b in permutations([name for name in self.labels if name in units], 2)
        }

    @cached_property
    def leaders(self) -> list[str]:
        """Estimators that no other one beats significantly, at `compared`."""
        beaten = {b for (_, b), ratio in self.ratios.items() if ratio.word == "smaller"}
        return [name for name in dict.fromkeys(a for a, _ in self.ratios) if name not in beaten]


@dataclass(frozen=True, eq=False)
class Attribution:
    """Shapley values of a real regression over random splits of its rows.

    Attributes
    ----------
    features : names (d,)
    values : (d,) means over the splits
    half_widths : (d,) of 95 % intervals, each for itself
    joint_half_widths : (d,) of intervals that hold together (Bonferroni)
    splits : number of splits
    r_squared : mean R^2 of all features
    """

    features: tuple[str, ...]
    values: np.ndarray
    half_widths: np.ndarray
    joint_half_widths: np.ndarray
    splits: int
    r_squared: float


@dataclass(frozen=True, eq=False)
class BellReplication:
    """All of it: R^2 (8,) of the toy's coalitions by index, experiments, attribution, claims.

    ``chains`` are by game; ``toy_provenance`` says where the rows of the toy come from; ``risk``
    and ``toy_rows`` are rows of the audit's evidence; ``alpha`` is the study's.
    """

    toy: np.ndarray
    toy_provenance: str
    chains: Mapping[str, Chains]
    diabetes: Attribution
    risk: pd.DataFrame
    toy_rows: pd.DataFrame
    alpha: float

    @cached_property
    def coverage(self) -> dict[str, Limit]:
        """Share of covered runs of each error bar, with limits that hold for all of them."""
        sums = self.risk.groupby("sampler", sort=False)[["covered", "runs"]].sum()
        share = self.alpha / len(sums)
        return {
            row.Index: clopper_pearson(row.Index, int(row.covered), int(row.runs), share)
            for row in sums.itertuples()
        }


def load(findings: Findings) -> BellReplication:
    """The experiments of a study; raises `MissingExperiment` where one of the roles has none."""
    study = findings.study
    ((_, toy),), ((_, attribution),) = (
        experiments_of(study, PAPER.key, role).items() for role in ("toy", "attribution")
    )
    games: dict[str, dict[str, ExperimentBlock]] = {}
    for name, block in experiments_of(study, PAPER.key, "chains").items():
        games.setdefault(block.game, {})[name] = block
    alpha, audit = study.claims.alpha, findings.audit
    return BellReplication(
        toy=read_tables(Path(findings.results) / "games" / toy.game)[0],
        toy_provenance=_dataset(findings, toy).provenance,
        chains={
            game: _chains(findings, game, blocks, alpha / len(games))
            for game, blocks in games.items()
        },
        diabetes=_attribution(findings, attribution),
        risk=pd.DataFrame([row for name in RISK_CLAIMS for row in find_claim(audit, name)["rows"]]),
        toy_rows=pd.DataFrame(find_claim(audit, TOY_CLAIM)["rows"]),
        alpha=alpha,
    )


def corrected_half_widths(values: np.ndarray, ratio: float, level: float = LEVEL) -> np.ndarray:
    """Half-widths (d,) of intervals from values (K, d) over K random splits.

    The splits share rows, so the variance over them is raised by ``ratio``, test rows over training
    rows (Nadeau & Bengio 2003, Section 3).
    """
    k = len(values)
    variance = values.var(axis=0, ddof=1) * (1 / k + ratio)
    return -scipy.special.stdtrit(k - 1, (1 - level) / 2) * np.sqrt(variance)


def _model(findings: Findings, block: ExperimentBlock) -> models.LeastSquares:
    game = findings.study.games[block.game]
    model = models.load_model(Path(findings.results) / "models" / game.model)
    return cast(models.LeastSquares, model)  # the only kind with a chain of regressions


def _dataset(findings: Findings, block: ExperimentBlock) -> datasets.Dataset:
    game = findings.study.games[block.game]
    name = findings.study.models[game.model].dataset
    data = datasets.read(Path(findings.results) / "datasets" / f"{name}.npz")
    return cast(datasets.Dataset, data)  # regressions are fitted to rows, not to a mechanism


def _error_of(truth: Truth) -> float:
    """Norm of the standard errors of Shapley values; raises ValueError where they have none."""
    if truth.standard_errors is None:
        raise ValueError("the reference values have no standard errors.")
    return float(np.linalg.norm(truth.standard_errors))


def _truths(findings: Findings, game: str) -> list[Truth]:
    return read_truths(Path(findings.results) / "truth" / f"{game}.parquet")


def _chains(
    findings: Findings, name: str, blocks: Mapping[str, ExperimentBlock], alpha: float
) -> Chains:
    """Experiments with the same estimators on the game ``name``, their runs put together."""
    game, model = findings.study.games[name], _model(findings, next(iter(blocks.values())))
    frame = pd.concat([load_estimates(findings.results, *item) for item in blocks.items()])
    frame["chains"] = (frame["budget"] - 1) // game.players
    keys = ["estimator", "chains", "experiment", "repetition"]
    names = dict.fromkeys(key for block in blocks.values() for key in block.estimators)
    return Chains(
        name=name,
        label=game.label,
        players=game.players,
        n_train=model.regressions[0][0].n_rows,
        condition=model.conditions[0],
        r_squared=model.own_score()["r2"],
        runs=frame.groupby(keys)["error"].mean().unstack(["experiment", "repetition"]),
        truth_error=_error_of(_truths(findings, name)[0]),
        labels={key: findings.study.estimators[key].label for key in names},
        alpha=alpha,
    )


def _attribution(findings: Findings, block: ExperimentBlock) -> Attribution:
    values = np.array([truth.values for truth in _truths(findings, block.game)])
    problem = _model(findings, block).regressions[0][0]
    ratio, players = problem.n_test / problem.n_rows, values.shape[1]
    return Attribution(
        features=tuple(_dataset(findings, block).feature_names),
        values=values.mean(axis=0),
        half_widths=corrected_half_widths(values, ratio),
        joint_half_widths=corrected_half_widths(values, ratio, 1 - (1 - LEVEL) / players),
        splits=len(values),
        r_squared=float(values.sum(axis=1).mean()),
    )
