"""Evidence on claims 16 and 17: evaluations of the algorithms, and earlier sources on them."""

import numpy as np

from shapaudit.estimators import OptimisedMonteCarlo, PlainMonteCarlo, ProjectedSGD
from shapaudit.games import CountedGame, TabularGame
from shapaudit.samplers import uniform_permutations
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence

COUNTED = ((2, 1), (2, 7), (5, 3), (10, 20))  # (d, T) of the counted runs
PUBLISHED = 2020

# What was published before: source, year, evaluations per permutation as a multiple of d and a
# remainder, and whether the value of the previous prefix is carried over in so many words.
PRIOR = (
    ("Castro, Gomez and Tejada 2009", 2009, 1, 1, False, "whole permutation, all d players"),
    ("Song, Nelson and Staum 2016", 2016, 1, 0, True, "Algorithm 1 keeps the previous cost"),
    ("Ghorbani and Zou 2019", 2019, 1, 0, True, "Algorithm 1, difference to the previous value"),
)


def _algorithm_1(game: CountedGame, permutations: np.ndarray) -> None:
    """Evaluate v as Algorithm 1 is printed: v(r) anew at the start of every permutation."""
    for permutation in permutations:
        coalition = np.zeros((1, game.n_players), dtype=bool)
        game(coalition)
        for player in permutation:
            coalition[0, player] = True
            game(coalition)


def gather_counts(context: Context) -> Evidence:
    """Return the evaluations of the estimators, by dimension and number of iterations."""
    rows = []
    for d, iterations in COUNTED:
        rng = context.generator("gt20-16", d, iterations)
        table = TabularGame(rng.standard_normal(1 << d))
        runs = {
            "plain": (PlainMonteCarlo(), 2 * d * iterations),
            "walk": (OptimisedMonteCarlo(), d * iterations + 1),
            "sgd": (ProjectedSGD(), d * iterations + 2),
        }
        row = {"players": d, "iterations": iterations}
        for name, (estimator, budget) in runs.items():
            counted = CountedGame(table, budget)
            estimator.estimate(counted, budget, rng)
            row[name] = counted.evaluations
        printed = CountedGame(table)
        _algorithm_1(printed, uniform_permutations(iterations, d, rng))
        rows.append(row | {"walk_as_printed": printed.evaluations})
    return {"rows": rows}


def gather_prior(context: Context) -> Evidence:
    """Return earlier sources that walk along permutations, with their cost per permutation."""
    keys = ("source", "year", "per_player", "extra", "explicit", "how")
    return {"prior": [dict(zip(keys, row, strict=True)) for row in PRIOR], "year": PUBLISHED}
