"""Evidence on claim 11, in theory: the deviation inequality for any Z, and on a rare game."""

from math import comb

import numpy as np

from shapaudit.estimators.projections import project_intersection
from shapaudit.games import all_coalitions
from shapaudit.samplers.gradients import importance_sizes, strong_convexity
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.bounds import (
    deviation_crossing,
    deviation_vacuous_below,
    two_point_law,
)

LAW_GRID = tuple(np.arange(1, 17) / 4)  # a of the two-point laws
RARE_PLAYERS = 6


def gather_general(context: Context) -> Evidence:
    """Two-point laws on 0 and A (2 + 4 a) with mean A = 1."""
    laws = []
    for a in map(float, LAW_GRID):
        value, probability = two_point_law(1.0, a)
        laws.append({"a": a, "outcomes": [(1 - probability, 0.0), (probability, value)]})
    return {"laws": laws, "crossing": deviation_crossing(), "vacuous": deviation_vacuous_below()}


def law_on_a_rare_game() -> Evidence:
    """The law of Z after one step on the game that pays 1 to one coalition, of half the players.

    Importance sampling, step 2/(mu (t + 1)), (t + 1)-weighted average, projection on K with C = 1
    and D = sqrt(d): everything as printed, all coalitions enumerated.
    """
    d = RARE_PLAYERS
    coalitions = all_coalitions(d)
    values = np.zeros(1 << d)
    rewarded = (1 << d // 2) - 1
    values[rewarded] = 1.0
    truth = shapley_from_table(values)
    sizes = coalitions.sum(axis=1)
    probabilities = importance_sizes(d, d**0.5)
    start = np.zeros(d)  # v(M) / d
    outcomes = []
    for index in range(1, (1 << d) - 1):
        x, size = coalitions[index].astype(float), int(sizes[index])
        p = probabilities[size - 1] / comb(d, size)
        over_p = (d - 1) / (size * (d - size) * probabilities[size - 1])  # w_i / p_i
        gradient = 2 * over_p * (x @ start - values[index]) * x
        moved = project_intersection(start - gradient / strong_convexity(d), 0.0, d**0.5)
        average = (start + 2 * moved) / 3
        outcomes.append((float(p), float(np.square(average - truth).sum())))
    return {"players": d, "outcomes": outcomes}
