"""Claim 9: the gradient at the solution, and the inequality drawn from it."""

from fractions import Fraction

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import against
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.quadratic.strong_convexity import (
    gather_anywhere,
    gather_gradient,
    gather_on_hyperplane,
)
from ..common import BOTH, claim


def check_gradient(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any gradient that is not zero."""
    gradients = evidence["gradients"]
    games, parallel = len(gradients), sum(len(set(entries)) == 1 for _, entries in gradients)
    nonzero = [
        {"game": label, "gradient": ", ".join(map(str, entries))}
        for label, entries in gradients
        if any(entries)
    ]
    where = ", as the constraint implies, on every game"
    if parallel < games:
        where = f" on {parallel} of {games} games"
    return tell(
        "refuted" if nonzero else "supported",
        {
            "supported": rf"The gradient vanishes at $\phi^*$ on all {games} games.",
            "refuted": lambda: (
                r"$\phi^*$ minimises $F$ under a constraint, not freely: on the game with "
                rf"{nonzero[0]['game']} the gradient at $\phi^*$ is ({nonzero[0]['gradient']}). "
                f"It is a multiple of the all-ones vector{where}."
            ),
        },
        shown_by={"supported": "lem:gradient"},
        numbers={"games": games, "nonzero": len(nonzero), "multiples_of_ones": parallel},
        rows=nonzero[:1],
    )


def check_strong_convexity(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any point whose squared distance exceeds (2/mu)(F(y) - F*)."""
    cases = evidence["cases"]
    broken = [case for case in cases if case.left > case.right]
    slack = min((case.right / case.left for case in cases if case.left), default=Fraction(1))
    numbers = {"points": len(cases), "violations": len(broken)}
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
        f"right-hand side is at least {slack} times the left"
    )
    return tell(
        "proved" if evidence["on_hyperplane"] else "supported",
        {
            "proved": f"{told}; for all $d$ it follows from the identity of GT 3.",
            "supported": f"{told}.",
        },
        "loosely" if slack > 1 else None,
        shown_by="prop:identity",
        numbers={**numbers, "smallest_ratio": slack},
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
        hedges="Stated about “the unique solution” of the problem on $K$.",
        matters="The gradient vanishes only along the hyperplane, so the inequality derived from "
        "it holds there and not everywhere. The iterates never leave the hyperplane, and the "
        "rates hold.",
        gather=gather_gradient,
        check=check_gradient,
        falls="slip",
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
        hedges="“In particular” for $x$ the solution, whose gradient is taken to be 0.",
        matters="The inequality requires $y$ to lie on the hyperplane, where all iterates of the "
        "algorithm are; the rates are not affected.",
        gather=gather_anywhere,
        check=check_strong_convexity,
        falls="slip",
    ),
    claim(
        id="gt20-09c",
        title="Strong-convexity inequality on the hyperplane",
        heading="Least squares and curvature",
        topic="identities",
        where="left out by the paper, whose Section 4.2 states the inequality for any y and uses "
        "it for the iterates",
        source="this project",
        statement=r"$\|y-\phi^*\|^2\le\frac{2}{\mu}\bigl(F(y)-F(\phi^*)\bigr)$ for any "
        r"$y\in K_1$.",
        matters="The inequality, and the rates that rest on it, could be twice as strong.",
        gather=gather_on_hyperplane,
        check=check_strong_convexity,
        falls="hypothesis",
    ),
)
