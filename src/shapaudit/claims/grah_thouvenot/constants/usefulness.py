"""Claim 13: how many iterations make the bounds useful, against the cost of the exact values.

All bounds scale with C^2: they are stated for C = 1. One iteration is one evaluation of v.
"""

from math import ceil, log, log1p

import scipy

from ....games.tabular import MAX_TABULATED_PLAYERS
from ....theory.bounds import inverse_rate
from ....theory.constants import gradient_bound, kappa, kappa_printed, strong_convexity
from ....theory.sharper import start_objective_bound, uniform_sizes_rate
from ...base import Evidence, Verdict
from ...context import Context
from ...exact import show
from ..common import BOTH, claim

TARGET = 0.01  # squared error in units of C^2
RISK = 0.01  # probability of exceeding it
BOUNDS = ("inverse", "square_root", "constant")  # those of the paper
LARGE = 300  # players of the paper's largest experiment
SHOWN = (6, 10, 16, 24, 32, 64, LARGE)
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


def check_useful(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when at every d some bound asks for fewer evaluations than the exact values; vacuous
    when none does at any d within reach of the exact values; refuted otherwise.
    """
    rows, reach = evidence["rows"], evidence["within_reach"]
    useful = [row for row in rows if min(row[bound] for bound in BOUNDS) < row["exact"]]
    near = [row for row in useful if row["players"] <= reach]
    shown = tuple(row for row in rows if row["players"] in SHOWN)
    far = [row for row in rows if row["players"] == max(r["players"] for r in rows)]
    public = next(row for row in far if (row["radius"], row["guarantee"]) == ("public", "mean"))
    numbers = {
        "rows": len(rows),
        "useful_rows": len(useful),
        "within_reach": reach,
        "first_useful_players": min((row["players"] for row in useful), default=0),
        **{f"{key}_at_largest": public[key] for key in (*BOUNDS, "sharper", "monte_carlo")},
    }
    for budget in evidence["budgets"]:
        numbers[f"bound_at_budget_{budget['players']}"] = budget["bound"]
    details = {"numbers": numbers, "rows": shown or tuple(rows)}
    if len(useful) == len(rows):
        return Verdict("proved", "Some bound is useful at every d.", "sound", **details)
    if near:
        missing = next(row for row in rows if row not in useful)
        return Verdict(
            "refuted",
            f"At d = {missing['players']} every bound asks for more than the exact values.",
            "false",
            **details,
        )
    last = evidence["budgets"][-1]
    return Verdict(
        "vacuous",
        f"For every d up to {reach}, where exact values are within reach, each bound asks for more "
        f"evaluations than those. At d = {public['players']} the best of them asks for "
        f"{show(min(public[bound] for bound in BOUNDS))}, where the variance bound of plain "
        f"permutation sampling asks for {show(public['monte_carlo'])} and claim 6d's for "
        f"{show(public['sharper'])}; after the {last['evaluations']} evaluations of the paper's "
        f"experiment the first bounds the squared error by {show(last['bound'])} C squared, while "
        f"the squared diameter of the ball is {show(last['squared_diameter'])} C squared.",
        "loose",
        **details,
    )


CLAIMS = (
    claim(
        id="gt20-13",
        title="Iterations that make the bounds useful",
        where=f"Section 1 and Section 4.2; {BOTH}",
        statement=r"The bounds make $\mathbb E\|\hat\phi-\phi^*\|^2\le0.01\,C^2$, or "
        r"$\|\hat\phi-\phi^*\|^2\le0.01\,C^2$ with probability $0.99$, certain in fewer "
        r"evaluations than the $2^d-2$ of the exact values.",
        gather=gather_useful,
        check=check_useful,
    ),
)
