"""Laws of sizes and coalitions against enumerations that share nothing with them."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial

import numpy as np
import pytest

from shapaudit.samplers.quadrature import quadrature_rule
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_papers.theory import grids, random_order, recovery, svarm

VALUES = [0, 3, -1, 2, 5, 4, 7, -2]  # of three players


def members_of(mask, d=3):
    return [j for j in range(d) if mask >> j & 1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("printed", [(0, "1/3"), ("1/3", "1/3"), ("2/3", "1/3"), (1, "1/3")]),
        ("equal", [(0, "1/4"), ("1/3", "1/4"), ("2/3", "1/4"), (1, "1/4")]),
        ("trapezoid", [(0, "1/6"), ("1/3", "1/3"), ("2/3", "1/3"), (1, "1/6")]),
        ("midpoint", [("1/8", "1/4"), ("3/8", "1/4"), ("5/8", "1/4"), ("7/8", "1/4")]),
    ],
)
def test_grids_are_those_of_the_rules_they_are_named_after(name, expected):
    grid = grids.fixed_grid(name, 4)
    nodes = [Fraction(a, grid.denominator) for a in grid.nodes]
    weights = [Fraction(w, grid.parts) for w in grid.weights]
    assert list(zip(nodes, weights, strict=True)) == [
        (Fraction(q), Fraction(w)) for q, w in expected
    ]
    rule = quadrature_rule(name, 4)
    np.testing.assert_allclose([float(q) for q in nodes], rule.low)
    np.testing.assert_allclose([float(w) for w in weights], rule.weights)
    law = [
        sum(w * comb(2, s) * q**s * (1 - q) ** (2 - s) for q, w in zip(nodes, weights, strict=True))
        for s in range(3)
    ]
    assert list(grids.grid_law(name, 4, 3)) == law


def test_a_uniform_q_makes_all_sizes_equally_likely_and_the_ends_only_two():
    for d in range(2, 8):
        assert grids.random_law(d) == [Fraction(1, d)] * d
        assert random_order.random_subset_law(d) == random_order.size_first_law(d)
        assert random_order.size_first_law(d) == [Fraction(1, d * comb(d - 1, s)) for s in range(d)]
    assert grids.ends_law(4) == [Fraction(1, 2), 0, 0, Fraction(1, 2)]
    assert grids.ends_law(1) == [1]


def test_the_worst_bias_is_reached_by_a_game_of_zeros_and_ones():
    law = grids.grid_law("equal", 4, 3)
    biases = []
    for bits in product((0, 1), repeat=8):
        means = [
            Fraction(bits[1] - bits[0]),
            Fraction(bits[3] - bits[2] + bits[5] - bits[4], 2),
            Fraction(bits[7] - bits[6]),
        ]
        bias = sum((w - Fraction(1, 3)) * m for w, m in zip(law, means, strict=True))
        biases.append(abs(bias))
    assert grids.worst_bias(law) == max(biases) > 0


def test_expectations_on_a_grid_are_means_over_all_coalitions_at_each_node():
    values, expected = rationals(VALUES), [Fraction(0)] * 3
    for q in (Fraction(0), Fraction(1, 2), Fraction(1)):
        for mask in range(8):
            size = mask.bit_count()
            chance = q**size * (1 - q) ** (3 - size)
            for j in range(3):
                expected[j] += chance * (values[mask | 1 << j] - values[mask & ~(1 << j)]) / 3
    assert grids.grid_expectation(values, 3).tolist() == expected


def test_sets_before_a_player_have_the_semivalue_probabilities():
    for d, player in ((3, 0), (4, 2)):
        law = random_order.predecessor_law(d, player)
        assert sum(law.values()) == 1
        assert set(law) == {mask for mask in range(1 << d) if not mask >> player & 1}
        for mask, chance in law.items():
            assert chance == random_order.semivalue_probability(d, mask.bit_count())
    assert random_order.semivalue_probability(3, 1) == Fraction(1, 6)


def test_walks_and_shared_coalitions_have_the_shapley_values_as_their_mean():
    phi = shapley_values(rationals(VALUES)).tolist()
    for outcomes in (random_order.walk_outcomes(VALUES), random_order.shared_outcomes(VALUES)):
        assert sum(chance for chance, _ in outcomes) == 1
        mean, covariance = random_order.moments(outcomes)
        assert mean.tolist() == phi
        for i, j in np.ndindex(3, 3):
            expected = sum(p * (x[i] - phi[i]) * (x[j] - phi[j]) for p, x in outcomes)
            assert covariance[i, j] == expected
        law = random_order.marginal_law(outcomes, 1)
        assert sum(p * x for x, p in law.items()) == phi[1]
        assert sum(law.values()) == 1
    first = random_order.walk_contributions(rationals(VALUES), (2, 0, 1))
    assert first.tolist() == [4 - 5, -2 - 4, 5 - 0]


def test_variances_of_walks_and_of_their_means_with_their_reverses():
    def walk(order):
        contributions, before = [0, 0, 0], 0
        for j in order:
            contributions[j] = VALUES[before | 1 << j] - VALUES[before]
            before |= 1 << j
        return np.array(contributions)

    orders = list(permutations(range(3)))
    plain = np.array([walk(order) for order in orders])
    paired = np.array([(walk(order) + walk(order[::-1])) / 2 for order in orders])
    for variances, rows in zip(random_order.listed_variances(VALUES), (plain, paired), strict=True):
        np.testing.assert_allclose(variances.astype(float), rows.var(axis=0), rtol=1e-12)


def test_svarm_draws_sizes_in_proportion_to_their_reciprocals():
    assert svarm.harmonic(4) == Fraction(25, 12)
    assert svarm.size_law(3) == [Fraction(6, 11), Fraction(3, 11), Fraction(2, 11)]
    for draws, chance in ((0, Fraction(1, 3)), (1, Fraction(1, 3)), (5, Fraction(2, 7))):
        expected = Fraction(0)
        for outcome in product((0, 1), repeat=draws):
            k = sum(outcome)
            expected += chance**k * (1 - chance) ** (draws - k) / (1 + k)
        assert svarm.mean_reciprocal(draws, chance) == expected
        assert svarm.summed_reciprocal(draws, chance) == expected


@pytest.mark.parametrize(("d", "draws"), [(3, 1), (3, 2), (3, 3), (4, 3)])
def test_draws_determine_an_additive_game_as_often_as_lists_of_them_do(d, draws):
    proper = range(1, (1 << d) - 1)
    weights = {s: Fraction(1, comb(d, s.bit_count())) for s in proper}
    sizes = {s: Fraction(1, s.bit_count() * (d - s.bit_count())) for s in proper}
    total = sum(weights[s] * sizes[s] for s in proper)
    expected, ranks = Fraction(0), {}
    for sample in product(proper, repeat=draws):
        key = frozenset(sample)
        if key not in ranks:
            rows = np.array([[s >> j & 1 for j in range(d)] for s in key], dtype=float)
            ranks[key] = np.linalg.matrix_rank(rows - rows.mean(axis=1, keepdims=True))
        if ranks[key] == d - 1:
            chance = Fraction(1)
            for s in sample:
                chance *= weights[s] * sizes[s] / total
            expected += chance
    assert recovery.full_rank_probability(d, draws) == expected
    assert (expected > 0) == (draws >= d - 1)


def test_the_rank_is_that_of_directions_with_sum_zero():
    rows = np.array([[1, 0, 0], [0, 1, 1], [1, 1, 1], [0, 1, 0]])
    assert recovery.rank_of(rows[:3]) == 1
    assert recovery.rank_of(rows).tolist() == 2


def test_orders_have_equal_chances():
    chances = Counter(chance for chance, _ in random_order.walk_outcomes(VALUES))
    assert chances == {Fraction(1, 6): factorial(3)}
