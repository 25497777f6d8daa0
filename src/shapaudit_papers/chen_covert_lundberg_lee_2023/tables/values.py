"""Numbers and words on the protocol and the tasks for the report's prose, by key."""

import math
from collections.abc import Mapping

import pandas as pd

from shapaudit.statistics.agreement import POWER, PUBLISHED, TRIALS, biased, typical_ratio
from shapaudit.statistics.joint_agreement import LEVEL, RESAMPLES, JointTest
from shapaudit.statistics.simultaneous import verdict
from shapaudit_audit.report.further import further
from shapaudit_audit.report.latex import (
    DIRECTIONS,
    NOT_RUN,
    by_case,
    escape,
    fixed,
    listing,
    number,
    percent,
    prose,
    ratio_in_line,
)
from shapaudit_audit.report.tasks import MARGIN, Task, TaskComparison

from .. import calibration
from ..findings import CONTRASTS, ChenReplication, Protocol
from .comparison import headline_cells

# What the text of the report speaks of; a study may have more.
PROTOCOLS = {"chen-published": "ten", "chen-published-hundred": "hundred"}
TASKS = ("chen-diabetes", "chen-zeros", "chen-survey", "chen-counts")
SHORT = ("diabetes", "diabetes with zeros", "the survey", "counts")  # how the text calls them
TASK_VALUES = (
    "label",
    "players",
    "active",
    "explicands",
    "budget",
    "best",
)
NOWHERE = "It ran on no further tasks in this study."
PROTOCOL_VALUES = ("cells", "agreeing", "typical", "trials", "differing", "noticed")
JOINT_VALUES = ("joint", "joint-cells", "joint-typical")


def values(replication: ChenReplication) -> dict[str, str]:
    """Text of each value by key; of what did not run, words that say so."""
    texts = {
        **_overall(replication.tasks),
        **_bias_values(replication.protocol),
        **_further(replication),
    }
    elsewhere = further(replication.tasks, [replication.best])
    texts["elsewhere"] = NOWHERE if elsewhere is None else prose(elsewhere.told)
    texts |= _calibration(replication.tasks)
    for name, short in PROTOCOLS.items():
        protocol = replication.protocols.get(name)
        parts = _protocol_values(protocol) if protocol is not None else {}
        texts |= {f"{short}.{key}": parts.get(key, NOT_RUN) for key in PROTOCOL_VALUES}
    texts |= {f"ten.{key}": text for key, text in _joint_values(replication.protocol.joint).items()}
    contrasts = headline_cells(replication.tasks, replication.contrasts)
    for name in TASKS:
        task = replication.tasks.tasks.get(name)
        parts = _task_values(replication.tasks, task) if task is not None else {}
        texts |= {f"{name}.{key}": parts.get(key, NOT_RUN) for key in TASK_VALUES}
        for a, b in CONTRASTS:
            ran = (a, b, name) in contrasts.index
            parts = _contrast_values(contrasts.loc[(a, b, name)]) if ran else {}
            for key in ("ratio", "words"):
                texts[f"{name}.{a}.{b}.{key}"] = parts.get(key, NOT_RUN)
    for a, b in CONTRASTS:
        said = [
            (texts[f"{name}.{a}.{b}.words"], short)
            for name, short in zip(TASKS, SHORT, strict=True)
        ]
        texts[f"where.{a}.{b}"] = by_case([case for case in said if case[0] != NOT_RUN])
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
        "typical": ratio_in_line(*typical_ratio(cells)[:3]),
        "trials": number(protocol.trials),
        "differing": f" Those that do not: {prose(listing(named))}." if named else "",
        "noticed": _noticed(cells["noticed"]),
    }


def _noticed(factors: pd.Series) -> str:
    """The factor between two laws that a cell would show, on a typical cell and over all."""
    ends = f"{fixed(factors.min(), 2)} to {fixed(factors.max(), 2)}"
    return f"{fixed(factors.median(), 2)} ({ends})"


def _joint_values(joint: JointTest | None) -> dict[str, str]:
    """The printed errors against their expectations, all together."""
    if joint is None:
        return dict.fromkeys(JOINT_VALUES, NOT_RUN)
    typical = ratio_in_line(joint.typical, joint.low, joint.high)
    return {
        "joint-cells": number(joint.cells),
        "joint-typical": typical,
        "joint": (
            f"For {number(joint.cells)} printed errors, the sum of the squared standardised "
            f"logarithms of their ratios to these expectations is {number(joint.statistic, 3)}; "
            f"in resamples of whole trials its mean is {number(joint.expected, 3)} "
            f"({_p(joint.p)}). The geometric mean of the ratios is {typical}. A common factor of "
            f"{fixed(joint.noticed, 3)} would be detected with a probability of "
            f"{POWER:.0%}. {_told_methods(joint)}".replace("%", r"\,\%")
        ),
    }


