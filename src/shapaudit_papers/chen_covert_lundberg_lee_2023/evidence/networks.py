"""Evidence on claims 50, 53 and 54: DeepLIFT and ShapNets, on small networks of fractions."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

import numpy as np

from shapaudit.explainers.multipliers import RULES
from shapaudit.games import all_coalitions
from shapaudit.models.read_layers import Layers
from shapaudit.models.shapnet import butterfly
from shapaudit.nets.shapnet import Stage, stage_forward
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import vector_cases

SHAPES = ((3, 1), (3, 3, 1), (3, 3, 2, 1), (2, 2, 3, 2, 1))  # features, hidden layers, output
MODULES = (((0, 1), (1, 2), (0, 2)), ((0, 1, 2), (1, 2, 3)))  # of shallow ShapNets
Rule = Callable[[Layers, np.ndarray, np.ndarray], list[np.ndarray]]


def numbers(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return random quarters between -2 and 2."""
    quarters = rng.integers(-8, 9, size=shape)
    return rationals([Fraction(int(k), 4) for k in quarters.ravel()]).reshape(shape)


def random_network(rng: np.random.Generator, sizes: tuple[int, ...]) -> Layers:
    """Return layers of ReLU with random weights and biases."""
    weights = tuple(numbers(rng, *shape) for shape in pairwise(sizes))
    return Layers(weights, tuple(numbers(rng, k) for k in sizes[1:]), ("relu",) * (len(sizes) - 2))


def networks(context: Context, name: str) -> Iterator[tuple[str, Layers, np.ndarray, np.ndarray]]:
    """Yield label, network, explicand (1, d) and baseline (1, d)."""
    for sizes in SHAPES:
        for k in range(context.settings.random_games):
            rng = context.generator(name, len(sizes), k)
            rows = numbers(rng, 2, sizes[0])
            yield (
                f"{len(sizes) - 2} hidden layers, {k + 1}",
                random_network(rng, sizes),
                *rows[:, None],
            )


def output(layers: Layers, rows: np.ndarray) -> np.ndarray:
    """Outputs (m,)."""
    return layers.entered(rows)[-1][:, 0]


def exact_values(layers: Layers, explicand: np.ndarray, baseline: np.ndarray) -> np.ndarray:
    """Return baseline Shapley values (d,), enumerating all hybrid rows."""
    coalitions = all_coalitions(explicand.shape[1])
    return shapley_values(output(layers, np.where(coalitions, explicand, baseline)))


def gather_layers(context: Context, rules: Mapping[str, Rule] = RULES) -> Evidence:
    """Return the sums that each rule propagates to each layer, and the change of the output."""
    cases: list[Case] = []
    for label, layers, explicand, baseline in networks(context, "ccll23-50a"):
        change = (output(layers, explicand) - output(layers, baseline))[0]
        for rule, contributions in rules.items():
            for k, parts in enumerate(contributions(layers, explicand, baseline)):
                total = Fraction(parts.sum())
                cases.append(Case(f"{label}, {rule}, layer {k + 1}", total, change))
    return {"cases": cases, "layers": max(map(len, SHAPES)) - 2}


def unit() -> Layers:
    """max(0, x_1 + x_2 - 1)."""
    one = Fraction(1)
    return Layers(
        (rationals([1, 1])[:, None], rationals([1])[:, None]),
        (np.array([-one]), np.array([0 * one])),
        ("relu",),
    )


