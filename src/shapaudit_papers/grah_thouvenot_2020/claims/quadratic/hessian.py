"""Claim 2: the Hessian of F, its spectrum and the constant mu."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.judges.identity import first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.quadratic.hessian import gather_hessian, gather_spectrum
from ..common import claim


def _factor(cases: Sequence[Case]) -> Fraction | None:
    """The number that times the right side is the left one in every case, if there is one."""
    if first_mismatch(cases) is None:
        return Fraction(1)
    factors = {case.left / case.right for case in cases if case.right}
    zeros_agree = all(case.left == 0 for case in cases if not case.right)
    return factors.pop() if len(factors) == 1 and zeros_agree else None


def check_hessian(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when Hessian and X'WX agree; else refuted, with their ratio where it is constant."""
    cases = evidence["cases"]
    factor = _factor(cases)
    multiple = (
        rf"The Hessian of $F$ is {factor} times $X^\top WX$ at all {len(cases)} entries compared, "
        rf"so that its smallest eigenvalue is ${factor}\,(1-1/d)$. As a strong-convexity "
        f"constant, $1-1/d$ is valid and smaller than the best one by a factor of {factor}; it "
        "would be exact for $F/2$."
    )
    other = (
        r"The Hessian of $F$ is not a multiple of $X^\top WX$: {0.label}, {0.left} and {0.right}."
    )
    return by_identity(
        cases,
        rf"The second differences of $F$ equal $X^\top WX$ at all {len(cases)} entries.",
        other.format if factor is None else lambda case: multiple,
        consequence="wrong" if factor is None else None,
        numbers={} if factor is None else {"factor": factor},
        standing="exact" if factor == 1 else None,
        reach=f"d up to {evidence['brute_force_dimension']}",
        sample={
            "entries": len(cases),
            "brute_force_dimension": evidence["brute_force_dimension"],
        },
        shown_by="lem:hessian",
    )


def check_spectrum(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when a - c is 1 - 1/d, the eigenvalue of vectors of sum 0, and the smaller one."""
    cases, gap = [*evidence["cases"], *evidence["constants"]], min(evidence["gaps"])
    details: dict[str, Any] = {
        "numbers": {"max_dimension": evidence["max_dimension"], "smallest_gap": gap},
        "sample": {"entries": len(cases)},
        "shown_by": "lem:hessian",
    }
    if gap < 0 and first_mismatch(cases) is None:
        text = "$a-c$ is not the smallest eigenvalue: $c$ is negative for some $d$."
        return Verdict("refuted", text, **details)
    return by_identity(
        cases,
        r"$X^\top WX$ has the eigenvalue $a-c$ on all directions that sum to zero and $a-c+cd$ on "
        "the all-ones vector, and $c$ is never negative; $a-c=1-1/d$ for every $d$ from 2 to "
        f"{evidence['max_dimension']}, and by the report for all $d$, as each of the $d-1$ terms "
        "of its sum is $1/d$. So along the hyperplane the Hessian of $F$ is $2(1-1/d)$ times the "
        "identity: the problem is perfectly conditioned there.",
        lambda case: f"The printed value is wrong: {case.label}, {case.left} and not {case.right}.",
        **details,
    )


WHERE = "Section 4.2, Strongly convex constant"
APPENDIX = "Section 8.1 (HAL), Section 8 (arXiv)"

CLAIMS = (
    claim(
        id="gt20-02a",
        title="Spectrum of X'WX",
        heading="Least squares and curvature",
        topic="identities",
        where=f"{WHERE}, last paragraph; {APPENDIX}",
        words="eigenvalues of X^T W X are (a-c) and (a-c) + cd ... We can then prove that a-c = 1 "
        "- "
        "1/d",
        statement=r"$X^\top WX=(a-c)I_d+cJ_d$ has the eigenvalues $a-c$ ($d-1$ times) and "
        r"$a-c+cd$ (once); the smaller is "
        r"$a-c=\sum_{k=1}^{d-1}\binom{d-2}{k-1}w_k=1-1/d$.",
        gather=gather_spectrum,
        check=check_spectrum,
    ),
    claim(
        id="gt20-02b",
        title="Hessian of F",
        heading="Least squares and curvature",
        topic="identities",
        where=f"{WHERE}, first paragraph; {APPENDIX}",
        words="mu is the smallest eigenvalues of the Hessian of F: grad^2 F = X^T W X ... mu = 1 "
        "- 1/d",
        statement=r"$\nabla^2F=X^\top WX$ for $F(\phi)=(X\phi-Y)^\top W(X\phi-Y)$, so its smallest "
        r"eigenvalue is $\mu=1-1/d$.",
        hedges=r"“by definition” $\mu$ is the smaller eigenvalue of $X^\top WX$.",
        matters="The value $1-1/d$ is a valid constant of strong convexity, and half of the best "
        "one. Every bound that rests on it holds, but is up to four times weaker than necessary.",
        gather=gather_hessian,
        check=check_hessian,
        falls="slip",
    ),
)
