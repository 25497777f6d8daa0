"""Values and gradients of its parts."""

import numpy as np
import pytest

from recorded import compare, outcome
from shapaudit.nets import LOSSES, Network, Supervised, shapnet
from shapaudit.nets.activations import ACTIVATIONS
from shapaudit.nets.adam import Adam
from shapaudit.nets.losses import softmax
from shapaudit.nets.training import fit

GROUPS = [np.array([[0, 1], [2, 3]]), np.array([[0, 2], [1, 3]])]


def generator():
    return np.random.default_rng(4)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name):
    function, parts = ACTIVATIONS[name], {}
    for kind in (np.float64, np.float32):
        z = np.array([[-2.0, -0.5, 0.0], [0.3, 1.0, 4.0]], dtype=kind)
        value = function.value(z)
        back = function.back(np.arange(1, 7, dtype=kind).reshape(2, 3), z, value)
        parts[kind.__name__] = (value, back, str(value.dtype), str(back.dtype))
    compare("nets", {name: parts})


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_steps_of_adam(dtype):
    parameters, steps = np.array([1.0, -2.0, 0.5], dtype=dtype), []
    adam = Adam(parameters, 0.1)
    for gradient in generator().normal(size=(4, 3)).astype(dtype):
        adam.step(gradient)
        steps.append(parameters.copy())
    compare("nets", {f"Adam {dtype.__name__}": (*steps, adam.first, adam.second, adam.steps)})


@pytest.mark.parametrize("name", LOSSES)
def test_losses(name):
    outputs = generator().normal(size=(5, 3))
    target = np.array([0, 2, 1, 1, 0]) if name == "softmax" else generator().random((5, 3))
    far = LOSSES[name](300.0 * outputs, target)
    compare("nets", {f"loss {name}": [*LOSSES[name](outputs, target), *far, softmax(outputs)]})


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("sizes", [(3, 1), (3, 4, 2), (2, 5, 3, 1)])
def test_networks(activation, sizes):
    rng = generator()
    network = Network.start(sizes, activation, rng)
    network.parameters += 0.1 * rng.normal(size=network.parameters.shape)
    rows, errors = rng.normal(size=(6, sizes[0])), rng.normal(size=(6, sizes[-1]))
    trace = network.trace(rows)
    parts = {"outputs": network(rows), "gradient": network.backward(trace, errors)}
    parts |= {"inputs": network.input_gradient(trace, errors), "number": network.n_inputs}
    supervised = Supervised(rows, errors, LOSSES["squared-error"])
    parts["value"] = supervised.value(network)
    parts["chosen"] = supervised.gradient(network, np.array([1, 4, 2]))
    compare("nets", {f"network {sizes} {activation}": parts})


def test_networks_that_are_none():
    sizes = ((3, 4, 1), (3, 4, 2), (3,), ())
    calls = [(Network, own, "relu", np.zeros(21)) for own in sizes]
    calls += [
        (Network, (3, 4, 1), "step", np.zeros(21)),
        (Network, (3, 4, 1), "relu", np.zeros(20)),
    ]
    calls += [(shapnet.ShapNet, 4, GROUPS, (1, 2, 1), 3, np.zeros(number)) for number in (49, 50)]
    outcomes = [outcome(*call) for call in calls]
    told = [answer if isinstance(answer, str) else type(answer).__name__ for answer in outcomes]
    compare("nets", {"no networks": told})


@pytest.mark.parametrize(
    ("batch", "epochs", "patience", "decay"), [(4, 3, 9, 1.0), (5, 30, 2, 0.5), (20, 4, 1, 0.1)]
)
def test_training(batch, epochs, patience, decay):
    rng = generator()
    rows, target = rng.normal(size=(2, 18, 3)), rng.normal(size=(2, 18, 1))
    network = Network.start((3, 4, 1), "tanh", rng)
    training, held_out = (Supervised(rows[k], target[k], LOSSES["squared-error"]) for k in (0, 1))
    fixed = np.arange(len(network.parameters)) % 5 == 0
    trainings = {}
    for name, own in (("free", None), ("some fixed", fixed)):
        trained = fit(
            network,
            training,
            held_out,
            np.random.default_rng(7),
            batch=batch,
            epochs=epochs,
            patience=patience,
            rate=0.3,
            decay=decay,
            fixed=own,
        )
        trainings[name] = (trained.parameters, held_out.value(trained))
    compare("nets", {f"training by {batch}": trainings})


@pytest.mark.parametrize("h", [1, 2, 3, 4])
def test_tables_of_modules(h):
    tables = [shapnet.coalitions_of(h), shapnet.shapley_matrix(h), shapnet.shapley_divisor(h)]
    compare("nets", {f"modules of {h}": tables})


@pytest.mark.parametrize("channels", [(1, 1), (1, 3, 1), (1, 2, 2, 1)])
def test_networks_of_modules(channels):
    rng, groups = generator(), (GROUPS * 2)[: len(channels) - 1]
    network = shapnet.ShapNet.start(4, groups, channels, 3, rng)
    network.parameters[-1] = 0.7
    rows, errors = rng.normal(size=(5, 4)), rng.normal(size=(5, 1))
    trace = network.trace(rows)
    results = {"outputs": network(rows), "shares": network.shares(rows), "bias": network.bias}
    results |= {"gradient": network.backward(trace, errors), "parameters": network.parameters}
    stage = network.stages()[0]
    summed, left = shapnet.stage_forward(stage, rows[:, :, None], rng.normal(size=(1, 4, 1)))
    parts, derivatives = shapnet.stage_backward(stage, left, rng.normal(size=summed.shape))
    results |= {"summed": summed, "parts": parts, "derivatives": derivatives}
    results["rows"] = shapnet.rows_backward(stage, parts, 4)
    compare("nets", {f"modules {channels}": results})
