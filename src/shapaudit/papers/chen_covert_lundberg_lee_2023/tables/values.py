"""Numbers and words on the protocol and the tasks for the report's prose, by key."""

from collections.abc import Mapping

import pandas as pd

from shapaudit.report.latex import (
    DIRECTIONS,
    NOT_RUN,
    escape,
    listing,
    number,
    prose,
    ratio_with_limits,
)
from shapaudit.report.tasks import Comparison, Task
from shapaudit.statistics.agreement import PUBLISHED, TRIALS, biased, typical_ratio
from shapaudit.statistics.simultaneous import verdict

from ..findings import CONTRASTS, Protocol, Replication
from .comparison import last_cells

# What the text of the report speaks of; a study may have more.
PROTOCOLS = {"chen-published": "ten", "chen-published-hundred": "hundred"}
TASKS = ("chen-diabetes", "chen-zeros", "chen-survey", "chen-counts")
TASK_VALUES = ("label", "players", "active", "pairs", "budget", "best", "best-ratio")
PROTOCOL_VALUES = ("cells", "agreeing", "typical", "trials", "differing")


def values(found: Replication) -> dict[str, str]:
    """Text of each value by key; of what did not run, words that say so."""
    texts = {**_overall(found.tasks), **_bias_values(found.protocol), **_further(found)}
    for name, short in PROTOCOLS.items():
        protocol = found.protocols.get(name)
        parts = _protocol_values(protocol) if protocol is not None else {}
        texts |= {f"{short}.{key}": parts.get(key, NOT_RUN) for key in PROTOCOL_VALUES}
    contrasts = last_cells(found.tasks, found.contrasts)
    for name in TASKS:
        task = found.tasks.tasks.get(name)
        parts = _task_values(found.tasks, task) if task is not None else {}
        texts |= {f"{name}.{key}": parts.get(key, NOT_RUN) for key in TASK_VALUES}
        for a, b in CONTRASTS:
            ran = (a, b, name) in contrasts.index
            parts = _contrast_values(contrasts.loc[(a, b, name)]) if ran else {}
            for key in ("ratio", "words"):
                texts[f"{name}.{a}.{b}.{key}"] = parts.get(key, NOT_RUN)
    return {f"benchmark.{key}": value for key, value in texts.items()}


def _protocol_values(protocol: Protocol) -> dict[str, str]:
    cells = protocol.comparison
    if cells.empty:
        return {}
    differing = cells[~cells["agrees"]]
    named = [f"{row.method} at {row.samples:,} ({row.ratio:.2g})" for row in differing.itertuples()]
    return {
        "cells": number(len(cells)),
        "agreeing": number(int(cells["agrees"].sum())),
        "typical": " ".join(ratio_with_limits(*typical_ratio(cells)[:3])),
        "trials": number(protocol.trials),
        "differing": prose(listing(named)),
    }


def _further(found: Replication) -> dict[str, str]:
    """Sentences on what this study has beyond the protocols and tasks of the text."""
    protocols = [p for name, p in found.protocols.items() if name not in PROTOCOLS]
    tasks = [task for name, task in found.tasks.tasks.items() if name not in TASKS]
    return {
        "further-protocols": " ".join(map(_protocol_sentence, protocols))
        or "No other data of the paper was run in this study.",
        "further-tasks": " ".join(_task_sentence(found.tasks, task) for task in tasks)
        or "No other task was run in this study.",
    }


def _protocol_sentence(protocol: Protocol) -> str:
    label, most = escape(protocol.label), protocol.cells["samples"].max()
    last = protocol.cells[protocol.cells["samples"] == most]
    best = last.loc[last["error"].idxmin(), "method"]
    ends = (
        f"the smallest mean squared error after {number(int(most))} samples is that of "
        f"{escape(best)}"
    )
    parts = _protocol_values(protocol)
    if not parts:
        return f"On {label}, of which no values are published, {ends}."
    return (
        f"On {label}, {parts['agreeing']} of {parts['cells']} published cells agree (those that do "
        f"not: {parts['differing']}), the geometric mean of the ratios is {parts['typical']}, and "
        f"{ends}."
    )


def _task_sentence(compared: Comparison, task: Task) -> str:
    parts = _task_values(compared, task)
    return (
        f"On {parts['label']} ({parts['active']} active, {parts['pairs']} pairs), "
        f"{parts.get('best', NOT_RUN)} has the smallest mean error after {parts['budget']} "
        f"evaluations ({parts.get('best-ratio', NOT_RUN)})."
    )


def _bias_values(protocol: Protocol) -> dict[str, str]:
    """Methods with a bias that the number of trials does not explain, there and here."""
    own = protocol.cells
    measures = (own["bias"], own["variance"], own["spread"], own["trials"])
    here = own[biased(*measures, protocol.alpha)]
    theirs = protocol.comparison[protocol.comparison["biased"]]
    return {
        "trials": number(TRIALS),
        "biased-published": _with_samples(theirs),
        "biased-here": _with_samples(here),
    }


def _with_samples(cells: pd.DataFrame) -> str:
    """Methods in the order of the paper, each with the most samples at which it is flagged."""
    most = cells.groupby("method")["samples"].max()
    named = [f"{method} (up to {most[method]:,})" for method in PUBLISHED if method in most.index]
    return prose(listing(named))


def _overall(compared: Comparison) -> dict[str, str]:
    near, cells = compared.near, len(compared.choices)
    everywhere = set(compared.ranking.index)
    ranked = [compared.label_of(name) for name in compared.ranking.index[:3]]
    counts = near[[name for name in near.index if name in everywhere]]
    most = int(counts.max()) if len(counts) else 0
    steady = list(counts.index[counts == most]) or [compared.reference]
    return {
        "tasks": number(len(compared.tasks)),
        "estimators": number(sum(map(len, compared.estimators.values()))),
        "comparisons": number(len(compared.ratios)),
        "choice-cells": number(cells),
        "ranked": escape("; ".join(ranked)),
        "steady": escape(listing([compared.label_of(name) for name in steady])),
        "steady-cells": number(most),
        "reference-cells": number(int(near.get(compared.reference, 0))),
    }


def _task_values(compared: Comparison, task: Task) -> dict[str, str]:
    cells = compared.choices[compared.choices["task"] == task.name]
    sizes = {
        "label": escape(task.label),
        "players": number(task.players),
        "active": number(int(task.active)),
        "pairs": number(task.pairs),
        "budget": number(task.budgets[-1]),
    }
    if cells.empty:
        return sizes
    last = cells.iloc[-1]
    best = {"best": escape(compared.label_of(last["best"])), "best-ratio": _ratio(last)}
    return sizes | best


def _contrast_values(row: Mapping[str, float]) -> dict[str, str]:
    word = verdict(row["low"], row["high"])
    return {"ratio": _ratio(row), "words": DIRECTIONS.get(word, word)}


def _ratio(row: Mapping[str, float]) -> str:
    return " ".join(ratio_with_limits(row["ratio"], row["low"], row["high"]))
