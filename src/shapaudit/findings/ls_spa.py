"""What the notebook and the report read of LS-SPA: Bell, Devanathan & Boyd 2024."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from .. import datasets, models
from ..estimators.risk import LEVEL
from ..statistics.summaries import load_estimates, pair_means
from ..study.results import read_truths
from .reporting import MissingExperiment, find_claim

PREFIX = "bdb-"
TOY, DIABETES = "bdb-toy", "bdb-diabetes"
RISK_CLAIMS, TOY_CLAIM = ("bdb24-12a", "bdb24-12b", "bdb24-12c"), "bdb24-08a"


@dataclass(frozen=True, eq=False)
class Chains:
    """An experiment on one regression.

    Attributes
    ----------
    name, label, players, n_train : the experiment's
    condition, r_squared : of the training columns' correlation matrix, and of all features
    errors : mean norm of the error, by estimator (rows) and number of chains (columns)
    truth_error : root of the truth's summed variances
    labels : of the estimators
    """

    name: str
    label: str
    players: int
    n_train: int
    condition: float
    r_squared: float
    errors: pd.DataFrame
    truth_error: float
    labels: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Attribution:
    """Shapley values of a real regression over random splits of its rows.

    Attributes
    ----------
    features : names (d,)
    values : (d,) means over the splits
    half_widths : (d,) of 95 % intervals
    splits : number of splits
    r_squared : mean R^2 of all features
    """

    features: tuple[str, ...]
    values: np.ndarray
    half_widths: np.ndarray
    splits: int
    r_squared: float


@dataclass(frozen=True, eq=False)
class LSSPA:
    """All of it: R^2 (8,) of the toy's coalitions by index, experiments, attribution, claims.

    ``toy_provenance`` says where the rows of the toy come from; ``risk`` and ``toy_rows`` are rows
    of the audit's evidence.
    """

    toy: np.ndarray
    toy_provenance: str
    chains: Mapping[str, Chains]
    diabetes: Attribution
    risk: pd.DataFrame
    toy_rows: pd.DataFrame


def load_ls_spa(results: str | Path, study: Mapping, audit: Mapping) -> LSSPA:
    """From the results folder of a study; raises `MissingExperiment` for one without them."""
    results, experiments = Path(results), study["experiments"]
    if missing := {TOY, DIABETES} - set(experiments):
        raise MissingExperiment(
            f"the report needs the experiments {', '.join(sorted(missing))}; study "
            f"{study['study']!r} has only {', '.join(experiments)}."
        )
    names = [name for name in experiments if name.startswith(PREFIX)]
    toy = np.load(results / "games" / experiments[TOY]["game"] / "tables.npy")[0]
    return LSSPA(
        toy=toy,
        toy_provenance=_dataset(results, study, TOY).provenance,
        chains={n: _chains(results, study, n) for n in names if n not in (TOY, DIABETES)},
        diabetes=_attribution(results, study),
        risk=pd.DataFrame([row for name in RISK_CLAIMS for row in find_claim(audit, name)["rows"]]),
        toy_rows=pd.DataFrame(find_claim(audit, TOY_CLAIM)["rows"]),
    )


def corrected_half_widths(values: np.ndarray, ratio: float) -> np.ndarray:
    """Half-widths (d,) of 95 % intervals from values (K, d) over K random splits.

    The splits share rows, so the variance over them is raised by ``ratio``, test rows over training
    rows (Nadeau & Bengio 2003, Section 3).
    """
    k = len(values)
    variance = values.var(axis=0, ddof=1) * (1 / k + ratio)
    return -stdtrit(k - 1, (1 - LEVEL) / 2) * np.sqrt(variance)


def _model(results: Path, study: Mapping, experiment: str) -> models.LeastSquares:
    game = study["games"][study["experiments"][experiment]["game"]]
    return models.load_model(results / "models" / game["model"])


def _dataset(results: Path, study: Mapping, experiment: str):
    game = study["games"][study["experiments"][experiment]["game"]]
    name = study["models"][game["model"]]["dataset"]
    return datasets.read(results / "datasets" / f"{name}.npz")


def _chains(results: Path, study: Mapping, name: str) -> Chains:
    setting = study["experiments"][name]
    game, model = study["games"][setting["game"]], _model(results, study, name)
    means = pair_means(load_estimates(results, name, setting)).mean(axis=1)
    errors = means.unstack("budget").loc[setting["estimators"]]
    truth = read_truths(results / "truth" / f"{setting['game']}.parquet")[0]
    errors.columns = [(int(budget) - 1) // game["players"] for budget in errors.columns]
    return Chains(
        name=name,
        label=game["label"],
        players=game["players"],
        n_train=model.regressions[0][0].n_rows,
        condition=model.conditions[0],
        r_squared=model.own_score()["r2"],
        errors=errors,
        truth_error=float(np.linalg.norm(truth.standard_errors)),
        labels={key: study["estimators"][key]["label"] for key in setting["estimators"]},
    )


def _attribution(results: Path, study: Mapping) -> Attribution:
    truths = read_truths(results / "truth" / f"{study['experiments'][DIABETES]['game']}.parquet")
    values = np.array([truth.values for truth in truths])
    problem = _model(results, study, DIABETES).regressions[0][0]
    return Attribution(
        features=tuple(_dataset(results, study, DIABETES).feature_names),
        values=values.mean(axis=0),
        half_widths=corrected_half_widths(values, problem.n_test / problem.n_rows),
        splits=len(values),
        r_squared=float(values.sum(axis=1).mean()),
    )
