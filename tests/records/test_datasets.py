"""Rows of every loader of the contract, and what every law draws, expects and conditions on."""

import numpy as np
import pytest

from contract.test_datasets import MECHANISMS, PARAMS, load, own_table  # noqa: F401 (a fixture)
from recorded import compare, outcome
from shapaudit import datasets
from shapaudit.datasets import base, mixed
from shapaudit.datasets.laws import (
    MARGINS,
    ChainLaw,
    CopulaLaw,
    DiscreteLaw,
    GaussianLaw,
    MixtureLaw,
    dependent_columns,
    law_to_arrays,
)
from shapaudit.datasets.laws.discrete import grid
from shapaudit.datasets.laws.sweep import conditionals
from unit.worlds import LAWS, explicands

FURTHER = [
    ("breast-cancer", {"n_features": 3}),
    ("chain-law", {"n_rows": 2, "n_features": 1}),
    ("chain-law", {"n_rows": 30, "n_features": 14, "levels": 3, "persistence": 0.2}),
    ("copula-law", {"n_rows": 2, "n_features": 1}),
    ("copula-law", {"n_rows": 30, "n_features": 3, "margins": ["normal", "cubic"], "noise": 0}),
    ("diabetes", {}),
    ("digits", {"digit": 0}),
    ("discrete-law", {"n_rows": 2, "n_features": 1}),
    ("discrete-law", {"n_rows": 30, "n_features": 3, "table": "independent", "levels": 4}),
    ("discrete-law", {"n_rows": 30, "table": "square"}),
    ("gaussian", {"n_rows": 2, "n_features": 1}),
    ("gaussian-law", {"n_rows": 2, "n_features": 1}),
    ("gaussian-law", {"n_rows": 30, "n_features": 4, "shape": "equicorrelated"}),
    ("gaussian-law", {"n_rows": 30, "n_features": 6, "shape": "pairs", "noise": 2.0}),
    ("generated", {"kind": "counts", "n_rows": 50, "n_features": 90}),
    ("generated", {"kind": "survey", "n_rows": 2, "n_features": 8}),
    ("generated", {"kind": "survey", "n_rows": 90, "n_features": 50}),
    ("mixture-law", {"n_rows": 2, "n_features": 1, "components": 1}),
    ("mixture-law", {"n_rows": 30, "n_features": 3, "components": 4}),
]
REFUSED = [
    ("chain-law", {"n_rows": 9, "n_features": 15}),
    ("chain-law", {"n_rows": 9, "n_features": 0}),
    ("chain-law", {"n_rows": 9, "n_features": 3, "levels": 1}),
    ("copula-law", {"n_rows": 9, "n_features": 0}),
    ("copula-law", {"n_rows": 9, "n_features": 2, "margins": []}),
    ("copula-law", {"n_rows": 9, "n_features": 2, "margins": ["square"]}),
    ("discrete-law", {"n_rows": 9, "n_features": 0}),
    ("discrete-law", {"n_rows": 9, "n_features": 17}),
    ("discrete-law", {"n_rows": 9, "n_features": 3, "levels": 1}),
    ("discrete-law", {"n_rows": 9, "n_features": 3, "table": "square"}),
    ("discrete-law", {"n_rows": 9, "n_features": 3, "table": "round"}),
    ("gaussian-law", {"n_rows": 1, "n_features": 3}),
    ("gaussian-law", {"n_rows": 9, "n_features": 0}),
    ("gaussian-law", {"n_rows": 9, "n_features": 3, "noise": -0.1}),
    ("gaussian-law", {"n_rows": 9, "n_features": 3, "shape": "pairs"}),
    ("gaussian-law", {"n_rows": 9, "n_features": 3, "shape": "round"}),
    ("gaussian-law", {"n_rows": 9, "n_features": 3, "shape": "equicorrelated", "correlation": 1}),
    ("breast-cancer", {"n_features": 0}),
    ("linear", {"n_train": 0, "n_test": 1}),
    ("linear", {"n_train": 1, "n_test": 0}),
    ("linear", {"n_train": 1, "n_test": 1, "n_features": 0}),
    ("linear", {"n_train": 1, "n_test": 1, "n_features": 4, "design": "toy"}),
    ("mixture-law", {"n_rows": 9, "n_features": 0}),
    ("mixture-law", {"n_rows": 9, "n_features": 2, "components": 0}),
]


def parts_of(dataset):
    """Rows, names and split of a data set, and its law."""
    parts = {name: getattr(dataset, name) for name in ("name", "features", "target")}
    parts |= {"names": dataset.feature_names, "provenance": dataset.provenance, **dataset.split}
    return parts | law_to_arrays(dataset.law) if hasattr(dataset, "law") else parts


