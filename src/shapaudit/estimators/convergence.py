"""Running an estimator until a tolerance is met, honestly in spite of looking repeatedly."""

from dataclasses import dataclass

import numpy as np
import scipy

from ..games import Game, guarded
from .arguments import as_budget
from .base import Estimate, Estimator, UnitEstimator

ALPHA = 0.05  # probability of stopping with an error beyond the tolerance
GROWTH = 1.5  # units at one check over those at the check before


@dataclass(frozen=True)
class Convergence:
    """Where a run stopped.

    Attributes
    ----------
    estimate : Estimate
    converged : whether all values are within the tolerance, with 95 % confidence
    checks : how often that was looked at
    half_width : the largest of the simultaneous confidence intervals at the last check, in units of
        the values; infinite without a check
    """

    estimate: Estimate
    converged: bool
    checks: int
    half_width: float


def estimate_until(
    estimator: Estimator,
    game: Game,
    tolerance: float,
    budget: int,
    rng: np.random.Generator,
    first: int = 32,
) -> Convergence:
    """One run, stopped when all values are within ``tolerance`` with 95 % confidence.

    The largest half-width of the intervals of all players is looked at after ``first`` units, then
    after every 1.5 times as many, at last when the budget is spent. Student's quantiles are taken
    at 5 % over the number of players and of looks (Bonferroni). So, as far as means of ``first``
    units are normal, a run stops with an error beyond the tolerance with probability 5 % at most,
    for whatever reason it stops. No rule that sees nothing but the units is safe against what it
    has not seen: a contribution of probability p leaves no trace in n units with probability
    (1 - p)^n, so raise ``first`` where rare coalitions matter.

    Parameters
    ----------
    estimator : one from independent units, `UnitEstimator`, with standard errors: a mean, or
        KernelSHAP with ``standard_errors``
    tolerance : largest error |estimate - Shapley value| of any player, in units of the values
    budget : evaluations never exceeded
    first : units before the first check, or as many as the standard errors take

    Raises
    ------
    TypeError
        For an estimator without standard errors from independent units.
    ValueError
        Unless ``tolerance`` is positive and ``first`` at least 2.
    BudgetTooSmall
        When the budget is below what one estimate takes.
    """
    game, budget = guarded(game), as_budget(estimator.id, budget)
    d = game.n_players
    needed = estimator.units_for_errors(d) if isinstance(estimator, UnitEstimator) else None
    if not isinstance(estimator, UnitEstimator) or needed is None:
        raise TypeError(
            f"{estimator.id} has no standard errors from independent units, so nothing tells when "
            "to stop; take a mean of units such as antithetic-monte-carlo or unbiased-kernel-shap, "
            "or kernel-shap with the parameter standard_errors."
        )
    if not tolerance > 0 or first < 2:
        raise ValueError(
            f"tolerance must be positive and first at least 2; got {tolerance} and {first}."
        )
    first = max(first, needed)
    estimator.check_budget(d, budget)
    cost = estimator.unit_cost(d)
    counts = look_after(first, (budget - estimator.fixed_cost) // cost)
    limits = quantiles(counts, d, first)
    checkpoints = [estimator.fixed_cost + cost * count for count in counts]
    checks, width = 0, np.inf
    for limit, estimate in zip(limits, estimator.stream(game, checkpoints, rng), strict=True):
        if np.isfinite(limit):
            checks += 1
            width = float(limit * _spread(estimator, estimate))
        if width < tolerance:
            break
    return Convergence(estimate, bool(width < tolerance), checks, width)


def look_after(first: int, last: int) -> list[int]:
    """Numbers of units to look after: ``first``, each 1.5 times the one before, and ``last``."""
    counts = [first]
    while counts[-1] < last:
        counts.append(int(np.ceil(GROWTH * counts[-1])))
    return [*counts[:-1], last]


def quantiles(counts: list[int], n_players: int, first: int) -> np.ndarray:
    """Half-widths (K,) in standard errors at each look; infinite before ``first`` units."""
    units = np.array(counts)
    level = ALPHA / (2 * n_players * len(units))
    return np.where(units < first, np.inf, -scipy.special.stdtrit(np.maximum(units - 1, 1), level))


def _spread(estimator: Estimator, estimate: Estimate) -> float:
    if estimate.standard_errors is None:
        raise TypeError(
            f"{estimator.id} gave no standard errors for {len(estimate.values)} players."
        )
    return float(estimate.standard_errors.max())
