"""Claim 5: kappa as printed and by definition.

With Sigma = sum_l d (sqrt(l) D + C) / (sqrt(l) (d - l)), B = 2 (1 - 1/d) Sigma: what is compared
are rational coefficients, whatever D and C.
"""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.constants.kappa import gather_kappa
from ...evidence.probability.versions import gather_versions
from ..common import BOTH, claim
from ..probability.versions import check_versions


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
        title="Expression of kappa, and the bounds that use it",
        heading="Gradients and constants",
        topic="identities",
        where="Section 4.2, Convergence rate, first sentence, and High-Probability bounds; "
        f"{BOTH}; Section 8.2 (HAL), Section 8 (arXiv)",
        words="we will denote kappa = B/mu = 4 sum_(l=1)^(d-1) d/(sqrt(l)(d-l)) (sqrt(l) D + C) "
        "... we obtain ... -1/16 [epsilon T/(4 kappa^2) - 2]^2 ... we obtain ... -1/16 [epsilon "
        "T/(16 kappa^2) - 2]^2",
        statement=r"$\kappa=\frac{B}{\mu}=4\sum_{l=1}^{d-1}\frac{d}{\sqrt l(d-l)}(\sqrt l\,D+C)$. "
        r"The bounds in probability follow from $\mathbb E\|\bar\phi_T-\phi^*\|^2\le"
        r"4\kappa^2/T$ and $4D\kappa/\sqrt T$ with this $\kappa$: with $4\kappa^2$ and "
        r"$4D\kappa$ (HAL), $16\kappa^2$ and $8D\kappa$, $16\Sigma^2$ and $8D\Sigma$ (arXiv), "
        r"$\Sigma=\sum_{l=1}^{d-1}\frac{d}{\sqrt l(d-l)}(\sqrt l\,D+C)$. For a constant step, "
        r"$\frac{(1-\gamma\mu)^T}{\epsilon}\|\phi_0-\phi^*\|^2+"
        r"\frac{\gamma B^2}{\epsilon\mu}$ for $\phi_T$ (HAL) and "
        r"$\frac{(1-\alpha(1-1/d))^{T+1}}{\epsilon}\|\phi_0-\phi^*\|^2+\frac{\alpha}{\epsilon}4"
        r"\bigl[\sum_l\frac{\sqrt d\sqrt{d-1}}{\sqrt l(d-l)}(\sqrt l\,D+C)\bigr]^2$ for "
        r"$\bar\phi_{T+1}$ (arXiv).",
        hedges="“For the sake of clarity”; the first equality sign is a definition. “we obtain” "
        "and “we get”: interpreted as obtained from the rates of the same version. "
        r"$\alpha$ is defined in neither.",
        matters=r"With $\kappa$ from the printed sum the bounds hold, but are two to four times "
        "weaker than the argument allows. The versions differ by factors of 2 and 4, all on the "
        "safe side as bounds on the mean; for a constant step the bound of the HAL version "
        "follows from the rate.",
        gather=gather_kappa,
        check=check_kappa,
        also=((gather_versions, check_versions),),
        falls="slip",
    ),
)
