"""Claim 13: runs that stop once the risk estimate is small enough."""

from shapaudit.estimators.risk import LEVEL
from shapaudit.statistics.limits import clopper_pearson
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_coverage, tell
from shapaudit_audit.audit.judges.coverage import NEAR
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.stopping import gather_stopping
from .common import V2, claim


def check_stopping(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if significantly fewer than 95 per cent of stopped runs are within tolerance."""
    rows = evidence["rows"]
    runs, within = (sum(row[key] for row in rows) for key in ("runs", "within"))
    limit = clopper_pearson("runs within the tolerance", within, runs, alpha)
    summary = f"{show(100 * limit.estimate)} per cent of the stopped runs are within the tolerance"
    return tell(
        by_coverage([limit], LEVEL, least=True),
        {
            "refuted": f"{summary}: the risk is checked after every batch, and the run stops at "
            "the first value that is small enough.",
            "supported": f"{summary}; by the limits, more than {show(100 * (LEVEL - NEAR))} per "
            "cent are.",
            "inconclusive": f"{summary}; more runs are needed to decide.",
        },
        numbers={"share": limit.estimate},
        limits=(limit,),
        sample={"runs": runs},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="bdb24-13a",
        title="Stopping at a tolerance",
        heading="Risk and stopping",
        topic="probability",
        where=f"Section 3.7, last paragraph; Section 3.6, Batching; {V2}",
        words="allowing for early termination via a stopping criterion based on the overall error "
        "estimate hat sigma",
        statement=r"A run in batches may end early, by a criterion on $\hat\sigma$ (here: of runs "
        r"of independent permutations that stop when $\hat\sigma$ at $q=0.95$ meets a tolerance, "
        "$95$ of $100$ are within it, and by the limits more than $90$).",
        hedges="The algorithm “may” be performed in this way; no probability is stated for the "
        "result of stopping.",
        gather=gather_stopping,
        check=check_stopping,
        lacks="rare checks",
        falls="hypothesis",
        statistical=True,
    ),
)
