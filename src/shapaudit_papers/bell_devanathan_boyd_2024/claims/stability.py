"""Claim 6: Cholesky reduction against QR as the condition number grows."""

import numpy as np

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.stability import FAILED, gather_conditions
from .common import V2, claim

SAME = 1e-8  # difference up to which the two count as equal
WELL, BADLY = 1e3, 1e8  # condition numbers of X


def power(number: float) -> int:
    """Return the exponent of a power of ten."""
    return round(np.log10(number))


def _at(rows, name, low=0.0, high=np.inf) -> list[float]:
    chosen = [row[name] for row in rows if low <= row["condition"] <= high]
    return [np.inf if error == FAILED else error for error in chosen]


def check_equal(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if one reduction is wrong for well conditioned features; proved otherwise."""
    rows = evidence["rows"]
    worst = max(_at(rows, "cholesky", high=WELL) + _at(rows, "qr", high=WELL))
    apart = worst > SAME
    return tell(
        "refuted" if apart else "proved",
        {
            "refuted": f"The error is {show(worst)} below a condition number of 1000; up to "
            f"1e{power(SAME)} counts as equal.",
            "proved": "There is a proof for exact arithmetic. In floating point, for features "
            "with a condition number of up to 1000, both reductions give the R² of rational "
            f"arithmetic to within 1e{power(SAME)}, which counts as equal.",
        },
        shown_by={"proved": "prop:bell-reduction"},
        numbers={} if apart else {"largest_error": worst},
        sample={"conditions": len(rows)},
        rows=rows,
    )


def check_unstable(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if Cholesky is worse from some condition number on, and fails in the end."""
    rows = evidence["rows"]
    pairs = list(zip(*(_at(rows, name, BADLY) for name in ("cholesky", "qr")), strict=True))
    worse = all(a > b or (np.isinf(a) and np.isinf(b)) for a, b in pairs)
    failed, broken = (
        [row["condition"] for row in rows if row[name] == FAILED] for name in ("cholesky", "qr")
    )
    if not (failed and worse):
        text = "The error of Cholesky is never larger than that of QR."
        return Verdict("refuted", text, sample={"conditions": len(rows)}, rows=rows)
    end = f"from 1e{power(min(broken))} onwards" if broken else "nowhere"
    return Verdict(
        "supported",
        f"Cholesky fails from a condition number of 1e{power(min(failed))} of the features "
        f"onwards, QR {end}. The criterion was that Cholesky fails somewhere and, from "
        f"1e{power(BADLY)} onwards, either has the larger error or fails together with QR.",
        numbers={"fails_from": min(failed)} | ({"qr_fails_from": min(broken)} if broken else {}),
        sample={"conditions": len(rows)},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="bdb24-06a",
        title="Cholesky in place of QR",
        heading="Batches, ridge, reduction",
        topic="identities",
        where=f"Section 4.4, last paragraph; {V2}",
        words="We can thus extract R, Q^T y, and ||y - Q(Q^T y)||_2 from R~ to compute the "
        "reduction (7) ... less stable than QR and will fail for poorly conditioned hat Sigma",
        statement=r"The Cholesky factor of the Gram matrix of $[X\;y]$ gives the same reduction as "
        r"QR; it is less stable and fails for a poorly conditioned matrix.",
        hedges="Offered as an alternative for rows that do not fit into memory. How poorly "
        "conditioned is not said.",
        gather=gather_conditions,
        check=check_equal,
        also=((gather_conditions, check_unstable),),
    ),
)
