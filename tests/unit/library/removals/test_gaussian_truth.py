"""Each removal on a normal law, whose conditional game of a quadratic model is closed."""

import numpy as np
import pytest
from removal_worlds import Function, conditional_quadratic, dataset_of, gaussian_law, quadratic

from shapaudit.games import TabularGame, tabulate
from shapaudit.models import train
from shapaudit.removals import REGISTRY, create
from shapaudit.truth import shapley_from_table

LAW = gaussian_law()
X = np.array([0.8, -0.5, 1.1, 0.3])
ROWS = LAW.sample(np.random.default_rng(2), 2000)
TRUTH = conditional_quadratic(LAW, X)
# Mean squared errors over coalitions, as shares of the variance of f; the marginal game's is 0.12.
NEAR = {
    "gaussian": ({"draws": 2000}, 0.01),
    "copula": ({"draws": 2000}, 0.01),
    "mixture": ({"draws": 2000, "components": 2}, 0.01),
    "kernel": ({"bandwidth": 0.3}, 0.01),
    "combined": ({"draws": 2000, "bandwidth": 0.3}, 0.01),
    "autoencoder": ({"draws": 1000, "epochs": 10}, 0.03),
    "surrogate": ({"epochs": 20}, 0.02),
    "missingness": ({"epochs": 20}, 0.02),
    "cohort": ({"ratio": 0.1}, 0.08),
}
FAR = {
    "baseline": {},
    "marginal": {},
    "product": {"draws": 2000},
    "uniform": {"draws": 2000},
}


def values_of(name, params, seed=0, model=None):
    rng = np.random.default_rng(seed)
    data = dataset_of(ROWS, quadratic(ROWS))
    fitted = create(name, params).fit(model or Function(quadratic), data, rng)
    return tabulate(fitted.game(X, rng)).values


def share(values):
    return np.mean((values - TRUTH) ** 2) / quadratic(ROWS).var()


def test_the_truth_is_that_of_draws():
    rng = np.random.default_rng(3)
    for index in (0, 3, 9, 14):
        members = np.array([index >> j & 1 for j in range(4)], dtype=bool)
        outputs = quadratic(LAW.completions(members, X, rng, 40_000))
        assert abs(outputs.mean() - TRUTH[index]) < 4.5 * outputs.std() / 200


@pytest.mark.parametrize("name", NEAR)
def test_conditional_removals_come_near_the_truth(name):
    params, most = NEAR[name]
    assert share(values_of(name, params)) < most


@pytest.mark.parametrize("name", FAR)
def test_other_removals_do_not(name):
    assert share(values_of(name, FAR[name])) > 0.08


def test_exact_matches_do_not_occur_among_continuous_rows():
    own = values_of("exact-match", {"own_row": True})
    np.testing.assert_allclose(own[1:], quadratic(X[None])[0], rtol=1e-12)
    values = shapley_from_table(own)
    np.testing.assert_allclose(values, (own[-1] - own[0]) / 4, rtol=1e-12)


def test_antithetic_draws_are_exact_for_linear_models():
    linear = Function(lambda rows: 1 + rows @ [1.0, -2.0, 0.5, 3.0])
    game = values_of("gaussian", {"draws": 2, "antithetic": True}, model=linear)
    mean, covariance = ROWS.mean(axis=0), np.cov(ROWS, rowvar=False)
    for index in range(16):
        members = np.array([index >> j & 1 for j in range(4)], dtype=bool)
        row = np.where(members, X, mean)
        if members.any():
            cross = covariance[np.ix_(~members, members)]
            inner = covariance[np.ix_(members, members)]
            row[~members] += cross @ np.linalg.solve(inner, (X - mean)[members])
        np.testing.assert_allclose(game[index], linear.predict(row[None])[0], rtol=1e-10)


def test_separate_least_squares_is_the_linear_projection():
    data = dataset_of(ROWS, quadratic(ROWS))
    fitted = create("separate").fit(None, data, np.random.default_rng(0))
    values = tabulate(fitted.game(X, None)).values
    for index in range(16):
        members = [j for j in range(4) if index >> j & 1]
        design = np.column_stack([np.ones(len(ROWS)), ROWS[:, members]])
        fit = np.linalg.lstsq(design, quadratic(ROWS), rcond=None)[0]
        np.testing.assert_allclose(values[index], fit @ [1.0, *X[members]], rtol=1e-9)


def test_path_dependent_values_estimate_conditional_ones():
    data = dataset_of(ROWS, quadratic(ROWS))
    model = train("xgboost", data, {"n_estimators": 60, "max_depth": 4}, 0)
    values = values_of("path-dependent", {}, model=model)
    assert share(values) < 0.06
    assert values[-1] == pytest.approx(model.predict(X[None])[0])


def test_all_removals_are_held_against_a_normal_law():
    others = {"exact-match", "separate", "path-dependent"}
    assert {*NEAR, *FAR} | others == {*REGISTRY}


def test_shapley_values_follow_the_removal():
    conditional = shapley_from_table(TabularGame(TRUTH).values)
    errors = {
        name: np.abs(shapley_from_table(values_of(name, {**params})) - conditional).max()
        for name, params in [("gaussian", {"draws": 2000}), ("marginal", {})]
    }
    assert errors["gaussian"] < 0.1 < errors["marginal"]
