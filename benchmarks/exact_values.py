"""Exact Shapley values at d = 16: this project against shap, shapiq and shapkit.

All evaluate the same radial regression, f(x) = prod_j sqrt(pi/2) exp(-x_j^2/2), at one explicand
and one baseline, through a plain Python callable on rows.
"""

import contextlib
import io

import numpy as np
import pandas as pd
import shap
import shapiq
from shapkit.shapley_values import ShapleyValues

from shapaudit.games import BaselineGame, tabulate
from shapaudit.models import RadialRegression
from shapaudit.truth import shapley_exact, shapley_from_table
from timing import alternate

D = 16
rng = np.random.default_rng(0)
x, r = rng.normal(size=(2, D))
model = RadialRegression(D)


def with_shapaudit():
    return shapley_exact(BaselineGame(model.predict, x, r)).values


def with_shap():
    explainer = shap.explainers.ExactExplainer(model.predict, shap.maskers.Independent(r[None]))
    return explainer(x[None]).values[0]


def with_shapiq():
    def value(coalitions):
        return model.predict(np.where(coalitions.astype(bool), x, r))

    computer = shapiq.ExactComputer(n_players=D, game=value)
    return computer(index="SV", order=1).get_n_order_values(1)


def with_shapkit():
    names = [f"x{j}" for j in range(D)]
    with contextlib.redirect_stderr(io.StringIO()):
        values = ShapleyValues(
            pd.Series(x, index=names),
            lambda row: model.predict(np.asarray(row, dtype=float)[None])[0],
            pd.Series(r, index=names),
        )
    return values.to_numpy()


contestants = {
    "shapaudit": with_shapaudit,
    "shap": with_shap,
    "shapiq": with_shapiq,
}
reference = with_shapaudit()
for name, call in contestants.items():
    print(f"{name:10s} largest difference {np.abs(call() - reference).max():.1e}")
seconds = alternate(contestants, 3)
for name, value in seconds.items():
    print(f"{name:10s} {value:9.4f} s   {value / seconds['shapaudit']:8.1f} x")

small = alternate({"shapkit": with_shapkit}, 1)["shapkit"]
print(f"{'shapkit':10s} {small:9.4f} s   {small / seconds['shapaudit']:8.1f} x (one round)")

table = tabulate(BaselineGame(model.predict, x, r)).values
many = np.tile(table, (50, 1))
large = rng.normal(size=1 << 20)
tables = alternate(
    {
        "50 tables of d = 16": lambda: shapley_from_table(many),
        "one table of d = 20": lambda: shapley_from_table(large),
    },
    5,
)
for name, value in tables.items():
    print(f"{name}: {1e3 * value:.1f} ms")
