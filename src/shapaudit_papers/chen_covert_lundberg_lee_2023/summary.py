"""What README.md and docs/findings.md say of the protocol and the tasks of this paper."""

from collections.abc import Mapping
from typing import Any

from shapaudit.statistics.agreement import POWER
from shapaudit.statistics.joint_agreement import RESAMPLES
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.further import Further, further
from shapaudit_audit.report.overview import (
    best_table,
    least_regret,
    overview,
    reached,
    reached_table,
    saved,
    saved_table,
    slow_sentence,
)
from shapaudit_audit.report.record import Summary

from .findings import load


def _of(findings: Findings) -> dict:
    """Agreement with the published tables, and who is best over tasks and budgets."""
    own = findings.once(load)
    cells, joint = own.protocol.comparison, own.protocol.joint
    agreement: dict[str, Any] = {"agreeing": int(cells["agrees"].sum()), "published": len(cells)}
    if len(cells):
        factors = cells["noticed"]
        ends = {"median": factors.median(), "least": factors.min(), "most": factors.max()}
        agreement["noticed"] = {key: round(float(value), 2) for key, value in ends.items()}
    if joint is not None:
        agreement["joint"] = {"cells": joint.cells} | {
            key: float(f"{getattr(joint, key):.4g}")
            for key in ("p", "typical", "low", "high", "noticed", "p_within", "p_between")
        }
    elsewhere = further(own.tasks, [own.best])
    if elsewhere is not None:
        agreement["further"] = elsewhere._asdict()
    compared = [own.best, own.tasks]
    parts = {"saved": saved(compared), "reached": reached(compared)}
    return agreement | overview(own.tasks) | parts


def _replicated(part: Mapping) -> str:
    """How far the errors that the paper prints for the diabetes data are reproduced."""
    model = "With the ten trees of the public code instead of the hundred of the caption"
    agree = (
        f"{part['agreeing']} of {part['published']} errors that Chen et al. print for the diabetes "
        "data agree with our trials"
    )
    if "joint" not in part:
        return f"{model}, {agree}."
    joint, alone = part["joint"], part["noticed"]
    least = 1 / (1 + RESAMPLES)
    p = f"p ≤ {least:.1g}" if joint["p"] <= least else f"p = {joint['p']:.2g}"
    return (
        f"{model}, {agree}. This is weak evidence: a single entry reveals a factor of "
        f"{alone['median']:.2f} with a probability of {POWER:.0%} ({alone['least']:.2f} to "
        f"{alone['most']:.2f} over the entries). The expectations of {joint['cells']} of them can "
        f"be computed; together, the printed errors are {joint['typical']:.3f} "
        f"({joint['low']:.3f} to {joint['high']:.3f}) times their expectations ({p}), where a "
        f"factor of {joint['noticed']:.3f} would be detected with the same probability."
    )


def _headline(part: Mapping) -> str:
    first = part["regret"][0]
    near = "all" if first["near"] == part["cells"] else first["near"]
    return (
        f"**Which estimator.** Of {part['estimators']} estimators, {first['estimator']} has the "
        "least regret, that is, error divided by the error of the best estimator: a median of "
        f"{first['typical']:.3g} over {part['cells']} combinations of task and budget, and at most "
        f"{part['margin']:g} in {near} of them.{_further(part)}"
    )


def _further(part: Mapping) -> str:
    """A sentence on the games of other papers, after one on the least regret."""
    return f" {Further(**part['further']).told}" if "further" in part else ""


def _overview(part: Mapping) -> list[str]:
    """Evaluations for an error; a record of an earlier run may not have them."""
    rows = part.get("reached", {}).get("rows")
    return [reached_table(part["reached"])] if rows else []


def _section(part: Mapping) -> list[str]:
    regret = f"{least_regret(part)}\n\n{_further(part).strip()}".strip()
    rivals = saved_table(part["saved"]) if part.get("saved", {}).get("rows") else ""
    told = [*_overview(part), best_table(part), regret, slow_sentence(part), rivals]
    return [
        "## Which estimator",
        "![Typical error relative to paired KernelSHAP, by task](figures/many_explicands.svg)",
        *(text for text in told if text),
        "## Published errors",
        _replicated(part),
    ]


SUMMARY = Summary(
    key="benchmark",
    of=_of,
    pictures=(
        "chen_covert_lundberg_lee_2023/evaluations.svg",
        "chen_covert_lundberg_lee_2023/many_explicands.svg",
    ),
    section=_section,
    headline=_headline,
    overview=_overview,
)
