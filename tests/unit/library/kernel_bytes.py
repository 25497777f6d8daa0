"""Results of the kernels that add up many numbers, as digests by name: run in a process of its own.

An argument "reversed" takes them in reversed order, so that they are compiled in another one.
"""

import hashlib
import json
import sys

import numpy as np

from shapaudit.bits import sums_over_members
from shapaudit.estimators import ProjectedSGD
from shapaudit.games import RegressionGame, TabularGame
from shapaudit.games.regression_penalised import PenalisedRegressionGame
from shapaudit.models.reduced import reduce_problem
from shapaudit.models.reduction import blocks_of
from shapaudit.truth import shapley_from_table

P = 37  # neither a multiple of the partial sums nor less than all of them

rng = np.random.default_rng(0)


def problem(p):
    """Regression of p features."""
    rows = rng.normal(size=(4 * p, p)) @ (np.eye(p) + 0.3 * rng.normal(size=(p, p)) / p**0.5)
    response = rows @ rng.normal(size=p) + rng.normal(size=4 * p)
    train, test = slice(2 * p), slice(2 * p, None)
    return reduce_problem(*(blocks_of(rows[part], response[part]) for part in (train, test)))


SMALL, LARGE = problem(9), problem(P)
SHIFTS = np.array([np.roll(np.arange(P), -k) for k in range(P)])
COALITIONS = rng.random((50, P)) < 0.5
TABLE, WEIGHTS = rng.random(1 << 11), rng.random(P)


def descent(projection):
    """Estimate of projected gradients; the small ball makes the projection do something."""
    estimator = ProjectedSGD(projection=projection, ratio=1.0)
    return estimator.estimate(TabularGame(TABLE), 400, np.random.default_rng(1)).values


RESULTS = {
    "table": lambda: RegressionGame([SMALL]).table(),
    "walk": lambda: RegressionGame([LARGE]).walk(SHIFTS),
    "coalitions": lambda: RegressionGame([LARGE])(COALITIONS),
    "non-negative": lambda: PenalisedRegressionGame([LARGE], "non-negative").walk(SHIFTS[:3]),
    "lasso": lambda: PenalisedRegressionGame([LARGE], "lasso", 1.0)(COALITIONS[:5]),
    "enumeration": lambda: shapley_from_table(TABLE),
    "members": lambda: sums_over_members(COALITIONS, WEIGHTS),
    "hyperplane": lambda: descent("hyperplane"),
    "ball": lambda: descent("ball"),
    "intersection": lambda: descent("intersection"),
    "dykstra": lambda: descent("dykstra"),
}

if __name__ == "__main__":
    order = sorted(RESULTS, reverse="reversed" in sys.argv)
    digests = {name: hashlib.sha256(RESULTS[name]().tobytes()).hexdigest() for name in order}
    print(json.dumps(digests))
