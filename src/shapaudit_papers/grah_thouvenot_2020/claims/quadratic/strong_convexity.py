"""Claim 9: the gradient at the solution, and the inequality drawn from it."""

from dataclasses import replace
from fractions import Fraction

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges.identity import against
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Number, Verdict, plain

from ...evidence.quadratic.strong_convexity import gather_anywhere
from ..common import BOTH, claim


def check_solution(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a gradient that is not zero, or a point at which the inequality fails.

    A slip where every gradient is a multiple of the all-ones vector.
    """
    gradients = evidence["gradients"]
    nonzero = [(label, entries) for label, entries in gradients if any(entries)]
    parallel = sum(len(set(entries)) == 1 for _, entries in gradients)
    verdict = _strong_convexity(evidence)
    numbers = dict(verdict.numbers) | {"games": len(gradients), "nonzero": len(nonzero)}
    numbers["multiples_of_ones"] = parallel
    if not nonzero:
        told = rf"The gradient vanishes at $\phi^*$ on all {len(gradients)} games."
        return replace(verdict, summary=f"{told} {verdict.summary}", numbers=numbers)
    label, entries = nonzero[0]
    along = "on every game" if parallel == len(gradients) else f"on {parallel} of {len(gradients)}"
    told = (
        rf"$\phi^*$ minimises $F$ under a constraint, not freely: on the game with {label} the "
        rf"gradient at $\phi^*$ is ({', '.join(map(str, entries))}). It is a multiple of the "
        f"all-ones vector {along}."
    )
    return replace(
        verdict,
        status="refuted",
        summary=f"{told} {verdict.summary}",
        numbers=numbers,
        consequence=None if parallel == len(gradients) else "wrong",
        reach="",
    )


def _strong_convexity(evidence: Evidence) -> Verdict:
    """Refuted by any point whose squared distance exceeds (2/mu)(F(y) - F*)."""
    cases = evidence["cases"]
    broken = [case for case in cases if case.left > case.right]
    slack = min((case.right / case.left for case in cases if case.left), default=Fraction(1))
    numbers: dict[str, Number] = {"points": len(cases), "violations": len(broken)}
    if broken:
        first = broken[0]
        text = (
            rf"On the game with {first.label}, the squared distance to $\phi^*$ is {first.left}, "
            f"and the right-hand side is {show(first.right)}. {len(broken)} of {len(cases)} "
            "points tested violate the inequality."
        )
        return against(first, text, numbers=numbers)
    told = (
        f"The inequality holds at all {len(cases)} points, in exact arithmetic, and the "
        f"right-hand side is at least {slack} times the left."
    )
    return Verdict(
        "supported",
        told,
        "loosely" if slack > 1 else None,
        numbers=numbers | {"smallest_ratio": plain(slack)},
        shown_by="prop:identity",
    )


CLAIMS = (
    claim(
        id="gt20-09a",
        title="Gradient at the solution, and the inequality drawn from it",
        heading="Least squares and curvature",
        topic="identities",
        where=f"Section 4.2, Convergence rate, inequality of strong convexity; {BOTH}",
        words="if x = phi*, the unique solution, grad F(phi*) = 0 and ||y - phi*||^2 <= 2/mu (F(y) "
        "- F(phi*)) for any y in R^d",
        statement=r"$\nabla F(\phi^*)=0$, and "
        r"$\|y-\phi^*\|^2\le\frac{2}{\mu}\bigl(F(y)-F(\phi^*)\bigr)$ for any "
        r"$y\in\mathbb R^d$.",
        hedges="Stated about “the unique solution” of the problem on $K$.",
        matters="The gradient vanishes only along the hyperplane, so that the inequality holds "
        "there and not everywhere. The iterates never leave the hyperplane, and the rates hold.",
        gather=gather_anywhere,
        check=check_solution,
        falls="slip",
    ),
)
