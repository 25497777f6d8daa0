"""Evidence on the column Model-agnostic of Table 1: one function written in two ways.

And on models of another kind, which no model of a method's own kind can represent.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from shapaudit.explainers.dasp import Dasp
from shapaudit.explainers.multipliers import RULES
from shapaudit.models.read_layers import Layers
from shapaudit.nets.shapnet import Stage
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import vector_cases
from shapaudit_papers.theory.removal import Model, baseline_game, product_of
from shapaudit_papers.theory.trees import Tree, interventional_values, path_dependent_game, predict

from .networks import exact_values, explained, handed_on, output
from .trees import STAIRS, conjunction

EXPLICAND, BASELINE = (0, 0, 0), (1, 0, 1)  # of the largest of three numbers
GRID = list(product((0, 1, 2), repeat=3))
Forms = tuple[np.ndarray, np.ndarray]  # values (d,) for either form


def table(rows) -> np.ndarray:
    """Return fractions as a matrix."""
    return np.array([rationals(row) for row in rows])


def largest(order: tuple[int, int, int]) -> Layers:
    """Return a network for max(x_a, x_b, x_c) = max(max(x_a, x_b), x_c), one ReLU layer each.

    A number passes a layer as the difference of its positive and its negative part.
    """
    a, b, c = order
    first = np.zeros((3, 5), dtype=int)
    first[[a, b, b, b, c, c], [0, 0, 1, 2, 3, 4]] = [1, -1, 1, -1, 1, -1]
    second = [[1, 0, 0], [1, 0, 0], [-1, 0, 0], [-1, 1, -1], [1, -1, 1]]
    zeros = (rationals([0] * 5), rationals([0] * 3), rationals([0]))
    weights = (table(first.tolist()), table(second), table([[1], [1], [-1]]))
    return Layers(weights, zeros, ("relu", "relu"))


NETWORKS = (largest((0, 1, 2)), largest((1, 2, 0)))


def network_forms(explain: Callable[[Layers], np.ndarray], forms=NETWORKS) -> Forms:
    """Return values of the largest of three numbers by two networks.

    The first or the last two numbers are compared first.
    """
    first, last = (explain(layers) for layers in forms)
    return first, last


def by_dasp(layers: Layers) -> np.ndarray:
    """Return DASP of the change from the baseline to the explicand."""
    plain: dict[str, Any] = {f"activation{k}": name for k, name in enumerate(layers.activations)}
    for part, arrays in (("weight", layers.weights), ("bias", layers.biases)):
        plain |= {f"{part}{k}": array.astype(float) for k, array in enumerate(arrays)}
    fitted = Dasp().fit(plain, np.array(BASELINE, dtype=float))
    return fitted.explain(np.array(EXPLICAND, dtype=float)).values


def by_deeplift(layers: Layers, baselines=(BASELINE,)) -> np.ndarray:
    """Return DeepLIFT by the rule Rescale, the mean over baselines."""
    attributions = RULES["rescale"](layers, table([EXPLICAND]), table(baselines))[0][0]
    return attributions.sum(axis=0) / Fraction(len(baselines))


def tree_forms(explain: Callable[[Tree], np.ndarray]) -> Forms:
    """Return values of the product of two binary features, with either of them at the root."""
    return explain(conjunction(0)), explain(conjunction(1))


def by_interventional(tree: Tree) -> np.ndarray:
    """Return interventional values at 1 and 1 against 0 and 0."""
    return interventional_values(tree, [Fraction(1)] * 2, [Fraction(0)] * 2)


def by_path(tree: Tree) -> np.ndarray:
    """Return path-dependent values at 1 and 1 if the second feature implies the first."""
    rows = [rationals(row).tolist() for row in STAIRS]
    return shapley_values(path_dependent_game(tree, rows[0], rows))


def module(units, last) -> Stage:
    """A module of all features: hidden units by their weights (w, d) and outputs (w, 1)."""
    first = table(units).T[None, :, None]
    groups = np.arange(len(units[0]))[None]
    return Stage(groups, first, rationals([0] * len(units))[None], table(last)[None])


def shallow_forms() -> Forms:
    """Return max(0, x_1 + x_2) as one unit and as two halves, at 2 and 1 against 0 and -1."""
    whole, halves = module([[1, 1]], [[1]]), module([[2, 2], [1, 1]], [["1/4"], ["1/2"]])
    x, r = table([[2, 1]]), table([[0, -1]])
    return explained(whole, x, r), explained(halves, x, r)


def deep_forms() -> tuple[tuple[Stage, ...], tuple[Stage, ...]]:
    """2 s_1 + s_2, where s are the Shapley values of max(0, x_1 + x_2), in two ways.

    By a first stage with that one unit and a second that weighs its values by 2 and 1; and by a
    first stage for the whole function, which the second hands on. A stage hands on z as
    max(0, z) - max(0, -z).
    """
    weighing = module([[2, 0], [-2, 0], [0, 1], [0, -1]], [[1], [-1]] * 2)
    passing = module([[1, 0], [-1, 0], [0, 1], [0, -1]], [[1], [-1]] * 2)
    # 2 s_1 + s_2 = (3 relu(x_1 + x_2) + relu(x_1) - relu(x_2)) / 2
    whole = module([[1, 1], [1, 0], [0, 1]], [["3/2"], ["1/2"], ["-1/2"]])
    return (module([[1, 1]], [[1]]), weighing), (whole, passing)


DEEP_EXPLICAND = (2, -1)


def written_twice() -> dict[str, Forms]:
    """Return the values of one function by both of its forms, by method of Table 1."""
    deep = [handed_on(stages, table([DEEP_EXPLICAND])[..., None])[0] for stages in deep_forms()]
    several = (BASELINE, EXPLICAND)
    return {
        "Interventional TreeSHAP": tree_forms(by_interventional),
        "Path-dependent TreeSHAP": tree_forms(by_path),
        "DeepLIFT": network_forms(by_deeplift),
        "DeepSHAP": network_forms(lambda layers: by_deeplift(layers, several)),
        "DASP": network_forms(by_dasp),
        "Shallow ShapNet": shallow_forms(),
        "Deep ShapNet": (deep[0], deep[1]),
    }


def same_functions() -> list:
    """Return outputs of both forms of networks, trees and deep ShapNets at many points."""
    rows = table(GRID)
    cases = vector_cases("network", *(output(layers, rows) for layers in NETWORKS))
    binary = [[Fraction(a), Fraction(b)] for a, b in product((0, 1), repeat=2)]
    trees = (rationals([predict(conjunction(k), row) for row in binary]) for k in (0, 1))
    cases += vector_cases("tree", *trees)
    signed = table(list(product(range(-2, 3), repeat=2)))[..., None]
    deep = (handed_on(stages, signed).sum(axis=1) for stages in deep_forms())
    return cases + vector_cases("deep ShapNet", *deep)


def mixed_difference(model: Model, n: int) -> Fraction:
    """Return the alternating sum over corners, which is 0 without interactions of n features.

    For n = 2 it is f(11) - f(10) - f(01) + f(00).
    """
    terms = (
        (-1) ** (n - sum(corner)) * model(list(map(Fraction, corner)))
        for corner in product((0, 1), repeat=n)
    )
    return sum(terms, Fraction(0))


STEPS = 8  # leaves of a tree that should say as many different things as there are points


def outside(general: Model = product_of) -> dict[str, Fraction]:
    """Return, by method, a quantity of a general model that is 0 for models of the method's kind.

    For three methods it is a mixed difference. For TreeSHAP it is by how many the distinct
    values exceed the leaves of a tree.
    """
    points = [[Fraction(k)] for k in range(STEPS + 1)]
    distinct = {shapley_values(baseline_game(general, x, points[0]))[0] for x in points}
    return {
        "LinearSHAP": mixed_difference(general, 2),
        "Correlated LinearSHAP": mixed_difference(general, 2),
        "Interventional TreeSHAP": Fraction(len(distinct) - STEPS),
        "Shallow ShapNet": mixed_difference(general, 3),
    }


def gather_forms(
    context: Context,
    forms: Callable[[], Mapping[str, Forms]] = written_twice,
    others: Callable[[], Mapping[str, Fraction]] = outside,
) -> Evidence:
    """Return values by two forms of one function, and of models outside of a kind, by method."""
    rows = [
        {"method": method, "feature": j + 1, "first": _number(a), "second": _number(b)}
        for method, (form, other) in forms().items()
        for j, (a, b) in enumerate(zip(form, other, strict=True))
    ]
    exact = exact_values(NETWORKS[0], table([EXPLICAND]), table([BASELINE]))
    return {
        "cases": same_functions(),
        "rows": rows,
        "outside": dict(others()),
        "largest_of_three": list(exact),
    }


def _number(value) -> Fraction | float:
    """Return a fraction, or a number rounded so that it is the same on every machine."""
    return value if isinstance(value, Fraction) else round(float(value), 9)
