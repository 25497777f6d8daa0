"""Errors of removals and explainers beside shap's and shapiq's, at equal rows of the model.

Every package has the same model, background and explicands, and the model counts the rows that it
is asked for. Units are random laws and models; errors are relative to the values: the median over
units, with the range. Seconds are of the processor.
"""

import contextlib
import io
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
import shap
import shapiq
import torch
import xgboost
from shapiq.imputer import (
    GaussianCopulaImputer,
    GaussianImputer,
    GenerativeConditionalImputer,
    MarginalImputer,
)

from pages import machine, markdown
from shapaudit.datasets import Dataset
from shapaudit.datasets.laws import GaussianLaw
from shapaudit.estimators import create as create_estimator
from shapaudit.explainers import create
from shapaudit.explainers.gaussian_matrix import exact_matrix
from shapaudit.games import all_coalitions
from shapaudit.games.expectations import expectation_of
from shapaudit.models import LinearModel, NetworkRegression
from shapaudit.models.read_trees import read_trees
from shapaudit.nets import Network
from shapaudit.removals import create as create_removal
from shapaudit.truth import mean_tree_shapley, shapley_from_table

warnings.filterwarnings("ignore")
UNITS, EXPLICANDS, D = 5, 5, 8
ROWS, DRAWS, BASELINES = 400, 32, 20  # to fit to, a value, of a background
ORDERS = 200  # random orders of shap's LinearExplainer, which takes 1,000 by default
BUDGETS = (64, 160)  # evaluations of an explicand
HEADER = ("Part", "Method", "Package", "Error", "Rows of an explanation", "Milliseconds")
INTRODUCTION = f"""
{UNITS} random laws and models with {D} features, {EXPLICANDS} explicands each: error relative to
the exact values, the median over them with the range; rows that the model was asked for and
processor time of an explanation. Removals are fitted to {ROWS} rows and take {DRAWS} a value, those
of shapiq as it comes. – where the model's parameters are read.
"""
Explain = Callable[[np.ndarray], np.ndarray]  # an explicand (d,) to its values (d,)


class Counted:
    """A model that counts the rows that it is asked for."""

    def __init__(self, model):
        self.model, self.rows, self.n_features = model, 0, D

    def predict(self, rows):
        """Outputs (m,) of rows (m, d)."""
        self.rows += len(rows)
        return self.model.predict(np.asarray(rows, dtype=float))


class Table:
    """What each method of a part has measured, unit by unit."""

    def __init__(self):
        self.measured: dict[tuple[str, str, str], list[tuple[float, float, float]]] = {}

    def measure(self, key, explain: Explain, explicands, truth, counted: Counted | None) -> None:
        """Explain all explicands; rows are None where a method does not ask the model for rows."""
        if counted:
            counted.rows = 0
        start = process_time()
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            values = np.array([np.ravel(explain(x)) for x in explicands])
        seconds = (process_time() - start) / len(explicands)
        error = np.linalg.norm(values - truth) / np.linalg.norm(truth)
        rows = counted.rows / len(explicands) if counted else np.nan
        self.measured.setdefault(key, []).append((float(error), rows, seconds))

    def lines(self) -> list[list[str]]:
        """Rows of the table; the first unit only warms up."""
        return [
            [
                *key,
                _range(units[1:, 0]),
                _rows(units[1:, 1]),
                f"{1e3 * np.median(units[1:, 2]):.3g}",
            ]
            for key, measured in self.measured.items()
            for units in [np.array(measured)]
        ]


def _range(errors: np.ndarray) -> str:
    told = [f"{error:.2g}" for error in (np.median(errors), errors.min(), errors.max())]
    return f"{told[0]} ({told[1]} to {told[2]})"


def _rows(rows: np.ndarray) -> str:
    return "–" if np.isnan(rows).all() else f"{np.median(rows):,.0f}"


def layer(rng: np.random.Generator, *hidden: int) -> Network:
    """A network of ReLU with normal weights."""
    network = Network.start([D, *hidden, 1], "relu", rng)
    for weight, bias in zip(network.weights, network.biases, strict=True):
        weight[...] = rng.normal(size=weight.shape) * np.sqrt(2 / len(weight))
        bias[...] = rng.normal(size=bias.shape) / 2
    return network


def dataset(rows: np.ndarray) -> Dataset:
    """Rows to fit to."""
    names = tuple(f"x{j}" for j in range(D))
    split = {"train": np.arange(len(rows)), "test": np.arange(0)}
    return Dataset("drawn", rows, None, names, split, "generated")


