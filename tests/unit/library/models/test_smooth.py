"""Polynomials, additive curves and regression networks: fitted, saved, and refused."""

from dataclasses import replace

import numpy as np
import pytest

from shapaudit import datasets, models
from shapaudit.datasets.base import Dataset
from shapaudit.models import Additive, ModelError, Polynomial

TRAINERS = {
    "polynomial": {"degree": 2},
    "additive": {},
    "network": {"hidden": [8, 8], "activation": "tanh", "epochs": 30},
}


@pytest.fixture(scope="module")
def mixture():
    params = {"n_rows": 400, "n_features": 4}
    return datasets.load("mixture-law", params, np.random.default_rng(0))


def table(function, n=200):
    rows = np.random.default_rng(1).normal(size=(n, 3))
    split = {"train": np.arange(n // 2), "test": np.arange(n // 2, n)}
    return Dataset("made", rows, function(rows), ("a", "b", "c"), split, "generated")


@pytest.mark.parametrize("trainer", TRAINERS)
def test_models_learn_and_are_read_as_they_were_written(trainer, mixture, tmp_path):
    model = models.train(trainer, mixture, TRAINERS[trainer], 0)
    rows, target = mixture.rows("test")
    assert model.score(rows, target)["r2"] > 0.5
    model.save(tmp_path / "once")
    again = models.load_model(tmp_path / "once")
    np.testing.assert_array_equal(again.predict(rows), model.predict(rows))
    again.save(tmp_path / "twice")
    for file in (tmp_path / "once").iterdir():
        assert file.read_bytes() == (tmp_path / "twice" / file.name).read_bytes()


def test_polynomials_find_their_like():
    true = Polynomial(0.5, np.array([1.0, -2.0, 0.0]), np.diag([0.0, 0.5, 1.0]))
    true.quadratic[0, 2] = true.quadratic[2, 0] = 0.7
    data = table(true.predict)
    fitted = models.train("polynomial", data, {"degree": 2}, 0)
    np.testing.assert_allclose(fitted.quadratic, true.quadratic, atol=1e-10)
    np.testing.assert_allclose(fitted.linear, true.linear, atol=1e-10)
    line = models.train("polynomial", data, {}, 0)
    assert not line.quadratic.any()
    residual = data.rows("train")[1] - line.predict(data.rows("train")[0])
    np.testing.assert_allclose(data.rows("train")[0].T @ residual, 0, atol=1e-9)


def test_curves_find_their_like():
    true = Additive(-1.0, np.array([[1.0, 0.5, 2.0], [0.0, 0.0, 1.0], [0.3, -1.0, 0.0]]))
    fitted = models.train("additive", table(true.predict), {}, 0)
    np.testing.assert_allclose(fitted.coefficients, true.coefficients, atol=1e-9)
    row = np.array([[0.5, 1.0, -1.0]])
    terms = [true.terms(row[:, j], j)[0] for j in range(3)]
    assert true.predict(row)[0] == pytest.approx(-1 + sum(terms))


def test_networks_are_repeatable_and_take_rows_as_they_are(mixture):
    trained = [models.train("network", mixture, {"epochs": 3}, seed) for seed in (1, 1, 2)]
    first, same, other = (model.network.parameters for model in trained)
    np.testing.assert_array_equal(first, same)
    assert not np.array_equal(first, other)
    far = Dataset(
        "far",
        1000 + 10 * mixture.features,
        5 * mixture.target - 3,
        mixture.feature_names,
        mixture.split,
        "generated",
    )
    moved = models.train("network", far, {"epochs": 3}, 1)
    wanted = 5 * trained[0].predict(mixture.features) - 3
    np.testing.assert_allclose(moved.predict(far.features), wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("trainer", "params", "told"),
    [
        ("polynomial", {"degree": 3}, "1 or 2"),
        ("network", {"activation": "step"}, "unknown activation 'step'"),
        ("network", {"hidden": [0]}, "hidden width"),
        ("network", {"batch": 0}, "batch"),
        ("network", {"decay": 0.0}, "decay above 0"),
    ],
)
def test_what_cannot_be_trained_is_refused(trainer, params, told, mixture):
    with pytest.raises(ModelError, match=told):
        models.train(trainer, mixture, params, 0)


@pytest.mark.parametrize("trainer", TRAINERS)
def test_a_target_is_needed(trainer):
    data = table(lambda rows: None)
    with pytest.raises(ModelError, match=f"{trainer}.*no target"):
        models.train(trainer, data, {}, 0)


@pytest.mark.parametrize("trainer", TRAINERS)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_is_named(trainer, value):
    data = table(lambda rows: rows[:, 0])
    features, target = data.features.copy(), data.target.copy()
    features[data.split["train"][:2], [0, -1]] = value
    named = "the training rows of 'a', the training rows of 'c'"
    with pytest.raises(ModelError, match=f"{trainer}.*infinity in {named}; impute"):
        models.train(trainer, replace(data, features=features), {}, 0)
    target[data.split["train"][-1]] = -value
    with pytest.raises(ModelError, match=f"{trainer}.*infinity in the training target; impute"):
        models.train(trainer, replace(data, target=target), {}, 0)


def test_networks_need_rows():
    with pytest.raises(ModelError, match="5 training rows"):
        models.train("network", table(lambda rows: rows[:, 0], 6), {}, 0)
