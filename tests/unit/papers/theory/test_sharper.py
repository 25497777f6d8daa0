"""The sharper bounds against enumeration, worst cases of their recursions, and exact errors."""

from math import comb, sqrt

import numpy as np
import pytest

from shapaudit.samplers import binomial_sizes, kernel_sizes
from shapaudit.samplers.gradients import gradient_bound, strong_convexity
from shapaudit.truth import shapley_from_table
from shapaudit_papers.theory import recursion, sharper
from shapaudit_papers.theory.bounds import inverse_rate, square_root_rate
from shapaudit_papers.theory.constants import kappa, kernel_weight
from shapaudit_papers.theory.gradients import second_moment, squares_by_size

HORIZON = 400


def random_game(d, seed=0):
    values = np.random.default_rng(seed).uniform(-1, 1, size=1 << d)
    values[0] = 0.0
    return values, shapley_from_table(values)


@pytest.mark.parametrize("d", [2, 4, 7])
@pytest.mark.parametrize("on_sphere", [False, True])
def test_projected_gradient_bounds_hold_on_k(d, on_sphere):
    values, truth = random_game(d, seed=d)
    rng, total = np.random.default_rng(9), float(values[-1])
    bound, radius = 1.0, 1.5 * float(np.linalg.norm(truth))
    inner = sharper.inner_terms(d, radius, total, bound)
    choices = [
        (sharper.projected_sizes(d, radius / bound), sharper.projected_gradient_bound),
        (inner / inner.sum(), lambda *args: sharper.inner_gradient_bound(d, radius, total, bound)),
    ]
    for _ in range(20):
        direction = rng.normal(size=d)
        direction -= direction.mean()
        length = sqrt(radius**2 - total**2 / d) * (1.0 if on_sphere else rng.random())
        phi = total / d + length * direction / np.linalg.norm(direction)
        squares = squares_by_size(values, phi)
        for sizes, upper in choices:
            moment = second_moment(squares, sizes, projected=True)
            assert moment <= upper(d, radius, bound) ** 2 * (1 + 1e-12)


def test_projected_sizes_minimise_their_bound():
    d, radius, bound = 9, 2.0, 0.7
    terms = sharper.projected_terms(d, radius, bound)

    def upper(sizes):
        return 4 * (d - 1) ** 2 / d * (terms**2 / sizes).sum()

    best = sharper.projected_sizes(d, radius / bound)
    assert upper(best) == pytest.approx(sharper.projected_gradient_bound(d, radius, bound) ** 2)
    for sizes in (binomial_sizes(d), kernel_sizes(d), np.full(d - 1, 1 / (d - 1))):
        assert upper(sizes) > upper(best)
    assert upper(best) < gradient_bound(d, radius, bound) ** 2


def worst_case(steps, mu, gradient_bound, start):
    """Largest squared errors (T + 1,) that the inequality of one step allows, from ``start``.

    As the mean gradient is 2 mu (phi - phi*), no squared error exceeds B^2/(4 mu^2).
    """
    largest = gradient_bound**2 / (4 * mu**2)
    errors = [min(start, largest)]
    for step in steps:
        following = (1 - 4 * step * mu) * errors[-1] + (step * gradient_bound) ** 2
        errors.append(min(following, largest))
    return np.array(errors)


@pytest.mark.parametrize("d", [2, 6, 50])
@pytest.mark.parametrize("start", [0.0, 1.0, 4.0])
def test_rates_on_k_hold_in_the_worst_case(d, start):
    mu, radius, t = strong_convexity(d), 1.0, np.arange(1, HORIZON + 1)
    b = gradient_bound(d, radius, 0.3)
    last = worst_case(sharper.last_iterate_steps(d, HORIZON), mu, b, start)[1:]
    assert (last <= sharper.last_iterate_rate(t, mu, b) * (1 + 1e-12)).all()

    weights = np.arange(1.0, HORIZON + 2)
    errors = worst_case(recursion.inverse_steps(d, HORIZON), mu, b, start)
    weighted = (np.cumsum(weights * errors) / np.cumsum(weights))[1:]
    assert (weighted <= sharper.inverse_rate(t, mu, b) * (1 + 1e-12)).all()

    steps = 2 * radius / (b * np.sqrt(t))
    errors = np.minimum(worst_case(steps, mu, b, start), 4 * radius**2)
    means = np.cumsum(errors)[1:] / (t + 1)
    assert (means <= sharper.square_root_rate(t, mu, radius, b) * (1 + 1e-12)).all()

    step = 0.2 / mu
    errors = worst_case(np.full(HORIZON, step), mu, b, start)[1:]
    assert (errors <= sharper.constant_rate(t, step, mu, b, start) * (1 + 1e-12)).all()


