"""Projected SGD, evaluations per second: this project against shapkit, on the chi-square game.

Both call the same model on rows, d = 16, the published step; errors are printed to show that the
two do the same work.
"""

import contextlib
import io

import numpy as np
import pandas as pd
from shapkit.sgd_shapley import SGDshapley

from shapaudit.estimators import create
from shapaudit.games import BaselineGame
from shapaudit.models import ChiSquareClassifier
from shapaudit.truth import shapley_exact
from timing import alternate

D, EVALUATIONS = 16, 16_000
model = ChiSquareClassifier.for_dimension(D)
rng = np.random.default_rng(0)
rows = rng.normal(size=(200, D))
classes = model.predict(rows)
x, r = rows[classes == 1][0], rows[classes == 0][0]
truth = shapley_exact(BaselineGame(model.predict, x, r)).values


def with_shapaudit(seed=0):
    estimator = create("projected-sgd", {"step": "constant", "scale": 0.005, "average": "uniform"})
    game = BaselineGame(model.predict, x, r)
    return estimator.estimate(game, EVALUATIONS + 2, np.random.default_rng(seed)).values


def with_shapkit(seed=0):
    np.random.seed(seed)  # noqa: NPY002 - the peer draws from the global state
    names = [f"x{j}" for j in range(D)]
    with contextlib.redirect_stderr(io.StringIO()):
        values = SGDshapley(D, 1).sgd(
            pd.Series(x, index=names),
            lambda row: float(model.predict(np.asarray(row, dtype=float)[None])[0]),
            pd.Series(r, index=names),
            n_iter=EVALUATIONS,
            step=0.01,
            step_type="constant",
        )
    return values.to_numpy()


seconds = alternate({"shapaudit": with_shapaudit, "shapkit": with_shapkit}, 3)
for name, call in {"shapaudit": with_shapaudit, "shapkit": with_shapkit}.items():
    error = np.mean([np.linalg.norm(call(seed) - truth) for seed in range(3)])
    print(f"{name:10s} {EVALUATIONS / seconds[name]:12.0f} evaluations/s   mean error {error:.4f}")
print(f"ratio {seconds['shapkit'] / seconds['shapaudit']:.0f}")
