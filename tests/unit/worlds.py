"""Laws and models of few features, for the tests of conditional expectations."""

import numpy as np

from shapaudit.datasets.laws import ChainLaw, CopulaLaw, DiscreteLaw, GaussianLaw, MixtureLaw
from shapaudit.models import Additive, NetworkRegression, Polynomial, RadialRegression, TreeEnsemble
from shapaudit.models.nodes import LEAF, Nodes
from shapaudit.nets import Network

D = 4


def generator(seed=0):
    return np.random.default_rng(seed)


def centred(law):
    """The law with means other than 0, which a mistake in centring would show."""
    return GaussianLaw(np.linspace(-0.5, 1.0, law.n_features), law.covariance)


LAWS = {
    "gaussian": centred(GaussianLaw.factor(generator(1), D)),
    "pairs": centred(GaussianLaw.pairs(np.array([0.7, -0.5]))),
    "mixture": MixtureLaw.random(generator(2), D),
    "copula": CopulaLaw.factor(generator(3), D, ("lognormal", "exponential", "cubic", "normal")),
    "discrete": DiscreteLaw.ising(generator(4), D, (-1.0, 0.0, 1.0)),
    "chain": ChainLaw.random(generator(5), D, (0.0, 1.0, 3.0)),
}


def quadratic(seed=0):
    rng = generator(seed)
    square = rng.normal(size=(D, D))
    return Polynomial(0.3, rng.normal(size=D), (square + square.T) / 2)


def layer(activation, hidden=(6,), seed=0):
    rng = generator(seed)
    network = Network.start((D, *hidden, 1), activation, rng)
    network.parameters += 0.3 * rng.normal(size=len(network.parameters))
    return NetworkRegression(network)


def trees(seed=0, n_trees=12, depth=3):
    """Full binary trees with random features, thresholds and values."""
    rng = generator(seed)
    size, inner = (2 << depth) - 1, (1 << depth) - 1
    place = np.arange(n_trees * size) % size
    start = np.arange(n_trees * size) - place
    split = place < inner
    nodes = Nodes(
        feature=np.where(split, rng.integers(D, size=len(place)), LEAF),
        threshold=np.where(split, rng.normal(size=len(place)), 0.0),
        left=np.where(split, start + 2 * place + 1, LEAF),
        right=np.where(split, start + 2 * place + 2, LEAF),
        default_left=np.zeros(len(place), dtype=bool),
        value=np.where(split, 0.0, rng.normal(size=len(place))),
    )
    return TreeEnsemble(nodes, size * np.arange(n_trees), 0.7, D)


MODELS = {
    "linear": Polynomial(0.3, np.array([1.0, -2.0, 0.5, 0.0]), np.zeros((D, D))),
    "quadratic": quadratic(),
    "radial": RadialRegression(D),
    "relu": layer("relu"),
    "probit": layer("probit"),
    "additive": Additive(-0.2, generator(6).normal(size=(D, 3))),
    "trees": trees(),
    "deep": layer("tanh", (5, 5)),
}

CLOSED = [
    *((law, model) for law in ("discrete", "chain") for model in MODELS),
    *(
        (law, model)
        for law in ("gaussian", "pairs", "mixture")
        for model in ("linear", "quadratic", "radial", "relu", "probit")
    ),
    *((law, "additive") for law in ("gaussian", "copula")),
    ("copula", "linear"),
    ("pairs", "trees"),
]


def explicands(law, n=2):
    return LAWS[law].sample(generator(7), n)
