"""Claim 20: how SGD-Shapley is described, against the paper that it is taken from."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.descent import gather_sizes, gather_start
from .common import AGNOSTIC, claim

DISTANCE_ROUNDING = 1e-9


def check_start(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if the cited paper starts at a fixed point."""
    rows = evidence["rows"]
    fixed = [row for row in rows if not row["random"]]
    return tell(
        "inconsistent" if fixed else "exact",
        {
            "inconsistent": lambda: (
                f"The cited paper starts at {fixed[0]['start']}. What remains of a fixed start is "
                "a bias, of a random start a variance."
            ),
            "exact": "The cited paper starts at random.",
        },
        reach=f"{len(rows)} source",
        rows=rows,
    )


def check_sizes(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if the cited paper samples coalitions from another law."""
    rows = evidence["rows"]
    apart = [row for row in rows if row["distance"] > DISTANCE_ROUNDING]
    return tell(
        "inconsistent" if apart else "exact",
        {
            "inconsistent": lambda: (
                "The cited paper samples coalitions in proportion to a bound on their gradients. "
                f"With {apart[-1]['players']} players and the ratio of its public code, a "
                "coalition has all players but one with probability "
                f"{show(apart[-1]['all_but_one'])} and only one with probability "
                f"{show(apart[-1]['one'])}; under the kernel both have the probability "
                f"{show(apart[-1]['one_by_kernel'])}."
            ),
            "exact": "Both distributions are the same.",
        },
        reach=f"{len(rows)} numbers of players and ratios",
        numbers={"largest_distance": max(row["distance"] for row in rows)},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-20a",
        title="Where SGD-Shapley starts",
        heading="Least squares on samples",
        topic="identities",
        where=f"{AGNOSTIC}, paragraph on SGD-Shapley",
        words="iteratively estimates the solution from a random initialization",
        statement=r"SGD-Shapley estimates the solution from a random initialization.",
        hedges="Stated about the cited algorithm; the code that was run may start at random.",
        gather=gather_start,
        check=check_start,
        falls="slip",
        matters="The printed errors of SGD-Shapley are those of the code that was run, whatever "
        "the sentence says, and no ranking changes. An implementation should start at the equal "
        "split, which is efficient and costs nothing.",
    ),
    claim(
        id="ccll23-20b",
        title="What SGD-Shapley samples",
        heading="Least squares on samples",
        topic="identities",
        where=f"{AGNOSTIC}, paragraph on SGD-Shapley",
        words="It samples subsets according to the weighting kernel W(S)",
        statement=r"SGD-Shapley samples subsets according to the weighting kernel $W(S)$.",
        hedges="Stated about the cited algorithm; the code that was run may sample by the kernel.",
        gather=gather_sizes,
        check=check_sizes,
        falls="slip",
        matters="The steps and bounds of the cited paper apply to its own sampling, not to "
        "sampling by the kernel.",
    ),
)
