"""Evidence on claims 50 and 51: DeepLIFT's rules for one unit, DeepSHAP, a softmax at the end."""

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np

from shapaudit.explainers.multipliers import RULES
from shapaudit.models.read_layers import Layers
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import vector_cases

from .networks import Rule, exact_values, numbers, random_network, unit

INPUTS = 4  # of a unit
BASELINES = ((0, 0), (1, 1))  # of DeepSHAP on the unit max(0, a + b - 1)


def one_unit(rng: np.random.Generator) -> Layers:
    """Return a unit of ReLU with random weights and an output weight."""
    return random_network(rng, (INPUTS, 1, 1))


def moved(rng: np.random.Generator, layers: Layers, signs: tuple[int, ...]) -> np.ndarray:
    """Return explicand and baseline (2, 1, d) between which chosen inputs move the unit.

    For the first inputs the products of weight and change have these signs, for the others they
    are 0.
    """
    start = numbers(rng, 1, INPUTS)
    change = np.array([[Fraction(0)] * INPUTS])
    for j, sign in enumerate(signs):
        size = Fraction(int(rng.integers(1, 9)), 4)
        change[0, j] = sign * size * (1 if layers.weights[0][j, 0] > 0 else -1)
    return np.array([start + change, start])


WORLDS = {"rescale": ((1,), (-1,)), "reveal-cancel": ((1, -1),)}  # where a rule should be exact
GENERAL = (1, 1, -1)


def gather_units(context: Context, rules: Mapping[str, Rule] = RULES) -> Evidence:
    """Return DeepLIFT and Shapley values of single units where few inputs change.

    Rescale is given one input that changes, RevealCancel one that increases and one that
    decreases the unit. ``off`` counts the units with wrong values where three inputs change.
    """
    cases, off = [], dict.fromkeys(rules, 0)
    for k in range(context.settings.random_games):
        rng = context.generator("ccll23-50e", k)
        layers = one_unit(rng)
        for rule, contributions in rules.items():
            for signs in WORLDS[rule]:
                x, r = moved(rng, layers, signs)
                attributions = contributions(layers, x, r)[0][0, 0]
                cases += vector_cases(
                    f"{rule}, unit {k + 1}, {signs}", attributions, exact_values(layers, x, r)
                )
        x, r = moved(rng, layers, GENERAL)
        exact = exact_values(layers, x, r)
        for rule, contributions in rules.items():
            off[rule] += bool((contributions(layers, x, r)[0][0, 0] != exact).any())
    return {"cases": cases, "off": off, "units": context.settings.random_games}


def averaged(layers: Layers, explicand: np.ndarray, baselines: np.ndarray, rule: str) -> np.ndarray:
    """Return DeepSHAP (d,), the mean of DeepLIFT over baselines (k, d)."""
    attributions = RULES[rule](layers, explicand, baselines)[0][0]
    return attributions.sum(axis=0) / Fraction(len(baselines))


def marginal_values(layers: Layers, explicand: np.ndarray, baselines: np.ndarray) -> np.ndarray:
    """Marginal Shapley values (d,), the mean over baselines (k, d) of the baseline values."""
    exact = [exact_values(layers, explicand, row[None]) for row in baselines]
    return np.sum(exact, axis=0) / Fraction(len(baselines))


def gather_deepshap(
    context: Context, network: Callable = random_network, explain: Callable = averaged
) -> Evidence:
    """Return DeepSHAP of one unit, and in how many random networks it is biased, by rule."""
    x = rationals([2, 1])[None]
    rows_of = np.array([rationals(row) for row in BASELINES])
    exact = marginal_values(unit(), x, rows_of)
    rows = [
        {"rule": rule, "feature": j + 1, "deepshap": a, "exact": b}
        for rule in RULES
        for j, (a, b) in enumerate(zip(explain(unit(), x, rows_of, rule), exact, strict=True))
    ]
    differing = dict.fromkeys(RULES, 0)
    for k in range(context.settings.random_games):
        rng = context.generator("ccll23-51b", k)
        layers, given = network(rng, (3, 3, 2, 1)), numbers(rng, 4, 3)
        exact = marginal_values(layers, given[:1], given[1:])
        for rule in RULES:
            attributions = explain(layers, given[:1], given[1:], rule)
            differing[rule] += bool((attributions != exact).any())
    return {"rows": rows, "differing": differing, "networks": context.settings.random_games}


Odds = tuple[Fraction, Fraction]  # exp of the two logits
EXPLAINED = ((Fraction(1), Fraction(2)), (Fraction(2), Fraction(4)))  # from 1 and 1 at the baseline


def first_share(odds: Odds) -> Fraction:
    """Return the probability of the first of two classes from their odds."""
    return odds[0] / (odds[0] + odds[1])


def elementwise(odds: Odds) -> tuple[Fraction, Fraction]:
    """Return Rescale for softmax taken as an activation of the first logit alone.

    The logits are the features and the baseline has zeros: the first gets the whole change of
    the probability, or nothing if it has not changed, and the second never gets any.
    """
    change = first_share(odds) - Fraction(1, 2)
    return (change if odds[0] != 1 else Fraction(0)), Fraction(0)


def gather_softmax(context: Context, rule: Callable = elementwise) -> Evidence:
    """Return values of a probability of two classes by Rescale and exactly; logits are features."""
    rows = []
    for odds in EXPLAINED:
        game = [
            first_share((odds[0] if first else Fraction(1), odds[1] if second else Fraction(1)))
            for first, second in ((0, 0), (1, 0), (0, 1), (1, 1))
        ]
        exact, rescale = shapley_values(game), rule(odds)
        rows += [
            {"odds": f"{odds[0]} and {odds[1]}", "feature": j + 1, "rescale": a, "exact": b}
            for j, (a, b) in enumerate(zip(rescale, exact, strict=True))
        ]
    return {"rows": rows}
