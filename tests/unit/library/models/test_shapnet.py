"""Trained ShapNets: what they learn, how they are kept, what is refused."""

import numpy as np
import pytest

from shapaudit import models
from shapaudit.datasets import Dataset
from shapaudit.models import ModelError, ShapleyNetwork
from shapaudit.models.shapnet import butterfly

RNG = np.random.default_rng(0)
SHAPNETS = ["shallow-shapnet", "deep-shapnet"]
QUICK = {"epochs": 40, "width": 8, "rate": 0.02}


def dataset(target, d=5, rows=300):
    features = RNG.normal(size=(rows, d)) * np.arange(1, d + 1) + 3
    split = {"train": np.arange(200), "test": np.arange(200, rows)}
    names = tuple(f"x{j}" for j in range(d))
    return Dataset("made up", features, target(features), names, split, "generated")


def product(features):
    """Of two features, in units of their own: no sum of functions of one."""
    return 100 + (features[:, 0] - 3) * (features[:, 1] - 3) + features[:, 2]


@pytest.mark.parametrize("trainer", SHAPNETS)
def test_it_learns_an_interaction_and_is_saved_and_read(trainer, tmp_path):
    data = dataset(product)
    model = models.train(trainer, data, QUICK, 0)
    assert model.score(*data.rows("test"))["r2"] > 0.7
    again = models.train(trainer, data, QUICK, 0)
    np.testing.assert_array_equal(again.network.parameters, model.network.parameters)
    model.save(tmp_path)
    read = models.load_model(tmp_path)
    np.testing.assert_array_equal(read.predict(data.features), model.predict(data.features))
    assert (read.classifier, read.shallow) == (False, trainer == "shallow-shapnet")


@pytest.mark.parametrize("trainer", SHAPNETS)
def test_a_target_of_zeros_and_ones_is_classified(trainer):
    data = dataset(lambda features: features[:, 0] > features[:, 1] / 2 + 1.5)
    model = models.train(trainer, data, QUICK, 0)
    assert model.classifier
    assert model.score(*data.rows("test"))["accuracy"] > 0.9


@pytest.mark.parametrize("trainer", SHAPNETS)
@pytest.mark.parametrize("d", [1, 2, 3])
def test_few_features(trainer, d):
    data = dataset(lambda features: features[:, 0], d)
    params = {"epochs": 1, **({"size": 1} if trainer == "shallow-shapnet" else {})}
    model = models.train(trainer, data, params, 0)
    assert model.predict(data.features).shape == (300,)
    np.testing.assert_allclose(model.predict(model.reference[None]), model.network.bias)


def test_modules_are_distinct_sets_of_features():
    data = dataset(product)
    all_pairs = models.train("shallow-shapnet", data, {"epochs": 1}, 0).network.groups[0]
    assert len(np.unique(all_pairs, axis=0)) == len(all_pairs) == 10
    few = models.train("shallow-shapnet", data, {"epochs": 1, "modules": 6, "size": 3}, 0)
    groups = few.network.groups[0]
    assert groups.shape == (6, 3)
    assert len(np.unique(groups, axis=0)) == 6
    assert (np.diff(groups, axis=1) > 0).all()


def test_a_butterfly_connects_every_feature_with_every_other():
    reached = np.eye(8, dtype=bool)
    for pairs in butterfly(3):
        assert sorted(pairs.ravel()) == list(range(8))
        for i, j in pairs:
            reached[i] = reached[j] = reached[i] | reached[j]
    assert reached.all()


@pytest.mark.parametrize(
    ("trainer", "params", "message"),
    [
        ("shallow-shapnet", {"size": 6}, r"takes up to 4 of 5 features, got size 6"),
        ("shallow-shapnet", {"modules": 0}, "modules must be an integer of at least 1"),
        ("deep-shapnet", {"channels": 0}, "channels must be an integer of at least 1"),
        ("deep-shapnet", {"width": 0}, "width must be an integer of at least 1"),
        ("deep-shapnet", {"epochs": 1.5}, "epochs must be an integer of at least 1"),
        ("shallow-shapnet", {"rate": 0}, "rate must be above 0"),
    ],
)
def test_settings_that_are_refused(trainer, params, message):
    with pytest.raises(ModelError, match=message):
        models.train(trainer, dataset(product), params, 0)


def test_data_that_are_refused():
    with pytest.raises(ModelError, match="NaN or infinity in the training target"):
        models.train("deep-shapnet", dataset(lambda f: np.full(len(f), np.nan)), {}, 0)
    split = {"train": np.arange(4), "test": np.arange(4, 5)}
    few = Dataset("few", np.eye(5), np.ones(5), tuple("abcde"), split, "made")
    with pytest.raises(ModelError, match="needs 5 training rows or more, got 4"):
        models.train("deep-shapnet", few, {}, 0)
    model = models.train("deep-shapnet", dataset(product), {"epochs": 1}, 0)
    with pytest.raises(ModelError, match="must be finite"):
        ShapleyNetwork(model.network, np.full(5, np.nan))


def test_a_constant_target_is_learnt_in_its_own_units():
    rows = np.random.default_rng(0).normal(size=(12, 3))
    split = {"train": np.arange(10), "test": np.arange(10, 12)}
    constant = Dataset("constant", rows, np.full(12, 7.0), ("a", "b", "c"), split, "made")
    model = models.train("deep-shapnet", constant, {"epochs": 2, "channels": 1, "width": 2}, 0)
    np.testing.assert_allclose(model.predict(rows), 7.0, atol=2.0)
