"""Both TreeSHAPs as explainers, against enumeration and the contributions of other packages."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import xgboost
from hypothesis import given
from hypothesis import strategies as st

from shapaudit import datasets
from shapaudit.explainers import ExplainerError, create
from shapaudit.games import all_coalitions
from shapaudit.models.nodes import LEAF, Nodes
from shapaudit.models.trees import TreeEnsemble
from shapaudit.removals.path_dependent import PathDependentGame
from shapaudit.truth import mean_tree_shapley, shapley_from_table
from shapaudit.truth.rational import shapley_values
from shapaudit_papers.theory.trees import Split, as_ensemble, path_dependent_game

LIGHTGBM = json.loads(
    (Path(__file__).parents[1] / "models" / "data" / "lightgbm.json").read_text(encoding="utf-8")
)
HALF = Fraction(1, 2)


def weighted_ensemble(rng, d, n_trees=3, depth=5):
    """Trees that split on the same features again and again, with random weights of nodes."""
    nodes, weights = [], []

    def grow(levels, weight):
        place = len(nodes)
        nodes.append([LEAF, 0.0, LEAF, LEAF, False, rng.normal()])
        weights.append(weight)
        if levels and rng.random() < 0.9:
            share = rng.choice([0.0, 0.1, 0.5, 0.7])
            split = rng.integers(d), rng.choice([-1.0, 0.0, 1.0])
            sides = grow(levels - 1, share * weight), grow(levels - 1, (1 - share) * weight)
            nodes[place] = [*split, *sides, rng.random() < 0.5, 0.0]
        return place

    roots = [grow(depth, 8.0) for _ in range(n_trees)]
    columns = (np.array(column) for column in zip(*nodes, strict=True))
    return TreeEnsemble(Nodes(*columns), roots, rng.normal(), d, np.array(weights))


def enumerated(ensemble, row):
    """Shapley values of the path-dependent game, by all coalitions, and its empty value."""
    table = PathDependentGame(ensemble, row, "trees")(all_coalitions(ensemble.n_features))
    return shapley_from_table(table), table[0]


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_path_dependent_values_are_those_of_enumeration(seed, d):
    rng = np.random.default_rng(seed)
    ensemble = weighted_ensemble(rng, d)
    rows = rng.choice([-1.5, -1.0, 0.0, 0.5, 2.0, np.nan], size=(4, d))
    explanation = create("path-dependent-tree").fit(ensemble, np.zeros((1, d))).explain(rows)
    for row, values in zip(rows, explanation.values, strict=True):
        expected, base = enumerated(ensemble, row)
        np.testing.assert_allclose(values, expected, rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(explanation.base_value, base, rtol=1e-12, atol=1e-12)


def test_counts_of_given_rows_are_the_shares_of_the_definition():
    """One tree in fractions, its split on the second feature below one on the first."""
    below = Split(1, HALF, Fraction(0), Fraction(4))
    tree = Split(0, HALF, below, Split(0, Fraction(3, 4), Fraction(1), Fraction(-2)))
    rows = [(0, 0), (0, 0), (0, 1), (1, 0), (1, 1), (Fraction(3, 5), 1)]
    background = [tuple(Fraction(x) for x in row) for row in rows]
    fitted = create("path-dependent-tree", {"weights": "rows"}).fit(
        as_ensemble(tree, 2), np.array(rows, dtype=float)
    )
    for explicand in background:
        expected = shapley_values(path_dependent_game(tree, explicand, background))
        attributions = fitted.explain([float(x) for x in explicand]).values
        np.testing.assert_allclose(attributions, expected.astype(float), atol=1e-14)


@pytest.fixture(scope="module")
def diabetes():
    return datasets.load("diabetes", {}, np.random.default_rng(0))


@pytest.mark.parametrize("objective", ["reg:squarederror", "binary:logistic"])
def test_contributions_of_xgboost(diabetes, objective):
    rows, target = diabetes.features, diabetes.target
    if objective == "binary:logistic":
        target = target > 140
    settings = {"n_estimators": 100, "max_depth": 5, "objective": objective, "n_jobs": 1}
    booster = xgboost.XGBModel(**settings).fit(rows, target).get_booster()
    theirs = booster.predict(xgboost.DMatrix(rows), pred_contribs=True)
    ours = create("path-dependent-tree").fit(booster, diabetes).explain(rows)
    scale = np.abs(theirs).max()
    np.testing.assert_allclose(ours.values, theirs[:, :-1], rtol=0, atol=1e-6 * scale)
    np.testing.assert_allclose(ours.base_value, theirs[0, -1], rtol=1e-5, atol=1e-7 * scale)


@pytest.mark.parametrize("case", LIGHTGBM["cases"])
def test_contributions_of_lightgbm(case, tmp_path):
    recorded, rows = LIGHTGBM["cases"][case], np.array(LIGHTGBM["rows"], dtype=float)
    path = tmp_path / "booster.txt"
    path.write_text(recorded["text"])
    for output, theirs in enumerate(np.array(recorded["contributions"])):
        chosen = {"output": output} if len(recorded["contributions"]) > 1 else {}
        ours = create("path-dependent-tree", chosen).fit(path, rows[:1]).explain(rows)
        np.testing.assert_allclose(ours.values, theirs[:, :-1], atol=1e-14)
        np.testing.assert_allclose(ours.base_value, theirs[0, -1], atol=1e-14)


def test_lightgbm_is_explained_against_baselines_with_missing_entries(tmp_path):
    rows = np.array(LIGHTGBM["rows"], dtype=float)
    path = tmp_path / "booster.txt"
    path.write_text(LIGHTGBM["cases"]["zero as missing"]["text"])
    fitted = create("interventional-tree").fit(path, rows[:5])
    for explicand, values in zip(rows, fitted.explain(rows).values, strict=True):
        hybrids = [np.where(all_coalitions(4), explicand, baseline) for baseline in rows[:5]]
        table = np.mean([fitted.output(coalitions) for coalitions in hybrids], axis=0)
        np.testing.assert_allclose(values, shapley_from_table(table), atol=1e-13)


def test_interventional_values_are_those_of_the_truth(diabetes):
    booster = xgboost.XGBRegressor(n_estimators=10, n_jobs=1).fit(*diabetes.rows("train"))
    ensemble = TreeEnsemble.from_xgboost(json.loads(bytes(booster.get_booster().save_raw("json"))))
    rows, background = diabetes.features[:3], diabetes.features[10:20]
    explanation = create("Interventional TreeSHAP").fit(booster, background).explain(rows)
    np.testing.assert_array_equal(explanation.values, mean_tree_shapley(ensemble, rows, background))
    assert explanation.base_value == ensemble.predict(background).mean()


def test_weights_that_do_not_share_out_are_refused():
    nodes = Nodes(
        np.array([0, LEAF, 1, LEAF, LEAF]), np.zeros(5), np.array([1, -1, 3, -1, -1]),
        np.array([2, -1, 4, -1, -1]), np.zeros(5, dtype=bool), np.arange(5.0),
    )  # fmt: skip
    bare = TreeEnsemble(nodes, [0], 0.0, 2)
    explainer, counting = (
        create("path-dependent-tree", {"weights": weights}) for weights in ("file", "rows")
    )
    with pytest.raises(ExplainerError, match=r"bring no weights of nodes; count.*\"rows\""):
        explainer.fit(bare, np.zeros((1, 2)))
    # No row reaches the second split: its children count a half each.
    counted = counting.fit(bare, -np.ones((3, 2))).explain([1.0, 1.0])
    np.testing.assert_allclose(counted.values.sum(), 4.0 - 1.0)
    assert counted.base_value == 1.0
    for wrong in (-1.0, np.nan, np.inf):
        weight = np.array([4.0, 2.0, 2.0, wrong, 1.0])
        with pytest.raises(ExplainerError, match="the weights of 1 nodes are negative"):
            explainer.fit(TreeEnsemble(nodes, [0], 0.0, 2, weight), np.zeros((1, 2)))
    with pytest.raises(ValueError, match="weights 'tree' is none of 'file', 'rows'"):
        create("path-dependent-tree", {"weights": "tree"})
