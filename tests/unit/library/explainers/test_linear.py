"""LinearSHAP and its correlated version against enumeration, and what they refuse."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

from shapaudit import datasets, models
from shapaudit.explainers import ExplainerError, create
from shapaudit.explainers.gaussian_matrix import exact_matrix, sampled_matrix
from shapaudit.games import all_coalitions
from shapaudit.models import ModelError
from shapaudit.models.linear import LinearModel, as_linear
from shapaudit.truth import shapley_from_table


def random_law(rng, d):
    factor = rng.normal(size=(d, d))
    return factor @ factor.T + 0.1 * np.eye(d), rng.normal(size=d)


def conditional_values(model, mean, covariance, explicand):
    """Shapley values of E[f(x) | x_S] under a normal law, every coalition by its own regression."""
    outputs = []
    for present in all_coalitions(len(mean)):
        expected = np.where(present, explicand, mean)
        if present.any() and not present.all():
            inside = covariance[np.ix_(present, present)]
            slopes = covariance[np.ix_(~present, present)] @ np.linalg.inv(inside)
            expected[~present] += slopes @ (explicand - mean)[present]
        outputs.append(model.predict(expected[None])[0])
    return shapley_from_table(np.array(outputs))


def test_the_mean_of_the_background_is_the_only_baseline_that_matters():
    model = LinearModel([2.0, -1.0, 0.0], intercept=0.5)
    fitted = create("linear").fit(model, [[0.0, 0.0, 1.0], [2.0, 2.0, 5.0]])
    explanation = fitted.explain([3.0, 3.0, 3.0])
    np.testing.assert_array_equal(explanation.values, [4.0, -2.0, 0.0])
    assert (explanation.base_value, explanation.rows) == (1.5, 0)
    np.testing.assert_array_equal(
        fitted.explain([3.0, 3.0, 3.0], baselines=[1.0, 0.0, 0.0]).values, [4.0, -3.0, 0.0]
    )


@pytest.mark.parametrize("seed", range(3))
def test_conditional_values_are_those_of_all_regressions(seed):
    rng = np.random.default_rng(seed)
    covariance, mean = random_law(rng, 5)
    model = LinearModel(rng.normal(size=5), rng.normal())
    law = {"covariance": covariance, "mean": mean}
    fitted = create("Correlated LinearSHAP", law).fit(model, np.zeros((1, 5)))
    for explicand in rng.normal(size=(3, 5)):
        expected = conditional_values(model, mean, covariance, explicand)
        np.testing.assert_allclose(fitted.explain(explicand).values, expected, atol=1e-11)


def test_an_estimated_law_is_that_of_the_rows():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(40, 4)) @ rng.normal(size=(4, 4))
    model = LinearModel(rng.normal(size=4))
    attributions = create("correlated-linear").fit(model, rows).explain(rows[:2]).values
    for explicand, values in zip(rows[:2], attributions, strict=True):
        expected = conditional_values(model, rows.mean(axis=0), np.cov(rows.T), explicand)
        np.testing.assert_allclose(values, expected, atol=1e-11)


def test_all_orders_together_are_all_coalitions():
    rng = np.random.default_rng(2)
    covariance, coefficients = random_law(rng, 4)
    exact = exact_matrix(covariance, coefficients)
    runs = np.array([sampled_matrix(covariance, coefficients, 200, rng) for _ in range(60)])
    errors = runs.std(axis=0, ddof=1) / np.sqrt(len(runs))
    assert (np.abs(runs.mean(axis=0) - exact) < 5 * errors + 1e-12).all()
    np.testing.assert_allclose(runs.sum(axis=1), np.tile(coefficients, (60, 1)), atol=1e-10)
    # A third of the spread would not do: the orders are random.
    assert (np.abs(runs[0] - exact) > 1e-6).any()


@pytest.mark.parametrize("d", [1, 2, 3, 5, 8, 9])
def test_one_order_is_the_innovations_along_it(d):
    """Sums of the matrix over its rows are the coefficients, whatever the dimension modulo four."""
    rng = np.random.default_rng(d)
    covariance, coefficients = random_law(rng, d)
    matrix = sampled_matrix(covariance, coefficients, 2, np.random.default_rng(0))
    np.testing.assert_allclose(matrix.sum(axis=0), coefficients, atol=1e-9)
    np.testing.assert_allclose(
        exact_matrix(covariance, coefficients).sum(axis=0), coefficients, atol=1e-9
    )


def test_singular_columns_are_named():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(30, 4))
    rows[:, 3] = rows[:, 0] - 2 * rows[:, 2]
    explainer, model = create("correlated-linear"), LinearModel(np.ones(4))
    with pytest.raises(ExplainerError, match=r"'x0', 'x2', 'x3' determine one another.*out 1 of"):
        explainer.fit(model, rows)
    rows[:, 3] = 1.0
    with pytest.raises(ExplainerError, match="'x3' have no variance"):
        explainer.fit(model, rows)
    with pytest.raises(ExplainerError, match="4 rows do not determine the covariance of 4 columns"):
        explainer.fit(model, rows[:4])


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"covariance": np.eye(3)}, r"the covariance must be \(2, 2\) finite"),
        ({"covariance": [[1.0, 0.5], [0.2, 1.0]]}, "not symmetric"),
        ({"covariance": [[1.0, 2.0], [2.0, 1.0]]}, "negative eigenvalue"),
        ({"covariance": np.eye(2), "mean": [0.0]}, "the mean must be 2 finite numbers"),
        ({"permutations": 3}, "permutations come in pairs"),
    ],
)
def test_a_law_that_is_none_is_refused(params, message):
    with pytest.raises(ValueError, match=message):
        create("correlated-linear", params).fit(LinearModel([1.0, 1.0]), np.zeros((1, 2)))


def test_too_many_coalitions_are_refused():
    rows = np.random.default_rng(0).normal(size=(50, 21))
    with pytest.raises(ExplainerError, match=r"21 features have too many.*permutations="):
        create("correlated-linear").fit(LinearModel(np.ones(21)), rows)


def test_linear_models_of_several_kinds():
    diabetes = datasets.load("diabetes", {}, np.random.default_rng(0))
    trained = models.train("least-squares", diabetes, {}, 0)
    rows, target = diabetes.rows("train")
    ours, theirs = as_linear(trained), as_linear(LinearRegression().fit(rows, target))
    np.testing.assert_allclose(ours.predict(rows), trained.predict(rows), rtol=1e-9)
    np.testing.assert_allclose(theirs.predict(rows), trained.predict(rows), rtol=1e-6)
    classifier = LogisticRegression(max_iter=2000).fit(rows, target > 140)
    np.testing.assert_allclose(
        as_linear(classifier).predict(rows), classifier.decision_function(rows), rtol=1e-9
    )


def test_polynomials_of_degree_one_are_linear():
    linear, curved = np.array([1.0, -2.0]), np.zeros((2, 2))
    model = as_linear(models.Polynomial(0.5, linear, curved))
    assert model.intercept == 0.5
    np.testing.assert_array_equal(model.coefficients, linear)
    with pytest.raises(ModelError, match="degree 2 is no linear model; train one of degree 1"):
        as_linear(models.Polynomial(0.5, linear, np.eye(2)))


def test_other_models_are_refused():
    several = SimpleNamespace(coef_=np.ones((3, 2)), intercept_=np.zeros(3))
    with pytest.raises(ModelError, match=r"\(3, 2\) coefficients, several outputs"):
        as_linear(several)
    with pytest.raises(ModelError, match="str is no linear model"):
        as_linear("model")
    for coefficients, intercept in (([np.nan], 0.0), ([1.0], np.inf), ([[1.0]], 0.0), ([], 0.0)):
        with pytest.raises(ModelError, match="linear model"):
            LinearModel(coefficients, intercept)


def test_a_linear_model_is_saved_and_read(tmp_path):
    model = LinearModel([0.1, -1 / 3], 1e-17)
    model.save(tmp_path)
    read = models.load_model(tmp_path)
    np.testing.assert_array_equal(read.coefficients, model.coefficients)
    assert read.intercept == model.intercept


@pytest.mark.parametrize("features", [2, 4])
def test_rows_with_more_or_fewer_features_than_the_model_are_refused(features):
    model = LinearModel([2.0, -1.0, 0.0], intercept=0.5)
    told = f"linear: the model has 3 features, the rows have {features}\\."
    with pytest.raises(ExplainerError, match=told):
        create("linear").fit(model, np.zeros((2, features)))
