"""Evidence on claims 50g, 53f, 53g and 54e: what ShapNets can represent, learn, and explain."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np

from shapaudit.datasets import Dataset
from shapaudit.explainers.multipliers import RULES
from shapaudit.games import all_coalitions
from shapaudit.models import ShapleyNetwork, train
from shapaudit.models.read_layers import Layers
from shapaudit.nets.shapnet import ShapNet, Stage, coalitions_of, shapley_divisor, shapley_matrix
from shapaudit.statistics.limits import MINIMUM_UNITS
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .common import target_of
from .costs import random_shapnet

MOST = 6  # features of a parity


def explained_share(h: int, k: int) -> Fraction:
    """Return the share of the variance of a parity of k signs due to functions of h signs.

    It is that of the best fit in mean squares over all rows. Products of up to h of the signs
    are an orthonormal basis of all such functions together, so that the share is the sum of
    squared coefficients.
    """
    rows = list(product((-1, 1), repeat=k))
    total = Fraction(0)
    for size in range(h + 1):
        for chosen in combinations(range(k), size):
            coefficient = Fraction(
                sum(prod(row) * prod(row[j] for j in chosen) for row in rows), len(rows)
            )
            total += coefficient**2
    return total


def gather_parity(context: Context, share: Callable = explained_share) -> Evidence:
    """Return the best R^2 of sums of functions of h features for a parity of k, over all rows."""
    rows = [
        {"parity_of": k, "features_of_a_module": h, "best_share": share(h, k)}
        for k in range(2, MOST + 1)
        for h in range(1, k + 1)
    ]
    return {"rows": rows}


def unrolled(stages: list[Stage], n_features: int, bias: np.ndarray) -> Layers:
    """Return a ShapNet as a plain network of ReLU, for rows less its reference.

    The hidden units are those of all modules for all coalitions of their features; the output
    of a stage is linear in them.
    """
    handed, weights, biases = np.eye(n_features), [], []
    for stage in stages:
        into, out = _dense(stage, n_features)
        weights.append(handed @ into)
        biases.append(np.repeat(stage.shift, 1 << stage.groups.shape[1], axis=0).ravel())
        handed = out
    weights.append(handed.reshape(len(handed), -1).sum(axis=1, keepdims=True))
    return Layers(tuple(weights), (*biases, bias), ("relu",) * len(stages))


def _dense(stage: Stage, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Return weights (d c, M 2^h w) into a stage's units, and (M 2^h w, d c') out of them."""
    modules, h, c, w = stage.first.shape
    masks, shares = coalitions_of(h), shapley_matrix(h) / shapley_divisor(h)
    into = np.zeros((d, c, modules, 1 << h, w))
    out = np.zeros((modules, 1 << h, w, d, stage.last.shape[-1]))
    for m, members in enumerate(stage.groups):
        for j, feature in enumerate(members):
            into[feature, :, m] = masks[:, j, None] * stage.first[m, j][:, None]
            out[m, :, :, feature] = shares[j][:, None, None] * stage.last[m]
    return into.reshape(d * c, -1), out.reshape(-1, d * out.shape[-1])


PLAYERS = 8
ERROR_ROUNDING = 1e-12  # relative errors below are none
ROWS, TRAINING = (600, 6000), {"epochs": 60, "patience": 10, "rate": 0.01}


def row_counts(context: Context) -> tuple[int, int]:
    """Return few and many rows of a task, of which two thirds are for training."""
    few, many = ROWS
    most = context.settings.fitted_rows
    return min(few, 2 * most), min(many, 20 * most)


