"""Part of claim 2a: line 6 of Algorithm 1, when the coalition already has the player."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.notation import LEVELS


def check_line(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if both readings of the line differ from Equation 3 on some model."""
    rows = evidence["rows"]
    failing = {row["reading"] for row in rows if row["levels_that_differ"]}
    return tell(
        "inconsistent" if {"literal", "union"} <= failing else "exact",
        {"exact": "A reading agrees.", "inconsistent": lambda: _told_readings(rows)},
        numbers={"readings_that_fail": len(failing), "levels": len(LEVELS)},
        rows=rows,
        reach=f"{len(LEVELS)} levels of two models",
    )


def _told_readings(rows: list[Evidence]) -> str:
    half = next(row for row in rows if row["model"] == "linear" and row["reading"] == "union")
    return (
        "All bits are drawn, including that of player $j$. If it is 1, the sum contains the "
        "feature twice and is not a hybrid row; interpreted as a union, the contribution is zero, "
        "and on a linear model the expectation at $q=1/2$ is half of $e(q)$ "
        f"({show(half['at_1/2'])} instead of {show(half['equation_3'])}). Equation 3 and the "
        "public code draw from the other features."
    )