def _told_methods(joint: JointTest) -> str:
    """Whether the methods have one factor, and which of their own are apart from 1."""
    methods = joint.methods
    apart = methods[(methods["low"] > 1) | (methods["high"] < 1)]
    named = [escape(name) for name in apart.index]
    told = (
        f" By simultaneous limits, the following differ from 1: {listing(named)}." if named else ""
    )
    return (
        r"With a separate factor for each method (Table~\ref{tab:benchmark-joint}) the sum is "
        f"{number(joint.within, 3)} ({_p(joint.p_within)}), so that nothing else remains to be "
        f"explained.{told} Compared with one common factor for all methods, these "
        f"factors have a sum of {number(joint.between, 3)} on {number(len(methods) - 1)} degrees "
        f"of freedom ({_p(joint.p_between)}). {_told_reason(joint)} Rounding would differ "
        "from cell to cell, and the resamples account for the number of trials. One possible "
        "reason is the way in which the public code counts or draws for some methods; the paper "
        "does not say."
    )


def _told_reason(joint: JointTest) -> str:
    if joint.p_between > 1 - LEVEL:
        return "This is no evidence against a common factor, which a different game would cause."
    return (
        "This suggests, without further evidence, that a different game is not the only cause: "
        "methods of equal expectation, such as ROF and MEF\\_RAND, would then have equal factors."
    )


def _p(value: float) -> str:
    """A share of resamples as p; the least that can be found as a bound."""
    least = 1 / (1 + RESAMPLES)
    return rf"\ensuremath{{p\le{least:.4f}}}" if value <= least else f"p = {number(value, 2)}"


def _further(replication: ChenReplication) -> dict[str, str]:
    """Sentences on the protocols that this study has beyond those of the text."""
    protocols = [p for name, p in replication.protocols.items() if name not in PROTOCOLS]
    return {
        "further-protocols": " ".join(map(_protocol_sentence, protocols))
        or "No other data of the paper was run in this study.",
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
        f"On {label}, {parts['agreeing']} of {parts['cells']} published cells agree, the geometric "
        f"mean of the ratios is {parts['typical']}, and {ends}.{parts['differing']}"
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


def _overall(compared: TaskComparison) -> dict[str, str]:
    ranked = [compared.label_of(name) for name in compared.ranking.index[:3]]
    regrets = compared.regret_ranking
    least = regrets[regrets["typical"] <= MARGIN * regrets["typical"].min()]
    return {
        "tasks": number(len(compared.tasks)),
        "estimators": number(sum(map(len, compared.estimators.values()))),
        "comparisons": number(len(compared.ratios)),
        "choice-cells": number(len(compared.completed(compared.choices))),
        "margin": number(MARGIN),
        "ranked": escape(listing(ranked)),
        "steady": escape(listing(sorted(map(compared.label_of, least.index)))),
        "steady-cells": number(int(least["near"].max())),
        "reference-cells": number(int(regrets.loc[compared.reference, "near"])),
    }


def _calibration(compared: TaskComparison) -> dict[str, str]:
    """What the shares of wrong decisions rest on, and the level of one ratio of the family."""
    spread = math.sqrt(calibration.ALPHA * (1 - calibration.ALPHA) / calibration.FEW_RUNS)
    return {
        "calibration-runs": number(calibration.RUNS),
        "calibration-few-runs": number(calibration.FEW_RUNS),
        "calibration-resamples": number(calibration.RESAMPLES),
        "calibration-error": number(100 * spread, 2),
        "calibration-family": percent(compared.alpha / max(1, len(compared.ratios))),
    }


def _task_values(compared: TaskComparison, task: Task) -> dict[str, str]:
    cells = compared.at_headline(compared.choices)
    cells = cells[cells["task"] == task.name]
    sizes = {
        "label": escape(task.label),
        "players": number(task.players),
        "active": number(int(task.active)),
        "explicands": number(task.explicands),
        "budget": number(task.headline),
    }
    if cells.empty:
        return sizes
    return sizes | {"best": escape(compared.label_of(cells.iloc[-1]["best"]))}


def _contrast_values(row: Mapping[str, float]) -> dict[str, str]:
    word = verdict(row["low"], row["high"])
    return {"ratio": _ratio(row), "words": DIRECTIONS.get(word, word)}


def _ratio(row: Mapping[str, float]) -> str:
    return ratio_in_line(row["ratio"], row["low"], row["high"])
