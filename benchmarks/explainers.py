"""Processor time of explainers that look into the model, beside shap and XGBoost.

Values are compared first: with XGBoost's contributions and with shap's TreeSHAP they agree up to
single precision, with its correlated LinearSHAP up to the noise of its random orders.
"""

import contextlib
import io
import warnings
from itertools import pairwise
from time import process_time

import numpy as np
import shap
import xgboost
from sklearn.datasets import load_diabetes
from timing import alternate

from shapaudit.explainers import create
from shapaudit.explainers.gaussian_matrix import exact_matrix
from shapaudit.models.linear import LinearModel

ROUNDS = 3
warnings.filterwarnings("ignore")


def told(title: str, contestants: dict, count: int, unit: str = "explicand") -> None:
    """Times of contestants, the first of which is ours, and how many times its time they take."""
    print(title)
    with contextlib.redirect_stderr(io.StringIO()):  # progress bars
        seconds = alternate(contestants, ROUNDS, process_time)
    own = next(iter(seconds.values()))
    for name, value in seconds.items():
        print(f"  {name:34s} {1e3 * value / count:10.4f} ms per {unit}  {value / own:8.1f} x")


def trees() -> None:
    rows, target = load_diabetes(return_X_y=True)
    model = xgboost.XGBRegressor(n_estimators=100, max_depth=5, n_jobs=1).fit(rows, target)
    booster, table = model.get_booster(), xgboost.DMatrix(rows)
    path = create("path-dependent-tree").fit(model, rows[:1])
    theirs = shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")
    expected = booster.predict(table, pred_contribs=True)[:, :-1]
    error = np.abs(path.explain(rows).values - expected).max() / np.abs(expected).max()
    print(f"largest difference from XGBoost's contributions, over the largest: {error:.1e}")
    told(
        "path-dependent TreeSHAP, 100 trees of depth 5",
        {
            "shapaudit": lambda: path.explain(rows),
            "XGBoost's contributions": lambda: booster.predict(table, pred_contribs=True),
            "shap TreeExplainer": lambda: theirs.shap_values(rows),
        },
        len(rows),
    )
    few, background = rows[:50], rows[-100:]
    ours = create("interventional-tree").fit(model, background)
    peer = shap.TreeExplainer(model, background, feature_perturbation="interventional")
    error = np.abs(ours.explain(few).values - peer.shap_values(few)).max()
    print(f"largest difference from shap's interventional TreeSHAP: {error:.1e}")
    told(
        "interventional TreeSHAP, 100 trees of depth 5, 100 baselines",
        {"shapaudit": lambda: ours.explain(few), "shap": lambda: peer.shap_values(few)},
        len(few),
    )


def linear() -> None:
    rng = np.random.default_rng(0)
    for d, orders in ((20, 1000), (100, 100)):
        factor = rng.normal(size=(d, d))
        covariance = factor @ factor.T / d + np.eye(d) / 10
        coefficients, mean = rng.normal(size=d), np.zeros(d)
        model = LinearModel(coefficients)
        law = {"covariance": covariance, "mean": mean, "permutations": orders}

        def ours(law=law, model=model, d=d):
            return create("correlated-linear", law).fit(model, np.zeros((1, d)))

        def peer(coefficients=coefficients, mean=mean, covariance=covariance, orders=orders):
            masker = shap.maskers.Impute((mean, covariance), method="linear")
            return shap.LinearExplainer((coefficients, 0.0), masker, nsamples=orders)

        contestants = {"shapaudit": ours, "shap LinearExplainer": peer}
        if d <= 20:
            contestants["shapaudit, all coalitions"] = lambda c=covariance, b=coefficients: (
                exact_matrix(c, b)
            )
        told(f"correlated LinearSHAP, d = {d}, {orders} orders", contestants, 1, "fit")


def networks() -> None:
    rng = np.random.default_rng(0)

    def layers(*sizes):
        arrays = {}
        for k, (a, b) in enumerate(pairwise(sizes)):
            arrays[f"weight{k}"], arrays[f"bias{k}"] = rng.normal(size=(a, b)), rng.normal(size=b)
            if k < len(sizes) - 2:
                arrays[f"activation{k}"] = "relu"
        return arrays

    network, rows = layers(10, 32, 32, 1), rng.normal(size=(100, 10))
    contestants = {}
    for rule in ("rescale", "reveal-cancel"):
        fitted = create("deep-shap", {"rule": rule}).fit(network, rng.normal(size=(100, 10)))
        contestants[rule] = lambda fitted=fitted: fitted.explain(rows)
    told("DeepSHAP, layers of 32 and 32, 100 baselines", contestants, len(rows))
    for d in (10, 64):
        fitted, row = create("dasp").fit(layers(d, 32, 1), np.zeros(d)), rng.normal(size=d)
        contestants = {"all sizes": lambda fitted=fitted, row=row: fitted.explain(row)}
        told(f"DASP, d = {d}, a layer of 32", contestants, 1)


if __name__ == "__main__":
    trees()
    linear()
    networks()
