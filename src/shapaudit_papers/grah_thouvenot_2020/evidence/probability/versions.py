"""Evidence on claim 12: the printed bounds of the two versions against each other.

All are polynomials in Sigma = sum_l d (sqrt(l) D + C) / (sqrt(l) (d - l)): what is compared are
rational coefficients, whatever D and C.
"""

from fractions import Fraction

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import exact_dimensions
from shapaudit_papers.theory.least_squares import curvature

from ..constants.kappa import GRADIENT_COEFFICIENT, KAPPA_PRINTED, kappa_by_definition

# version, quantity, where, step, printed A (the bound on E Z), its coefficient, power and symbol.
PRINTED = (
    ("HAL", "rate", "Section 4.2", "inverse", "4 kappa^2 / T", 4, 2, "kappa"),
    ("HAL", "Markov", "Section 4.2", "inverse", "4 kappa^2 / T", 4, 2, "kappa"),
    ("HAL", "deviation", "Section 8.2", "inverse", "4 kappa^2 / T", 4, 2, "kappa"),
    ("arXiv", "rate", "Section 4.2", "inverse", "4 kappa^2 / T", 4, 2, "kappa"),
    ("arXiv", "Markov", "Section 8", "inverse", "16 Sigma^2 / T", 16, 2, "Sigma"),
    ("arXiv", "deviation", "Section 4.2", "inverse", "16 kappa^2 / T", 16, 2, "kappa"),
    ("HAL", "rate", "Section 4.2", "square root", "4 D kappa / sqrt(T)", 4, 1, "kappa"),
    ("HAL", "Markov", "Section 4.2", "square root", "4 D kappa / sqrt(T)", 4, 1, "kappa"),
    ("HAL", "deviation", "Section 8.2", "square root", "4 D kappa / sqrt(T)", 4, 1, "kappa"),
    ("arXiv", "rate", "Section 4.2", "square root", "4 D kappa / sqrt(T)", 4, 1, "kappa"),
    ("arXiv", "Markov", "Section 8", "square root", "8 D Sigma / sqrt(T)", 8, 1, "Sigma"),
    ("arXiv", "deviation", "Section 4.2", "square root", "8 D kappa / sqrt(T)", 8, 1, "kappa"),
)
FIELDS = ("version", "quantity", "where", "step", "printed", "coefficient", "power", "symbol")


def gather_versions(context: Context) -> Evidence:
    """The printed bounds, and kappa in units of Sigma by definition and as printed.

    Last terms of the constant-step bounds, gamma B^2 / mu, stand beside them in units of the common
    sum squared. HAL: B^2 / mu with B = 2 sum (d - 1)(...). arXiv, Section 8:
    4 [sum sqrt(d) sqrt(d - 1)(...)]^2 in front of an undefined alpha.
    """
    dimensions = exact_dimensions(context)
    (by_definition,) = {kappa_by_definition(d) for d in dimensions}  # the same for all d
    last_terms = [
        Case(
            f"d = {d}",
            Fraction((GRADIENT_COEFFICIENT * (d - 1)) ** 2) / curvature(d),
            Fraction(4 * d * (d - 1)),
        )
        for d in dimensions
    ]
    return {
        "bounds": [dict(zip(FIELDS, row, strict=True)) for row in PRINTED],
        "kappa_by_definition": by_definition,
        "kappa_printed": Fraction(KAPPA_PRINTED),
        "max_dimension": dimensions[-1],
        "last_terms": last_terms,
        "exponents": {"HAL": "T", "arXiv": "T + 1"},
        "estimates": {"HAL": "last iterate", "arXiv": "average"},
        "steps": {"HAL": "gamma", "HAL, Section 8.2": "alpha", "arXiv": "alpha"},
    }
