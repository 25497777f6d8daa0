"""Evidence on claim 9: the gradient at the solution, and the inequality drawn from it."""

from fractions import Fraction

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import random_integers
from shapaudit_papers.theory.constants import kernel_weight
from shapaudit_papers.theory.least_squares import LeastSquaresProblem, Weight

from ..problems import random_problems
from .least_squares import POINTS

AND_GAME = (0, 0, 0, 1)  # v(M) = 1 for two players, all else 0
AND_LABEL = "d = 2, v(M) = 1 and 0 elsewhere"


def gather_anywhere(context: Context, weight: Weight = kernel_weight) -> Evidence:
    """F(y) - F* and ||y - phi*||^2 at y = 0 for the AND game, and at random points of R^d.

    Gradients of F at phi* stand beside them: the two-player AND game first, then random games.
    """
    problems = [(AND_LABEL, LeastSquaresProblem(AND_GAME, weight))]
    problems += random_problems(context, weight, "gt20-09")
    gradients = [(label, p.gradient(shapley_values(p.values)).tolist()) for label, p in problems]
    return {"cases": _gaps(context, weight), "gradients": gradients}


def _gaps(context, weight):
    places = [(f"{AND_LABEL}, y = 0", LeastSquaresProblem(AND_GAME, weight), rationals([0, 0]))]
    for label, problem in random_problems(context, weight, "gt20-09"):
        for k in range(POINTS):
            names = ("gt20-09", label, k)
            point = random_integers(context, *names, count=problem.n_players)
            places.append((f"{label}, point {k + 1}", problem, point))
    cases = []
    for label, problem, point in places:
        star = shapley_values(problem.values)
        gap = problem.objective(point) - problem.objective(star)
        mu = 1 - Fraction(1, problem.n_players)
        cases.append(Case(label, ((point - star) ** 2).sum(), 2 / mu * gap))
    return cases
