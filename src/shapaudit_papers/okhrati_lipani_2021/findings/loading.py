"""The experiments from a study's results folder, by their roles.

``samples`` repeats Table I and Figure 1 with the three algorithms at equal samples, ``suite``
compares many estimators at equal evaluations, ``maps`` makes the saliency maps of Figure 3.
"""

from pathlib import Path

import numpy as np

from shapaudit.estimators import create
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.study.blocks.runs import ExperimentBlock
from shapaudit_audit.study.blocks.study import part_of
from shapaudit_audit.study.collection_base import read_fields, read_tables
from shapaudit_audit.study.reading import (
    experiments_of,
    load_estimates,
    load_score,
    load_table,
    load_truth,
)

from .. import PAPER
from .maps import Maps
from .replication import OkhratiReplication
from .trial import TableExperiment


def load(findings: Findings) -> OkhratiReplication:
    """The experiments of a study; raises `MissingExperiment` where one of the roles has none."""
    study, results = findings.study, Path(findings.results)
    trials, suites = (
        {
            name: _trial(findings, name, block)
            for name, block in experiments_of(study, PAPER.key, role).items()
        }
        for role in ("samples", "suite")
    )
    maps = {
        name: _maps(findings, name, block)
        for name, block in experiments_of(study, PAPER.key, "maps").items()
    }
    paths = part_of(study.paths, PAPER.key)
    return OkhratiReplication(
        trials,
        suites,
        maps,
        deviations={
            name: load_table(results / "paths" / f"{name}.parquet", "deviations") for name in paths
        },
        games={name: study.games[path.game] for name, path in paths.items()},
        searches={
            name: findings.searches[name] for name in part_of(study.architectures, PAPER.key)
        },
        specs=study.estimators,
        published=findings.printed(PAPER.key),
        alpha=study.claims.alpha,
    )


def _common(findings: Findings, name: str, block: ExperimentBlock) -> dict:
    study, results = findings.study, Path(findings.results)
    game = study.games[block.game]
    frame = load_estimates(results, name, block)
    frame = frame.assign(squared_error=frame["squared_error"] / game.players)
    means = frame.groupby(["estimator", "budget", "explicand"], sort=False)["squared_error"].mean()
    score = load_score(results, game.model)
    dataset = study.models[game.model].dataset
    with np.load(results / "datasets" / f"{dataset}.npz", allow_pickle=False) as file:
        provenance = str(file["provenance"])
    specs = {key: study.estimators[key] for key in block.estimators}
    return {
        "name": name,
        "label": game.label,
        "players": game.players,
        "provenance": provenance,
        "accuracy": score["score"]["accuracy"],
        "means": means.unstack("explicand"),
        "estimators": {key: create(spec.estimator, spec.params) for key, spec in specs.items()},
    }


def _trial(findings: Findings, name: str, block: ExperimentBlock) -> TableExperiment:
    results = Path(findings.results)
    truth = load_truth(results, block.game)
    common = _common(findings, name, block)
    tables = read_tables(results / "games" / block.game)
    return TableExperiment(
        **common,
        repetitions=block.repetitions,
        difference=float(truth["difference"].max()),
        tables=tables[: common["means"].shape[1]],
    )


def _maps(findings: Findings, name: str, block: ExperimentBlock) -> Maps:
    results = Path(findings.results)
    truth = load_truth(results, block.game)
    kept = load_table(results / "kept" / f"{name}.parquet", "kept")
    return Maps(
        **_common(findings, name, block),
        images=read_fields(results / "games" / block.game)["explicands"],
        reference=truth.pivot(index="explicand", columns="player", values="value").to_numpy(),
        standard_errors=truth.pivot(
            index="explicand", columns="player", values="standard_error"
        ).to_numpy(),
        kept=kept.pivot(
            index=["estimator", "budget", "explicand"], columns="player", values="value"
        ),
    )
