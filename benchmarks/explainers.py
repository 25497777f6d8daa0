"""Processor time of explainers that look into the model, beside shap, XGBoost, LightGBM and captum.

Values are compared first: with XGBoost's contributions and with shap's TreeSHAP they agree up to
single precision, with LightGBM's contributions and captum's DeepLift up to round-off, with shap's
correlated LinearSHAP up to the noise of its random orders. Those of torch, captum's and shap's
DeepExplainer, are left out where it is not installed. With a path it writes the table there too, as
Markdown.
"""

import contextlib
import io
import sys
import warnings
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from time import process_time

import lightgbm
import numpy as np
import shap
import xgboost
from sklearn.datasets import load_diabetes

from shapaudit import estimators
from shapaudit.explainers import create
from shapaudit.explainers.gaussian_matrix import exact_matrix
from shapaudit.games import BaselineGame
from shapaudit.models.linear import LinearModel
from shapaudit.models.read_layers import read_layers
from timing import alternate


def version_of(name: str) -> str:
    """The version of a package, or nothing where it is not installed."""
    try:
        return str(import_module(name).__version__)
    except ImportError:
        return ""


ROUNDS = 3
PEERS = ("numpy", "shap", "xgboost", "lightgbm", "torch", "captum")
VERSIONS = [f"{name} {version}" for name in PEERS if (version := version_of(name))]
TABLE = [
    "# How long an explanation takes",
    "",
    "Processor time of one explanation (of correlated LinearSHAP: of the fit), the median of "
    f"{ROUNDS} rounds in which the contestants took turns, and how many times that of the first. "
    "One thread; good to a factor of two only. Made by `benchmarks/explainers.py` with "
    f"{', '.join(VERSIONS)}.",
    "",
    "| What | By | Milliseconds | Times the first |",
    "|:--|:--|--:|--:|",
]
warnings.filterwarnings("ignore")


