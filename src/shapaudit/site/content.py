"""What the page shows, from the results of a study: claims, estimators, choices, figures."""

from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from jinja2 import Environment

from ..benchmark import REFERENCE, Benchmark
from ..claims import REGISTRY, STATUSES
from ..estimators import create
from ..tables.audit import KIND_WORDS
from ..verdicts import by_paper, paper_name, short_id
from .text import number, words

SPAN = 10.0  # ratios are drawn from 1 / SPAN to SPAN


def papers(audit: Mapping) -> list[dict]:
    """Claims by paper, each paper with how many claims got which verdict."""
    found = []
    for prefix, claims in by_paper(audit["claims"]).items():
        counts = Counter(claim["status"] for claim in claims)
        found.append(
            {
                "prefix": prefix,
                "name": paper_name(claims[0]["paper"]),
                "counts": {status: counts[status] for status in STATUSES},
                "claims": [_claim(claim) for claim in claims],
            }
        )
    return found


def _claim(claim: Mapping) -> dict:
    module = REGISTRY[claim["id"]].check.__module__
    return {
        **claim,
        "short": short_id(claim["id"]),
        "owed": KIND_WORDS[claim["kind"]],
        "module": f"src/{module.replace('.', '/')}.py",
        "numbers": {words(key): number(value) for key, value in claim["numbers"].items()},
        "sample": {words(key): number(value) for key, value in claim["sample"].items()},
        "limits": [
            {**limit, **{key: number(limit[key]) for key in ("estimate", "low", "high", "level")}}
            for limit in claim["limits"]
        ],
        "table": _table(claim.get("rows", ())),
    }


def _table(rows: Sequence[Mapping]) -> dict | None:
    if not rows:
        return None
    keys = list(dict.fromkeys(key for row in rows for key in row))
    cells = [[number(row.get(key)) for key in keys] for row in rows]
    return {"head": [words(key) for key in keys], "cells": cells}


def _place(ratio: float) -> float:
    """Per cent of the width of the axis at which a ratio stands."""
    return float(np.clip(50 + 50 * np.log(ratio) / np.log(SPAN), 0, 100))


def tasks(benchmark: Benchmark) -> list[dict]:
    """Tasks of the benchmark with their budgets."""
    return [
        {
            "name": task.name,
            "label": task.label,
            "pairs": task.pairs,
            "active": number(task.active),
            "budgets": [{"value": budget, "shown": number(budget)} for budget in task.budgets],
        }
        for task in benchmark.tasks.values()
    ]


def estimators(benchmark: Benchmark) -> list[dict]:
    """Estimators with their cards."""
    return [
        {"name": name, "label": benchmark.label_of(name), "family": family, "card": _card(spec)}
        for family, names in benchmark.estimators.items()
        for name in names
        for spec in [benchmark.specs[name]]
    ]


def _card(spec: Mapping):
    return create(spec["estimator"], spec.get("params")).card


def ratios(benchmark: Benchmark) -> list[dict]:
    """Mean errors over that of the reference, by task, budget and estimator."""
    families = {one["name"]: one for one in estimators(benchmark)}
    rows = []
    for row in benchmark.ratios.itertuples():
        card = families[row.a]["card"]
        low, high = (None if np.isnan(end) else float(end) for end in (row.low, row.high))
        ends = [row.ratio if end is None else end for end in (low, high)]
        rows.append(
            {
                "task": row.task,
                "budget": int(row.budget),
                "label": families[row.a]["label"],
                "family": families[row.a]["family"],
                "definition": card.definition if card else "",
                "ratio": float(row.ratio),
                "shown": number(float(row.ratio)),
                "limits": "–" if low is None else f"{number(low)} to {number(high)}",
                "verdict": _verdict(low, high),
                "at": _place(row.ratio),
                "from": _place(ends[0]),
                "to": _place(ends[1]),
            }
        )
    return sorted(rows, key=lambda row: (row["task"], row["budget"], row["ratio"]))


def _verdict(low: float | None, high: float | None) -> str:
    if low is None:
        return "open"
    return "better" if high < 1 else "worse" if low > 1 else "open"


def choices(benchmark: Benchmark) -> list[dict]:
    """The best estimator of each task and budget, and those that may be as good."""
    return [
        {
            "task": benchmark.tasks[row.task].label,
            "budget": number(int(row.budget)),
            "best": benchmark.label_of(row.best),
            "ratio": number(float(row.ratio)),
            "others": [benchmark.label_of(name) for name in row.others],
        }
        for row in benchmark.choices.itertuples()
    ]


def reference(benchmark: Benchmark) -> str:
    """What ratios are over."""
    return benchmark.label_of(REFERENCE)


def figures(paths: Sequence[Path], captions: Path, study: Mapping) -> list[dict]:
    """SVG figures as data addresses, with the captions that Snakemake's report gives them."""
    study = SimpleNamespace(config=study)
    found = []
    for path in paths:
        source = (captions / f"{path.stem}.rst").read_text(encoding="utf-8")
        caption = Environment(autoescape=False).from_string(source).render(snakemake=study)
        data = b64encode(path.read_bytes()).decode("ascii")
        found.append(
            {
                "name": words(path.stem),
                "source": f"notebooks/{path.parent.name}.ipynb",
                "caption": caption.replace("``", "").strip(),
                "image": f"data:image/svg+xml;base64,{data}",
            }
        )
    return found
