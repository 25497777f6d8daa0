"""Evidence on claim 52: errors of DASP and DeepLIFT on random and on trained networks."""

from collections.abc import Callable, Iterator
from typing import Literal, cast

import numpy as np

from shapaudit.datasets import Dataset
from shapaudit.estimators import PairedKernelSHAP
from shapaudit.explainers.base import ExplainerMethod
from shapaudit.explainers.dasp import Dasp
from shapaudit.explainers.deeplift import DeepLift
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.models import NetworkRegression, train
from shapaudit.nets import Network
from shapaudit.statistics.limits import MINIMUM_UNITS
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

PLAYERS, WIDTH, DEPTHS = 10, 24, (1, 2, 3)
ROWS, EXPLICANDS = 400, 3
RULES: tuple[Literal["rescale", "reveal-cancel"], ...] = ("rescale", "reveal-cancel")
TRAINED, DASP, KERNEL = "trained", "DASP", "paired KernelSHAP"
PASSES = 2 * PLAYERS**2  # of DASP, and evaluations of KernelSHAP

Explainers = dict[str, ExplainerMethod]
EXPLAINERS: Explainers = {
    DASP: Dasp(),
    **{f"DeepLIFT, {rule}": DeepLift(rule=rule) for rule in RULES},
}


def random_network(rng: np.random.Generator, depth: int) -> NetworkRegression:
    """Return a network with normal weights of variance 2 / inputs and biases of variance 1/4.

    The weights are those of He et al. 2015.
    """
    network = Network.start([PLAYERS, *[WIDTH] * depth, 1], "relu", rng)
    for weight, bias in zip(network.weights, network.biases, strict=True):
        weight[...] = rng.normal(size=weight.shape) * np.sqrt(2 / len(weight))
        bias[...] = rng.normal(size=bias.shape) / 2
    return NetworkRegression(network)


def trained_network(rng: np.random.Generator, depth: int) -> NetworkRegression:
    """Return a network of two hidden layers, trained on random interactions of three features."""
    rows = rng.normal(size=(ROWS, PLAYERS))
    target = rng.normal(size=ROWS) / 4
    for _ in range(2 * PLAYERS):
        chosen = rng.choice(PLAYERS, size=3, replace=False)
        target += rng.normal() * np.maximum(rows[:, chosen] @ rng.normal(size=3) - 0.5, 0)
    split = {"train": np.arange(3 * ROWS // 4), "test": np.arange(3 * ROWS // 4, ROWS)}
    names = tuple(f"x{j + 1}" for j in range(PLAYERS))
    dataset = Dataset("generated", rows, target, names, split, "generated")
    seed = int(rng.integers(2**31))
    model = train("network", dataset, {"hidden": [WIDTH, WIDTH], "epochs": 40}, seed)
    return cast(NetworkRegression, model)  # what the trainer "network" makes


def groups(context: Context) -> Iterator[tuple[str, int, int, Callable]]:
    """Yield name, number of networks, hidden layers and a function that makes a network."""
    most = context.settings.interaction_games
    for depth in DEPTHS:
        name = f"random, {depth} hidden layer{'s' * (depth > 1)}"
        yield name, max(MINIMUM_UNITS, most // 5), depth, random_network
    yield TRAINED, max(MINIMUM_UNITS, most // 10), 2, trained_network


@sampled
def gather_errors(context: Context, explainers: Explainers = EXPLAINERS) -> Evidence:
    """Return relative errors (networks, methods) by group of networks, against enumeration.

    The methods are the explainers and paired KernelSHAP, over a few explicands of each network
    together, against a baseline of zeros.
    """
    errors = {}
    for name, count, depth, make in groups(context):
        rows = []
        for k in range(count):
            rng = context.generator("ccll23-52", name, k)
            model, explicands = make(rng, depth), rng.normal(size=(EXPLICANDS, PLAYERS))
            rows.append(relative_errors(model, explicands, explainers, rng))
        errors[name] = np.array(rows)
    return {"errors": errors, "methods": [*explainers, KERNEL]}


def relative_errors(
    model: NetworkRegression,
    explicands: np.ndarray,
    explainers: Explainers,
    rng: np.random.Generator,
) -> list[float]:
    """Return the distance from the exact values over their norm, over explicands, by method."""
    coalitions = all_coalitions(PLAYERS)
    tables = [model.predict(np.where(coalitions, row, 0.0)) for row in explicands]
    exact = shapley_from_table(np.array(tables))
    estimates = [
        explainer.fit(model, np.zeros(PLAYERS)).explain(explicands).values
        for explainer in explainers.values()
    ]
    kernel = PairedKernelSHAP()
    runs = [kernel.estimate(TabularGame(table), PASSES, rng).values for table in tables]
    estimates.append(np.array(runs))
    return [float(np.linalg.norm(values - exact) / np.linalg.norm(exact)) for values in estimates]
