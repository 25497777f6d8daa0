"""A small replication of Okhrati & Lipani 2021 on games of random tables."""

from functools import cache

import numpy as np
import pandas as pd
from places import ROOT

from shapaudit.estimators import create
from shapaudit.truth import Truth, shapley_from_table
from shapaudit_audit.study.blocks.games import GameBlock, TruthBlock
from shapaudit_audit.study.blocks.runs import EstimatorBlock, ExperimentBlock, PathBlock
from shapaudit_audit.study.collection import GameCollection
from shapaudit_audit.study.experiments import run_spec
from shapaudit_audit.study.samples import deviations, kept_estimates, sample_budgets
from shapaudit_papers.okhrati_lipani_2021.findings.maps import Maps
from shapaudit_papers.okhrati_lipani_2021.findings.replication import OkhratiReplication
from shapaudit_papers.okhrati_lipani_2021.findings.trial import (
    METHODS,
    TableExperiment,
)

D, EXPLICANDS = 9, 12
SPECS = {
    "optimised-mc": EstimatorBlock(estimator="optimised-monte-carlo", label="Walks"),
    "owen": EstimatorBlock(estimator="multilinear", params={"grid": "printed"}, label="Owen"),
    "halved-owen": EstimatorBlock(
        estimator="multilinear", params={"grid": "printed", "halved": True}, label="Halved"
    ),
    "me-gauss": EstimatorBlock(
        estimator="multilinear", params={"grid": "gauss-legendre"}, label="Gauss–Legendre"
    ),
    "antithetic-mc": EstimatorBlock(estimator="antithetic-monte-carlo", label="Antithetic"),
    "kernel-shap": EstimatorBlock(estimator="kernel-shap", label="KernelSHAP"),
}
ESTIMATORS = {name: create(spec.estimator, spec.params) for name, spec in SPECS.items()}
GAME = GameBlock(
    label="Few",
    model="m",
    reward="prediction",
    players=D,
    explicands=EXPLICANDS,
    truth=TruthBlock(method="enumeration"),
)
TABLES = np.random.default_rng(0).normal(size=(EXPLICANDS, 1 << D))
SAMPLES = (4, 20)
BUDGETS = sample_budgets([ESTIMATORS[m] for m in METHODS], SAMPLES, D)


@cache
def collection():
    """Games of random tables."""
    rows = np.zeros((EXPLICANDS, D))
    return GameCollection("g", None, EXPLICANDS, TABLES, "prediction", rows, rows)


def experiment(budgets, repetitions=1, keep=None):
    """All estimators on the games."""
    return ExperimentBlock(
        game="g", budgets=budgets, repetitions=repetitions, estimators=[*SPECS], keep=keep
    )


def run(names, budgets, repetitions=2):
    """Mean squared errors by estimator, budget and explicand."""
    block = experiment(budgets, repetitions)
    truths = [Truth(shapley_from_table(table), "exact", "enumeration") for table in TABLES]
    frames = [
        pd.DataFrame(run_spec(SPECS[n], block, collection(), truths, 1, ("e", n))[0]).assign(
            estimator=n, squared_error=lambda f: f["squared_error"] / D
        )
        for n in names
    ]
    frame = pd.concat(frames)
    return frame.groupby(["estimator", "budget", "explicand"], sort=False)["squared_error"].mean()


@cache
def replication():
    """A replication with one trial, one suite, maps and deviations."""
    same = {"players": D, "provenance": "generated", "accuracy": 0.5}
    means = run(METHODS, BUDGETS).unstack("explicand")
    wide = run(SPECS, BUDGETS[-1:]).unstack("explicand")
    common = {"repetitions": 2, "difference": 1e-15, "tables": TABLES}
    own = {m: ESTIMATORS[m] for m in METHODS}
    trial = TableExperiment(
        "okhrati-samples", "Few, d = 9", **same, **common, estimators=own, means=means
    )
    suite = TableExperiment(
        "okhrati-suite", "Suite", **same, **common, estimators=ESTIMATORS, means=wide
    )
    setting = experiment(map_budgets(), keep=4)
    kept = pd.DataFrame(kept_estimates(SPECS, setting, collection(), 1, "e"))
    reference = shapley_from_table(TABLES)
    maps = Maps(
        **same,
        name="okhrati-maps",
        label="Maps",
        images=np.ones((EXPLICANDS, D)),
        reference=reference,
        standard_errors=np.zeros_like(reference),
        kept=kept.pivot(
            index=["estimator", "budget", "explicand"], columns="player", values="value"
        ),
        means=run(SPECS, map_budgets()).unstack("explicand"),
        estimators=ESTIMATORS,
    )
    path = PathBlock(
        game="p", estimators=[*METHODS], explicands=2, samples=12, step=4, replicates=3
    )
    spread = pd.DataFrame(deviations(SPECS, path, collection(), 1, "p"))
    published = pd.read_csv(ROOT / "config/published/okhrati_lipani_2021.csv")
    return OkhratiReplication(
        {"okhrati-samples": trial},
        {"okhrati-suite": suite},
        {"okhrati-maps": maps},
        {"p": spread},
        {"p": GAME},
        {},
        SPECS,
        published,
        0.05,
    )


def map_budgets():
    """Evaluations of 12 samples."""
    return sample_budgets([ESTIMATORS[m] for m in METHODS], [12], D)
