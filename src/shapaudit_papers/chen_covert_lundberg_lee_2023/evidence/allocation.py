"""Evidence on claim 5: draws in proportion to the variance, and what two stages do to the bias."""

from collections.abc import Callable

import numpy as np

from shapaudit.samplers.allocation import Allocation
from shapaudit.truth.rational import rationals
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.allocation import (
    Allot,
    by_deviation,
    by_variance,
    contribution_variances,
    half_by_variance,
    pooled_moments,
    two_stages,
)

EXPLICANDS = 20  # of each study game
MOST_PLAYERS, TRIALS = 40, 5  # of the random variances that the inequality is checked on
CARRIER = 4  # players of the unanimity game: contributions are 0 but for one order in four
ESTIMATED_AT = (32, 64, 96)  # evaluations


def study_rows(context: Context) -> tuple[Evidence, ...]:
    """Return, by game of the study, the factors of both rules over explicands with variance."""
    rows = []
    for study in context.study_games():
        variances = [
            contribution_variances(game.values) for game, _ in study.explicands(EXPLICANDS)
        ]
        factors = [
            [two_stages(explicand_variances, rule) for rule in (by_variance, by_deviation)]
            for explicand_variances in variances
            if explicand_variances.any()
        ]
        if factors:
            variance, deviation = np.array(factors).T
            row = {"game": study.name, "players": study.n_players, "explicands": len(factors)}
            row |= {"variance": np.median(variance), "deviation": np.median(deviation)}
            rows.append(row | {"largest_quotient": (variance / deviation).max()})
    return tuple(rows)


def moment_rows(rule: Allocation) -> list[Evidence]:
    """Return the moments of estimates that pool both stages, by budget, exactly."""
    rows = []
    for budget in ESTIMATED_AT:
        moments = pooled_moments(rule, budget, CARRIER)
        row = {"players": CARRIER, "evaluations": budget}
        rows.append(row | {name: float(value) for name, value in moments.items()})
    return rows


def gather_gain(
    context: Context, factor: Callable = half_by_variance, rule: Allocation = "variance"
) -> Evidence:
    """Return the factor of the variance with known variances, and with estimated ones by budget.

    Known variances are random ones, exactly, and those of the contributions of study games;
    estimated ones are those of the first draws on a unanimity game, whose variances are equal.
    """
    rng = context.generator("ccll23-05a")
    exact = []
    for d in range(2, 1 + min(MOST_PLAYERS, context.settings.max_exact_dimension)):
        exact.append(factor(rationals([1] * d)))
        exact += [factor(rationals(rng.integers(1, 100, d).tolist())) for _ in range(TRIALS)]
    estimated = [
        {key: row[key] for key in ("players", "evaluations", "over_equal")}
        for row in moment_rows(rule)
    ]
    return {"exact": exact, "estimated": estimated, "rows": context.once(study_rows)}


def gather_best(context: Context, allot: Allot = by_variance) -> Evidence:
    """Return the sum of variances over the least possible one, for k of d players with variance."""
    rows = []
    for d in (10, 79, 280):
        for noisy in sorted({1, 2, d // 4, d // 2, d - 1}):
            for quiet in (0.0, 0.01, 0.1, 0.3, 0.5):
                variances = np.where(np.arange(d) < noisy, 1.0, quiet**2)
                given = two_stages(variances, allot)
                row = {"players": d, "noisy": noisy, "quiet_deviation": quiet, "factor": given}
                row["over_best"] = given / two_stages(variances, by_deviation)
                rows.append(row)
    return {"rows": rows, "study": context.once(study_rows)}


def gather_bias(context: Context, rule: Allocation = "variance") -> Evidence:
    """Return the exact relative bias of estimates that pool both stages, by budget."""
    return {"rows": moment_rows(rule)}
