"""What README.md and docs/findings.md say of the protocol and the tasks of this paper."""

from collections.abc import Mapping

from shapaudit.report.findings import Findings
from shapaudit.report.overview import best_table, least_regret, overview
from shapaudit.report.record import Summary

from .findings import load


def _of(found: Findings) -> dict:
    """Agreement with the published tables, and who is best over tasks and budgets."""
    own = found.once(load)
    cells, joint = own.protocol.comparison, own.protocol.joint
    agreement = {"agreeing": int(cells["agrees"].sum()), "published": len(cells)}
    if joint is not None:
        agreement["joint"] = {"cells": joint.cells} | {
            key: float(f"{getattr(joint, key):.4g}")
            for key in ("p", "typical", "low", "high", "noticed", "noticed_alone", "p_within")
        }
    return agreement | overview(own.tasks)


def _headline(part: Mapping) -> str:
    compared = f"{part['estimators']} estimators compared."
    model = "with the ten trees of their code instead of the hundred of their caption"
    if "joint" not in part:
        return (
            f"{compared} {part['agreeing']} of {part['published']} errors that Chen et al. print "
            f"for the diabetes data agree with ours, {model}."
        )
    joint = part["joint"]
    return (
        f"{compared} Errors that Chen et al. print for the diabetes data, {model}: "
        f"{joint['cells']} have expectations that can be computed, and all together they are "
        f"{joint['typical']:.3f} ({joint['low']:.3f} to {joint['high']:.3f}) times as large (p = "
        f"{joint['p']:.1g}), where a factor of {joint['noticed']:.3f} would be noticed. One by one "
        f"{part['agreeing']} of {part['published']} agree with our trials, but that takes no more "
        f"than a factor below {joint['noticed_alone']:.2f}."
    )


def _overview(part: Mapping) -> list[str]:
    return [best_table(part), least_regret(part)]


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