def task(rng: np.random.Generator, order: int, count: int) -> Dataset:
    """Return normal features and a target of four terms, each the absolute value of a random sum.

    A sum has ``order`` features; noise is added.
    """
    rows, target = rng.normal(size=(count, PLAYERS)), rng.normal(size=count) / 4
    for _ in range(4):
        chosen = rng.choice(PLAYERS, size=order, replace=False)
        sums = rows[:, chosen] @ rng.choice([-1.0, 1.0], size=order)
        target += rng.choice([-1.0, 1.0]) * 2 / np.sqrt(order) * np.abs(sums)
    split = {"train": np.arange(2 * count // 3), "test": np.arange(2 * count // 3, count)}
    names = tuple(f"x{j + 1}" for j in range(PLAYERS))
    return Dataset("generated", rows, target, names, split, "generated")


LEARNERS = {
    "network": ("network", {"hidden": [32, 32], **TRAINING}),
    "shallow ShapNet": ("shallow-shapnet", {"size": 2, "modules": 28, "width": 8, **TRAINING}),
    "deep ShapNet": ("deep-shapnet", {}),
}
WIDE = "terms of four features"  # more than a module of the shallow ShapNet has
ORDERS = {"terms of two features": 2, WIDE: 4}


def task_count(context: Context) -> int:
    """Return the number of tasks of a kind, in the default study just enough for two ratios."""
    return max(MINIMUM_UNITS, context.settings.interaction_games // 15)


@sampled
def gather_accuracy(context: Context, learners=LEARNERS) -> Evidence:
    """Return mean squared errors (tasks, learners) on held-out rows, by kind of task and rows.

    ``rows`` are the numbers of training rows, by which the kinds of tasks are known as well.
    """
    errors, training = {}, [2 * count // 3 for count in row_counts(context)]
    for count, rows in zip(row_counts(context), training, strict=True):
        for name, order in ORDERS.items():
            mean_squares = []
            for k in range(task_count(context)):
                rng = context.generator("ccll23-53g", name, count, k)
                dataset = task(rng, order, count)
                mean_squares.append(_errors(learners, dataset, int(rng.integers(2**31))))
            errors[name, rows] = np.array(mean_squares)
    return {"errors": errors, "learners": list(learners), "rows": training}


def _errors(learners, dataset: Dataset, seed: int) -> list[float]:
    """Return the mean squared errors of the learners on the rows held out."""
    test = dataset.split["test"]
    models = (train(trainer, dataset, params, seed) for trainer, params in learners.values())
    wanted = target_of(dataset)[test]
    off = (model.predict(dataset.features[test]) - wanted for model in models)
    return [float(np.mean(residuals**2)) for residuals in off]


def shapnets(context: Context) -> Iterator[tuple[str, int, Callable]]:
    """Yield name, number, and a function that makes a ShapNet of eight features."""

    def trained(rng):
        dataset = task(rng, 4, row_counts(context)[0])
        return train("deep-shapnet", dataset, {}, int(rng.integers(2**31)))

    def shallow(rng):
        return random_shapnet(rng, PLAYERS, deep=False)

    def deep(rng):
        return random_shapnet(rng, PLAYERS, deep=True)

    most = context.settings.interaction_games
    yield "shallow, random", max(MINIMUM_UNITS, most // 4), shallow
    yield "deep, random", max(MINIMUM_UNITS, most), deep
    yield "deep, trained", max(MINIMUM_UNITS, most // 10), trained


@sampled
def gather_unrolled(context: Context, rules=RULES) -> Evidence:
    """Return relative errors (networks, methods) of ShapNets and of DeepLIFT on them."""
    errors = {}
    for name, count, make in shapnets(context):
        rows = []
        for k in range(count):
            rng = context.generator("ccll23-50g", name, k)
            model = make(rng)
            rows.append(unrolled_errors(model, rng.normal(size=PLAYERS), rules))
        errors[name] = np.array(rows)
    return {"errors": errors, "methods": ["ShapNet", *rules]}


def unrolled_errors(model: ShapleyNetwork, away: np.ndarray, rules=RULES) -> list[float]:
    """Return the distance from the exact values over their norm, at some distance from zero.

    The row is ``away`` from the reference.
    """
    network: ShapNet = model.network
    layers = unrolled(network.stages(), network.n_features, network.bias)
    table = network(np.where(all_coalitions(len(away)), away, 0.0))[:, 0]
    exact = shapley_from_table(table[None])[0]
    own = network.shares(away[None])[0]
    explanations = [
        own,
        *(rule(layers, away[None], 0 * away[None])[0][0, 0] for rule in rules.values()),
    ]
    scale = np.linalg.norm(exact)
    return [
        max(float(np.linalg.norm(explanation - exact) / scale), ERROR_ROUNDING)
        for explanation in explanations
    ]
