"""Adam against its equations; training by batches, with a rate that decays and an early stop."""

import numpy as np
import pytest

from shapaudit.nets import LOSSES, Adam, Network, Supervised, fit

SETTINGS = {"batch": 16, "epochs": 60, "patience": 60, "rate": 0.01}


def supervised(n, seed, loss=LOSSES["squared-error"], dtype=np.float64):
    rows = np.random.default_rng(seed).normal(size=(n, 3)).astype(dtype)
    target = (rows[:, :1] * rows[:, 1:2] + rows[:, 2:]).astype(dtype)
    return Supervised(rows, target, loss)


def trained(seed=0, dtype=np.float64, **settings):
    rng = np.random.default_rng(seed)
    start = Network.start((3, 16, 1), "tanh", rng, dtype)
    parts = supervised(300, 1, dtype=dtype), supervised(200, 2, dtype=dtype)
    return fit(start, *parts, rng, **SETTINGS | settings)


def test_two_steps_of_adam():
    parameters = np.array([1.0, -2.0])
    adam = Adam(parameters, 0.1)
    slopes = [np.array([0.5, 2.0]), np.array([-1.0, 1.0])]
    first = second = np.zeros(2)
    wanted = parameters.copy()
    for t, slope in enumerate(slopes, start=1):
        adam.step(slope)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        corrected = first / (1 - 0.9**t), second / (1 - 0.999**t)
        wanted -= 0.1 * corrected[0] / np.sqrt(corrected[1])
    np.testing.assert_allclose(parameters, wanted, rtol=1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_training_learns_and_is_repeatable(dtype):
    net = trained(dtype=dtype)
    held_out = supervised(200, 2, dtype=dtype)
    assert net.parameters.dtype == dtype
    assert held_out.value(net) < 0.05 * np.var(held_out.target)
    np.testing.assert_array_equal(net.parameters, trained(dtype=dtype).parameters)
    assert not np.array_equal(net.parameters, trained(1, dtype).parameters)


class Told:
    """An objective whose held-out values are given, and whose gradients are 1."""

    n_rows = 1

    def __init__(self, values):
        self.values, self.rates = iter(values), []

    def gradient(self, network, chosen):
        return np.ones_like(network.parameters)

    def value(self, network):
        self.rates.append(float(network.parameters[0]))
        return next(self.values)


def run(values, **settings):
    told = Told(values)
    start = Network((1, 1), "relu", np.zeros(2))
    rng = np.random.default_rng(0)
    return fit(start, told, told, rng, batch=1, epochs=10, rate=0.1, **settings), told.rates


def test_the_best_epoch_is_kept_and_patience_ends():
    best, met = run([3.0, 2.0, 2.5, 2.0, 1.0], patience=2)
    assert len(met) == 4
    assert best.parameters[0] == met[1]


def test_an_epoch_without_improvement_shrinks_the_rate():
    _, met = run([1.0, 2.0, 0.5, 2.0, 2.0, 2.0], patience=3, decay=0.5)
    np.testing.assert_allclose(np.diff(met), [-0.1, -0.05, -0.05, -0.025, -0.0125], rtol=1e-4)


def test_fixed_parameters_stay():
    best, _ = run([1.0] + [2.0] * 9, patience=9, fixed=np.array([False, True]))
    assert best.parameters[0] < 0 == best.parameters[1]


def test_without_decay_all_steps_are_equal():
    _, met = run([1.0, 2.0, 2.0, 2.0], patience=3)
    np.testing.assert_allclose(np.diff(met), -0.1, rtol=1e-4)


def test_every_row_is_taken_once_in_an_epoch():
    met = []

    class Rows(Told):
        n_rows = 7

        def gradient(self, network, chosen):
            met.append(list(chosen))
            return super().gradient(network, chosen)

    told = Rows([3.0, 2.0])
    start = Network((1, 1), "relu", np.zeros(2))
    fit(start, told, told, np.random.default_rng(0), batch=3, epochs=2, patience=2)
    assert [len(chosen) for chosen in met] == [3, 3, 1] * 2
    first, second = (np.concatenate(met[k : k + 3]).tolist() for k in (0, 3))
    assert sorted(first) == sorted(second) == list(range(7))
    assert first != second
    np.testing.assert_array_equal(start.parameters, 0.0)  # a copy was trained
