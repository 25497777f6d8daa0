"""Claim 9: the gradient at the solution, and the inequality drawn from it."""

from fractions import Fraction

from shapaudit.audit.base import Verdict
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges.identity import against

from ...evidence.quadratic.strong_convexity import (
    gather_anywhere,
    gather_gradient,
    gather_on_hyperplane,
)
from ..common import BOTH, claim


def check_gradient(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any gradient that is not zero."""
    gradients = evidence["gradients"]
    nonzero = [(label, entries) for label, entries in gradients if any(entries)]
    parallel = sum(len(set(entries)) == 1 for _, entries in gradients)
    numbers = {"games": len(gradients), "nonzero": len(nonzero), "multiples_of_ones": parallel}
    if not nonzero:
        return Verdict(
            "supported",
            f"The gradient vanishes at phi* on all {len(gradients)} games.",
            numbers=numbers,
            evidence="lem:gradient",
        )
    label, entries = nonzero[0]
    along = (
        "It is a multiple of the all-ones vector, as the constraint demands, on every game."
        if parallel == len(gradients)
        else f"It is a multiple of the all-ones vector on {parallel} of {len(gradients)} games."
    )
    return Verdict(
        "refuted",
        f"phi* minimises F under a constraint, not freely: on the game with {label} the gradient "
        f"at phi* is ({', '.join(map(str, entries))}). {along}",
        numbers=numbers,
        rows=({"game": label, "gradient": ", ".join(map(str, entries))},),
    )


def check_strong_convexity(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any point whose squared distance exceeds (2/mu)(F(y) - F*)."""
    cases = evidence["cases"]
    broken = [case for case in cases if case.left > case.right]
    numbers = {"points": len(cases), "violations": len(broken)}
    if broken:
        first = broken[0]
        return against(
            first,
            f"On the game with {first.label}: the squared distance to phi* is {first.left}, and "
            f"the right-hand side is {show(first.right)}. "
            f"{len(broken)} of {len(cases)} points tried violate it.",
            numbers=numbers,
        )
    on_plane = bool(evidence["on_hyperplane"])
    proof = "; for all d it follows from the identity of claim 3" if on_plane else ""
    slack = min((case.right / case.left for case in cases if case.left), default=Fraction(1))
    return Verdict(
        "proved" if on_plane else "supported",
        f"Holds at all {len(cases)} points, in exact arithmetic, with the right-hand side at least "
        f"{slack} times the left{proof}.",
        "loose" if slack > 1 else "sound",
        {**numbers, "smallest_ratio": slack},
        evidence="prop:identity",
    )


CLAIMS = (
    claim(
        id="gt20-09a",
        title="The gradient vanishes at the solution",
        heading="Least squares and curvature",
        topic="identities",
        where=f"Section 4.2, Convergence rate, inequality of strong convexity; {BOTH}",
        words="if x = phi*, the unique solution, grad F(phi*) = 0",
        statement=r"$\nabla F(\phi^*)=0$.",
        gather=gather_gradient,
        check=check_gradient,
        stands="sample",
        falls="hypothesis",
    ),
    claim(
        id="gt20-09b",
        title="Strong-convexity inequality off the hyperplane",
        heading="Least squares and curvature",
        topic="identities",
        where=f"Section 4.2, Convergence rate, inequality of strong convexity; {BOTH}",
        words="||y - phi*||^2 <= 2/mu (F(y) - F(phi*)) for any y in R^d",
        statement=r"$\|y-\phi^*\|^2\le\frac{2}{\mu}\bigl(F(y)-F(\phi^*)\bigr)$ for any "
        r"$y\in\mathbb R^d$.",
        gather=gather_anywhere,
        check=check_strong_convexity,
        falls="hypothesis",
    ),
    claim(
        id="gt20-09c",
        title="Strong-convexity inequality on the hyperplane",
        heading="Least squares and curvature",
        topic="identities",
        where=f"Section 4.2, Convergence rate, as the inequality is used for the rate; {BOTH}",
        words="||y - phi*||^2 <= 2/mu (F(y) - F(phi*)) ... That is why: E[||bar phi_T - phi*||^2] "
        "<= 4B^2/(mu^2 T)",
        statement=r"$\|y-\phi^*\|^2\le\frac{2}{\mu}\bigl(F(y)-F(\phi^*)\bigr)$ for any "
        r"$y\in K_1$.",
        gather=gather_on_hyperplane,
        check=check_strong_convexity,
        falls="hypothesis",
    ),
)
