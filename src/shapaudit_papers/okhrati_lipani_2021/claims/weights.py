"""Claim 2: how the algorithms and the appendix weight the levels of q."""

from typing import Any

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.weights import gather_division, gather_halved, gather_same, gather_sign
from .common import APPENDIX, SYMMETRY, claim


def check_division(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if the sum is divided by another number than that of the levels."""
    rows = evidence["rows"]
    apart = sum(row["levels"] != row["divided_by"] for row in rows)
    return tell(
        "inconsistent" if apart else "exact",
        {
            "exact": "The two numbers agree.",
            "inconsistent": "The loop of line 2 has $Q+1$ levels, so that $QM$ is not the number "
            "of iterations. Dividing by $QM$ multiplies every Shapley value of an additive game, "
            "and therefore their sum, by $1+1/Q$. The public code takes the mean instead.",
        },
        numbers={"different": apart, "cases": len(rows)},
        rows=rows,
        reach=f"{len(rows)} values of Q",
    )


def check_halved(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the two expectations differ by the middle level."""
    cases = evidence["cases"]
    unequal = sum(case.left != 0 for case in cases)
    details: dict[str, Any] = {
        "numbers": {"cases": len(cases), "unequal": unequal},
        "shown_by": "prop:okhrati-printed",
    }
    wrong = first_mismatch(cases)
    if unequal and wrong:
        text = f"{wrong.label}: they differ by {wrong.left}, which is not the middle level's share."
        return Verdict("refuted", text, "wrong", **details)
    return tell(
        "refuted" if unequal else "proved",
        {
            "proved": "The same.",
            "refuted": "For odd $Q$ the expectations agree. For even $Q$, as in all the "
            "experiments, the level $q=1/2$ is its own partner and counts twice: by exact "
            "arithmetic and for every game, Algorithm 2 has an additional bias of $e(1/2)/Q$.",
        },
        **details,
    )


def check_sign(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if an additive game has the value zero."""
    rows = evidence["rows"]
    lost = sum(row["sum"] == 0 for row in rows)
    return tell(
        "inconsistent" if lost else "exact",
        {
            "exact": "The sum does not vanish.",
            "inconsistent": "The preceding line has a plus sign: the integral over [0, 1/2] of "
            "$e(q)+e(1-q)$. With the minus sign, and $n$ for $Q$, the sum is zero on every "
            "additive game. The plus sign returns two lines below.",
        },
        numbers={"zero": lost, "cases": len(rows)},
        rows=rows,
        reach=f"{len(rows)} values of Q",
    )


def check_same(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if the two estimators have different expectations."""
    unequal = evidence["unequal"]
    return tell(
        "inconsistent" if unequal else "exact",
        {
            "exact": "They are the same.",
            "inconsistent": "The sum begins at $i=1$ and Algorithm 2 at $q=0$, so that the pair "
            "of the empty and the full coalition is missing. Incidentally this corrects the "
            "weights for even $Q$, which then sum to one, but not for odd $Q$.",
        },
        numbers={"unequal": unequal, "cases": evidence["of"]},
        rows=evidence["rows"],
        reach=f"{evidence['of']} pairs of d and Q",
    )


CLAIMS = (
    claim(
        id="ol21-02a",
        title="Division by the number of iterations",
        heading="Weights of the levels",
        topic="identities",
        where="Section IV.A, fourth paragraph; Algorithm 1, line 11",
        words="we need to divided them by the total number of iterations QM",
        statement="To normalise the sums, we divide them by the total number of iterations, $QM$.",
        gather=gather_division,
        check=check_division,
        falls="slip",
        matters="Values computed by the printed line are too large by the factor $1+1/Q$ on "
        "additive games; the public code does not have this error.",
    ),
    claim(
        id="ol21-02b",
        title="Half of the levels suffice",
        heading="Weights of the levels",
        topic="identities",
        where=f"{SYMMETRY}, first paragraph; Algorithm 2, line 2",
        words="only need to run the outer loop of this algorithm halfway through, i.e., for q = "
        "0, 1/Q, ..., 0.5",
        statement=r"Using the symmetry of $q$ and $1-q$, Algorithm 1 needs its outer loop for "
        r"$q=0,1/Q,\dots,1/2$ only.",
        gather=gather_halved,
        check=check_halved,
        falls="slip",
        matters="For even $Q$ the middle level has to be drawn once, or its weight halved.",
    ),
    claim(
        id="ol21-02c",
        title="The Riemann sum of the appendix",
        heading="Weights of the levels",
        topic="identities",
        where=f"{APPENDIX}, Equation 5",
        words="(1/Q) (e_j(i/n) - e_j(1 - i/n))",
        statement=r"$S_j=\lim_{Q\to\infty}\sum_{i=0}^{Q/2}\frac1Q\bigl(e_j(i/n)-e_j(1-i/n)"
        r"\bigr)$.",
        gather=gather_sign,
        check=check_sign,
        falls="slip",
        matters="The minus sign should be a plus sign; the lines before and after are correct.",
    ),
    claim(
        id="ol21-02d",
        title="The same estimator as in Algorithm 2",
        heading="Weights of the levels",
        topic="identities",
        where=f"{APPENDIX}, last display and the sentence after it",
        words="This is the same estimator used in Algorithm 2",
        statement=r"$\frac{1}{QM}\sum_{i=1}^{Q/2}\sum_{m=1}^{M}(h_{i/Q}+h_{1-i/Q})$ is the "
        r"estimator of Algorithm 2.",
        gather=gather_same,
        check=check_same,
        falls="slip",
        matters="The proof concerns a slightly different estimator with the same limit.",
    ),
)
