"""The exact recursion against enumeration of all draws, simulation, and itself."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from shapaudit.estimators import ProjectedSGD
from shapaudit.games import TabularGame
from shapaudit.samplers import binomial_sizes, kernel_sizes
from shapaudit.samplers.gradients import importance_sizes, strong_convexity
from shapaudit.truth import shapley_from_table
from shapaudit.truth.rational import rationals
from shapaudit_papers.theory import recursion
from shapaudit_papers.theory.gradients import exact_growth, fourth_moment
from shapaudit_papers.theory.least_squares import proper_coalitions

AVERAGES = ("last", "uniform", "weighted")


def random_game(d, seed=0):
    values = np.random.default_rng(seed).normal(size=1 << d)
    return values, shapley_from_table(values)


def draws_of(values, probabilities):
    """Probability, factor 2 w / p, coalition and reward of every proper coalition."""
    d = len(probabilities) + 1
    for index, x in enumerate(proper_coalitions(d), start=1):
        size = int(x.sum())
        q = probabilities[size - 1]
        factor = 2 * (d - 1) / (size * (d - size) * q)
        yield q / comb(d, size), factor, x.astype(float), values[index] - values[0]


def by_enumeration(values, phi_star, probabilities, steps, average, batch=1):
    """Mean squared error over all sequences of draws, stepping as projected SGD does."""
    draws = list(draws_of(values, probabilities))
    start = np.full(len(phi_star), (values[-1] - values[0]) / len(phi_star))
    paths = [(1.0, start, start)]
    errors = [np.square(start - phi_star).sum()]
    for step, rate in zip(steps, recursion.averaging_rates(average, len(steps)), strict=True):
        longer = []
        for (weight, phi, mean), batch_draws in product(paths, product(draws, repeat=batch)):
            gradient = sum(c * (x @ phi - y) * x for _, c, x, y in batch_draws) / batch
            after = phi - step * (gradient - gradient.mean())
            chance = weight * np.prod([p for p, *_ in batch_draws])
            longer.append((chance, after, mean + rate * (after - mean)))
        paths = longer
        errors.append(sum(p * np.square(mean - phi_star).sum() for p, _, mean in paths))
    return errors


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("sizes", [importance_sizes(3, 1.7), np.array([0.2, 0.8])])
def test_three_steps_by_enumeration(average, sizes):
    values, phi = random_game(3)
    steps = np.array([0.9, 0.31, 0.05])
    exact = recursion.expected_squared_errors(values, phi, sizes, steps, average)
    np.testing.assert_allclose(exact, by_enumeration(values, phi, sizes, steps, average))


@pytest.mark.parametrize("average", AVERAGES)
def test_mini_batches_by_enumeration(average):
    values, phi = random_game(3, seed=1)
    steps, sizes = np.array([0.6, 0.2]), np.array([0.35, 0.65])
    exact = recursion.expected_squared_errors(values, phi, sizes, steps, average, batch=2)
    np.testing.assert_allclose(exact, by_enumeration(values, phi, sizes, steps, average, 2))


@pytest.mark.parametrize("d", [2, 4])
def test_one_step_by_enumeration_in_other_dimensions(d):
    values, phi = random_game(d, seed=d)
    exact = recursion.expected_squared_errors(values, phi, kernel_sizes(d), np.array([0.4]))
    expected = by_enumeration(values, phi, kernel_sizes(d), np.array([0.4]), "last")
    np.testing.assert_allclose(exact, expected)


RULES = {
    "constant": ({"step": "constant", "scale": 0.03}, lambda d, n: np.full(n, 0.03)),
    "inverse-sqrt": (
        {"step": "inverse-sqrt", "scale": 0.08},
        lambda d, n: 0.08 / np.sqrt(np.arange(1, n + 1)),
    ),
    "inverse": (
        {"step": "inverse", "scale": 0.1},
        lambda d, n: 0.1 * recursion.inverse_steps(d, n),
    ),
    "radius": ({"step": "radius"}, lambda d, n: recursion.square_root_steps(d, d**0.5, n)),
}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("average", AVERAGES)
def test_mean_of_simulated_runs(rule, average):
    # Heavy tails would make the mean of few runs useless: the steps are small ones.
    d, runs, steps_at = 5, 1200, (1, 6, 40)
    values, phi = random_game(d, seed=2)
    params, steps = RULES[rule]
    sgd = ProjectedSGD(average=average, **params)
    rng = np.random.default_rng([AVERAGES.index(average), list(RULES).index(rule)])
    budgets = [2 + t for t in steps_at]
    errors = np.array(
        [
            [
                np.square(estimate.values - phi).sum()
                for estimate in sgd.trajectory(TabularGame(values), budgets, rng)
            ]
            for _ in range(runs)
        ]
    )
    sizes = importance_sizes(d, d**0.5)
    exact = recursion.expected_squared_errors(values, phi, sizes, steps(d, 40), average)
    z = (errors.mean(axis=0) - exact[list(steps_at)]) / (errors.std(axis=0) / runs**0.5)
    # 36 comparisons in all; 4.5 standard errors leave a chance of 3e-4 of a false alarm.
    assert np.abs(z).max() < 4.5


def test_uniform_sampling_and_batches_against_simulation():
    d, runs = 4, 4000
    values, phi = random_game(d, seed=3)
    sgd = ProjectedSGD(sampling="uniform", step="constant", scale=0.05, average="uniform", batch=3)
    rng = np.random.default_rng(5)
    estimates = (sgd.estimate(TabularGame(values), 2 + 3 * 20, rng).values for _ in range(runs))
    errors = np.array([np.square(estimate - phi).sum() for estimate in estimates])
    exact = recursion.expected_squared_errors(
        values, phi, binomial_sizes(d), np.full(20, 0.05), "uniform", 3
    )[-1]
    assert abs(errors.mean() - exact) < 4.5 * errors.std() / runs**0.5


def test_mean_factors_by_enumeration():
    values, phi = random_game(3, seed=4)
    sizes, steps = np.array([0.5, 0.5]), np.array([0.7, 0.2])
    start = np.full(3, (values[-1] - values[0]) / 3)
    draws = list(draws_of(values, sizes))
    total = np.zeros(3)
    for first, second in product(draws, repeat=2):
        at, chance = [start], 1.0
        for step, (p, c, x, y) in zip(steps, (first, second), strict=True):
            gradient = c * (x @ at[-1] - y) * x
            at.append(at[-1] - step * (gradient - gradient.mean()))
            chance *= p
        total += chance * (at[0] + 2 * at[1] + 3 * at[2]) / 6
    factor = recursion.mean_factors(3, steps, "weighted")[-1]
    np.testing.assert_allclose(total - phi, factor * (start - phi))


def second_moment_operator(probabilities, step):
    """Matrix of M -> E[(I - step c P x x'P) M (I - step c P x x'P)] by enumeration."""
    d = len(probabilities) + 1
    centre = np.eye(d) - 1 / d
    operator = np.zeros((d * d, d * d))
    for p, c, x, _ in draws_of(np.zeros(1 << d), probabilities):
        x = centre @ x
        contraction = centre - step * c * np.outer(x, x)
        operator += p * np.kron(contraction, contraction)
    return operator


@pytest.mark.parametrize("d", [2, 3, 5])
@pytest.mark.parametrize("sizes", [binomial_sizes, kernel_sizes])
def test_stability_limit_is_where_the_operator_has_spectral_radius_one(d, sizes):
    limit = recursion.stability_limit(sizes(d))
    for step, factor in ((0.9, -1), (1.0, 0), (1.1, 1)):
        eigenvalues = np.linalg.eigvals(second_moment_operator(sizes(d), step * limit))
        radius = np.abs(eigenvalues).max()
        assert radius == pytest.approx(recursion.squared_factors(sizes(d), step * limit))
        assert np.sign(round(radius - 1, 12)) == factor


def test_errors_settle_below_the_limit_and_grow_above():
    values, phi = random_game(6)
    sizes = importance_sizes(6, 2.0)
    limit = recursion.stability_limit(sizes)
    below, above = (
        recursion.expected_squared_errors(values, phi, sizes, np.full(20000, scale * limit))
        for scale in (0.97, 1.03)
    )
    assert below[-1] == pytest.approx(below[-2], rel=1e-9)
    assert above[5000] > 1e6 * above[0]


def test_uniform_sizes_are_the_most_stable():
    d = 12
    best = recursion.stability_limit(np.full(d - 1, 1 / (d - 1)))
    assert best == pytest.approx(d / (d - 1) ** 2)
    for sizes in (binomial_sizes(d), kernel_sizes(d), importance_sizes(d, d**0.5)):
        assert recursion.stability_limit(sizes) < best
    assert recursion.stability_limit(kernel_sizes(d), batch=8) == pytest.approx(
        1 / (1 / (8 * recursion.stability_limit(kernel_sizes(d))) + (7 / 8) * strong_convexity(d))
    )


def test_steps_twice_below_the_limit_whatever_the_ratio():
    for d in (2, 3, 16, 300):
        for ratio in (0.01, 1.0, d**0.5, 1e3):
            first = recursion.square_root_steps(d, ratio, 1)[0]
            assert first <= recursion.stability_limit(importance_sizes(d, ratio)) / 2 * (1 + 1e-12)


def test_amplification_is_the_product_of_the_factors():
    sizes = importance_sizes(16, 4.0)
    steps = recursion.inverse_steps(16, 200)
    logs = recursion.log_amplification(sizes, steps)
    assert 10 ** logs[9] == pytest.approx(np.prod(recursion.squared_factors(sizes, steps[:10])))
    peak = int(np.argmax(logs))
    limit = recursion.stability_limit(sizes)
    assert steps[peak] > limit > steps[peak + 1]


def test_overflow_is_infinite_and_an_unknown_average_is_named():
    values, phi = random_game(4)
    errors = recursion.expected_squared_errors(
        values, phi, binomial_sizes(4), np.full(3000, 5.0), "uniform"
    )
    assert np.isinf(errors[-1])
    assert not np.isnan(errors).any()
    with pytest.raises(ValueError, match="'median' is none of"):
        recursion.averaging_rates("median", 3)


def test_exact_growth_is_the_growth_of_the_recursion_and_of_the_enumerated_moment():
    sizes = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    growth = exact_growth(sizes)
    assert recursion.gradient_growth(np.array(sizes, dtype=float)) == pytest.approx(float(growth))
    projection = np.eye(4, dtype=int) - rationals([Fraction(1, 4)] * 16).reshape(4, 4)
    assert (fourth_moment(sizes) == growth * projection).all()


def test_contracting_steps_are_those_of_the_estimator():
    rule = ProjectedSGD(sampling="projected", step="contracting", average="last")
    np.testing.assert_allclose(
        recursion.contracting_steps(7, 5), rule.step_sizes(7, np.arange(1.0, 6))
    )
