"""Castro, Owen and halved Owen sampling: time per explicand on a perceptron, with the same care.

The published Table I has 3.004, 1.044 and 0.968 ms. Here all three ask for the same number of
samples and share their evaluations between the players, once through coalitions (a product of
bits and steps for each) and once through neighbours (a step added to what enters the first layer).
"""

from itertools import pairwise

import numpy as np

from shapaudit.estimators import create
from shapaudit.games import PerceptronGame
from shapaudit.models import Perceptron
from shapaudit_audit.study.samples import with_samples
from timing import alternate

ROUNDS = 15
CASES = {"credit cards": ([16, 13, 9, 2], 2000), "MNIST": ([784, 300, 25, 10], 12)}
METHODS = {
    "Castro": create("optimised-monte-carlo"),
    "Owen": create("multilinear", {"grid": "printed"}),
    "halved Owen": create("multilinear", {"grid": "printed", "halved": True}),
}


class Plain:
    """A game without walks and gains of its own: every coalition is a row of bits."""

    def __init__(self, game):
        self.game, self.n_players = game, game.n_players

    def __call__(self, coalitions):
        return self.game(coalitions)


def random_game(sizes):
    rng = np.random.default_rng(0)
    weights = tuple(rng.normal(size=shape) for shape in pairwise(sizes))
    biases = tuple(np.zeros(size) for size in sizes[1:])
    explicand = rng.normal(size=sizes[0])
    return PerceptronGame(Perceptron(weights, biases), explicand, np.zeros(sizes[0]))


def contestant(method, samples, game):
    estimator, budget = with_samples(method, samples, game.n_players)
    return lambda: estimator.estimate(game, budget, np.random.default_rng(1))


for data, (sizes, samples) in CASES.items():
    own = random_game(sizes)
    for way, game in {"coalitions": Plain(own), "neighbours": own}.items():
        seconds = alternate(
            {name: contestant(method, samples, game) for name, method in METHODS.items()}, ROUNDS
        )
        print(f"{data}, d = {sizes[0]}, {samples} samples, by {way}")
        for name, value in seconds.items():
            spent = with_samples(METHODS[name], samples, sizes[0])[1]
            ratio = seconds["Castro"] / value
            print(f"  {name:12s} {1e3 * value:9.3f} ms  {spent:7d} evaluations  {ratio:5.2f} x")
