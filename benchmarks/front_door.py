"""Rows of ten models explained by `Explainer` and by shap at equal evaluations.

Errors, processor seconds, how many values pointwise intervals of 95 % hold, and the farthest value
of a row from its exact one, in standard errors. Models are given as
functions, so that nothing can be read from them; exact values come from all coalitions, or from
the trees of the model. A run is appended to a file as soon as it is done.

    python benchmarks/front_door.py results.csv --rows 50
"""

import argparse
import csv
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from sklearn import (
    datasets,
    ensemble,
    gaussian_process,
    linear_model,
    neighbors,
    neural_network,
    svm,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from shapaudit import Explainer

BACKGROUND = 25
BUDGETS = (60, 100, 200, 400, 1000)
LABELS = ("model", "players", "package", "method", "budget", "row")
COLUMNS = (*LABELS, "error", "scale", "evaluations", "held", "farthest", "seconds")


@dataclass(frozen=True)
class Task:
    """A fitted model as a function of arrays, its rows, and the object of which trees are read."""

    name: str
    predict: Callable[[np.ndarray], np.ndarray]
    rows: np.ndarray
    read: Any = None
    raw: bool = False


def scaled(model: Any) -> Any:
    """The model behind a scaler of the columns."""
    return make_pipeline(StandardScaler(), model)


def tasks() -> Iterator[Task]:
    """Ten models on the data sets that come with scikit-learn."""
    x, y = datasets.load_diabetes(return_X_y=True)
    kernel = 1.0 * gaussian_process.kernels.RBF(2.0) + gaussian_process.kernels.WhiteKernel(1.0)
    regressions = {
        "perceptron, diabetes": scaled(
            neural_network.MLPRegressor(hidden_layer_sizes=(32, 32), max_iter=400, random_state=0)
        ),
        "support vectors, diabetes": scaled(svm.SVR(C=100.0)),
        "neighbours, diabetes": scaled(neighbors.KNeighborsRegressor(10)),
        "Gaussian process, diabetes": scaled(
            gaussian_process.GaussianProcessRegressor(kernel, normalize_y=True)
        ),
    }
    for name, model in regressions.items():
        yield Task(name, model.fit(x, y).predict, x)
    x, y = datasets.load_wine(return_X_y=True)
    classifiers = {
        "logistic regression, wine": scaled(linear_model.LogisticRegression()),
        "perceptron, wine": scaled(
            neural_network.MLPClassifier(hidden_layer_sizes=(16,), max_iter=800, random_state=0)
        ),
    }
    for name, model in classifiers.items():
        model.fit(x, y)
        yield Task(name, lambda rows, model=model: model.predict_proba(rows)[:, 1], x)
    x, y = datasets.load_breast_cancer(return_X_y=True)
    forest = ensemble.RandomForestClassifier(60, random_state=0).fit(x, y)
    yield Task("forest, breast cancer", lambda rows: forest.predict_proba(rows)[:, 1], x, forest)
    boosted = ensemble.GradientBoostingClassifier(random_state=0).fit(x, y)
    yield Task("boosting, breast cancer", boosted.decision_function, x, boosted, raw=True)
    x, y = datasets.load_digits(return_X_y=True)
    forest8 = ensemble.RandomForestClassifier(60, random_state=0).fit(x, y == 8)
    yield Task("forest, digits", lambda rows: forest8.predict_proba(rows)[:, 1], x, forest8)
    boosted8 = ensemble.GradientBoostingClassifier(random_state=0).fit(x, y == 8)
    yield Task("boosting, digits", boosted8.decision_function, x, boosted8, raw=True)


def exact_values(task: Task, background: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Exact Shapley values (n, d)."""
    if task.read is not None:
        explanation = Explainer(task.read, background, raw=task.raw, output=1)(rows)
    else:
        explanation = Explainer(task.predict, background)(rows, evaluations=1 << rows.shape[1])
    if not explanation.exact:
        raise RuntimeError(f"{task.name}: {explanation.how}")
    return explanation.values


def own(task: Task, background: np.ndarray, rows: np.ndarray, budget: int) -> tuple:
    """Values, standard errors and evaluations of `Explainer`."""
    explanation = Explainer(task.predict, background)(rows, evaluations=budget)
    return explanation.values, explanation.standard_errors, explanation.evaluations


def kernel_shap(task: Task, background: np.ndarray, rows: np.ndarray, budget: int) -> tuple:
    """Values of shap's KernelExplainer, which adds the two ends to its samples."""
    import shap

    explainer = shap.KernelExplainer(task.predict, background)
    values = explainer.shap_values(rows, nsamples=budget - 2, l1_reg=False, silent=True)
    return values, None, np.full(len(rows), budget)


def permutation(task: Task, background: np.ndarray, rows: np.ndarray, budget: int) -> tuple:
    """Values of shap's PermutationExplainer."""
    import shap

    masker = shap.maskers.Independent(background, max_samples=len(background))
    explainer = shap.PermutationExplainer(task.predict, masker, seed=0)
    values = explainer(rows, max_evals=budget, silent=True).values
    passes = max(1, budget // (2 * rows.shape[1] + 1))
    return values, None, np.full(len(rows), passes * (2 * rows.shape[1] + 1))


METHODS = {
    ("shapaudit", "Explainer"): own,
    ("shap", "KernelExplainer"): kernel_shap,
    ("shap", "PermutationExplainer"): permutation,
}


def runs(task: Task, count: int, methods: dict, done: set[tuple[str, ...]]) -> Iterator[tuple]:
    """Lines of the file, a row of the model's table each."""
    order = np.random.default_rng(1).permutation(len(task.rows))
    rows, background = task.rows[order[:count]], task.rows[order[count : count + BACKGROUND]]
    exact, d = exact_values(task, background, rows), rows.shape[1]
    scale = np.linalg.norm(exact, axis=1)
    for (package, method), explain in methods.items():
        for budget in BUDGETS:
            if budget < 2 * d + 2 or (task.name, method, str(budget)) in done:
                continue
            started = process_time()
            values, errors, spent = explain(task, background, rows, budget)
            seconds = (process_time() - started) / count
            gap = np.abs(values - exact)
            for k in range(count):
                held = farthest = ""
                if errors is not None:
                    allowed = errors[k] + 1e-9 * scale[k]
                    held = np.mean(gap[k] <= 1.959964 * allowed)
                    farthest = np.max(gap[k] / allowed)
                yield (
                    *(task.name, d, package, method, budget, k, np.linalg.norm(gap[k]), scale[k]),
                    *(int(spent[k]), held, farthest, seconds),
                )


def read_done(path: Path) -> set[tuple[str, ...]]:
    """Model, method and budget of the runs in the file."""
    if not path.exists():
        return set()
    table = pd.read_csv(path, dtype=str)
    return set(zip(table["model"], table["method"], table["budget"], strict=True))


def main() -> None:
    """Append what is missing to the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--only", nargs="+", help="packages")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    methods = {key: call for key, call in METHODS.items() if key[0] in (options.only or key)}
    done, new = read_done(options.file), not options.file.exists()
    with options.file.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if new:
            writer.writerow(COLUMNS)
        for task in tasks():
            for line in runs(task, options.rows, methods, done):
                writer.writerow(line)
            file.flush()


if __name__ == "__main__":
    main()
