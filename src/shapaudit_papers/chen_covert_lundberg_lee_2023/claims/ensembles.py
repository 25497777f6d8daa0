"""Claims 48e and 49f: ensembles of trees, and how far path-dependent values are off."""

import numpy as np

from shapaudit.statistics.simultaneous import Group
from shapaudit.statistics.typical import typical_limits
from shapaudit_audit.audit.comparisons import limits_of
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.ensembles import gather_distances
from .common import claim

ALIKE = 1.25  # factor up to which two distances are called alike


def check_ensembles(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when sums over trees are the values of the ensemble."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"Exact in {len(cases)} entries for sums of {evidence['trees']} random trees, and in "
        "general.",
        lambda case: f"{case.label}: the trees sum to {case.left}, the ensemble has {case.right}.",
        sample={"entries": len(cases)},
        shown_by="prop:chen-trees",
    )


def check_distances(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if both errors are equal, up to a quarter, on a typical world of each kind."""
    groups = [Group(units, np.array([[1, -1]])) for units in evidence["distances"].values()]
    rows = [
        {"trees": kind, "worlds": len(units), **ratio.row(), "error": ratio.word}
        for (kind, units), (ratio,) in zip(
            evidence["distances"].items(), typical_limits(groups, alpha), strict=True
        )
    ]
    apart = any(row["low"] > ALIKE or row["high"] < 1 / ALIKE for row in rows)
    alike = all(row["low"] > 1 / ALIKE and row["high"] < ALIKE for row in rows)
    each = ", ".join(f"{show(row['ratio'])} with {row['trees']}" for row in rows)
    return Verdict(
        "refuted" if apart else "supported" if alike else "inconclusive",
        f"On a typical one of {rows[0]['worlds']} worlds of three dependent features for each "
        "kind of tree, the distance of path-dependent values from the conditional ones, divided "
        f"by that of marginal values, is {each}.",
        numbers={row["trees"].replace(" ", "_"): row["ratio"] for row in rows},
        limits=limits_of(rows, lambda row: f"path-dependent over marginal, {row['trees']}", alpha),
        sample={"worlds": sum(row["worlds"] for row in rows)},
        rows=tuple(rows),
    )


CLAIMS = (
    claim(
        id="ccll23-49f",
        title="Path-dependent beside marginal values",
        heading="Trees",
        topic="orderings",
        where="Section 5.2.3, paragraph on Path-dependent TreeSHAP, beyond what is said there",
        statement=r"For trees of dependent features path-dependent values are about as far from "
        r"the conditional Shapley values as marginal values are.",
        hedges="Random and trained trees, rows of three features that often have the same level; "
        "“about” means up to a factor of 5/4 on a typical world.",
        matters="Path-dependent values are no closer to conditional values than values that do "
        "not target them.",
        gather=gather_distances,
        check=check_distances,
        source="this project",
        statistical=True,
    ),
)
