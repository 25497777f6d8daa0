"""Claim 5: kappa as printed and by definition.

With Sigma = sum_l d (sqrt(l) D + C) / (sqrt(l) (d - l)), B = 2 (1 - 1/d) Sigma: what is compared
are rational coefficients, whatever D and C.
"""

from shapaudit.audit.base import Verdict
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.judges.identity import first_mismatch

from ...evidence.constants.kappa import gather_kappa
from ..common import BOTH, claim


def check_kappa(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the two sides of the printed equation agree for every d."""
    cases = evidence["cases"]
    numbers = {"max_dimension": evidence["max_dimension"]}
    if first_mismatch(cases) is None:
        return Verdict(
            "proved",
            f"Both sides agree for every d up to {evidence['max_dimension']}, all D and C.",
            numbers=numbers,
            evidence="prop:kappa",
        )
    ratios = {case.left / case.right for case in cases}
    wrong = first_mismatch(cases)
    row = {"case": wrong.label, "printed": wrong.left, "by_definition": wrong.right}
    if len(ratios) > 1:
        return Verdict(
            "inconsistent",
            f"The printed expression is not B / mu: {wrong.label}, {wrong.left} times each term "
            f"against {wrong.right}.",
            "false",
            numbers,
            rows=(row,),
        )
    ratio = ratios.pop()
    return Verdict(
        "inconsistent",
        f"The expression printed for kappa is {ratio} times B / mu, exactly, for every d up to "
        f"{evidence['max_dimension']} and all D and C. Bounds in kappa squared computed from it "
        f"are {ratio**2} times what the argument gives, bounds in kappa {ratio} times.",
        numbers={**numbers, "ratio": ratio},
        rows=(row,),
    )


CLAIMS = (
    claim(
        id="gt20-05",
        title="Expression of kappa",
        heading="Gradients and constants",
        topic="identities",
        where=f"Section 4.2, Convergence rate, first sentence; {BOTH}",
        words="we will denote kappa = B/mu = 4 sum_(l=1)^(d-1) d/(sqrt(l)(d-l)) (sqrt(l) D + C)",
        statement=r"$\kappa=\frac{B}{\mu}=4\sum_{l=1}^{d-1}\frac{d}{\sqrt l(d-l)}(\sqrt l\,D+C)$.",
        gather=gather_kappa,
        check=check_kappa,
        falls="slip",
    ),
)
