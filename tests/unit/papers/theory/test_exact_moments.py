"""Exact expectations of estimates against sums over all that can be drawn."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy import integrate, stats

from shapaudit.samplers.quadrature import paired_rule, quadrature_rule
from shapaudit.truth import shapley_from_table
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_papers.theory import multilinear, normalisation, sampled_least_squares
from shapaudit_papers.theory.polynomial import polynomial_shapley
from shapaudit_papers.theory.radial import expected_logarithms

VALUES = np.random.default_rng(5).normal(size=16)
FRACTIONS = [0, 3, -1, 2, 5, 4, 7, -2]


def contribution(values, mask, j):
    return values[mask | 1 << j] - values[mask & ~(1 << j)]


def chance(mask, q, d=4):
    return q ** mask.bit_count() * (1 - q) ** (d - mask.bit_count())


def law_of_contributions(values, q, paired=False):
    """Chances (2^d,) and contributions (2^d, d) of one coalition, or of it and its complement."""
    d = len(values).bit_length() - 1
    rows = np.array([[contribution(values, s, j) for j in range(d)] for s in range(len(values))])
    if paired:
        rows = (rows + rows[::-1]) / 2
    return np.array([chance(s, q, d) for s in range(len(values))]), rows


@pytest.mark.parametrize("paired", [False, True])
def test_bias_variance_and_covariances_are_those_of_all_coalitions(paired):
    rule = (paired_rule if paired else quadrature_rule)("trapezoid", 5)
    mean, variance, counts = np.zeros(4), np.zeros(4), np.arange(2, 2 + len(rule.weights))
    covariances = multilinear.draw_covariances(VALUES, rule, paired)
    for k, (q, weight) in enumerate(zip(rule.low, rule.weights, strict=True)):
        chances, rows = law_of_contributions(VALUES, q, paired)
        centre = chances @ rows
        covariance = (rows - centre).T @ np.diag(chances) @ (rows - centre)
        np.testing.assert_allclose(covariances[k], covariance, atol=1e-12)
        mean += weight * centre
        if 0 < q < 1:
            variance += weight**2 / counts[k] * covariance.diagonal()
    bias = mean - shapley_from_table(VALUES)
    np.testing.assert_allclose(multilinear.expectation(VALUES, rule, paired), mean)
    np.testing.assert_allclose(multilinear.bias(VALUES, rule, paired), bias, atol=1e-12)
    moments = multilinear.size_moments(VALUES, paired)
    both = multilinear.bias_and_variance(moments, rule, counts)
    np.testing.assert_allclose(both, (bias, variance), atol=1e-12)
    np.testing.assert_allclose(multilinear.variance(VALUES, rule, counts, paired), variance)


def test_cells_of_random_levels_have_the_means_of_their_powers():
    rule = quadrature_rule("stratified", 3)
    powers = multilinear.mean_powers(rule, 4)
    for k, (low, high) in enumerate(zip(rule.low, rule.high, strict=True)):
        for s in range(5):
            whole, _ = integrate.quad(lambda q, s=s: q**s * (1 - q) ** (4 - s), low, high)
            assert powers[k, s] == pytest.approx(whole / (high - low))
    np.testing.assert_allclose(multilinear.size_law(rule, 5), np.full(5, 1 / 5))


def test_contributions_by_size_are_means_over_coalitions():
    for paired in (False, True):
        first, second = multilinear.size_moments(VALUES, paired)
        for j, k in np.ndindex(4, 4):
            of_size = [s for s in range(16) if not s >> j & 1 and s.bit_count() == k]
            gains = np.array([contribution(VALUES, s, j) for s in of_size])
            if paired:
                gains = (gains + [contribution(VALUES, 15 - s, j) for s in of_size]) / 2
            assert first[j, k] == pytest.approx(gains.mean())
            assert second[j, k] == pytest.approx(np.square(gains).mean())
    np.testing.assert_allclose(
        multilinear.mean_contributions(VALUES).mean(axis=1), shapley_from_table(VALUES)
    )


def test_normalised_estimates_are_efficient_and_only_one_of_two_is_nearest():
    phi, total = rationals([1, 2, 6]), Fraction(12)
    assert normalisation.normalise(phi, total).tolist() == [2, 3, 7]
    assert normalisation.rescale(phi, total).tolist() == [Fraction(4, 3), Fraction(8, 3), 8]
    with pytest.raises(ZeroDivisionError):
        normalisation.rescale(rationals([1, -1]), total)
    assert normalisation.squared_norm(phi) == 41


def test_the_error_is_decomposed_over_trials():
    estimates = np.array([rationals(row) for row in ([1, 4], [3, 0], [5, 5])])
    truth = rationals([2, 3])
    parts = normalisation.decompose(estimates, truth)
    assert parts.error == Fraction((1 + 1) + (1 + 9) + (9 + 4), 3)
    assert parts.bias == 1  # of the mean (3, 3)
    assert parts.variance == Fraction((4 + 1) + (0 + 9) + (4 + 4), 3)
    assert normalisation.decompose(estimates, truth, 1).variance == 11
    outcomes = [(Fraction(1, 4), rationals([4])), (Fraction(3, 4), rationals([0]))]
    bias, variance = normalisation.expected_parts(outcomes, rationals([2]), 3)
    assert variance == Fraction(2, 3) * 3  # (T - 1)/T of the variance of one
    assert bias == Fraction(1, 3) * 3 + 1  # 1/T of it, and the square of the mean's distance


def test_a_game_of_high_enough_order_is_fitted_by_itself():
    values = rationals(FRACTIONS)
    counts = np.ones(8, dtype=object)
    assert polynomial_shapley(values, counts, 2).tolist() == shapley_values(values).tolist()
    pairwise = rationals([0, 1, 2, 3 + 6, 4, 5 + 10, 6, 7 + 6 + 10])
    few = np.array([0, 1, 1, 0, 1, 1, 0, 0], dtype=object)
    exact = [1 + 3 + 5, 2 + 3, 4 + 5]
    assert polynomial_shapley(pairwise, counts, 2).tolist() == exact
    assert polynomial_shapley(pairwise, few + counts, 1).tolist() != exact


def test_fits_of_order_one_weigh_coalitions_by_kernel_and_counts():
    values, counts = np.array(FRACTIONS, dtype=float), np.array([0, 3, 1, 2, 1, 1, 4, 0])
    sizes = np.array([mask.bit_count() for mask in range(8)])
    weights = np.array(
        [
            c / (comb(3, s) * s * (3 - s)) if 0 < s < 3 else 0
            for c, s in zip(counts, sizes, strict=True)
        ]
    )
    members = (np.arange(8)[:, None] >> np.arange(3) & 1).astype(float)
    # The last of the three parameters is what the others leave of the grand coalition's value.
    total = values[-1] - values[0]
    design = members[:, :2] - members[:, 2:]
    target = values - values[0] - members[:, 2] * total
    root = np.sqrt(weights)
    first = np.linalg.lstsq(root[:, None] * design, root * target, rcond=None)[0]
    fitted = polynomial_shapley(rationals(FRACTIONS), counts.astype(object), 1)
    np.testing.assert_allclose(fitted.astype(float), [*first, total - first.sum()], rtol=1e-9)


def smallest_fit(sample, values):
    """Efficient least-squares fit (d,) to a sample of coalitions, nearest to the equal split."""
    d = len(values).bit_length() - 1
    members = np.array([[s >> j & 1 for j in range(d)] for s in sample], dtype=float)
    sizes = members.sum(axis=1)
    total = values[-1] - values[0]
    y = values[list(sample)] - values[0] - sizes / d * total
    directions = members - sizes[:, None] / d
    return np.linalg.lstsq(directions, y, rcond=1e-9)[0] + total / d


@pytest.mark.parametrize("paired", [False, True])
def test_the_expected_fit_is_the_mean_over_all_samples(paired):
    values = np.array(FRACTIONS, dtype=float)
    law = {
        s: 1 / (comb(3, s.bit_count()) * s.bit_count() * (3 - s.bit_count())) for s in range(1, 7)
    }
    total, expected = sum(law.values()), np.zeros(3)
    for sample in product(law, repeat=2):
        drawn = [*sample, *(7 - s for s in sample)] if paired else sample
        expected += np.prod([law[s] / total for s in sample]) * smallest_fit(drawn, values)
    fitted = sampled_least_squares.expected_fit(FRACTIONS, 2, paired)
    np.testing.assert_allclose(fitted.astype(float), expected, rtol=1e-9)


@pytest.mark.parametrize("draws", [1, 2, 3])
def test_axes_give_the_expectation_of_sequences(draws):
    values = [*FRACTIONS, 1, 0, 6, 2, -3, 8, 4, 9]
    for game in (FRACTIONS, values):
        by_axes = sampled_least_squares.expected_fit_by_axes(game, draws)
        assert by_axes.tolist() == sampled_least_squares.expected_fit(game, draws).tolist()


@pytest.mark.parametrize("paired", [False, True])
def test_draws_of_the_unbiased_version_have_the_deviation_as_their_mean(paired):
    outcomes = sampled_least_squares.draw_outcomes(FRACTIONS, paired)
    phi = shapley_values(rationals(FRACTIONS))
    mean = sum(chance * x for chance, x in outcomes)
    assert sum(chance for chance, _ in outcomes) == 1
    assert mean.tolist() == (phi - phi.sum() / 3).tolist()
    assert sampled_least_squares.deviation(FRACTIONS).tolist() == mean.tolist()


def test_first_orders_are_the_limits_of_many_draws():
    game = [*FRACTIONS, 1, 0, 6, 2, -3, 8, 4, 9]
    values = np.array(game, dtype=float)
    bias, variance = sampled_least_squares.first_order(values)
    phi = shapley_from_table(values)
    off = []
    for draws in (5, 10):
        exact = sampled_least_squares.expected_fit_by_axes(game, draws).astype(float) - phi
        off.append(np.abs(draws * exact - bias).max())
    assert off[1] < off[0] / 1.5
    curved, square = np.zeros(4), 0.0
    for s, chance in sampled_least_squares.coalition_law(4).items():
        share = s.bit_count() / 4
        a = np.array([s >> j & 1 for j in range(4)]) - share
        residual = values[s] - values[0] - share * (values[-1] - values[0]) - a @ (phi - phi.mean())
        curved -= float(chance) * (a @ a) * a * residual
        square += float(chance) * (a @ a) * residual**2
    inverse = 2 * (1 + 1 / 2 + 1 / 3)  # of the curvature along the hyperplane
    np.testing.assert_allclose(bias, curved * inverse**2, rtol=1e-9)
    assert variance == pytest.approx(square * inverse**2)


def test_logarithms_of_the_radial_factor_are_those_of_their_integrals():
    single, mixed = expected_logarithms()
    assert single == pytest.approx(0.5 * np.log(np.pi / 2) - 0.5, abs=1e-6)
    nodes = stats.norm.ppf((np.arange(2000) + 0.5) / 2000)
    rho = np.sqrt(np.pi / 2) * np.exp(-np.square(nodes) / 2)
    assert mixed == pytest.approx(np.log((rho[:, None] + rho) / 2).mean(), abs=1e-3)