def test_sharper_rates_are_the_stated_shares_of_the_printed_ones():
    d, radius, bound, far = 8, 2.0, 1.0, 10**9
    b, k, mu = gradient_bound(d, radius, bound), kappa(d, radius, bound), strong_convexity(d)
    assert sharper.inverse_rate(far, mu, b) / inverse_rate(far, k) == pytest.approx(1 / 3)
    assert sharper.last_iterate_rate(far, mu, b) / inverse_rate(far, k) == pytest.approx(1 / 16)
    shares = sharper.square_root_rate(far, mu, radius, b) / square_root_rate(far, k, radius)
    assert shares == pytest.approx(3 / 8)


@pytest.mark.parametrize("d", [2, 5, 16, 300])
@pytest.mark.parametrize("ratio", [1e-3, 1.0, 1e3])
def test_printed_rates_exceed_the_squared_diameter_up_to_there(d, ratio):
    until = sharper.vacuous_until(d)
    k = kappa(d, ratio, 1.0)
    assert inverse_rate(until, k) >= 4 * ratio**2
    assert square_root_rate(until, k, ratio) >= 4 * ratio**2
    if ratio > 1:  # D far above C: nothing to spare
        assert inverse_rate(1.1 * until, k) < 4 * ratio**2


@pytest.mark.parametrize("d", [2, 3, 8])
@pytest.mark.parametrize("sizes", [kernel_sizes, lambda d: np.full(d - 1, 1 / (d - 1))])
def test_offset_rate_bounds_the_exact_error(d, sizes):
    values, truth = random_game(d, seed=d)
    moments = recursion.gradient_moments(recursion.Residuals.of_game(values, truth), sizes(d))
    errors = recursion.errors_from_moments(moments, sharper.offset_steps(sizes(d), 20_000))
    times = np.arange(20_001)
    bounds = sharper.offset_rate(times, sizes(d), moments.start, moments.noise)
    assert (errors <= bounds).all()
    assert bounds[-1] / errors[-1] == pytest.approx(3, rel=0.02)


@pytest.mark.parametrize("d", [2, 8])
def test_without_noise_the_offset_rate_is_twice_what_the_steps_leave_of_the_start(d):
    sizes = kernel_sizes(d)
    left = np.prod((1 - strong_convexity(d) * sharper.offset_steps(sizes, 30)) ** 2)
    assert sharper.offset_rate(30, sizes, 3.0, 0.0) == pytest.approx(2 * left * 3.0)


def test_noise_and_start_are_bounded_by_the_objective():
    d = 7
    values, truth = random_game(d, seed=5)
    residuals = recursion.Residuals.of_game(values, truth)
    uniform = np.full(d - 1, 1 / (d - 1))
    moments = recursion.gradient_moments(residuals, uniform)
    weights = [comb(d, size) * float(kernel_weight(d, size)) for size in range(1, d)]
    at_start, at_solution = (
        float(weights @ squares) for squares in (residuals.at_start, residuals.at_solution)
    )
    assert moments.noise == pytest.approx(4 * (d - 1) ** 2 / d * at_solution)
    assert strong_convexity(d) * moments.start == pytest.approx(at_start - at_solution)
    bound, total = float(np.abs(values).max()), float(values[-1])
    harmonic = sum(1 / k for k in range(1, d))
    upper = sharper.start_objective_bound(d, total, bound)
    assert at_start <= upper <= 8 * strong_convexity(d) * bound**2 * harmonic
    times = np.arange(1000)
    known = sharper.offset_rate(times, uniform, moments.start, moments.noise)
    assert (known <= sharper.uniform_sizes_rate(times, d, at_start) * (1 + 1e-12)).all()


def test_offset_is_least_for_uniform_sizes():
    d = 10
    assert sharper.offset(np.full(d - 1, 1 / (d - 1))) == pytest.approx(2 * (d - 1))
    assert sharper.offset(kernel_sizes(d)) > 2 * (d - 1)
    first = sharper.offset_steps(kernel_sizes(d), 1)[0]
    assert first < recursion.stability_limit(kernel_sizes(d))


def test_empty_set_is_named():
    with pytest.raises(ValueError, match="K is empty"):
        sharper.inner_gradient_bound(2, 1.0, 3.0, 3.0)
