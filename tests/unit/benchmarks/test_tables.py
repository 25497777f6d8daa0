"""Tables and models of the suite, against their sources and against other libraries."""

import numpy as np
import pytest
import xgboost
from sklearn import datasets
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.svm import SVC, SVR

from solved_games import data, fitted

NUMBERS = {"diabetes", "friedman", "products", "many-friedman", "counts"}
SHARES = {"wine": 71 / 178, "cancer": 357 / 569, "patches": 174 / 1797, "digits": 174 / 1797}
TABLES = data.FEW_TABLES | data.MANY_TABLES


def rng():
    return np.random.default_rng(3)


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_in_units_of_their_spread(name):
    table = TABLES[name][1](rng())
    varies = np.ptp(table.features, axis=0) > 0
    np.testing.assert_allclose(table.features.mean(axis=0), 0.0, atol=1e-10)
    np.testing.assert_allclose(table.features[:, varies].std(axis=0), 1.0)
    assert table.classes == (name not in NUMBERS)
    if table.classes:
        assert table.target.mean() == pytest.approx(SHARES.get(name, table.target.mean()))
    else:
        assert table.target.mean() == pytest.approx(0.0, abs=1e-12)
        assert table.target.std() == pytest.approx(1.0)


def test_the_first_columns_of_tumours_are_taken():
    whole = datasets.load_breast_cancer().data
    expected = (whole - whole.mean(axis=0)) / whole.std(axis=0)
    np.testing.assert_allclose(data.cancer(rng()).features, expected[:, :15])
    np.testing.assert_allclose(data.whole_cancer(rng()).features, expected)


def test_patches_are_means_of_two_by_two_pixels():
    pixels = data.digits(rng()).features.reshape(-1, 8, 8)
    features = data.patches(rng()).features
    for row in range(4):
        for column in range(4):
            mean = sum(pixels[:, 2 * row + i, 2 * column + j] for i in (0, 1) for j in (0, 1))
            expected = (mean - mean.mean()) / mean.std()
            np.testing.assert_allclose(features[:, 4 * row + column], expected, atol=1e-12)


def share_explained(table, *columns):
    """Of the target's variance, by a linear fit on the columns."""
    basis = np.column_stack([np.ones(len(table.target)), *columns])
    left = table.target - basis @ np.linalg.lstsq(basis, table.target, rcond=None)[0]
    return 1 - left.var()


@pytest.mark.parametrize("d", [12, 50])
def test_five_features_of_friedman_matter(d):
    table, x = data.friedman(rng(), d), rng().random((600, d))
    np.testing.assert_allclose(table.features, (x - x.mean(axis=0)) / x.std(axis=0))
    parts = [np.sin(np.pi * x[:, 0] * x[:, 1]), (x[:, 2] - 0.5) ** 2, x[:, 3], x[:, 4]]
    # Of the sum of 10, 20, 10 and 5 times these and of noise of variance 1, 1 / 25 is noise.
    assert 0.94 < share_explained(table, *parts) < 0.98
    signal = 10 * parts[0] + 20 * parts[1] + 10 * parts[2] + 5 * parts[3]
    assert share_explained(table, signal) > share_explained(table, *parts) - 0.002


def test_products_have_their_terms():
    table, x = data.products(rng()), rng().standard_normal((500, 8)) @ (np.eye(8) + 0.3)
    np.testing.assert_allclose(table.features, (x - x.mean(axis=0)) / x.std(axis=0))
    pair, triple, bent = x[:, 0] * x[:, 1], x[:, 2] * x[:, 3] * x[:, 4], np.abs(x[:, 5]) * x[:, 6]
    signal = pair - triple / 3 + bent + x[:, 7]
    noise = 0.2**2 / (signal.var() + 0.2**2)
    assert share_explained(table, signal) == pytest.approx(1 - noise, abs=0.3 * noise)


@pytest.mark.parametrize("name", ["wine", "friedman"])
def test_kernel_machines_are_those_of_the_library(name):
    table = data.FEW_TABLES[name][1](rng())
    kind = SVC if table.classes else SVR
    model = kind(C=3.0, gamma=1 / table.features.shape[1]).fit(table.features, table.target)
    expected = (model.decision_function if table.classes else model.predict)(table.features)
    machine = fitted.kernel_machine(table, 0)
    np.testing.assert_allclose(machine(table.features), expected, atol=1e-9)
    outputs = fitted.MODELS["kernel"](table, 0)(table.features)
    chances = 1 / (1 + np.exp(-2 * expected))
    np.testing.assert_allclose(outputs, chances if table.classes else expected, atol=1e-9)


@pytest.mark.parametrize("name", ["wine", "friedman"])
def test_gaussian_processes_are_those_of_the_library(name):
    table = data.FEW_TABLES[name][1](rng())
    rows, target = table.features[:300], table.target[:300]
    # exp(-0.5 |x - y|^2 / d) has the scale sqrt(d).
    kernel = RBF(np.sqrt(rows.shape[1]))
    model = GaussianProcessRegressor(kernel, alpha=0.1, optimizer=None)
    model.fit(rows, target - target.mean())
    expected = target.mean() + model.predict(table.features)
    process = fitted.gaussian_process(table, 0)
    np.testing.assert_allclose(process(table.features), expected, atol=1e-8)


@pytest.mark.parametrize("name", ["wine", "friedman"])
def test_trees_are_those_of_the_library(name):
    table = data.FEW_TABLES[name][1](rng())
    objective = "binary:logistic" if table.classes else "reg:squarederror"
    booster = xgboost.XGBRegressor(
        n_estimators=80,
        max_depth=4,
        learning_rate=0.15,
        subsample=0.8,
        objective=objective,
        random_state=5,
    ).fit(table.features, table.target)
    outputs = fitted.boosted_trees(table, 5).predict(table.features)
    expected = booster.predict(table.features, output_margin=True)
    np.testing.assert_allclose(outputs, expected, rtol=1e-4, atol=1e-5)
    chances = fitted.MODELS["booster"](table, 5)(table.features)
    np.testing.assert_allclose(chances, booster.predict(table.features), rtol=1e-4, atol=1e-5)


def test_a_forest_is_a_mean_of_sixty_trees_near_the_shares():
    table = data.wine(rng())
    forest = fitted.random_forest(table, 0)
    assert len(forest.roots) == 60
    outputs = forest.predict(table.features)
    assert outputs.min() > -0.01
    assert outputs.max() < 1.01
    assert np.abs(outputs - table.target).mean() < 0.1
    assert (
        np.abs(
            forest.predict(table.features[:5])
            - fitted.MODELS["forest"](table, 0)(table.features[:5])
        ).max()
        == 0
    )
