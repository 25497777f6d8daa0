"""Linear models: what they predict, what they are made of, and files."""

from types import SimpleNamespace

import numpy as np
import pytest

from shapaudit import datasets
from shapaudit.models import LinearModel, ModelError, Polynomial, load_model, train
from shapaudit.models.linear import as_linear

ROWS = np.array([[1.0, 2.0, 3.0], [0.0, -1.0, 0.5]])


def test_outputs_are_products():
    model = LinearModel([2.0, 0.0, -1.0], 0.25)
    assert model.n_features == 3
    np.testing.assert_array_equal(model.predict(ROWS), [-0.75, -0.25])
    assert model.score(ROWS, np.array([-0.75, 0.25])) == {"r2": 0.5, "rmse": np.sqrt(0.125)}
    assert LinearModel([1.0]).intercept == 0


def test_a_file_holds_the_numbers(tmp_path):
    model = LinearModel(np.array([1 / 3, 2.0]), 1 / 7)
    model.save(tmp_path)
    again = load_model(tmp_path)
    assert again.coefficients.tolist() == [1 / 3, 2.0]
    assert again.intercept == 1 / 7


@pytest.mark.parametrize(
    ("coefficients", "intercept", "message"),
    [
        ([[1.0]], 0, r"one coefficient per feature, \(d,\), not \(1, 1\)"),
        ([], 0, r"one coefficient per feature, \(d,\), not \(0,\)"),
        ([1.0, np.nan], 0, "must be finite"),
        ([1.0], np.inf, "must be finite"),
    ],
)
def test_numbers_must_make_a_model(coefficients, intercept, message):
    with pytest.raises(ModelError, match=message):
        LinearModel(coefficients, intercept)


def test_models_that_are_linear():
    own = LinearModel([1.0])
    assert as_linear(own) is own
    polynomial = as_linear(Polynomial(0.5, np.array([1.0, 2.0]), np.zeros((2, 2))))
    assert (polynomial.intercept, polynomial.coefficients.tolist()) == (0.5, [1, 2])
    with pytest.raises(ModelError, match="of degree 2 is no linear model"):
        as_linear(Polynomial(0.5, np.array([1.0, 2.0]), np.eye(2)))
    flat = as_linear(SimpleNamespace(coef_=[1, 2], intercept_=3))
    nested = as_linear(SimpleNamespace(coef_=[[1, 2]], intercept_=[3]))
    for model in (flat, nested):
        assert (model.intercept, model.coefficients.tolist()) == (3, [1, 2])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"coef_": [[1, 2], [3, 4]], "intercept_": [5, 6]}, r"has \(2, 2\) coefficients, several"),
        ({"coef_": [1, 2], "intercept_": [5, 6]}, r"has \(2,\) coefficients, several outputs"),
        ({"coef_": [1, 2]}, "SimpleNamespace is no linear model"),
        ({"intercept_": 1}, "SimpleNamespace is no linear model"),
    ],
)
def test_models_that_are_not(given, message):
    with pytest.raises(ModelError, match=message):
        as_linear(SimpleNamespace(**given))


def test_least_squares_is_linear():
    dataset = datasets.load("diabetes", {}, np.random.default_rng(0))
    model = train("least-squares", dataset, {"problems": 2}, 0)
    rows = dataset.features[:5]
    np.testing.assert_allclose(as_linear(model).predict(rows), model.predict(rows), rtol=1e-12)
