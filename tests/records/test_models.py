"""Outputs of every trainer on small data, with parameters at their defaults and away from them."""

import numpy as np
import pytest
from sklearn.base import clone

from recorded import compare, outcome
from shapaudit import datasets
from shapaudit.models import (
    LeastSquares,
    agreement,
    held_out_score,
    load_model,
    reduced,
    reduction,
    train,
)
from unit.library.models import test_read_trees as read
from unit.worlds import MODELS

FEW = {"epochs": 6, "batch": 20}
REGRESSIONS = [
    ("least-squares", {}),
    ("least-squares", {"folds": 3, "ridge": [0.1, 10.0]}),
    ("least-squares", {"problems": 2, "intercept": False, "reduction": "qr"}),
    ("least-squares", {"problems": 2, "ridge": 0.5, "reduction": "cholesky"}),
    ("least-squares", {"ridge": [1e4, 0.01]}),
    ("least-squares", {"ridge": [0.01, 1e4, 0.0], "folds": 2, "fit": "lasso", "penalty": 2}),
    ("polynomial", {}),
    ("polynomial", {"degree": 2}),
    ("network", {"hidden": (5, 4), **FEW}),
    ("network", {"hidden": (5,), "activation": "tanh", "rate": 0.02, "patience": 2, **FEW}),
    ("shallow-shapnet", {"modules": 8, "width": 4, **FEW}),
    ("deep-shapnet", {"channels": 3, "width": 4, **FEW}),
    ("xgboost", {"n_estimators": 6}),
    ("xgboost", {"n_estimators": 4, "max_depth": 2, "learning_rate": 0.1, "subsample": 0.7}),
    ("xgboost", {"n_estimators": 3, "reg_lambda": 3.0, "base_score": 1.0, "rows": "all"}),
]
CLASSES = [
    ("perceptron", {"hidden": (4,), "epochs": 6}),
    ("perceptron", {"hidden": (3, 2), "epochs": 6, "input_bias": False}),
    ("network", {"hidden": (4,), **FEW}),
    ("shallow-shapnet", {"modules": 6, "size": 3, "width": 4, **FEW}),
    ("xgboost", {"n_estimators": 4, "objective": "binary:logistic"}),
]
KNOWN = [("chi-square", {}), ("radial", {}), ("additive", {})]
DATA = {
    "regression": ("diabetes", {}),
    "classes": ("breast-cancer", {}),
    "known": ("copula-law", {"n_rows": 60, "n_features": 5}),
}
CASES = [
    (data, trainer, params)
    for data, cases in (("regression", REGRESSIONS), ("classes", CLASSES), ("known", KNOWN))
    for trainer, params in cases
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_outputs_of_a_model(number, tmp_path):
    data, trainer, params = CASES[number]
    loader, sizes = DATA[data]
    dataset = datasets.load(loader, sizes, np.random.default_rng(2))
    model = train(trainer, dataset, params, seed=3)
    model.save(tmp_path)
    parts = {"outputs": load_model(tmp_path).predict(dataset.features[:50])}
    test = dataset.split["test"]
    if dataset.target is not None:
        parts["score"] = held_out_score(model, dataset.features[test], dataset.target[test])[0]
    if isinstance(model, LeastSquares):
        parts |= {"own": model.own_score(), "ridges": model.ridges, "tested": model.n_test}
    compare("models", {f"{number} {data} {trainer}": parts})


def columns(seed=0, n=30, p=3):
    """Rows of means other than 0, and a response."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, p)) + np.arange(1, p + 1)
    return rows, rows @ rng.normal(size=p) + rng.normal(size=n)


def test_reductions():
    rows, target = columns()
    near = np.column_stack([rows, rows[:, 0] + 1e-4 * np.cos(np.arange(30))])
    same = np.column_stack([rows, rows[:, 0]])
    blocks = reduction.blocks_of(rows[:11], target[:11]) + reduction.blocks_of(
        rows[11:], target[11:]
    )
    reductions = {"collinear": reduced.COLLINEAR, "singular": reduction.SINGULAR}
    for method in ("auto", "qr", "cholesky"):
        problem = reduction.reduce_rows(blocks, method, threads=2)
        reductions[method] = (np.abs(problem.factor), problem.means, problem.n_rows, problem.method)
        for name, table in (("near", near), ("same", same), ("wide", rows[:3].repeat(2, axis=1))):
            parts = reduction.blocks_of(table, target[: len(table)])
            told = outcome(reduction.reduce_rows, parts, method)
            reductions[f"{method} {name}"] = told if isinstance(told, str) else told.method
    reductions["conditions"] = [
        reduction.conditioned(matrix) for matrix in (rows, near, rows[:2], 0 * rows)
    ]
    gaps = rows.copy()
    gaps[3, 1] = np.nan
    calls = {
        "gaps": (reduction.reduce_rows, reduction.blocks_of(gaps, target)),
        "no response": (reduction.reduce_rows, reduction.blocks_of(rows, target * np.nan)),
        "means of another width": (reduction.reduce_rows, blocks, "qr", np.zeros(3)),
        "method": (reduction.reduce_rows, blocks, "lu"),
        "no rows": (reduction.blocks_of, rows[:0], target[:0]),
        "fewer responses": (reduction.blocks_of, rows, target[:9]),
        "one column": (reduction.blocks_of, target, target),
    }
    compare("models", {f"reduction: {key}": part for key, part in reductions.items()})
    compare("models", {f"reduction: {key}": outcome(*call) for key, call in calls.items()})


def test_reduced_problems():
    parts = [columns(seed) for seed in range(3)]
    problems = reduced.cross_validated(parts)
    ridges = [problem.with_ridge(0.3) for problem in problems]
    results = {
        "losses": [
            (problem.loss(), problem.condition, problem.total) for problem in (*problems, *ridges)
        ]
    }
    results["coefficients"] = [problem.coefficients() for problem in (*problems, *ridges)]
    results["scaled"] = problems[0].scaled(4.0).loss()
    results["plain"] = problems[0].with_ridge(0) is problems[0]
    results["chosen"] = reduced.select_ridge(problems, [10.0, 0.01, 0.1, 1.0])
    blocks = [reduction.blocks_of(*part) for part in parts]
    for method in reduction.METHODS:
        bare = reduced.reduce_problem(blocks[0], blocks[1], intercept=False, method=method)
        results[method] = (bare.loss(), bare.means, bare.n_rows, bare.n_test, *bare.methods)
    flat = reduction.blocks_of(np.column_stack([parts[0][0], np.full(30, 7.0)]), parts[0][1])
    few = reduction.blocks_of(parts[0][0][:2], parts[0][1][:2])
    for name, given in (("flat", flat), ("few", few)):
        results[name] = outcome(reduced.check_columns, reduced.reduce_problem(given, given))
    results["one fold"] = outcome(reduced.cross_validated, parts[:1])
    results["empty"] = outcome(
        reduced.cross_validated, [*parts, (parts[0][0][:0], parts[0][1][:0])]
    )
    results["negative"] = outcome(problems[0].with_ridge, -0.1)
    results["no candidates"] = outcome(reduced.select_ridge, problems, [])
    compare("models", {f"reduced: {key}": part for key, part in results.items()})


def nodes_of(trees):
    """Nodes, roots and numbers of trees that were read."""
    ensemble = trees.ensemble
    parts = {"base": ensemble.base_score, "roots": ensemble.roots, "weight": ensemble.weight}
    return parts | ensemble.nodes.by_node()


@pytest.mark.parametrize("number", range(len([*read.REGRESSIONS, *read.SHARES, *read.LOG_ODDS])))
def test_trees_that_were_read(number):
    model = clone([*read.REGRESSIONS, *read.SHARES, *read.LOG_ODDS][number])
    classes = number >= len(read.REGRESSIONS)
    target = (read.TARGET > 0).astype(int) if classes else read.TARGET
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    trees = read.read_trees(model.fit(read.ROWS, target))
    nodes = nodes_of(trees) | {"encoded": trees.encode(read.OTHERS[:5])}
    compare("models", {f"read {number} {type(model).__name__}": nodes})


@pytest.mark.parametrize("case", read.LIGHTGBM["cases"])
def test_trees_of_lightgbm(case):
    saved = read.LIGHTGBM["cases"][case]
    output = 0 if len(saved["raw"]) > 1 else None
    compare("models", {f"LightGBM {case}": nodes_of(read.from_lightgbm(saved["text"], output))})


def test_differences_that_are_rounding():
    double, single = np.array([1.0, -0.3]), np.array([1.0, -0.5])
    parts = {
        "tolerances": [agreement.tolerance_of(outputs) for outputs in (double, single, double[:0])]
    }
    for apart in (9e-10, 1.1e-9, 9e-6, 1.1e-5):
        shift = np.array([0.0, apart])
        parts[f"{apart}"] = [
            agreement.differing_row(outputs, outputs + shift) for outputs in (double, single)
        ]
    parts["none"] = agreement.differing_row(double[:0], double[:0])
    parts["fingerprint"] = agreement.fingerprint(double)
    compare("models", {"differences": parts})


def test_paths_of_trees(tmp_path):
    ensemble, rows = MODELS["trees"], np.random.default_rng(2).normal(size=(9, 4))
    rows[2, 1] = np.nan
    counted = ensemble.reweighted(rows)
    parts = {"depth": ensemble.depth, "outputs": ensemble.predict(rows), "counts": counted.weight}
    parts["negated"] = counted.negated().predict(rows)
    counted.save(tmp_path)
    parts["read"] = load_model(tmp_path).weight
    compare("models", {"trees": parts})


@pytest.mark.parametrize("name", MODELS)
def test_outputs_of_models_in_worlds(name):
    rows = np.random.default_rng(3).normal(size=(20, 4))
    parts = {"outputs": MODELS[name].predict(rows)}
    parts["refused"] = outcome(MODELS[name].predict, rows[:, :3])
    compare("models", {f"world {name}": parts})


REFUSED = {
    "polynomial": [{"degree": 0}, {"degree": 3}],
    "xgboost": [
        {"n_estimators": 0},
        {"max_depth": 0},
        {"rows": "test"},
        {"objective": "rank"},
    ],
    "network": [
        {"batch": 0},
        {"epochs": 0},
        {"patience": 0},
        {"rate": 0.0},
        {"decay": 0.0},
        {"decay": 1.1},
        {"hidden": (0,)},
        {"activation": "step"},
    ],
    "perceptron": [{"batch": 0}, {"patience": 0}, {"epochs": 0}, {"hidden": (3, 0)}],
    "shallow-shapnet": [
        {"size": 0},
        {"size": 5},
        {"size": 4, "modules": 0},
        {"size": 1, "modules": 99},
        {"width": 0},
    ],
    "deep-shapnet": [{"channels": 0}, {"width": 0}, {"rate": -1.0}],
    "least-squares": [{"problems": 0}, {"folds": 0}, {"ridge": -1.0}],
}


def small(n_rows, target=True, n_features=3):
    """A data set of a few rows, the last two of which are the test."""
    rng = np.random.default_rng(4)
    split = {"train": np.arange(n_rows - 2), "test": np.arange(n_rows - 2, n_rows)}
    rows = rng.normal(size=(n_rows, n_features))
    names = tuple(f"x{j}" for j in range(n_features))
    answer = rng.integers(0, 2, size=n_rows) if target else None
    return datasets.Dataset("small", rows, answer, names, split, "made")


def told(answer):
    return answer if isinstance(answer, str) else type(answer).__name__


@pytest.mark.parametrize("trainer", REFUSED)
def test_parameters_out_of_range(trainer):
    calls = [(trainer, small(12), params, 0) for params in REFUSED[trainer]]
    few = {"epochs": 2} if trainer in ("network", "perceptron") else {}
    few |= {"epochs": 2, "modules": 2} if trainer == "shallow-shapnet" else {}
    calls += [(trainer, small(n), few, 0) for n in (3, 6, 7)]
    calls += [(trainer, small(12, target=False), few, 0)]
    if trainer not in ("polynomial", "least-squares"):
        broken = small(12)
        broken.features[1, 2] = np.inf
        calls += [(trainer, broken, few, 0)]
    refusals = [told(outcome(train, *call)) for call in calls]
    compare(
        "models", {f"refused by {trainer}": {str(k): refusal for k, refusal in enumerate(refusals)}}
    )


@pytest.mark.parametrize("n_features", [1, 2, 3, 8])
def test_few_and_more_features(n_features):
    dataset, outputs = small(40, n_features=n_features), {}
    rows = dataset.features[:5]
    for trainer, params in (
        ("polynomial", {"degree": 2}),
        ("network", {"hidden": (3,), "epochs": 2}),
        ("deep-shapnet", {"channels": 2, "width": 2, "epochs": 2}),
        ("shallow-shapnet", {"size": 1, "modules": n_features, "width": 2, "epochs": 2}),
        ("xgboost", {"n_estimators": 2}),
    ):
        model = outcome(train, trainer, dataset, params, 0)
        outputs[trainer] = model if isinstance(model, str) else model.predict(rows)
    compare("models", {f"{n_features} features": outputs})