def told(title: str, contestants: dict, count: int, unit: str = "explicand") -> None:
    """Times of contestants, the first of which is ours, and how many times its time they take."""
    print(title)
    with contextlib.redirect_stderr(io.StringIO()):  # progress bars
        seconds = alternate(contestants, ROUNDS, process_time)
    own = next(iter(seconds.values()))
    for name, value in seconds.items():
        print(f"  {name:34s} {1e3 * value / count:10.4f} ms per {unit}  {value / own:8.1f} x")
        TABLE.append(f"| {title} | {name} | {1e3 * value / count:.3g} | {value / own:.2g} |")


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
    leaves = lightgbm.LGBMRegressor(n_estimators=100, n_jobs=1, verbose=-1).fit(rows, target)
    own = create("path-dependent-tree").fit(leaves, rows[:1])
    expected = leaves.predict(rows, pred_contrib=True)[:, :-1]
    error = np.abs(own.explain(rows).values - expected).max() / np.abs(expected).max()
    print(f"largest difference from LightGBM's contributions, over the largest: {error:.1e}")
    told(
        "path-dependent TreeSHAP, 100 trees of 31 leaves at most",
        {
            "shapaudit": lambda: own.explain(rows),
            "LightGBM's contributions": lambda: leaves.predict(rows, pred_contrib=True),
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


def with_torch(network: dict, rows: np.ndarray, baselines: np.ndarray) -> tuple[dict, dict]:
    """Contestants of captum and shap, Rescale all of them: one baseline, and many."""
    try:
        import torch
        from captum.attr import DeepLift, DeepLiftShap
    except ImportError as error:
        print(f"without captum and shap's DeepExplainer: {error}")
        return {}, {}
    torch.set_num_threads(1)
    parts = []
    for k in range(sum(key.startswith("weight") for key in network)):
        weight, bias = (torch.from_numpy(network[f"{part}{k}"]) for part in ("weight", "bias"))
        linear = torch.nn.Linear(*weight.shape, dtype=torch.float64)
        linear.weight.data, linear.bias.data = weight.T.contiguous(), bias
        parts += [linear, torch.nn.ReLU()]
    model = torch.nn.Sequential(*parts[:-1])
    inputs, others = torch.from_numpy(rows), torch.from_numpy(baselines)
    captum, of_many, peer = DeepLift(model), DeepLiftShap(model), shap.DeepExplainer(model, others)
    values = captum.attribute(inputs, others[:1]).detach().numpy()
    expected = create("deeplift").fit(network, baselines[0]).explain(rows).values
    print(f"largest difference from captum's DeepLift: {np.abs(values - expected).max():.1e}")
    return (
        {"captum DeepLift": lambda: captum.attribute(inputs, others[:1])},
        {
            "captum DeepLiftShap": lambda: of_many.attribute(inputs, others),
            "shap DeepExplainer": lambda: peer.shap_values(inputs, check_additivity=False),
        },
    )


def networks() -> None:
    rng = np.random.default_rng(0)

    def layers(*sizes):
        arrays = {}
        for k, (a, b) in enumerate(pairwise(sizes)):
            arrays[f"weight{k}"], arrays[f"bias{k}"] = rng.normal(size=(a, b)), rng.normal(size=b)
            if k < len(sizes) - 2:
                arrays[f"activation{k}"] = "relu"
        return arrays

    network, rows, baselines = layers(10, 32, 32, 1), *rng.normal(size=(2, 100, 10))
    of_one, of_many = with_torch(network, rows, baselines)
    single = create("deeplift").fit(network, baselines[0])
    contestants = {"shapaudit, Rescale": lambda: single.explain(rows)} | of_one
    told("DeepLIFT, layers of 32 and 32, one baseline", contestants, len(rows))
    contestants = {}
    for rule, name in (("rescale", "Rescale"), ("reveal-cancel", "RevealCancel")):
        fitted = create("deep-shap", {"rule": rule}).fit(network, baselines)
        contestants[f"shapaudit, {name}"] = lambda fitted=fitted: fitted.explain(rows)
    told("DeepSHAP, layers of 32 and 32, 100 baselines", contestants | of_many, len(rows))
    for d in (10, 64):
        fitted, row = create("dasp").fit(layers(d, 32, 1), np.zeros(d)), rng.normal(size=d)
        contestants = {"all sizes": lambda fitted=fitted, row=row: fitted.explain(row)}
        told(f"DASP, d = {d}, a layer of 32", contestants, 1)


def beside_estimators() -> None:
    """Explainers of one network beside estimators, at as many passes as DASP takes with 4 sizes."""
    rng = np.random.default_rng(0)
    for d in (10, 20, 64):
        sizes = (d, 16, 16, 16, 1)
        arrays = {}
        for k, (a, b) in enumerate(pairwise(sizes)):
            arrays[f"weight{k}"] = rng.normal(size=(a, b)) / np.sqrt(a)
            arrays[f"bias{k}"] = rng.normal(size=b) / 3
            if k < len(sizes) - 2:
                arrays[f"activation{k}"] = "relu"
        row, baseline, passes = rng.normal(size=d), np.zeros(d), 8 * d
        game = BaselineGame(read_layers(arrays).predict, row, baseline)
        contestants = {}
        for name, params in (
            ("DeepLIFT (Rescale), 3 passes", {"rule": "rescale"}),
            ("DeepLIFT (RevealCancel), 3 passes", {"rule": "reveal-cancel"}),
        ):
            fitted = create("deeplift", params).fit(arrays, baseline)
            contestants[name] = lambda fitted=fitted, row=row: fitted.explain(row)
        fitted = create("dasp", {"sizes": 4}).fit(arrays, baseline)
        contestants[f"DASP (four sizes), {passes} passes"] = lambda fitted=fitted, row=row: (
            fitted.explain(row)
        )
        for name in ("paired-kernel-shap", "antithetic-monte-carlo", "auto"):
            estimator = estimators.create(name)
            contestants[f"{name}, {passes} rows"] = (
                lambda estimator=estimator, game=game, passes=passes: estimator.estimate(
                    game, passes, 0
                )
            )
        told(f"a network of three layers of 16, d = {d}", contestants, 1)


if __name__ == "__main__":
    trees()
    linear()
    networks()
    beside_estimators()
    for path in sys.argv[1:]:
        Path(path).write_text("\n".join(TABLE) + "\n", encoding="utf-8")
