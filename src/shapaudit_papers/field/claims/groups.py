"""Claim 8: values of groups and sums of their members' values."""

from shapaudit_audit.audit.comparisons import out_of
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch, told
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.groups import gather_sums
from .common import claim


def check_sums(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if sums differ from values of groups, but not without interactions across groups."""
    cases, rows = evidence["cases"], evidence["rows"]
    if wrong := first_mismatch(cases):
        return against(wrong, f"Without interactions across groups: {told(wrong)}", "inconclusive")
    example = rows[-1]
    off = [row for row in rows[:-1] if row["group"] != row["sum"]]
    return tell(
        "refuted" if off else "exact",
        {
            "refuted": "An interaction is split among the features in one case and among the "
            f"groups in the other: values differ in {out_of(len(off), len(rows) - 1)} random "
            "games, and where three features of four are worth 6 together, the group of the first "
            f"three gets {example['group']} and its members {example['sum']}. In {len(cases)} "
            "games without interactions across groups, and in general, both are the same.",
            "exact": "Values of groups are sums in all games examined.",
        },
        reach=f"{len(rows) - 1} games",
        numbers={"off": len(off), "group": example["group"], "sum": example["sum"]},
        sample={"games": len(rows) - 1},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="field26-08",
        title="Values of groups of features",
        heading="Groups of features",
        topic="identities",
        where="github.com/shap/shap, issues 165, 282 and 397, answers on grouped features",
        statement="The value of a group of features is the sum of the values of its features.",
        hedges="Issue 651 of the same repository says that a game of groups differs, and that "
        "the difference is usually of no importance.",
        gather=gather_sums,
        check=check_sums,
        lacks="no interactions between the group and other features",
        falls="hypothesis",
        matters="Explain the game whose players are the groups; a sum of features' values splits "
        "interactions across groups by the number of features.",
    ),
)
