"""Part of claim 4b: whether importance sampling improves the bound on the gradient."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

SHOWN = (2, 3, 4, 8, 16, 32, 64)  # players, of the table
CONSTANT_ROUNDING = 1e-12


def _smaller(row):
    return row["importance_d"] < row["uniform_d"] and row["importance_c"] < row["uniform_c"] * (
        1 - CONSTANT_ROUNDING
    )


def check_improvement(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when both coefficients of the bound are smaller for every d from 3 on."""
    rows = evidence["rows"]
    kept = [row for row in rows if row["players"] > 2 and not _smaller(row)]
    last = rows[-1]
    gain = float(last["uniform_d"] / last["importance_d"])
    return tell(
        "refuted" if kept else "proved",
        {
            "refuted": lambda: f"At $d={kept[0]['players']}$ the bound is not smaller.",
            "proved": "$B$ is the mean over all coalitions of the quantity whose maximum the "
            "uniform bound takes, so that it is smaller for every $d$ from 3 onwards, and equal "
            r"for $d=2$. It grows like $d\log d$ instead of $2^d$: the factor at "
            f"$d={last['players']}$ is {show(gain)} for large $D$. By how much the true second "
            "moment decreases is a separate question.",
        },
        shown_by={"proved": "prop:norms"},
        numbers={"max_dimension": last["players"], "gain_at_largest": gain},
        rows=[row for row in rows if row["players"] in SHOWN],
    )
