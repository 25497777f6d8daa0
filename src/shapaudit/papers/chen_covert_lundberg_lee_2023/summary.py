"""What README.md and docs/findings.md say of the protocol and the tasks of this paper."""

from collections.abc import Mapping

from shapaudit.report.findings import Findings
from shapaudit.report.overview import (
    best_table,
    least_regret,
    overview,
    saved,
    saved_table,
    slow_sentence,
)
from shapaudit.report.record import Summary
from shapaudit.statistics.agreement import POWER
from shapaudit.statistics.joint_agreement import RESAMPLES

from .findings import load


def _of(found: Findings) -> dict:
    """Agreement with the published tables, and who is best over tasks and budgets."""
    own = found.once(load)
    cells, joint = own.protocol.comparison, own.protocol.joint
    agreement = {"agreeing": int(cells["agrees"].sum()), "published": len(cells)}
    if len(cells):
        factors = cells["noticed"]
        ends = {"median": factors.median(), "least": factors.min(), "most": factors.max()}
        agreement["noticed"] = {key: round(float(value), 2) for key, value in ends.items()}
    if joint is not None:
        agreement["joint"] = {"cells": joint.cells} | {
            key: float(f"{getattr(joint, key):.4g}")
            for key in ("p", "typical", "low", "high", "noticed", "p_within", "p_between")
        }
    return agreement | overview(own.tasks) | {"saved": saved([own.best, own.tasks])}


def _headline(part: Mapping) -> str:
    compared = f"{part['estimators']} estimators compared."
    model = "with the ten trees of their code instead of the hundred of their caption"
    if "joint" not in part:
        return (
            f"{compared} {part['agreeing']} of {part['published']} errors that Chen et al. print "
            f"for the diabetes data agree with ours, {model}."
        )
    joint, alone = part["joint"], part["noticed"]
    least = 1 / (1 + RESAMPLES)
    p = f"p ≤ {least:.1g}" if joint["p"] <= least else f"p = {joint['p']:.2g}"
    return (
        f"{compared} Errors that Chen et al. print for the diabetes data, {model}: "
        f"{joint['cells']} have expectations that can be computed, and all together they are "
        f"{joint['typical']:.3f} ({joint['low']:.3f} to {joint['high']:.3f}) times as large ({p}), "
        f"where a factor of {joint['noticed']:.3f} would be noticed with a chance of {POWER:.0%}. "
        f"One by one {part['agreeing']} of {part['published']} agree with our trials, which says "
        f"less: with that chance a cell shows a factor of {alone['median']:.2f} (from "
        f"{alone['least']:.2f} to {alone['most']:.2f} over the cells) and nothing smaller."
    )


def _overview(part: Mapping) -> list[str]:
    told = [best_table(part), least_regret(part), slow_sentence(part)]
    if part.get("saved", {}).get("rows"):
        told.append(saved_table(part["saved"]))
    return [text for text in told if text]


def _section(part: Mapping) -> list[str]:
    return [
        "## Which estimator",
        "![Typical error over that of paired KernelSHAP, by task](figures/many_pairs.svg)",
        *_overview(part),
    ]


SUMMARY = Summary(
    key="benchmark",
    of=_of,
    picture="chen_covert_lundberg_lee_2023/many_pairs.svg",
    section=_section,
    headline=_headline,
    overview=_overview,
)
