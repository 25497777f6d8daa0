"""Rules for the inclusion probability: weights, exactness, pairs, levels and draws."""

from math import ceil

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from shapaudit.games import tabulate
from shapaudit.games.simulated import ProductGame
from shapaudit.samplers.quadrature import (
    counts_for,
    draw_levels,
    least_draws,
    levels_for,
    paired_rule,
    plan,
    quadrature_rule,
)
from shapaudit.truth.multilinear import product_shapley
from shapaudit_papers.theory.multilinear import bias, mean_powers, size_law

FIXED = ["equal", "trapezoid", "midpoint", "gauss-legendre"]
RULES = [*FIXED, "printed", "stratified"]


def integral_of_power(rule, degree):
    """The rule's integral of q^degree; 1 / (degree + 1) where it is exact."""
    return rule.weights @ mean_powers(rule, degree)[:, -1]


@pytest.mark.parametrize("levels", [2, 3, 4, 9])
@pytest.mark.parametrize("name", [*FIXED, "stratified"])
def test_weights_sum_to_one_and_rules_are_symmetric(name, levels):
    rule = quadrature_rule(name, levels)
    assert rule.weights.sum() == pytest.approx(1, abs=1e-14)
    np.testing.assert_allclose(rule.low, 1 - rule.high[::-1], atol=1e-14)
    np.testing.assert_allclose(rule.weights, rule.weights[::-1], rtol=1e-12)
    assert (np.diff(rule.low) > 0).all()


@pytest.mark.parametrize("levels", [2, 3, 10])
def test_the_printed_weights_sum_to_more_than_one(levels):
    intervals = levels - 1
    assert quadrature_rule("printed", levels).weights.sum() == pytest.approx(1 + 1 / intervals)
    # Algorithm 2 counts q = 1/2 twice when it is a level.
    excess = 2 / intervals if levels % 2 else 1 / intervals
    assert paired_rule("printed", levels).weights.sum() == pytest.approx(1 + excess)


@pytest.mark.parametrize(
    ("name", "exact", "fails"),
    [("equal", 1, 2), ("trapezoid", 1, 2), ("midpoint", 1, 2), ("gauss-legendre", 5, 6)],
)
def test_degree_of_exactness_of_three_levels(name, exact, fails):
    rule = quadrature_rule(name, 3)
    for degree in range(exact + 1):
        assert integral_of_power(rule, degree) == pytest.approx(1 / (degree + 1), abs=1e-14)
    assert abs(integral_of_power(rule, fails) - 1 / (fails + 1)) > 1e-4


@pytest.mark.parametrize("d", range(1, 9))
def test_half_as_many_gauss_legendre_levels_as_players_are_exact(d):
    law = size_law(quadrature_rule("gauss-legendre", ceil(d / 2)), d)
    np.testing.assert_allclose(law, 1 / d, atol=1e-13)
    if d > 2:
        law = size_law(quadrature_rule("gauss-legendre", ceil(d / 2) - 1), d)
        assert np.abs(law - 1 / d).max() > 1e-4


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("levels", [1, 2, 5])
def test_strata_are_exact_on_average_for_any_number_of_players(levels, paired):
    rule = (paired_rule if paired else quadrature_rule)("stratified", levels)
    for d in (1, 4, 11):
        np.testing.assert_allclose(size_law(rule, d, paired), 1 / d, atol=1e-13)


@pytest.mark.parametrize("levels", [2, 3, 6, 7])
@pytest.mark.parametrize("name", [*FIXED, "stratified"])
def test_pairs_have_the_expectation_of_the_whole_grid(name, levels):
    plain, paired = quadrature_rule(name, levels), paired_rule(name, levels)
    np.testing.assert_allclose(size_law(paired, 6, True), size_law(plain, 6), atol=1e-14)
    if name != "equal":
        assert len(paired.weights) == ceil(levels / 2)


