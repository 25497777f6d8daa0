"""Claim 5: kappa as printed and by definition.

With Sigma = sum_l d (sqrt(l) D + C) / (sqrt(l) (d - l)), B = 2 (1 - 1/d) Sigma: what is compared
are rational coefficients, whatever D and C.
"""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.constants.kappa import gather_kappa
from ..common import BOTH, claim


def check_kappa(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent unless the two sides of the printed equation agree for every d."""
    top, cases = evidence["max_dimension"], evidence["cases"]
    ratios = {case.left / case.right for case in cases}
    ratio, several = next(iter(ratios), 1), len(ratios) > 1
    wrong = [
        {"case": case.label, "printed": case.left, "by_definition": case.right}
        for case in cases
        if case.left != case.right
    ]
    multiple = (
        rf"The expression printed for $\kappa$ is {ratio} times $B/\mu$, exactly, for every $d$ "
        rf"up to {top} and all $D$ and $C$. Bounds in $\kappa^2$ computed from it are {ratio**2} "
        rf"times what the argument gives, and bounds in $\kappa$ {ratio} times."
    )
    other = (
        r"The printed expression is not $B/\mu$: {case}, {printed} times each term compared with "
        "{by_definition}."
    )
    return tell(
        "inconsistent" if wrong else "exact",
        {
            "exact": f"Both sides agree for every $d$ up to {top} and all $D$ and $C$.",
            "inconsistent": lambda: other.format(**wrong[0]) if several else multiple,
        },
        "wrong" if several else None,
        shown_by="rows" if several or not wrong else "prop:kappa",
        reach=f"d up to {top}",
        numbers={"max_dimension": top} | ({"ratio": ratio} if wrong and not several else {}),
        rows=wrong[:1] or [{"max_dimension": top}],
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
        hedges="“For the sake of clarity”; the first equality sign is a definition.",
        matters=r"With $\kappa$ from the printed sum the bounds hold, but are two to four times "
        "weaker than the argument allows.",
        gather=gather_kappa,
        check=check_kappa,
        falls="slip",
    ),
)
