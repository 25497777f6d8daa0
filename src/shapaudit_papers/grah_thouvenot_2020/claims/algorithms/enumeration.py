"""Claim 21: what the exact Shapley values cost."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.algorithms.enumeration import gather_enumeration
from ..common import BOTH, claim

DIFFERENCE_ROUNDING = 1e-9


def check_enumeration(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if exact values took fewer evaluations than the paper says are needed."""
    rows, printed = evidence["rows"], evidence["per_coalition"]
    fewer = [
        row
        for row in rows
        if row["evaluations"] < printed * row["coalitions"]
        and row["largest_difference"] < DIFFERENCE_ROUNDING
    ]
    d = evidence["printed_players"]
    return tell(
        "refuted" if len(fewer) == len(rows) else "inconclusive",
        {
            "inconclusive": "No count is below the printed one, which proves nothing.",
            "refuted": f"One evaluation for each coalition suffices, {1 << d:,} at $d={d}$, "
            f"because every coalition serves all players; counted for {len(rows)} sizes of games. "
            "Two for each coalition are needed by the formula of one player for the coalitions "
            "without this player, which are half of all.",
        },
        shown_by={"refuted": "prop:walk"},
        numbers={"coalitions": 1 << d},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="gt20-21",
        title="Evaluations for the exact values",
        heading="Algorithms and their cost",
        topic="cost",
        where=f"Section 1, paragraph on Shapley values; {BOTH}",
        words="we must take into account 2^30 coalitions and for each coalition perform 2 "
        "evaluations of the reward function",
        statement="With 30 features, exact Shapley values must take into account $2^{30}$ "
        "coalitions, with 2 evaluations of $v$ for each.",
        hedges="“for instance”; the sentence is about an order of magnitude.",
        gather=gather_enumeration,
        check=check_enumeration,
        falls="slip",
        matters="Half as many evaluations suffice; this is still too many, so that the argument "
        "of the paper holds.",
    ),
)
