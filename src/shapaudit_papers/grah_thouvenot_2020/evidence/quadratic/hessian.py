"""Evidence on claim 2: the Hessian of F, its spectrum and the constant mu."""

from fractions import Fraction

from shapaudit.truth.rational import rationals
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import exact_dimensions, vector_cases
from shapaudit_papers.theory.constants import gram_off_diagonal, kernel_weight
from shapaudit_papers.theory.least_squares import Weight, curvature, second_differences, spectrum

from ..problems import random_problems


def gather_hessian(context: Context, weight: Weight = kernel_weight) -> Evidence:
    """Second differences of F and X'WX, entry by entry, on random games."""
    cases = []
    for label, problem in random_problems(context, weight, "gt20-02"):
        hessian = second_differences(problem.objective, problem.n_players)
        cases += vector_cases(label, hessian.ravel(), problem.gram().ravel())
    return {"cases": cases, "brute_force_dimension": context.settings.brute_force_dimension}


def gather_spectrum(context: Context, weight: Weight = kernel_weight) -> Evidence:
    """X'WX applied to e_1 - e_j and to the ones, against the printed eigenvalues; a - c.

    a - c is set beside 1 - 1/d for every d.
    """
    cases = []
    for label, problem in random_problems(context, weight, "gt20-02"):
        d, gram = problem.n_players, problem.gram()
        (low, _), (high, _) = spectrum(d)
        for j in range(1, d):
            vector = rationals([1] + [-int(k == j) for k in range(1, d)])
            cases += vector_cases(f"{label}, e1 - e{j + 1}", gram @ vector, low * vector)
        ones = rationals([1] * d)
        cases += vector_cases(f"{label}, ones", gram @ ones, high * ones)
    dimensions = exact_dimensions(context)
    return {
        "cases": cases,
        "constants": [
            Case(f"d = {d}", curvature(d, weight), 1 - Fraction(1, d)) for d in dimensions
        ],
        "gaps": [gram_off_diagonal(d) * d for d in dimensions],
        "max_dimension": dimensions[-1],
    }
