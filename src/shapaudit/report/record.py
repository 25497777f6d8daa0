"""A run of the default study in one small record, docs/findings.json, that is committed.

README.md and docs/findings.md follow from it and the registry of claims. It names the
configuration, claims and figures that it was made from, so that `outdated` can tell without any
results whether it is time for `make readme`.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..papers import registry
from ..papers.chen_covert_lundberg_lee_2023.findings import PROTOCOL, REFERENCE, Benchmark
from ..papers.grah_thouvenot_2020.findings import Experiment
from ..study.provenance import config_hash

PICTURES = (
    "chen_covert_lundberg_lee_2023/many_pairs.svg",
    "grah_thouvenot_2020/dimension16.svg",
)
SHOWN = (
    "plain-mc",
    "optimised-mc",
    "psgd-constant",
    "psgd-sqrt",
    "psgd-free",
    "kernel-shap",
    "paired-kernel-shap",
)


def record(
    study: Mapping,
    experiments: Mapping[str, Experiment],
    audit: Mapping,
    benchmark: Benchmark,
    figures: Sequence[Path],
) -> dict:
    """Everything that the texts say of a study, as JSON holds it; ``figures`` are their files."""
    return {
        "study": study["study"],
        "configuration_sha256": config_hash(study),
        "figures_sha256": {path.name: digest(path.read_bytes()) for path in figures},
        "statements_sha256": statements(audit["claims"]),
        "claims": {claim["id"]: claim["status"] for claim in audit["claims"]},
        "errors": _errors(list(experiments.values())),
        "benchmark": _benchmark(benchmark),
    }


def digest(content: bytes) -> str:
    """SHA-256 of some bytes."""
    return hashlib.sha256(content).hexdigest()


def statements(claims: Iterable[Mapping]) -> dict[str, str]:
    """By paper, one SHA-256 of what its claims say and where they stand."""
    texts: dict[str, list] = {}
    for claim in claims:
        said = [claim[key] for key in ("id", "title", "where", "statement")]
        texts.setdefault(claim["paper"], []).append(said)
    return {paper: digest(json.dumps(text).encode()) for paper, text in texts.items()}


def _errors(experiments: Sequence[Experiment]) -> dict:
    """Mean errors with limits at the last budget of each experiment, by label."""
    names = [name for name in SHOWN if all(name in e.last.index for e in experiments)]
    return {
        "experiments": [
            {"label": e.label, "pairs": e.pairs, "evaluations": e.budget} for e in experiments
        ],
        "cells": {
            experiments[0].label_of(name): [
                [_digits(e.last.loc[name, key]) for key in ("mean", "low", "high")]
                for e in experiments
            ]
            for name in names
        },
    }


def _digits(value: float) -> float | None:
    """Three significant digits; None for NaN, the limits that few pairs do not have."""
    return None if math.isnan(value) else float(f"{value:.3g}")


def _benchmark(benchmark: Benchmark) -> dict:
    """Agreement with the published tables, and who is best over tasks and budgets, by label."""
    compared = benchmark.protocols[PROTOCOL].comparison
    label = benchmark.label_of
    last = benchmark.choices.groupby("task", sort=False).tail(1)
    near = {label(name): int(n) for name, n in benchmark.near.items() if name in benchmark.ranking}
    return {
        "agreeing": int(compared["agrees"].sum()),
        "published": len(compared),
        "estimators": sum(map(len, benchmark.estimators.values())),
        "cells": len(benchmark.choices),
        "reference": label(REFERENCE),
        "near": dict(sorted(({label(REFERENCE): 0} | near).items())),
        "best": [
            {
                "task": benchmark.tasks[row.task].label,
                "evaluations": int(row.budget),
                "estimator": label(row.best),
                **{key: _digits(getattr(row, key)) for key in ("ratio", "low", "high")},
                "others": len(row.others),
            }
            for row in last.itertuples()
        ],
    }


def outdated(found: Mapping, study: Mapping, figures: Path) -> list[str]:
    """Why a record is not of this configuration, these claims, the figures in a folder; or []."""
    reasons = []
    if found["configuration_sha256"] != config_hash(study):
        reasons.append(f"the configuration of study {study['study']!r} has changed")
    if lost := sorted(set(found["claims"]) - set(registry())):
        reasons.append(f"it has claims that are not registered: {', '.join(lost)}")
    if new := sorted(set(registry()) - set(found["claims"])):
        reasons.append(f"it lacks the claims {', '.join(new)}")
    now, then = statements(map(vars, registry().values())), found["statements_sha256"]
    if changed := sorted(paper for paper in now if now[paper] != then.get(paper)):
        reasons.append(f"claims have changed what they say: {', '.join(changed)}")
    for name, sha in found["figures_sha256"].items():
        if not (figures / name).exists() or digest((figures / name).read_bytes()) != sha:
            reasons.append(f"the figure {name} is another one")
    return reasons