@pytest.mark.parametrize("loader", sorted(set(datasets.LOADERS) - MECHANISMS))
def test_rows_of_a_loader(loader, small_files, own_table):  # noqa: F811 (the fixture)
    dataset = load(loader)
    parts = {"features": dataset.features, "target": dataset.target, "names": dataset.feature_names}
    compare("datasets", {loader: parts | dataset.split})


@pytest.mark.parametrize("number", range(len(FURTHER)))
def test_rows_of_other_sizes(number):
    loader, params = FURTHER[number]
    dataset = datasets.load(loader, params, np.random.default_rng(12))
    compare("datasets", {f"other sizes {number} {loader}": parts_of(dataset)})


def test_refusals():
    refusals = {}
    for loader, params in REFUSED:
        given = loader, params, np.random.default_rng(0)
        refusals[f"refused: {loader} {params}"] = outcome(datasets.load, *given)
    compare("datasets", refusals)


def test_limits_of_laws():
    half, ones = np.full((2, 2), 0.5), np.ones(2)
    even, rounding = np.array([[1.0, 0.5], [0.5, 1.0]]), np.array([[0.0, 9e-11], [0.0, 0.0]])
    calls = {
        "chain of another shape": (ChainLaw, [0, 1], [0.5, 0.5], half),
        "chain of too few levels": (ChainLaw, [0, 1], [0.5, 0.25, 0.25], half[None]),
        "chain of equal levels": (ChainLaw, [1, 1], [0.5, 0.5], half[None]),
        "chain of a negative": (ChainLaw, [0, 1], [1.5, -0.5], half[None]),
        "chain of more than 1": (ChainLaw, [0, 1], [0.5, 0.5], half[None] + 0.01),
        "chain of 14": (lambda: ChainLaw([0, 1], ones / 2, np.tile(half, (13, 1, 1))).n_features,),
        "chain of 15": (ChainLaw, [0, 1], [0.5, 0.5], np.tile(half, (14, 1, 1))),
        "table of a weight 0": (DiscreteLaw, [[0], [1]], [1, 0]),
        "table of a fraction": (DiscreteLaw, [[0], [1]], [1.0, 1.0]),
        "table of a row twice": (DiscreteLaw, [[1], [1]], [1, 1]),
        "table of no rows": (DiscreteLaw, np.zeros((0, 1)), []),
        "table of one dimension": (DiscreteLaw, [0, 1], [1, 1]),
        "table of three weights": (DiscreteLaw, [[0], [1]], [1, 1, 1]),
        "grid of one level": (grid, [1], 2),
        "grid of a level twice": (grid, [0, 1, 1], 2),
        "grid of as many as there may be": (lambda: grid([0, 1], 16).shape,),
        "grid of more": (grid, [0, 1], 17),
        "normal of another shape": (GaussianLaw, ones, np.eye(3)),
        "normal, uneven by rounding": (lambda: GaussianLaw(ones, even + rounding).mean,),
        "normal, uneven": (GaussianLaw, ones, even + 2 * rounding),
        "normal, infinite": (GaussianLaw, ones, np.diag([1.0, np.inf])),
        "normal, singular": (GaussianLaw, ones, np.ones((2, 2))),
        "normal, nearly": (GaussianLaw, ones, np.eye(2) * 5e-11 + 1),
        "normal, not quite": (lambda: GaussianLaw(ones, np.eye(2) * 5e-10 + 1).mean,),
        "normal of a constant": (GaussianLaw, ones, np.diag([1.0, 0.0])),
        "mixture of two means": (MixtureLaw, [1.0], [[0.0], [1.0]], [[[1.0]]]),
        "mixture of one dimension": (MixtureLaw, [1.0], [0.0], [[[1.0]]]),
        "mixture of none": (MixtureLaw, [], np.zeros((0, 1)), np.zeros((0, 1, 1))),
        "mixture of a negative": (MixtureLaw, [2, -1], [[0.0], [1]], [[[1.0]], [[1.0]]]),
        "mixture of less than 1": (MixtureLaw, [0.5, 0.4], [[0.0], [1]], [[[1.0]], [[1.0]]]),
        "copula of three margins": (CopulaLaw, ["normal"] * 3, ones, np.eye(2)),
        "below a margin": (LAWS["copula"].given, np.arange(4) == 0, [0.0]),
        "members of another length": (LAWS["chain"].given, np.arange(3) == 0, [0.0]),
        "members that are numbers": (LAWS["chain"].given, np.arange(4), [0.0]),
        "too many values": (LAWS["chain"].given, np.arange(4) == 0, [0.0, 1.0]),
        "a value that is none": (LAWS["chain"].given, np.arange(4) > 1, [0.0, np.nan]),
        "values that cannot be": (LAWS["chain"].given, np.arange(4) > 1, [0.0, 2.0]),
        "a row that cannot be": (LAWS["discrete"].given, np.arange(4) > 1, [0.0, 2.0]),
    }
    compare("datasets", {f"limit: {what}": outcome(*call) for what, call in calls.items()})