def removals(table: Table, rng: np.random.Generator) -> None:
    """Exact values of the games of fitted removals, against those of the law: all coalitions."""
    law = GaussianLaw.factor(rng, D)
    model = NetworkRegression(layer(rng, 24))
    rows, explicands = law.sample(rng, ROWS), law.sample(rng, EXPLICANDS)
    coalitions, counted = all_coalitions(D), Counted(model)
    exact = shapley_from_table(expectation_of(law, model).values(explicands, coalitions))
    part = "conditional values, all coalitions"
    for name, params, label in (
        ("gaussian", {"draws": DRAWS}, "normal law"),
        ("copula", {"draws": DRAWS, "outside": "edge"}, "copula"),
        ("mixture", {"draws": DRAWS}, "generative (mixture; trees)"),
        ("marginal", {"rows": DRAWS}, "marginal rows"),
    ):
        fitted = create_removal(name, params).fit(counted, dataset(rows), rng)

        def ours(x, fitted=fitted):
            return shapley_from_table(fitted.game(x, rng)(coalitions))

        table.measure((part, label, "shapaudit"), ours, explicands, exact, counted)
    for kind, label in (
        (GaussianImputer, "normal law"),
        (GaussianCopulaImputer, "copula"),
        (GenerativeConditionalImputer, "generative (mixture; trees)"),
        (MarginalImputer, "marginal rows"),
    ):
        imputer = kind(counted.predict, rows, sample_size=DRAWS, random_state=0)

        def theirs(x, imputer=imputer):
            return shapley_from_table(np.asarray(imputer.fit(x)(coalitions), dtype=float))

        table.measure((part, label, "shapiq"), theirs, explicands, exact, counted)


def estimators(table: Table, rng: np.random.Generator) -> None:
    """Values of the marginal game of a background, at a number of evaluations of an explicand."""
    model = NetworkRegression(layer(rng, 16, 16))
    background, explicands = rng.normal(size=(BASELINES, D)), rng.normal(size=(EXPLICANDS, D))
    counted, coalitions = Counted(model), all_coalitions(D)
    fitted = create_removal("marginal", {"rows": None}).fit(counted, dataset(background), rng)
    exact = shapley_from_table(np.array([fitted.game(x, rng)(coalitions) for x in explicands]))
    kernel = shap.KernelExplainer(counted.predict, background)
    orders = shap.PermutationExplainer(counted.predict, shap.maskers.Independent(background))
    for budget in BUDGETS:
        part = f"marginal values, {budget} evaluations on {BASELINES} baselines"
        for name in ("paired-kernel-shap", "Leverage SHAP", "auto"):

            def ours(x, name=name, budget=budget):
                return create_estimator(name).estimate(fitted.game(x, rng), budget, rng).values

            table.measure((part, name, "shapaudit"), ours, explicands, exact, counted)

        def sampled(x, budget=budget):
            return kernel.shap_values(x, nsamples=budget - 2, l1_reg=False, silent=True)

        def permuted(x, budget=budget):
            return orders(x[None], max_evals=budget, silent=True).values[0]

        def default(x, budget=budget):
            explainer = shapiq.TabularExplainer(
                counted.predict, background, imputer="marginal", sample_size=BASELINES,
                index="SV", max_order=1, random_state=0,
            )  # fmt: skip
            return explainer.explain(x, budget=budget).get_n_order_values(1)

        table.measure((part, "KernelExplainer", "shap"), sampled, explicands, exact, counted)
        table.measure((part, "PermutationExplainer", "shap"), permuted, explicands, exact, counted)
        table.measure((part, "TabularExplainer", "shapiq"), default, explicands, exact, counted)


def networks(table: Table, rng: np.random.Generator) -> None:
    """Marginal values of a network by rules that read it."""
    network = layer(rng, 16, 16)
    background, explicands = rng.normal(size=(BASELINES, D)), rng.normal(size=(EXPLICANDS, D))
    model, coalitions = NetworkRegression(network), all_coalitions(D)
    exact = shapley_from_table(
        np.array(
            [
                [model.predict(np.where(s, x, background)).mean() for s in coalitions]
                for x in explicands
            ]
        )
    )
    part = f"a network, {BASELINES} baselines"
    arrays = arrays_of(network)
    for rule in ("rescale", "reveal-cancel"):
        fitted = create("deep-shap", {"rule": rule}).fit(arrays, background)

        def ours(x, fitted=fitted):
            return fitted.explain(x).values

        table.measure((part, f"DeepSHAP, {rule}", "shapaudit"), ours, explicands, exact, None)
    deep = shap.DeepExplainer(torch_of(network), torch.tensor(background, dtype=torch.float32))

    def theirs(x):
        row = torch.tensor(x[None], dtype=torch.float32)
        return deep.shap_values(row, check_additivity=False)

    table.measure((part, "DeepExplainer (rescale)", "shap"), theirs, explicands, exact, None)


