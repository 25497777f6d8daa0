"""Each removal on a table's law, whose games are known by enumeration."""

import numpy as np
import pytest
from removal_worlds import (
    Function,
    conditional_game,
    curved,
    dataset_of,
    marginal_game,
    product_law,
    rows_of,
    table_law,
)

from shapaudit.games import all_coalitions, tabulate
from shapaudit.models import train
from shapaudit.removals import REGISTRY, RemovalError, create

LAW = table_law()
X = np.array([1.0, 3.0, 0.0])
NAMES = ["x0", "x1", "x2"]
EXACT = [
    ("exact-match", {}, conditional_game),
    ("cohort", {"categorical": NAMES, "own_row": False}, conditional_game),
    ("kernel", {"categorical": NAMES, "share": 1.0}, conditional_game),
    ("marginal", {}, marginal_game),
]


def values_of(name, params, target=None, seed=0, function=curved):
    rng = np.random.default_rng(seed)
    data = dataset_of(rows_of(LAW), target)
    return tabulate(create(name, params).fit(Function(function), data, rng).game(X, rng)).values


def spread():
    return np.average((curved(LAW.support) - curved(LAW.support).mean()) ** 2, weights=LAW.weights)


@pytest.mark.parametrize(("name", "params", "truth"), EXACT, ids=lambda value: str(value)[:20])
def test_removals_of_rows_are_exact_when_the_rows_are_the_law(name, params, truth):
    values = values_of(name, params)
    np.testing.assert_allclose(values, truth(LAW, curved, X), rtol=1e-12, atol=1e-12)
    other = marginal_game if truth is conditional_game else conditional_game
    assert np.abs(values - other(LAW, curved, X)).max() > 0.05  # the law is dependent


@pytest.mark.parametrize(
    ("row", "baseline"),
    [("zero", np.zeros(3)), ("mean", rows_of(LAW).mean(axis=0)), ("median", [1.0, 1.0, 1.0])],
)
def test_a_baseline_is_one_hybrid_row(row, baseline):
    if row == "median":
        baseline = np.median(rows_of(LAW), axis=0)
    hybrids = np.where(all_coalitions(3), X, baseline)
    np.testing.assert_array_equal(values_of("baseline", {"row": row}), curved(hybrids))


def test_a_drawn_baseline_is_a_training_row():
    values = {values_of("baseline", {"row": "drawn"}, seed=seed)[0] for seed in range(20)}
    assert values <= {*curved(LAW.support).tolist()}
    assert len(values) > 3


@pytest.mark.parametrize(("name", "law"), [("product", product_law(LAW)), ("uniform", None)])
def test_independent_draws_average_to_their_game(name, law):
    games = np.array([values_of(name, {"draws": 200}, seed=seed) for seed in range(50)])
    if law is None:  # uniform on 0 to 3: by a rule of midpoints
        grid = (np.arange(60) + 0.5) / 20
        law = product_law_of_grid(grid)
    expected = marginal_game(law, curved, X)
    errors = games.std(axis=0, ddof=1) / np.sqrt(len(games))
    assert (np.abs(games.mean(axis=0) - expected) < 4.5 * errors + 1e-3).all()


def product_law_of_grid(grid):
    cells = np.stack([g.ravel() for g in np.meshgrid(grid, grid, grid, indexing="ij")], axis=1)

    class Cells:
        n_features, support, weights = 3, cells, np.ones(len(cells))

    return Cells


def test_product_and_marginal_differ_where_three_features_hang_together():
    assert (
        np.abs(marginal_game(LAW, curved, X) - marginal_game(product_law(LAW), curved, X)).max()
        > 0.05
    )


@pytest.mark.parametrize(
    ("name", "params"),
    [("surrogate", {"epochs": 60}), ("missingness", {"epochs": 60})],
)
def test_networks_come_near_the_conditional_game(name, params):
    values = values_of(name, params, target=curved(rows_of(LAW)))
    truth = conditional_game(LAW, curved, X)
    others = marginal_game(LAW, curved, X)
    assert np.mean((values - truth) ** 2) < 0.02 * spread() < np.mean((others - truth) ** 2)


def test_trees_with_missing_values_come_near_the_conditional_game():
    params = {"trainer": "xgboost", "masks": 32}
    values = values_of("missingness", params, target=curved(rows_of(LAW)))
    assert np.mean((values - conditional_game(LAW, curved, X)) ** 2) < 0.02 * spread()


def test_separate_trees_come_near_the_conditional_game():
    params = {"trainer": "xgboost", "n_estimators": 100}
    values = values_of("separate", params, target=curved(rows_of(LAW)))
    assert np.mean((values - conditional_game(LAW, curved, X)) ** 2) < 1e-3 * spread()


@pytest.mark.parametrize("name", ["mixture", "autoencoder", "combined", "gaussian"])
def test_continuous_laws_of_discrete_rows_stay_on_the_scale_of_the_truth(name):
    params = {"draws": 2000} | ({"epochs": 20} if name == "autoencoder" else {})
    params |= {"floor": 0.05, "components": 9} if name == "mixture" else {}
    values = values_of(name, params)
    truth = conditional_game(LAW, curved, X)
    assert np.mean((values - truth) ** 2) < 0.05 * spread()
    assert values[-1] == truth[-1]


def test_a_copula_refuses_discrete_features():
    with pytest.raises(
        RemovalError, match=r"'x0', 'x1', 'x2' have few distinct values over .*coho"
    ):
        values_of("copula", {})


def test_path_dependent_values_are_conditional_ones_of_a_stump():
    data = dataset_of(rows_of(LAW), (rows_of(LAW)[:, 1] > 2) * 5.0)
    model = train("xgboost", data, {"n_estimators": 1, "max_depth": 1}, 0)
    rng = np.random.default_rng(0)
    values = tabulate(create("path-dependent").fit(model, data, rng).game(X, rng)).values
    stump = conditional_game(LAW, model.predict, X)
    np.testing.assert_allclose(values[[0, 2, 7]], stump[[0, 2, 7]], rtol=1e-6)
    np.testing.assert_allclose(values[1], values[0])  # the stump does not ask for x0


def test_all_removals_are_held_against_a_table():
    tested = {name for name, *_ in EXACT} | {"baseline", "product", "uniform", "copula"}
    tested |= {"surrogate", "missingness", "separate", "mixture", "autoencoder", "combined"}
    assert tested | {"gaussian", "path-dependent"} == {*REGISTRY}