def test_margins():
    at = np.linspace(-3, 3, 7)
    values = {
        name: (margin.feature(at), margin.latent(margin.feature(at)))
        for name, margin in MARGINS.items()
    }
    compare(
        "datasets",
        {"margins": values | {f"{name} least": margin.least for name, margin in MARGINS.items()}},
    )


@pytest.mark.parametrize(
    "params", [{"n_features": 45, "problems": 2}, {"n_features": 1}, {"design": "toy"}], ids=str
)
def test_mechanisms(params):
    own = {"n_train": 5000, "n_test": 7}
    design = datasets.load("linear", own | params, np.random.default_rng(12))
    parts = {
        "rows": design.n_rows,
        "kind": design.kind,
        "seed": str(design.seed),
        "names": design.feature_names,
    }
    parts |= {"drawn": (design.loadings, design.specific, design.coefficients, design.noise)}
    for k in range(design.n_problems):
        parts[f"problem {k}"] = (design.covariance(k), design.r_squared(k), *design.rows("test", k))
        parts[f"training {k}"] = [part[:5] for part in design.rows("train", k)]
    compare("datasets", {f"linear {params}": parts})


@pytest.mark.parametrize("n_rows", [2, 3, 5, 6, 9, 14, 50])
def test_splits(n_rows):
    splits = {"two": base.random_split(n_rows, np.random.default_rng(4))}
    splits["half"] = base.random_split(n_rows, np.random.default_rng(4), 0.5)
    if n_rows >= 5:
        splits["three"] = base.three_parts(n_rows, np.random.default_rng(4))
    compare("datasets", {f"split of {n_rows}": splits})


def test_distinct_rows():
    rng = np.random.default_rng(3)
    distinct = {}
    for width in (1, 3, 40):
        numbers = rng.integers(0, 3, size=(12, width)) * (1 if width < 40 else 10**6)
        numbers = np.concatenate([numbers, numbers[:5]])
        distinct[width] = mixed.distinct_rows(numbers)
    compare("datasets", {"distinct rows": distinct})


@pytest.mark.parametrize("name", ["diabetes", "breast-cancer", "digits", "generated"])
def test_another_split(name):
    dataset = datasets.load(name, PARAMS.get(name, {}), np.random.default_rng(5))
    compare("datasets", {f"{name} again": {**dataset.split, "features": dataset.features}})


@pytest.mark.parametrize("name", LAWS)
def test_draws_and_conditions_of_a_law(name):
    law, rng = LAWS[name], np.random.default_rng(8)
    row, members = explicands(name)[0], np.array([True, False, True, False])
    parts = {"draws": law.sample(rng, 20), "parameters": law.arrays()}
    given = law.given(members, row[members])
    parts |= {"given": given.arrays(), "drawn": given.sample(rng, 5)}
    completed = law.completions(members, row, rng, 3)
    compare("datasets", {f"law {name}": parts | {"completed": completed}})


@pytest.mark.parametrize("name", LAWS)
def test_every_condition_of_a_law(name):
    law, row = LAWS[name], explicands(name)[1]
    parts = {"kind": law.kind}
    parts["ends"] = law.from_uniforms(np.array([[0.0], [1.0], [0.5]]) * np.ones(law.n_uniforms))
    for code in range(16):
        members = np.array([code >> j & 1 for j in range(4)], dtype=bool)
        given = law.given(members, row[members])
        parts[f"{code}"] = (given.n_features, given.n_uniforms, *given.arrays().values())
    compare("datasets", {f"conditions of {name}": parts})


def test_conditionals_of_coalitions():
    covariance = LAWS["gaussian"].covariance
    coalitions = np.random.default_rng(2).random((9, 4)) < 0.5
    parts = conditionals(covariance, coalitions)._asdict()
    parts["none"] = conditionals(np.zeros((0, 0)), np.zeros((2, 0), dtype=bool))
    parts["dependent"] = dependent_columns(np.array([[1.0, 1, 0], [1, 1, 0], [0, 0, 1]]))
    compare("datasets", {"conditionals": parts})
