"""Claim 9: the gradient at the solution, and the inequality drawn from it."""

from fractions import Fraction

from ....theory.constants import kernel_weight
from ....theory.least_squares import LeastSquares, Weight, rationals, shapley_values
from ...base import Evidence, Verdict
from ...context import Context
from ...exact import Case, random_integers, random_problems, show, verdict_against
from ..common import BOTH, claim
from .least_squares import POINTS, point_on_hyperplane

AND_GAME = (0, 0, 0, 1)  # v(M) = 1 for two players, all else 0


def gather_gradient(context: Context, weight: Weight = kernel_weight) -> Evidence:
    """Gradients of F at phi*: the two-player AND game first, then random games."""
    problems = [("d = 2, v(M) = 1 and 0 elsewhere", LeastSquares(AND_GAME, weight))]
    problems += random_problems(context, weight, "gt20-09")
    gradients = [(label, p.gradient(shapley_values(p.values)).tolist()) for label, p in problems]
    return {"gradients": gradients}


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
            "sample",
            numbers,
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
        "hypothesis",
        numbers,
        rows=({"game": label, "gradient": ", ".join(map(str, entries))},),
    )


def gather_anywhere(context: Context, weight: Weight = kernel_weight) -> Evidence:
    """F(y) - F* and ||y - phi*||^2 at y = 0 for the AND game, and at random points of R^d."""
    return _gather_gaps(context, weight, on_hyperplane=False)


def gather_on_hyperplane(context: Context, weight: Weight = kernel_weight) -> Evidence:
    """F(y) - F* and ||y - phi*||^2 at random points of K1."""
    return _gather_gaps(context, weight, on_hyperplane=True)


def _gather_gaps(context, weight, on_hyperplane):
    places = []
    if not on_hyperplane:
        game = LeastSquares(AND_GAME, weight)
        places.append(("d = 2, v(M) = 1 and 0 elsewhere, y = 0", game, rationals([0, 0])))
    for label, problem in random_problems(context, weight, "gt20-09"):
        for k in range(POINTS):
            names = ("gt20-09", label, k)
            if on_hyperplane:
                point = point_on_hyperplane(context, problem, *names)
            else:
                point = random_integers(context, *names, count=problem.n_players)
            places.append((f"{label}, point {k + 1}", problem, point))
    cases = []
    for label, problem, point in places:
        star = shapley_values(problem.values)
        gap = problem.objective(point) - problem.objective(star)
        mu = 1 - Fraction(1, problem.n_players)
        cases.append(Case(label, ((point - star) ** 2).sum(), 2 / mu * gap))
    return {"cases": cases, "on_hyperplane": on_hyperplane}


def check_strong_convexity(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any point whose squared distance exceeds (2/mu)(F(y) - F*)."""
    cases = evidence["cases"]
    broken = [case for case in cases if case.left > case.right]
    numbers = {"points": len(cases), "violations": len(broken)}
    if broken:
        first = broken[0]
        return verdict_against(
            first,
            f"On the game with {first.label}: the squared distance to phi* is {first.left}, and "
            f"the right-hand side is {show(first.right)}. "
            f"{len(broken)} of {len(cases)} points tried violate it.",
            kind="hypothesis",
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
        where=f"Section 4.2, Convergence rate; {BOTH}",
        statement=r"$\nabla F(\phi^*)=0$.",
        gather=gather_gradient,
        check=check_gradient,
    ),
    claim(
        id="gt20-09b",
        title="Strong-convexity inequality off the hyperplane",
        where=f"Section 4.2, Convergence rate; {BOTH}",
        statement=r"$\|y-\phi^*\|^2\le\frac{2}{\mu}\bigl(F(y)-F(\phi^*)\bigr)$ for any "
        r"$y\in\mathbb R^d$.",
        gather=gather_anywhere,
        check=check_strong_convexity,
    ),
    claim(
        id="gt20-09c",
        title="Strong-convexity inequality on the hyperplane",
        where=f"Section 4.2, Convergence rate, as it is used; {BOTH}",
        statement=r"$\|y-\phi^*\|^2\le\frac{2}{\mu}\bigl(F(y)-F(\phi^*)\bigr)$ for any "
        r"$y\in K_1$.",
        gather=gather_on_hyperplane,
        check=check_strong_convexity,
    ),
)