def test_errors_of_the_rules_are_of_the_order_their_card_says():
    present, absent = np.array([2.0, 1.5, 3.0, 0.5]), np.ones(4)
    game = ProductGame(present, absent, 0.0)
    # e_i(q) is the product of the lines of the other players, times the step of player i.
    lines = [Polynomial([a, p - a]) for p, a in zip(present, absent, strict=True)]
    e = [
        (present - absent)[i] * np.prod([line for j, line in enumerate(lines) if j != i])
        for i in range(4)
    ]
    ends = np.array([poly(0) + poly(1) for poly in e])
    slopes = np.array([poly.deriv()(1) - poly.deriv()(0) for poly in e])
    middle = np.array([poly(0.5) for poly in e])
    phi = product_shapley(game).values
    levels = 4001
    intervals = levels - 1
    leading = {
        "printed": ends / (2 * intervals),
        "equal": (ends / 2 - phi) / levels,
        "trapezoid": slopes / (12 * intervals**2),
        "midpoint": -slopes / (24 * levels**2),
    }
    values = tabulate(game).values
    for name, term in leading.items():
        np.testing.assert_allclose(bias(values, quadrature_rule(name, levels)), term, rtol=2e-3)
    halved = bias(values, paired_rule("printed", levels), paired=True)
    np.testing.assert_allclose(halved, leading["printed"] + middle / intervals, rtol=2e-3)


@pytest.mark.parametrize("per_level", [1, 2, 3])
@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("name", [*RULES, "random"])
def test_a_plan_never_exceeds_its_draws(name, paired, per_level):
    for draws in range(least_draws(name, paired, None, per_level), 40):
        rule, counts = plan(name, draws, 7, paired, None, per_level)
        assert len(counts) == len(rule.weights)
        assert counts.min() >= 1
        left = draws - counts.sum()
        if name in ("printed", "equal"):
            assert 0 <= left < len(counts)
            assert len(set(counts)) == 1
        else:  # a trapezoid rule may have its two ends only
            assert left == 0 or (name == "trapezoid" and 0 < left < per_level)


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_a_plan_of_given_levels(name, paired):
    least = least_draws(name, paired, 5)
    assert least == len((paired_rule if paired else quadrature_rule)(name, 5).weights)
    rule, counts = plan(name, least, 7, paired, levels=5)
    np.testing.assert_array_equal(counts, np.ones(least))
    rule, counts = plan(name, 101, 7, paired, levels=5)
    if name == "trapezoid":
        assert counts[rule.certain].max() == 1
    elif name in ("printed", "equal"):
        assert np.ptp(counts) == 0
    else:
        np.testing.assert_allclose(counts, 101 * rule.weights, atol=1)


def test_levels_by_budget():
    # 23 coalitions, two at each level: 11 levels, as in the papers; 23 pairs: 11 from 0 to 1/2.
    assert levels_for("printed", 23, False, 2, 10) == 11
    assert levels_for("printed", 23, True, 2, 10) == 21
    assert levels_for("equal", 23, True, 2, 10) == 11
    assert levels_for("trapezoid", 23, False, 2, 10) == 12
    assert levels_for("trapezoid", 1, False, 2, 10) == levels_for("trapezoid", 0, True, 2, 10) == 0
    assert levels_for("midpoint", 23, True, 2, 10) == 22
    assert levels_for("gauss-legendre", 23, False, 2, 10) == 5


def test_too_few_draws_for_equal_weights_make_q_random():
    rule, counts = plan("equal", 3, 5)
    assert (rule.low[0], rule.high[0], counts.tolist()) == (0.0, 1.0, [3])
    rule, counts = plan("equal", 4, 5)
    assert (rule.low.tolist(), counts.tolist()) == ([0.0, 1.0], [2, 2])


def test_drawn_probabilities_stay_in_their_cells():
    rule = quadrature_rule("stratified", 4)
    q = draw_levels(rule, np.array([500, 1, 2, 3]), np.random.default_rng(0))
    np.testing.assert_array_equal(np.floor(4 * q), np.repeat(np.arange(4), [500, 1, 2, 3]))
    assert q[:500].mean() == pytest.approx(1 / 8, abs=4 / 4 / np.sqrt(12 * 500))
    nodes = draw_levels(quadrature_rule("midpoint", 2), np.array([1, 2]), np.random.default_rng(0))
    np.testing.assert_array_equal(nodes, [0.25, 0.75, 0.75])


@pytest.mark.parametrize(
    ("name", "levels", "match"),
    [("equal", 1, "at least 2"), ("midpoint", 0, "at least 1"), ("random", 2, "one level")],
)
def test_impossible_levels(name, levels, match):
    with pytest.raises(ValueError, match=match):
        quadrature_rule(name, levels)


def test_leftover_draws_of_the_published_rules_are_not_drawn():
    rule = quadrature_rule("equal", 4)
    np.testing.assert_array_equal(counts_for("equal", rule, 11, 2), [2, 2, 2, 2])
    rule = quadrature_rule("midpoint", 4)
    np.testing.assert_array_equal(counts_for("midpoint", rule, 11, 2), [3, 3, 3, 2])
