"""Claim 13: how many iterations make the bounds useful, against the cost of the exact values.

All bounds scale with C^2: they are stated for C = 1. One iteration is one evaluation of v.
"""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.constants.usefulness import LARGE, gather_useful
from ..common import claim

BOUNDS = ("inverse", "square_root", "constant")  # those of the paper
SHOWN = (6, 10, 16, 24, 32, 64, LARGE)


def check_useful(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if at every d some bound requires fewer evaluations than the exact values."""
    rows, reach = evidence["rows"], evidence["within_reach"]
    useful = [row for row in rows if min(row[bound] for bound in BOUNDS) < row["exact"]]
    missing = [row for row in rows if row not in useful]
    first = min((row["players"] for row in useful), default=0)
    far = [row for row in rows if row["players"] == max(r["players"] for r in rows)]
    public = next(row for row in far if (row["radius"], row["guarantee"]) == ("public", "mean"))
    budgets = {
        f"bound_at_budget_{budget_row['players']}": budget_row["bound"]
        for budget_row in evidence["budgets"]
    }
    return tell(
        "refuted" if missing else "exact",
        {
            "exact": "Some bound is useful at every $d$.",
            "refuted": lambda: _told_useless(missing, first, public, evidence["budgets"][-1]),
        },
        reach=f"d up to {far[0]['players']}",
        numbers={
            "rows": len(rows),
            "useful_rows": len(useful),
            "within_reach": reach,
            "first_useful_players": first,
            **{f"{key}_at_largest": public[key] for key in (*BOUNDS, "sharper", "monte_carlo")},
            **budgets,
        },
        rows=[row for row in rows if row["players"] in SHOWN] or rows,
    )


def _told_useless(missing, first, public, last):
    known = max(row["players"] for row in missing)
    start = f"Up to $d={first - 1}$ every bound requires" if first else "Every bound requires"
    return (
        f"{start} more evaluations than the exact values, with either radius and for guarantees "
        f"on the mean and on the probability; beyond $d={known}$ some bound requires fewer in "
        f"each of these cases. At $d={public['players']}$ the best of them requires "
        f"{show(min(public[bound] for bound in BOUNDS))}, whereas the variance bound of plain "
        f"permutation sampling requires {show(public['monte_carlo'])} and that of GT 6d "
        f"{show(public['sharper'])}. After the {last['evaluations']} evaluations of the paper's "
        f"experiment the first bounds the squared error by {show(last['bound'])} $C^2$, while the "
        f"squared diameter of the ball is {show(last['squared_diameter'])} $C^2$."
    )


CLAIMS = (
    claim(
        id="gt20-13",
        title="Iterations that make the bounds useful",
        heading="Gradients and constants",
        topic="probability",
        where="left out by the paper, whose Section 1 calls upper bounds with high probability "
        "essential and whose Section 4.2 gives them",
        statement=r"For every $d$ the bounds guarantee $\mathbb "
        r"E\|\hat\phi-\phi^*\|^2\le0.01\,C^2$, or $\|\hat\phi-\phi^*\|^2\le0.01\,C^2$ with "
        "probability $0.99$, after fewer evaluations than the $2^d-2$ of the exact values.",
        matters="For few players the exact values are cheaper than any of these guarantees; for "
        "many players the variance bound of permutation sampling requires far fewer evaluations.",
        gather=gather_useful,
        check=check_useful,
        falls="hypothesis",
        source="this project",
    ),
)
