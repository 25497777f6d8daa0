"""Claim 5: the variance bound of SVARM."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges.identity import against, first_mismatch, told
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.svarm import gather_bound
from .common import SVARM, claim


def check_bound(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the laws are as stated and no exact factor exceeds the bound's."""
    rows, cases = evidence["rows"], evidence["cases"]
    least, most = (end(row["share"] for row in rows) for end in (min, max))
    numbers = {"smallest_share": least, "largest_share": most}
    if broken := [row for row in rows if not row["holds"]]:
        text = f"The bound fails for {broken[0]['players']} players."
        return Verdict("refuted", text, numbers=numbers, rows=broken)
    if wrong := first_mismatch(cases):
        return against(wrong, told(wrong), numbers=numbers)
    return Verdict(
        "proved",
        "A player is served by a coalition with probability $1/H_d$, where $H_d$ is the harmonic "
        "number, and then receives a draw from the distribution of the sets before it. Its "
        r"variance is therefore exactly $\mathbb E[1/(1+B)]$ times the sum of the two variances, "
        "with $B$ binomial. This is below the bound for every number of evaluations: for up to "
        f"{rows[-1]['players']} players it is {show(least)} times the bound, after "
        f"{rows[0]['evaluations']} evaluations, to within {show(1 - most)} of it.",
        numbers=numbers,
        sample={"identities": len(cases), "compared": len(rows)},
        shown_by="prop:svarm",
    )


CLAIMS = (
    claim(
        id="field26-05",
        title="Variance of SVARM",
        heading="Accuracy of estimators",
        topic="rates",
        where=f"{SVARM}, theorem on the variance of SVARM",
        statement=r"After a warm-up of $2d$ evaluations, $T$ more give SVARM the variance "
        r"$\mathbb{V}[\hat\varphi_i]\le\frac{2H_d}{T}\bigl(\sigma_i^{+2}+\sigma_i^{-2}\bigr)$, "
        r"$\sigma_i^{\pm2}$ the variances of the coalitions' values with and without player $i$.",
        gather=gather_bound,
        check=check_bound,
    ),
)