def arrays_of(network: Network) -> dict[str, np.ndarray]:
    """Its layers as explainers read them."""
    arrays = {}
    for k, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        arrays |= {f"weight{k}": weight, f"bias{k}": bias}
        if k < len(network.weights) - 1:
            arrays[f"activation{k}"] = "relu"
    return arrays


def torch_of(network: Network) -> torch.nn.Sequential:
    """The same network in torch."""
    layers = []
    for weight, bias in zip(network.weights, network.biases, strict=True):
        linear = torch.nn.Linear(*weight.shape)
        linear.weight.data = torch.tensor(weight.T, dtype=torch.float32)
        linear.bias.data = torch.tensor(bias, dtype=torch.float32)
        layers += [linear, torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def trees(table: Table, rng: np.random.Generator) -> None:
    """Marginal values of boosted trees against a background, and contributions by their paths."""
    rows = rng.normal(size=(ROWS, D))
    target = rows[:, 0] * rows[:, 1] + np.abs(rows[:, 2]) + rows[:, 3]
    model = xgboost.XGBRegressor(n_estimators=60, max_depth=4, n_jobs=1).fit(rows, target)
    background, explicands = rows[:BASELINES], rng.normal(size=(EXPLICANDS, D))
    exact = mean_tree_shapley(read_trees(model).ensemble, explicands, background)
    own = create("interventional-tree").fit(model, background)
    peer = shap.TreeExplainer(model, background, feature_perturbation="interventional")
    part = f"boosted trees, {BASELINES} baselines"
    key = "interventional TreeSHAP"
    table.measure(
        (part, key, "shapaudit"), lambda x: own.explain(x).values, explicands, exact, None
    )
    table.measure((part, key, "shap"), lambda x: peer.shap_values(x[None]), explicands, exact, None)
    printed = model.get_booster().predict(xgboost.DMatrix(explicands), pred_contribs=True)[:, :-1]
    path = create("path-dependent-tree").fit(model, background)
    walked = shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")
    stated = shapiq.TreeExplainer(model, index="SV", max_order=1)
    part, key = "boosted trees, by their paths (against XGBoost)", "path-dependent TreeSHAP"
    for package, explain in {
        "shapaudit": lambda x: path.explain(x).values,
        "shap": lambda x: walked.shap_values(x[None]),
        "shapiq": lambda x: stated.explain(x).get_n_order_values(1),
    }.items():
        table.measure((part, key, package), explain, explicands, printed, None)


def linear(table: Table, rng: np.random.Generator) -> None:
    """Marginal and conditional values of a linear model, these under a normal law."""
    law, beta = GaussianLaw.factor(rng, D), rng.normal(size=D)
    background, explicands = law.sample(rng, ROWS), law.sample(rng, EXPLICANDS)
    mean = background.mean(axis=0)
    own = create("linear").fit(LinearModel(beta), background)
    masker = shap.maskers.Independent(background, max_samples=ROWS)
    peer = shap.LinearExplainer((beta, 0.0), masker)
    part = "a linear model, marginal values"
    exact = (explicands - mean) * beta
    for package, explain in {
        "shapaudit": lambda x: own.explain(x).values,
        "shap": lambda x: peer.shap_values(x),
    }.items():
        table.measure((part, "LinearSHAP", package), explain, explicands, exact, None)
    exact = (explicands - law.mean) @ exact_matrix(law.covariance, beta).T
    part = "a linear model, conditional values of a normal law"
    given = {"covariance": law.covariance, "mean": law.mean}
    matrix = create("correlated-linear", given).fit(LinearModel(beta), np.zeros((1, D)))
    masker = shap.maskers.Impute((law.mean, law.covariance), method="linear")
    with contextlib.redirect_stderr(io.StringIO()):  # a progress bar
        sampled = shap.LinearExplainer((beta, 0.0), masker, nsamples=ORDERS)
    for package, explain in {
        "shapaudit": lambda x: matrix.explain(x).values,
        "shap": lambda x: sampled.shap_values(x[None]),
    }.items():
        table.measure((part, "correlated LinearSHAP", package), explain, explicands, exact, None)


PARTS = (removals, estimators, networks, trees, linear)


def main(folder: Path) -> None:
    """Measure all parts on all units, and write the table."""
    table = Table()
    for part in PARTS:
        for unit in range(UNITS + 1):
            part(table, np.random.default_rng([PARTS.index(part), unit]))
            print(part.__name__, unit, file=sys.stderr)
    versions = f"shap {shap.__version__}, shapiq {shapiq.__version__}, torch "
    versions += torch.__version__.partition("+")[0]
    text = (
        f"# Removals and explainers at equal rows\n\n{' '.join(INTRODUCTION.split())} {machine()} "
        f"{versions}. Written by `benchmarks/equal_rows.py`.\n\n"
        + markdown(HEADER, table.lines(), names=3)
        + "\n"
    )
    (folder / "equal_rows.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(Path(sys.argv[1]))
