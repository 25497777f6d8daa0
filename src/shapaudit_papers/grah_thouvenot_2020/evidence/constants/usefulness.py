"""Evidence on claim 13: how many iterations make the bounds useful, against enumeration.

All bounds scale with C^2: they are stated for C = 1. One iteration is one evaluation of v.
"""

from shapaudit.games.tabular import MAX_TABULATED_PLAYERS
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import exact_dimensions
from shapaudit_papers.theory.bounds import inverse_rate
from shapaudit_papers.theory.constants import kappa
from shapaudit_papers.theory.iterations import (
    constant_iterations,
    inverse_iterations,
    monte_carlo_evaluations,
    sharper_iterations,
    square_root_iterations,
)

TARGET = 0.01  # squared error in units of C^2
RISK = 0.01  # probability of exceeding it
LARGE = 300  # players of the paper's largest experiment
BUDGET = {16: 32_000, LARGE: 60_000}  # evaluations in Section 5: 2000 d and 200 d


def useful_rows(n_players: int) -> list[Evidence]:
    """Return the iterations that the bounds require, on mean and probability, for two radii.

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
    """Return these rows for every d up to the largest exact dimension, and the paper's budgets."""
    dimensions = [*exact_dimensions(context), LARGE]
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
