"""Evidence on claims 1 and 3: the solution of Equation (1), and F around it."""

from fractions import Fraction

from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import exact_dimensions, random_integers, vector_cases
from shapaudit_papers.theory.constants import kernel_weight
from shapaudit_papers.theory.least_squares import Weight, curvature, unanimity_moment_gap

from ..problems import random_problems

POINTS = 3  # random points per random game


def gather_solution(context: Context, weight: Weight = kernel_weight) -> Evidence:
    """Stationarity on unanimity games for every d and size; brute force on random games.

    Solving (1) and taking Shapley values are linear in v and treat all players alike, and the
    unanimity games span all games: one of each size decides.
    """
    dimensions = exact_dimensions(context)
    stationarity = [
        Case(f"d = {d}, unanimity game of {t} players", *unanimity_moment_gap(d, t, weight))
        for d in dimensions
        for t in range(1, d)
    ]
    solved = [
        case
        for label, problem in random_problems(context, weight, "gt20-01")
        for case in vector_cases(label, problem.solution(), shapley_values(problem.values))
    ]
    return {
        "max_dimension": dimensions[-1],
        "brute_force_dimension": context.settings.brute_force_dimension,
        "stationarity": stationarity,
        "solutions": solved,
        "curvatures": [curvature(d, weight) for d in dimensions],
    }


def point_on_hyperplane(context, problem, *names):
    """A point (d,) with integer coordinates but the last, which makes the sum v(M)."""
    point = random_integers(context, *names, count=problem.n_players)
    point[-1] += problem.total - point.sum()
    return point


def gather_identity(context: Context, weight: Weight = kernel_weight) -> Evidence:
    """F - F* and (1 - 1/d) ||phi - phi*||^2 at random points of K1, on random games."""
    cases = []
    for label, problem in random_problems(context, weight, "gt20-03"):
        star = shapley_values(problem.values)
        minimum = problem.objective(star)
        for k in range(POINTS):
            point = point_on_hyperplane(context, problem, "gt20-03", label, k)
            squared = ((point - star) ** 2).sum()
            right = (1 - Fraction(1, problem.n_players)) * squared
            cases.append(Case(f"{label}, point {k + 1}", problem.objective(point) - minimum, right))
    return {"cases": cases, "brute_force_dimension": context.settings.brute_force_dimension}
