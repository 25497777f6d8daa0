"""The game of a network that adds up what enters its first layer, against that of its rows."""

import numpy as np
import pytest

from explained import network
from shapaudit.games import BaselineGame, GameError, NetworkGame, gains, walk
from shapaudit.models.read_layers import read_layers


@pytest.mark.parametrize("sizes", [(5, 1), (5, 6, 1), (5, 6, 4, 3, 1)], ids=str)
@pytest.mark.parametrize("activation", ["relu", "leaky-relu", "logistic", "tanh", "probit"])
def test_values_walks_and_gains_are_those_of_rows(sizes, activation):
    layers = read_layers(network(sizes, activation))
    rng = np.random.default_rng(1)
    x, r = rng.normal(size=(2, 5))
    game = NetworkGame(layers.weights[0], layers.biases[0], layers.output_from, x, r)
    rows = BaselineGame(layers.predict, x, r)
    coalitions = rng.random((40, 5)) < 0.5
    orders = rng.permuted(np.tile(np.arange(5), (9, 1)), axis=1)
    close = {"rtol": 1e-12, "atol": 1e-13}
    np.testing.assert_allclose(game(coalitions), rows(coalitions), **close)
    np.testing.assert_allclose(walk(game, orders), walk(rows, orders), **close)
    np.testing.assert_allclose(gains(game, coalitions), gains(rows, coalitions), **close)


def test_rows_that_do_not_fit_are_refused():
    with pytest.raises(GameError, match=r"must both be \(4,\)"):
        NetworkGame(np.ones((4, 2)), np.zeros(2), lambda z: z, np.zeros(3), np.zeros(3))
