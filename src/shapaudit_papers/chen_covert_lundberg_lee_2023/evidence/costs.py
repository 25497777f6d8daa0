"""Evidence on claims 46, 48, 49, 51, 52 and 53: what the methods for particular models cost."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from shapaudit.explainers.base import ExplainerMethod
from shapaudit.explainers.dasp import Dasp
from shapaudit.explainers.deep_shapnet import DeepShapNet
from shapaudit.explainers.deeplift import DeepLift
from shapaudit.explainers.multipliers import rescale
from shapaudit.explainers.paths import path_tables
from shapaudit.explainers.shallow_shapnet import ShallowShapNet
from shapaudit.models import ShapleyNetwork
from shapaudit.models.read_layers import Layers
from shapaudit.models.shapnet import butterfly
from shapaudit.nets import Network
from shapaudit.nets.shapnet import ShapNet
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import small_dimensions
from shapaudit_papers.theory.removal import Row
from shapaudit_papers.theory.trees import Split, Tree, as_ensemble

from .meter import Meter, counted
from .trees import random_tree

FEATURES = (2, 4, 8, 16, 32, 64)  # of LinearSHAP
STAGED = (4, 8, 16, 32)  # of networks, powers of two
SHAPES = ((4, 8, 1), (8, 16, 1), (8, 16, 16, 1), (16, 32, 16, 8, 1))
BASELINES = (1, 2, 4, 8)
DEPTHS, TREE_ROWS, TREE_FEATURES = (2, 4, 6, 8), 48, 6


def attributed(beta: np.ndarray, x: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Return beta_i (x_i - mu_i) (d,), Equation 10."""
    return beta * (x - mean)


def gather_linear(context: Context, formula: Callable = attributed) -> Evidence:
    """Return multiplications of LinearSHAP, and how many game values Shapley values depend on.

    A value is needed if changing it alone changes the Shapley values.
    """
    rows, rng = [], context.generator("ccll23-46d")
    for d in FEATURES:
        meter = Meter()
        formula(*(counted(rng.integers(-9, 10, size=d), meter) for _ in range(3)))
        rows.append({"features": d, "multiplications": meter.count})
    general = []
    for d in small_dimensions(context, 5):
        games = rationals(np.eye(1 << d, dtype=int).ravel().tolist()).reshape(1 << d, 1 << d)
        needed = sum(bool((shapley_values(game) != 0).any()) for game in games)
        general.append({"players": d, "values": 1 << d, "needed": needed})
    return {"rows": rows, "general": general}


def random_layers(rng: np.random.Generator, sizes: tuple[int, ...]) -> Layers:
    """Layers of ReLU with normal weights."""
    shapes = list(pairwise(sizes))
    return Layers(
        tuple(rng.normal(size=shape) for shape in shapes),
        tuple(rng.normal(size=shape[1]) for shape in shapes),
        ("relu",) * (len(shapes) - 1),
    )


def gather_deepshap(context: Context, rule: Callable = rescale) -> Evidence:
    """Return multiplications of DeepSHAP for one explicand, by weights and baselines."""
    rows = []
    for k, sizes in enumerate(SHAPES):
        rng = context.generator("ccll23-51d", k)
        layers = random_layers(rng, sizes)
        weights = sum(weight.size for weight in layers.weights)
        for baselines in BASELINES:
            meter, given = Meter(), rng.normal(size=(1 + baselines, sizes[0]))
            own = [counted(weight, meter) for weight in layers.weights]
            biases = [counted(bias, meter) for bias in layers.biases]
            layers_counted = counted(given, meter)
            rule(
                Layers(tuple(own), tuple(biases), layers.activations),
                layers_counted[:1],
                layers_counted[1:],
            )
            row = {"weights": weights, "baselines": baselines, "multiplications": meter.count}
            rows.append(row | {"each": meter.count / (weights * (1 + baselines))})
    return {"rows": rows}


def random_shapnet(rng: np.random.Generator, d: int, deep: bool) -> ShapleyNetwork:
    """Return a deep ShapNet of d features, a power of two, or a shallow one of all neighbours."""
    stages = d.bit_length() - 1
    groups = butterfly(stages) if deep else [np.array(list(pairwise(range(d))))]
    channels = [1, *[2] * (len(groups) - 1), 1]
    return ShapleyNetwork(ShapNet.start(d, groups, channels, 4, rng), np.zeros(d))