def gather_bias(context: Context, network: Callable = random_network) -> Evidence:
    """Return DeepLIFT and Shapley values of one unit, and in how many networks they differ."""
    explicand, baseline = rationals([2, 1])[None], rationals([0, 0])[None]
    exact = exact_values(unit(), explicand, baseline)
    rows, differing, tried = [], {}, 0
    for rule, contributions in RULES.items():
        attributions = contributions(unit(), explicand, baseline)[0][0, 0]
        rows += [
            {"rule": rule, "feature": k + 1, "deeplift": Fraction(a), "exact": b}
            for k, (a, b) in enumerate(zip(attributions, exact, strict=True))
        ]
        differing[rule] = 0
    for k in range(context.settings.random_games):
        rng = context.generator("ccll23-50b", k)
        layers, (x, r) = network(rng, (3, 3, 2, 1)), numbers(rng, 2, 1, 3)
        exact, tried = exact_values(layers, x, r), tried + 1
        for rule, contributions in RULES.items():
            differing[rule] += bool((contributions(layers, x, r)[0][0, 0] != exact).any())
    return {"rows": rows, "differing": differing, "networks": tried}


def random_stage(
    rng: np.random.Generator, groups: tuple | np.ndarray, channels: tuple[int, int] = (1, 1)
) -> Stage:
    """Modules of three hidden units."""
    groups, (inputs, outputs) = np.array(groups), channels
    modules, h = groups.shape
    first, shift = numbers(rng, modules, h, inputs, 3), numbers(rng, modules, 3)
    return Stage(groups, first, shift, numbers(rng, modules, 3, outputs))


def module_sum(stage: Stage, rows: np.ndarray) -> np.ndarray:
    """Return the network's output (m,) by definition: the sum of all modules of rows (m, d)."""
    total = rationals([0] * len(rows))
    for members, first, shift, last in zip(*stage, strict=True):
        entered = rows[:, members] @ first[:, 0] + shift
        total = total + (entered * (entered > 0) @ last)[:, 0]
    return total


def explained(stage: Stage, explicand: np.ndarray, baseline: np.ndarray) -> np.ndarray:
    """Return a shallow ShapNet's own explanation (d,)."""
    return stage_forward(stage, explicand[:, :, None], baseline[:, :, None])[0][0, :, 0]


def gather_shallow(context: Context, explanation: Callable = explained) -> Evidence:
    """Return explanations of shallow ShapNets with overlapping modules, and enumerated values."""
    cases: list[Case] = []
    for groups in MODULES:
        d = 1 + max(map(max, groups))
        for k in range(context.settings.random_games):
            rng = context.generator("ccll23-53a", d, k)
            stage, (x, r) = random_stage(rng, groups), numbers(rng, 2, 1, d)
            exact = shapley_values(module_sum(stage, np.where(all_coalitions(d), x, r)))
            label = f"d = {d}, network {k + 1}"
            cases += vector_cases(label, explanation(stage, x, r), exact)
    return {"cases": cases}


def gather_deep(context: Context, later: Callable = random_stage) -> Evidence:
    """Return sums of deep ShapNets of two stages, and how often their values are biased.

    Both with hidden units of the second stage as they come and with all of them active, when
    that stage is linear.
    """
    sums: list[Case] = []
    differing = {"deep": 0, "linear": 0}
    pairs, tried = butterfly(2), context.settings.random_games
    for k in range(tried):
        rng = context.generator("ccll23-54a", k)
        first, second = random_stage(rng, pairs[0], (1, 2)), later(rng, pairs[1], (2, 1))
        row = numbers(rng, 4, 1)
        for name, last in (
            ("deep", second),
            ("linear", second._replace(shift=second.shift + Fraction(10**6))),
        ):
            table = handed_on((first, last), np.where(all_coalitions(4)[:, :, None], row, 0 * row))
            values, exact = (
                handed_on((first, last), row[None])[0],
                shapley_values(table.sum(axis=1)),
            )
            sums.append(Case(f"{name}, network {k + 1}", Fraction(values.sum()), exact.sum()))
            differing[name] += bool((values != exact).any())
    return {"cases": sums, "differing": differing, "networks": tried}


def handed_on(stages: tuple[Stage, ...], rows: np.ndarray) -> np.ndarray:
    """Return the outputs (m, d) of the last stage for rows (m, d, 1)."""
    for stage in stages:
        rows = stage_forward(stage, rows)[0]
    return rows[..., 0]
