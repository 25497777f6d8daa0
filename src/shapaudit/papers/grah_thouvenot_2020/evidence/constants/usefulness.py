"""Evidence on claim 13: how many iterations make the bounds useful, against enumeration.

All bounds scale with C^2: they are stated for C = 1. One iteration is one evaluation of v.
"""

from math import ceil, log, log1p

import scipy

from shapaudit.audit.context import Context
from shapaudit.audit.evidence import Evidence
from shapaudit.games.tabular import MAX_TABULATED_PLAYERS
from shapaudit.theory.bounds import inverse_rate
from shapaudit.theory.constants import (
    gradient_bound,
    kappa,
    kappa_printed,
    strong_convexity,
)
from shapaudit.theory.sharper import start_objective_bound, uniform_sizes_rate

TARGET = 0.01  # squared error in units of C^2
RISK = 0.01  # probability of exceeding it
LARGE = 300  # players of the paper's largest experiment
BUDGET = {16: 32_000, LARGE: 60_000}  # evaluations in Section 5: 2000 d and 200 d


def inverse_iterations(n_players: int, radius: float, mean: float, printed: bool = False) -> int:
    """T with 4 kappa^2/T at most ``mean``."""
    k = (kappa_printed if printed else kappa)(n_players, radius, 1.0)
    return ceil(4 * k**2 / mean)


def square_root_iterations(n_players: int, radius: float, mean: float) -> int:
    """T with 4 D kappa/sqrt(T) at most ``mean``."""
    return ceil((4 * radius * kappa(n_players, radius, 1.0) / mean) ** 2)


def constant_iterations(n_players: int, radius: float, mean: float) -> int:
    """T with (1 - gamma mu)^T D^2 + gamma B^2/mu at most ``mean``, for the best split of the two.

    ||phi_0 - phi*|| is at most D.
    """
    mu, b = strong_convexity(n_players), gradient_bound(n_players, radius, 1.0)

    def needed(share):
        step = share * mean * mu / b**2
        return log((1 - share) * mean / radius**2) / log1p(-step * mu)

    return min(ceil(needed(share / 100)) for share in range(1, 100))


def sharper_iterations(n_players: int, mean: float) -> int:
    """T with the bound of claim 6d at most ``mean``, |v(M)| = C, without D."""
    objective = start_objective_bound(n_players, 1.0, 1.0)

    def excess(log_steps):
        return log(uniform_sizes_rate(10**log_steps, n_players, objective) / mean)

    return ceil(10 ** scipy.optimize.brentq(excess, 0.0, 40.0))


def monte_carlo_evaluations(n_players: int, mean: float) -> int:
    """Evaluations of d/mean walks: marginal contributions lie in [-2 C, 2 C], variance <= 4 C^2."""
    return n_players * ceil(4 * n_players / mean) + 1


def useful_rows(n_players: int) -> list[Evidence]:
    """Iterations that the bounds ask for, on the mean and on the probability, for two radii.

    D = C sqrt(d) as in the authors' public code, and D = C, which suffices when no value is
    negative and v(M) = C.
    """
    d = n_players
    return [
        {
            "players": d,
            "radius": choice,
            "guarantee": guarantee,
            "exact": float(2**d - 2),
            "inverse": float(inverse_iterations(d, radius, mean)),
            "inverse_printed_kappa": float(inverse_iterations(d, radius, mean, printed=True)),
            "square_root": float(square_root_iterations(d, radius, mean)),
            "constant": float(constant_iterations(d, radius, mean)),
            "sharper": float(sharper_iterations(d, mean)),
            "monte_carlo": float(monte_carlo_evaluations(d, mean)),
        }
        for choice, radius in {"public": d**0.5, "nonnegative values": 1.0}.items()
        for guarantee, mean in {"mean": TARGET, "probability": TARGET * RISK}.items()
    ]


def gather_useful(context: Context) -> Evidence:
    """The rows for every d up to the largest exact dimension, and for the paper's budgets."""
    dimensions = [*range(2, context.settings.max_exact_dimension + 1), LARGE]
    budgets = [
        {
            "players": d,
            "evaluations": evaluations,
            "bound": inverse_rate(evaluations, kappa(d, d**0.5, 1.0)),
            "squared_diameter": 4.0 * d,
        }
        for d, evaluations in BUDGET.items()
    ]
    rows = [row for d in dimensions for row in useful_rows(d)]
    return {"rows": rows, "within_reach": MAX_TABULATED_PLAYERS, "budgets": budgets}
