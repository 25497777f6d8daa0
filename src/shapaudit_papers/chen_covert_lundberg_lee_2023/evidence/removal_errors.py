"""Evidence on claims 63 and 72: errors of removals under laws with known conditional values."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from shapaudit.datasets import Dataset
from shapaudit.datasets.laws import Law, MixtureLaw
from shapaudit.games import all_coalitions
from shapaudit.games.expectations import expectation_of
from shapaudit.models import NetworkRegression
from shapaudit.nets import Network
from shapaudit.removals import Autoencoder, Gaussian, Kernel, Marginal, Mixture, Removal, Surrogate
from shapaudit.statistics.limits import MINIMUM_UNITS
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

FEATURES, WIDTH, EXPLICANDS = 5, 16, 10
FEW, MANY = 30, 500  # rows that removals are fitted on
NET = {"hidden": (32, 32), "epochs": 60}
REMOVALS = {
    "marginal": Marginal(rows=None),
    "Gaussian": Gaussian(draws=50),
    "Gaussian mixture": Mixture(draws=50),
    "kernel": Kernel(bandwidth=0.5),
    "surrogate": Surrogate(**NET),
    "generative": Autoencoder(draws=50, **NET),
}


class MixtureWorld(NamedTuple):
    """A law, a model, explicands (m, d) from the law and their conditional games (m, 2^d)."""

    law: Law
    model: NetworkRegression
    explicands: np.ndarray
    values: np.ndarray


def random_layer(rng: np.random.Generator, features: int = FEATURES) -> NetworkRegression:
    """Return a network with one hidden layer of ReLU and normal weights."""
    network = Network.start([features, WIDTH, 1], "relu", rng)
    for weight, bias in zip(network.weights, network.biases, strict=True):
        weight[...] = rng.normal(size=weight.shape) * np.sqrt(2 / len(weight))
        bias[...] = rng.normal(size=bias.shape) / 2
    return NetworkRegression(network)


def random_world(rng: np.random.Generator) -> MixtureWorld:
    """Return a mixture of three normal laws and a layer with exact conditional games."""
    law, model = MixtureLaw.random(rng, FEATURES), random_layer(rng)
    explicands = law.sample(rng, EXPLICANDS)
    expectation = expectation_of(law, model)
    if expectation is None:
        raise ValueError("the conditional games of a layer under a mixture have a closed form.")
    exact = expectation.values(explicands, all_coalitions(FEATURES))
    return MixtureWorld(law, model, explicands, exact)


def error_of(
    removal: Removal, world: MixtureWorld, data: Dataset, rng: np.random.Generator
) -> float:
    """Return the squared error of the fitted game over that of a constant game.

    Proper coalitions are taken together.
    """
    fitted = removal.fit(world.model, data, rng)
    proper = all_coalitions(FEATURES)[1:-1]
    estimated = np.array([fitted.game(x, rng)(proper) for x in world.explicands])
    wanted = world.values[:, 1:-1]
    constant = wanted - world.values[:, :1]
    return float(np.square(estimated - wanted).sum() / np.square(constant).sum())


def rows_from(law: Law, count: int, rng: np.random.Generator) -> Dataset:
    """Return a data set of rows of a law, all of them for training."""
    rows = law.sample(rng, count)
    names = tuple(f"x{j + 1}" for j in range(law.n_features))
    split = {"train": np.arange(count), "test": np.empty(0, dtype=np.int64)}
    return Dataset("drawn", rows, None, names, split, "generated")


@sampled
def gather_errors(context: Context, removals: Mapping[str, Removal] = REMOVALS) -> Evidence:
    """Return errors (worlds, sizes, removals); each world has its law, model, rows and fits."""
    count = max(MINIMUM_UNITS, context.settings.interaction_games // 10)
    samples = (FEW, min(MANY, 5 * context.settings.interaction_games))
    errors = np.empty((count, len(samples), len(removals)))
    for k in range(count):
        world = random_world(context.generator("ccll23-63", "world", k))
        for i, size in enumerate(samples):
            data = rows_from(world.law, size, context.generator("ccll23-63", "rows", k, size))
            for j, (name, removal) in enumerate(removals.items()):
                rng = context.generator("ccll23-63", name, k, size)
                errors[k, i, j] = error_of(removal, world, data, rng)
    return {"errors": errors, "removals": list(removals), "rows": list(samples)}
