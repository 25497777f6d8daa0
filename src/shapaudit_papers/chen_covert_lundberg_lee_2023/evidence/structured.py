"""Evidence on claims 32 and 33: L-Shapley and C-Shapley on chains, in fractions."""

from fractions import Fraction
from itertools import product

import numpy as np

from shapaudit.estimators.graphs import ball, chain
from shapaudit.estimators.structured import CShapley, LShapley
from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import random_integers

RADII = (1, 2, 3)
PLAYERS, LONGEST = 6, 10  # of the games, and of the chains on which weights are summed
COUNTED = (10, 40)  # players whose coalitions are counted

Estimators = dict[str, LShapley | CShapley]


def estimators(radius: int) -> Estimators:
    """Return the estimators that the claims are about, by name."""
    return {
        "L-Shapley": LShapley(radius=radius),
        "C-Shapley": CShapley(radius=radius),
        "C-Shapley by Myerson": CShapley(radius=radius, weights="myerson"),
    }


def _table(coefficients: np.ndarray) -> np.ndarray:
    """Return the values of all coalitions from Moebius coefficients, by index."""
    index = np.arange(len(coefficients))
    return np.array([coefficients[(index & ~k) == 0].sum() for k in index])


def _local_value(estimator: LShapley, values: np.ndarray, player: int) -> Fraction:
    """Return the value that an estimator gives a player of a chain, in fractions."""
    neighbours = chain(len(values).bit_length() - 1)
    total = Fraction(0)
    for members, weight in estimator.terms(
        neighbours, player, ball(neighbours, player, estimator.radius)
    ):
        row = sum(1 << j for j in members)
        total += weight * (values[row] - values[row & ~(1 << player)])
    return total


def gather_bias(context: Context, make=estimators) -> Evidence:
    """Return errors of L-Shapley, and minus the sum of a_T /

    T

    beyond the neighbourhood.

    The games are random. Beside them is the number of nonzero errors of each estimator.
    """
    cases: list[Case] = []
    biased = dict.fromkeys(("L-Shapley", "C-Shapley"), 0)
    for radius, k in product(RADII[:2], range(context.settings.random_games)):
        coefficients = random_integers(
            context, "ccll23-32a", radius, "game", PLAYERS, k, count=1 << PLAYERS
        )
        coefficients[0] = Fraction(0)
        values = _table(coefficients)
        truth = shapley_values(values)
        for player in range(PLAYERS):
            near = sum(1 << j for j in ball(chain(PLAYERS), player, radius))
            index = np.arange(1, 1 << PLAYERS)
            out = index[((index >> player) & 1 == 1) & ((index & ~near) != 0)]
            left_out = sum((coefficients[t] / int(t).bit_count() for t in out), Fraction(0))
            errors = {
                name: _local_value(estimator, values, player) - truth[player]
                for name, estimator in make(radius).items()
                if name in biased
            }
            label = f"radius {radius}, game {k + 1}, player {player + 1}"
            cases.append(Case(label, errors["L-Shapley"], -left_out))
            for name, error in errors.items():
                biased[name] += error != 0
    return {"cases": cases, "biased": biased}


def gather_weights(context: Context, make=estimators) -> Evidence:
    """Return the sum of the weights of a player's contributions, by player of a chain."""
    neighbours = chain(LONGEST)
    rows = []
    for radius in (*RADII, LONGEST - 1):
        for name, estimator in make(radius).items():
            sums = [
                sum(w for _, w in estimator.terms(neighbours, i, ball(neighbours, i, radius)))
                for i in range(LONGEST)
            ]
            rows.append(
                {
                    "method": name,
                    "radius": radius,
                    "players": LONGEST,
                    "middle": sums[LONGEST // 2],
                    "end": sums[0],
                    "smallest": min(sums),
                    "largest": max(sums),
                }
            )
    return {"rows": rows}


def gather_counts(context: Context, make=estimators) -> Evidence:
    """Return the number of distinct coalitions on a chain, and of all coalitions.

    Only the former are evaluated.
    """
    rows = []
    for d, radius in product(COUNTED, RADII):
        for name, estimator in make(radius).items():
            evaluations = estimator.minimum_budget(d)
            rows.append(
                {
                    "method": name,
                    "players": d,
                    "radius": radius,
                    "evaluations": evaluations,
                    "deterministic": int(estimator.card.deterministic),
                    "all": float(2.0**d),
                }
            )
    return {"rows": rows}
