"""Evidence on claim 23: certified values of the classification with 300 players."""

import numpy as np
from scipy.special import chdtri

from shapaudit.estimators import OptimisedMonteCarlo
from shapaudit.games import SameClassGame
from shapaudit.truth import Truth, TruthError
from shapaudit.truth.inversion import BOUND, inverted_shapley
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence

PLAYERS, WALKS = 300, 5_000  # of the paper's experiment, and of its reference
TRIALS = 3


def two_rows(rng: np.random.Generator) -> SameClassGame:
    """Return the game of two standard normal rows of different classes (Section 5.1)."""
    threshold = float(chdtri(PLAYERS, 0.5))
    while True:
        explicand, baseline = rng.standard_normal((2, PLAYERS))
        if (explicand @ explicand > threshold) != (baseline @ baseline > threshold):
            return SameClassGame(explicand, baseline, threshold)


def gather_certified(context: Context, method=inverted_shapley) -> Evidence:
    """Return certified bounds of the error of all values, and the error of the paper's reference.

    Both are norms. Where no values can be certified, the bound is None.
    """
    rows = []
    for k in range(TRIALS):
        rng = context.generator("gt20-23", k)
        game = two_rows(rng)
        row: Evidence = {"trial": k + 1, "bound": None, "reference": None}
        truth = _certified(method, game)
        if truth is not None and truth.bounds is not None:
            budget = WALKS * PLAYERS + 1
            estimate = OptimisedMonteCarlo().estimate(game, budget, rng).values
            row["bound"] = float(np.linalg.norm(truth.bounds))
            row["reference"] = float(np.linalg.norm(estimate - truth.values))
        rows.append(row)
    return {"rows": rows, "players": PLAYERS, "walks": WALKS, "each": BOUND}


def _certified(method, game: SameClassGame) -> Truth | None:
    try:
        return method(game)
    except TruthError:
        return None
