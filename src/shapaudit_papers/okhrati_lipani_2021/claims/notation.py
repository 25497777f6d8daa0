"""Claim 2, continued: line 6 of Algorithm 1, when the coalition already has the player."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.notation import LEVELS, gather_line
from .common import claim


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


CLAIMS = (
    claim(
        id="ol21-02e",
        title="The player's own bit",
        heading="Weights of the levels",
        topic="identities",
        where="Algorithm 1, lines 5 and 6; Section IV.A, third paragraph; Equation 3",
        words="we generate n + 1 Bernoulli random numbers independently",
        statement=r"$h_{m,j}^{(q)}\leftarrow\nu(I_m^{(q)}\odot X+X^{(j)})-\nu(I_m^{(q)}\odot X)$ "
        r"with all bits of $I_m^{(q)}$ drawn estimates $e_j(q)$.",
        gather=gather_line,
        check=check_line,
        falls="slip",
        matters="An implementation has to leave the player's own bit out, as Equation 3 and the "
        "public code do.",
    ),
)
