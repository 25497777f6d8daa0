"""DeepLIFT's rules in rational arithmetic: what they keep, and where they are Shapley values."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from shapaudit.explainers.multipliers import RULES
from shapaudit.games import all_coalitions
from shapaudit.models.read_layers import Layers
from shapaudit.truth.rational import shapley_values

RANDOM = np.random.default_rng(0)


def rationals(shape):
    """Fractions of small integers, zeros among them."""
    numbers = [
        Fraction(int(p), int(q))
        for p, q in zip(
            RANDOM.integers(-6, 7, np.prod(shape)), RANDOM.integers(1, 5, np.prod(shape)),
            strict=True,
        )
    ]  # fmt: skip
    return np.array(numbers, dtype=object).reshape(shape)


def rational_network(*sizes):
    weights = tuple(rationals(shape) for shape in pairwise(sizes))
    return Layers(
        weights, tuple(rationals(size) for size in sizes[1:]), ("relu",) * (len(sizes) - 2)
    )


def output(layers, rows):
    return layers.entered(rows)[-1][:, 0]


def exact_values(layers, explicand, baseline):
    table = output(layers, np.where(all_coalitions(len(explicand)), explicand, baseline))
    return shapley_values(table)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("sizes", [(3, 1), (3, 4, 1), (3, 4, 3, 1), (2, 3, 3, 2, 1)])
def test_every_layer_hands_back_the_whole_difference(rule, sizes):
    for _ in range(5):
        layers = rational_network(*sizes)
        explicands, baselines = rationals((2, sizes[0])), rationals((3, sizes[0]))
        explicands[0, 0] = baselines[0, 0]
        difference = output(layers, explicands)[:, None] - output(layers, baselines)[None]
        contributions = RULES[rule](layers, explicands, baselines)
        assert [part.shape for part in contributions] == [(2, 3, size) for size in sizes[:-1]]
        for part in contributions:
            assert all(isinstance(number, Fraction | int) for number in part.ravel())
            assert (part.sum(axis=-1) == difference).all()


@pytest.mark.parametrize("rule", RULES)
def test_a_linear_network_has_its_shapley_values(rule):
    layers = rational_network(4, 1)
    explicand, baseline = rationals((1, 4)), rationals((1, 4))
    (contributions,) = RULES[rule](layers, explicand, baseline)
    assert (contributions[0, 0] == exact_values(layers, explicand[0], baseline[0])).all()


def test_reveal_cancel_is_exact_for_a_unit_with_an_input_of_either_sign():
    """The unit's game is that of its two parts, and the rule is their Shapley value."""
    for _ in range(20):
        layers = rational_network(2, 1, 1)
        explicand, baseline = rationals((1, 2)), rationals((1, 2))
        steps = (explicand - baseline)[0] * layers.weights[0][:, 0]
        contributions = RULES["reveal-cancel"](layers, explicand, baseline)[0][0, 0]
        if steps[0] * steps[1] <= 0:
            assert (contributions == exact_values(layers, explicand[0], baseline[0])).all()


@pytest.mark.parametrize("rule", RULES)
def test_one_feature_that_differs_gets_all(rule):
    layers = rational_network(3, 4, 2, 1)
    baseline = rationals((1, 3))
    explicand = baseline.copy()
    explicand[0, 1] += 2
    contributions = RULES[rule](layers, explicand, baseline)[0][0, 0]
    assert (contributions == exact_values(layers, explicand[0], baseline[0])).all()


def test_smallest_networks_where_the_rules_are_no_shapley_values():
    """max(0, a + b - 1) for two equal inputs is theirs by symmetry; for unequal ones it is not."""
    one, none = Fraction(1), Fraction(0)
    unit = Layers(
        (np.array([[one], [one]], dtype=object), np.array([[one]], dtype=object)),
        (np.array([-one], dtype=object), np.array([none], dtype=object)),
        ("relu",),
    )
    explicand, baseline = np.array([[2 * one, one]]), np.array([[none, none]])
    exact = exact_values(unit, explicand[0], baseline[0])
    for rule in RULES.values():
        contributions = rule(unit, explicand, baseline)[0][0, 0]
        assert list(contributions) == [Fraction(4, 3), Fraction(2, 3)]
        assert list(exact) == [Fraction(3, 2), Fraction(1, 2)]
    signs = Layers(
        (np.array([[one], [-one]], dtype=object), unit.weights[1]),
        (np.array([none], dtype=object), unit.biases[1]),
        ("relu",),
    )
    explicand = np.array([[one, 2 * one]])
    rescaled, revealed = (
        RULES[rule](signs, explicand, baseline)[0][0, 0] for rule in ("rescale", "reveal-cancel")
    )
    assert list(rescaled) == [0, 0]
    assert list(revealed) == list(exact_values(signs, explicand[0], baseline[0])) == [0.5, -0.5]


def test_a_gradient_in_place_of_the_ratio_loses_the_difference():
    """The false version of the rule that the first test would see."""
    layers = rational_network(3, 4, 1)
    explicand, baseline = np.array([[Fraction(3)] * 3]), np.array([[Fraction(-2)] * 3])
    slopes = layers.entered(explicand)[0] > 0
    multiplier = (layers.weights[1][:, 0] * slopes) @ layers.weights[0].T
    difference = output(layers, explicand) - output(layers, baseline)
    assert (multiplier * (explicand - baseline)).sum() != difference[0]


@pytest.mark.parametrize("activation", ["logistic", "tanh", "probit", "leaky-relu"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("step", [0.0, 1e-12, 1e-7, 1e-3, 1.0, 30.0])
def test_multipliers_are_sound_where_little_changes(activation, rule, step):
    rng = np.random.default_rng(2)
    weights = tuple(rng.normal(size=shape) for shape in ((3, 5), (5, 4), (4, 1)))
    layers = Layers(weights, tuple(rng.normal(size=n) for n in (5, 4, 1)), (activation,) * 2)
    baseline, direction = rng.normal(size=(1, 3)), rng.normal(size=(1, 3))
    contributions = RULES[rule](layers, baseline + step * direction, baseline)
    change = (output(layers, baseline + step * direction) - output(layers, baseline)).item()
    for part in contributions:
        assert abs(float(part.sum()) - change) < 1e-13 + 1e-9 * abs(change)
    if 0 < step < 1e-4:
        near = [
            RULES[rule](layers, baseline + h * direction, baseline)[0] / h for h in (1e-4, step)
        ]
        np.testing.assert_allclose(near[1], near[0], rtol=0, atol=3e-3)
