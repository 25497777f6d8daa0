"""Networks as plain arrays, from this package and from scikit-learn, and what is refused."""

import numpy as np
import pytest
from sklearn.neural_network import MLPClassifier, MLPRegressor

from explained import network
from shapaudit.models import ModelError, NetworkRegression, Perceptron
from shapaudit.models.read_layers import read_layers
from shapaudit.nets import ACTIVATIONS, Network

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(30, 5))


def test_arrays_and_files(tmp_path):
    arrays = network((5, 6, 4, 1), "tanh")
    np.savez(tmp_path / "network.npz", **arrays)
    hidden = np.tanh(ROWS @ arrays["weight0"] + arrays["bias0"])
    hidden = np.tanh(hidden @ arrays["weight1"] + arrays["bias1"])
    expected = (hidden @ arrays["weight2"] + arrays["bias2"])[:, 0]
    for model in (arrays, tmp_path / "network.npz", str(tmp_path / "network.npz")):
        np.testing.assert_allclose(read_layers(model).predict(ROWS), expected)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_networks_of_this_package(activation):
    made = Network.start([5, 4, 3, 1], activation, RNG)
    expected = made(ROWS)[:, 0]
    for model in (made, NetworkRegression(made)):
        np.testing.assert_allclose(read_layers(model).predict(ROWS), expected)


def test_logits_of_a_perceptron():
    weights = tuple(RNG.normal(size=shape) for shape in ((5, 4), (4, 3)))
    model = Perceptron(weights, (RNG.normal(size=4), RNG.normal(size=3)))
    logits = np.stack([read_layers(model, k).predict(ROWS) for k in range(3)], axis=1)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    np.testing.assert_allclose(odds / odds.sum(axis=1, keepdims=True), model.probabilities(ROWS))
    with pytest.raises(ModelError, match="this network has 3 outputs; say which"):
        read_layers(model)


@pytest.mark.parametrize("activation", ["relu", "logistic", "tanh"])
@pytest.mark.filterwarnings("ignore:Stochastic Optimizer")
def test_perceptrons_of_scikit_learn(activation):
    settings = {"hidden_layer_sizes": (4, 3), "activation": activation, "max_iter": 5}
    model = MLPRegressor(**settings, random_state=0).fit(ROWS, ROWS[:, 0])
    np.testing.assert_allclose(read_layers(model).predict(ROWS), model.predict(ROWS))
    classifier = MLPClassifier(**settings, random_state=0).fit(ROWS, ROWS[:, 0] > 0)
    share = 1 / (1 + np.exp(-read_layers(classifier).predict(ROWS)))
    np.testing.assert_allclose(share, classifier.predict_proba(ROWS)[:, 1])


def test_a_layer_may_be_used_twice():
    """Each use is a layer of its own, with its own multipliers."""
    square = RNG.normal(size=(5, 5))
    arrays = network((5, 5, 5, 1)) | {"weight0": square, "weight1": square}
    assert read_layers(arrays).weights[0] is not read_layers(arrays).weights[1]


def without(key):
    return {name: array for name, array in network().items() if name != key}


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (without("bias1"), "the arrays 'bias1' of this network are missing"),
        (without("activation1"), "'activation1' of this network are missing"),
        (without("weight1"), "belong|missing|after the last layer"),
        ({}, "at least one layer"),
        (network() | {"convolution0": np.ones(3)}, "'convolution0' belong to no dense layer"),
        (
            network() | {"activation2": "softmax"},
            r"head after the last layer.*logit",
        ),
        (network() | {"activation2": "sigmoid"}, "a classifier's head after the last layer"),
        (network() | {"activation2": "relu"}, "is an activation after the last layer"),
        (network() | {"activation0": "swish"}, "layer 0: unknown activation 'swish'; the known"),
        (network() | {"bias1": np.ones(3)}, r"layer 1: weights must be .* not \(6, 4\) and \(3,\)"),
        (network() | {"weight0": np.ones(5)}, "layer 0: weights must be"),
        (network() | {"weight1": np.ones((5, 4))}, "layer 1 takes 5 inputs, but layer 0 has 6 out"),
        (network() | {"bias0": np.full(6, np.nan)}, "layer 0 has weights or biases that are not"),
        (network() | {"weight2": np.full((4, 1), np.inf)}, "layer 2 has weights or biases that"),
        (network() | {"weight2": [["a"]] * 4}, "must be numbers"),
        (3.0, "float is no feed-forward network; give its arrays"),
    ],
)
def test_what_is_refused(arrays, message):
    with pytest.raises(ModelError, match=message):
        read_layers(arrays)


def test_files_that_are_refused(tmp_path):
    (tmp_path / "model.npz").write_text("no arrays")
    for name in ("model.npz", "none.npz"):
        with pytest.raises(ModelError, match=rf"{name} is no npz file of a network"):
            read_layers(tmp_path / name)
    np.savez(tmp_path / "other.npz", kernel0=np.ones(3))
    with pytest.raises(ModelError, match=r"other\.npz: a network needs at least one layer"):
        read_layers(tmp_path / "other.npz")
    np.savez(tmp_path / "object.npz", weight0=np.array([None]))
    with pytest.raises(ModelError, match=r"object\.npz is no npz file"):
        read_layers(tmp_path / "object.npz")