EXPLAINERS: dict[str, tuple[ExplainerMethod, str]] = {
    "DeepLIFT": (DeepLift(), "network"),
    "Shallow ShapNet": (ShallowShapNet(), "shallow"),
    "Deep ShapNet": (DeepShapNet(), "deep"),
    "DASP, one size": (Dasp(sizes=1), "network"),
    "DASP, all sizes": (Dasp(), "network"),
}


def gather_passes(context: Context, explainers=EXPLAINERS) -> Evidence:
    """Return passes through the model for one explicand, by method and number of features."""
    rows = []
    for d in STAGED:
        rng = context.generator("ccll23-52g", d)
        models = {
            "network": Network.start([d, 8, 1], "relu", rng),
            "shallow": random_shapnet(rng, d, deep=False),
            "deep": random_shapnet(rng, d, deep=True),
        }
        for name, (explainer, kind) in explainers.items():
            explanation = explainer.fit(models[kind], np.zeros(d)).explain(rng.normal(size=d))
            rows.append({"method": name, "features": d, "passes": explanation.rows})
    return {"rows": rows}


def visited(
    tree: Tree, explicand: Row, baseline: Row, owners: dict[int, bool] | None = None
) -> int:
    """Return how many nodes interventional TreeSHAP enters for one baseline.

    They are the nodes that hybrid rows reach. ``owners`` says, for each feature at which the
    two rows have parted, whose side is followed.
    """
    if not isinstance(tree, Split):
        return 1
    owners = owners or {}
    sides = tree.side(explicand), tree.side(baseline)
    if sides[0] is sides[1]:
        return 1 + visited(sides[0], explicand, baseline, owners)
    follow = [owners[tree.feature]] if tree.feature in owners else [False, True]
    return 1 + sum(
        visited(sides[owner], explicand, baseline, owners | {tree.feature: owner})
        for owner in follow
    )


def trees(context: Context, name: str) -> Iterator[tuple[int, Tree, list[Row]]]:
    """Yield depth, random tree and rows, with rows on both sides of every split."""
    for depth in DEPTHS:
        for k in range(context.settings.random_games):
            rng = context.generator(name, depth, k)
            drawn = rng.integers(9, size=(TREE_ROWS, TREE_FEATURES)).tolist()
            rows: list[Row] = [tuple(map(Fraction, row)) for row in drawn]
            yield depth, random_tree(rng, rows, depth), rows


def size_of(tree: Tree) -> tuple[int, int]:
    """Leaves and depth."""
    if not isinstance(tree, Split):
        return 1, 0
    left, right = size_of(tree.left), size_of(tree.right)
    return left[0] + right[0], 1 + max(left[1], right[1])


def gather_interventional(context: Context, count: Callable = visited) -> Evidence:
    """Return the largest number of nodes for one baseline beside the size of the random tree."""
    rows = []
    for depth, tree, (x, *others) in trees(context, "ccll23-48d"):
        nodes = 2 * size_of(tree)[0] - 1
        most = max(count(tree, x, other) for other in others)
        rows.append({"depth": depth, "nodes": nodes, "most_visited": most})
    return {"rows": rows}


def tabulated(tree: Tree) -> int:
    """Return how many numbers path-dependent TreeSHAP uses for one explicand, twice each."""
    ensemble = as_ensemble(tree, TREE_FEATURES)
    tables = path_tables(replace(ensemble, weight=np.ones(ensemble.nodes.feature.size)))
    return len(tables.order) * tables.factor.shape[2]


def gather_path_dependent(context: Context, count: Callable = tabulated) -> Evidence:
    """Return the numbers that path-dependent TreeSHAP uses, beside leaves and depth."""
    rows = []
    for _, tree, _ in trees(context, "ccll23-49e"):
        leaves, depth = size_of(tree)
        rows.append({"leaves": leaves, "depth": depth, "numbers": count(tree)})
    return {"rows": rows}
