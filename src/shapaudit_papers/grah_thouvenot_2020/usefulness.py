"""When the bound on the expected squared error of PSGD begins to say something.

The bound is 4 kappa^2 / T of Grah & Thouvenot 2020, Section 4.2, with kappa = B / mu and, as in the
authors' public code, D = sqrt(d) and C = 1.
"""

from math import sqrt

from shapaudit_papers.theory.constants import kappa

PRECISION = 0.01  # the squared error asked for; the Shapley values of these games sum to 1


def iterations_needed(n_players: int, precision: float = PRECISION) -> float:
    """Iterations T at which the bound falls to ``precision``."""
    return 4 * kappa(n_players, sqrt(n_players), 1.0) ** 2 / precision


def proper_coalitions(n_players: int) -> int:
    """2^d - 2, the coalitions that give the exact values."""
    return 2**n_players - 2


def first_useful_dimension(precision: float = PRECISION) -> int:
    """Smallest d for which the bound asks for fewer iterations than there are coalitions."""
    d = 2
    while iterations_needed(d, precision) >= proper_coalitions(d):
        d += 1
    return d
