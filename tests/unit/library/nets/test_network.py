"""Networks: activations and gradients against finite differences, layout of the parameters."""

import numpy as np
import pytest
import scipy

from shapaudit.nets import ACTIVATIONS, LOSSES, Network, Supervised, softmax

STEP = 1e-6
EXPECTED = {
    "relu": lambda z: z * (z > 0),
    "leaky-relu": lambda z: np.where(z > 0, z, 0.01 * z),
    "logistic": lambda z: 1 / (1 + np.exp(-z)),
    "tanh": lambda z: np.sinh(z) / np.cosh(z),
    "probit": lambda z: 0.5 * scipy.special.erfc(-z / np.sqrt(2)),
}
TARGETS = {"squared-error": (7, 3), "logistic": (7, 3), "softmax": (7,)}


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_activations_and_their_derivatives(name, dtype):
    z = np.linspace(-3, 3, 20).astype(dtype)  # not 0, where ReLUs have a kink
    activation = ACTIVATIONS[name]
    value = activation.value(z)
    np.testing.assert_allclose(value, EXPECTED[name](z.astype(float)), rtol=2e-5, atol=1e-7)
    slope = activation.back(np.full_like(z, 2), z, value)
    wide = z.astype(float)
    rise = (EXPECTED[name](wide + STEP) - EXPECTED[name](wide - STEP)) / STEP
    np.testing.assert_allclose(slope, rise, rtol=1e-4, atol=1e-6)
    assert value.dtype == slope.dtype == dtype


def network(activation="tanh", sizes=(4, 5, 6, 3), seed=0, dtype=np.float64):
    rng = np.random.default_rng(seed)
    made = Network.start(sizes, activation, rng, dtype)
    made.parameters += 0.1 * rng.standard_normal(len(made.parameters)).astype(dtype)
    return made


def objective(loss):
    rng = np.random.default_rng(1)
    shape = TARGETS[loss]
    target = rng.integers(3, size=shape) if loss == "softmax" else rng.random(shape)
    return Supervised(rng.normal(size=(7, 4)), target, LOSSES[loss])


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("sizes", [(4, 3), (4, 5, 3), (4, 5, 6, 3)])
def test_gradient_in_the_parameters_is_that_of_the_loss(activation, loss, sizes):
    net, what = network(activation, sizes), objective(loss)
    slopes = what.gradient(net, np.arange(7))
    for place in np.random.default_rng(2).permutation(len(slopes))[:12]:
        sides = [net.copy(), net.copy()]
        sides[0].parameters[place] -= STEP
        sides[1].parameters[place] += STEP
        rise = (what.value(sides[1]) - what.value(sides[0])) / (2 * STEP)
        assert slopes[place] == pytest.approx(rise, abs=1e-7)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_gradient_in_the_inputs(activation):
    net, rows = network(activation), np.random.default_rng(3).normal(size=(5, 4))
    errors = np.random.default_rng(4).normal(size=(5, 3))
    slopes = net.input_gradient(net.trace(rows), errors)
    for j in range(4):
        step = STEP * (np.arange(4) == j)
        rise = (net(rows + step) - net(rows - step)) / (2 * STEP)
        np.testing.assert_allclose(slopes[:, j], (rise * errors).sum(axis=1), atol=1e-7)


def test_outputs_are_those_of_the_layers():
    net, rows = network("relu"), np.random.default_rng(3).normal(size=(5, 4))
    inside = rows
    for weight, bias in zip(net.weights[:-1], net.biases[:-1], strict=True):
        inside = np.maximum(inside @ weight + bias, 0)
    np.testing.assert_allclose(net(rows), inside @ net.weights[-1] + net.biases[-1])


def test_weights_and_biases_share_the_vector():
    net = network()
    net.parameters[:] = np.arange(len(net.parameters))
    np.testing.assert_array_equal(net.weights[0], np.arange(20.0).reshape(4, 5))
    np.testing.assert_array_equal(net.biases[2], len(net.parameters) - 3 + np.arange(3.0))
    other = net.copy()
    other.parameters[:] = 0
    assert net.weights[0][3, 4] == 19


def test_single_precision_stays_single():
    net = network(dtype=np.float32)
    rows = np.ones((2, 4), dtype=np.float32)
    trace = net.trace(rows)
    assert trace.outputs.dtype == net.backward(trace, trace.outputs).dtype == np.float32
    assert net.input_gradient(trace, trace.outputs).dtype == np.float32
    np.testing.assert_allclose(trace.outputs, network()(rows), rtol=1e-5)


def test_a_network_is_read_as_it_was_written(tmp_path):
    net, rows = network(dtype=np.float32), np.ones((2, 4), dtype=np.float32)
    np.savez(tmp_path / "net.npz", **net.arrays())
    with np.load(tmp_path / "net.npz", allow_pickle=False) as file:
        again = Network.from_arrays(file)
    assert (again.sizes, again.activation) == (net.sizes, net.activation)
    np.testing.assert_array_equal(again(rows), net(rows))


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="unknown activation 'rellu'"):
        Network((2, 1), "rellu", np.zeros(3))
    with pytest.raises(ValueError, match=r"widths \[2, 1\] have 3 parameters"):
        Network((2, 1), "relu", np.zeros(4))


def test_softmax_of_large_numbers():
    np.testing.assert_allclose(softmax(np.array([[1000.0, 1000.0]])), 0.5)


def test_a_start_is_uniform_within_the_limits_of_its_layers():
    net = Network.start((40, 60, 30), "relu", np.random.default_rng(0))
    for weight, limit in zip(net.weights, (0.06**0.5, (6 / 90) ** 0.5), strict=True):
        assert np.abs(weight).max() <= limit
        assert weight.std() == pytest.approx(limit / np.sqrt(3), rel=5 / np.sqrt(weight.size))
        assert weight.mean() == pytest.approx(0, abs=4 * limit / np.sqrt(3 * weight.size))
    assert all((bias == 0).all() for bias in net.biases)
