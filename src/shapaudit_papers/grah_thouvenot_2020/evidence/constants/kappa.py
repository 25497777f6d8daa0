"""Evidence on claim 5: kappa as printed and by definition.

With Sigma = sum_l d (sqrt(l) D + C) / (sqrt(l) (d - l)), B = 2 (1 - 1/d) Sigma: what is compared
are rational coefficients, whatever D and C.
"""

from fractions import Fraction

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import exact_dimensions
from shapaudit_papers.theory.least_squares import curvature

GRADIENT_COEFFICIENT = 2  # of sum_l (d - 1) (...) in B, Section 4.2
KAPPA_PRINTED = 4  # of Sigma in the expression printed for kappa


def gather_kappa(context: Context) -> Evidence:
    """Coefficients of (sqrt(l) D + C) / (sqrt(l) (d - l)) in B / mu and in the printed kappa."""
    dimensions = exact_dimensions(context)
    return {
        "max_dimension": dimensions[-1],
        "cases": [
            Case(f"d = {d}", Fraction(KAPPA_PRINTED * d), kappa_by_definition(d) * d)
            for d in dimensions
        ],
    }


def kappa_by_definition(d):
    """B / mu in units of Sigma."""
    return Fraction(GRADIENT_COEFFICIENT * (d - 1), d) / curvature(d)
