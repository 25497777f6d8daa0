"""Theory against brute force, other libraries and itself."""

from fractions import Fraction
from math import exp, sqrt

import numpy as np
import pytest

from shapaudit.estimators.projections import dykstra, project_intersection
from shapaudit.samplers import binomial_sizes
from shapaudit.samplers.gradients import importance_sizes
from shapaudit.truth import shapley_from_table
from shapaudit.truth.rational import shapley_values
from shapaudit_papers.theory import bounds, constants, gradients
from shapaudit_papers.theory import dykstra as reduced
from shapaudit_papers.theory import least_squares as exact


def random_values(d, seed=0):
    return np.random.default_rng(seed).integers(-9, 10, size=1 << d).tolist()


@pytest.mark.parametrize("d", [2, 3, 5])
def test_exact_shapley_values_are_those_of_the_table(d):
    values = random_values(d)
    floats = shapley_from_table(np.array(values, dtype=float))
    np.testing.assert_allclose(shapley_values(values).astype(float), floats)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_solution_is_the_shapley_values_whatever_the_empty_value(d):
    problem = exact.LeastSquaresProblem(random_values(d))
    assert (problem.solution() == shapley_values(problem.values)).all()


def test_solution_depends_on_the_weights():
    problem = exact.LeastSquaresProblem(random_values(4), lambda d, size: Fraction(1))
    assert (problem.solution() != shapley_values(problem.values)).any()


def test_objective_and_gradient_agree_with_floating_point():
    d, phi = 4, np.array([1.5, -0.5, 0.25, 2.0])
    problem = exact.LeastSquaresProblem(random_values(d))
    x = problem.coalitions.astype(float)
    w = problem.weights.astype(float)
    residuals = x @ phi - problem.rewards.astype(float)
    point = exact.rationals(phi.tolist())
    assert float(problem.objective(point)) == pytest.approx((w * residuals**2).sum())
    np.testing.assert_allclose(problem.gradient(point).astype(float), 2 * x.T @ (w * residuals))


@pytest.mark.parametrize("d", [2, 3, 6])
def test_gram_matrix_and_its_spectrum(d):
    gram = exact.LeastSquaresProblem(random_values(d)).gram()
    diagonal, off = constants.gram_diagonal(d), constants.gram_off_diagonal(d)
    assert all(gram[i, j] == (diagonal if i == j else off) for i in range(d) for j in range(d))
    assert exact.curvature(d) == diagonal - off == 1 - Fraction(1, d)
    listed = [float(value) for value, count in exact.spectrum(d) for _ in range(count)]
    np.testing.assert_allclose(np.linalg.eigvalsh(gram.astype(float)), sorted(listed), atol=1e-12)


def test_second_differences_recover_a_quadratic():
    matrix = exact.rationals([2, -1, -1, 3]).reshape(2, 2)
    hessian = exact.second_differences(lambda phi: phi @ matrix @ phi + 5 * phi[0] - 7, 2)
    assert (hessian == matrix + matrix.T).all()


@pytest.mark.parametrize("d", [2, 5, 9])
def test_moment_gap_is_that_of_the_matrix(d):
    for t in range(1, d):
        game = [int(index & ((1 << t) - 1) == (1 << t) - 1) for index in range(1 << d)]
        problem = exact.LeastSquaresProblem(game)
        moment = problem.coalitions.T @ (problem.weights * problem.rewards)
        left, right = exact.unanimity_moment_gap(d, t)
        assert left == moment[0] - moment[-1] == right


def test_singular_system_and_wrong_length_are_named():
    with pytest.raises(ValueError, match="singular"):
        exact.solve(exact.rationals([1, 1, 1, 1]).reshape(2, 2), exact.rationals([1, 2]))
    with pytest.raises(ValueError, match="2\\^d values"):
        exact.LeastSquaresProblem([0, 1, 2])


@pytest.mark.parametrize("projected", [False, True])
@pytest.mark.parametrize("uniform", [False, True])
def test_second_moment_is_the_sum_over_coalitions(projected, uniform):
    d, rng = 5, np.random.default_rng(1)
    values, phi = rng.normal(size=1 << d), rng.normal(size=d)
    sizes = binomial_sizes(d) if uniform else importance_sizes(d, 2.0)
    n = 2**d - 2
    expected = 0.0
    for x in exact.proper_coalitions(d):
        size = int(x.sum())
        weight = float(constants.kernel_weight(d, size))
        p = sizes[size - 1] / np.isin(exact.proper_coalitions(d).sum(axis=1), size).sum()
        index = int((x << np.arange(d)).sum())
        gradient = 2 * n * weight * (x @ phi - values[index] + values[0]) * x
        if projected:
            gradient = gradient - gradient.mean()
        expected += p * ((gradient / (n * p)) ** 2).sum()
    squares = gradients.squares_by_size(values, phi)
    assert gradients.second_moment(squares, sizes, projected) == pytest.approx(expected)


def test_importance_bound_is_the_mean_lipschitz_constant():
    d, radius, bound = 6, 1.3, 0.7
    by_size = [bounds.lipschitz(d, size, radius, bound) for size in range(1, d)]
    mean = (binomial_sizes(d) * by_size).sum()
    assert constants.gradient_bound(d, radius, bound) == pytest.approx(mean)
    assert bounds.uniform_gradient_bound(d, radius, bound) == pytest.approx(max(by_size) ** 2)


def test_bounds_at_hand_computed_points():
    assert bounds.inverse_rate(100, 5.0) == 1.0
    assert bounds.inverse_rate_identity(100, 5.0) == 0.5
    assert bounds.square_root_rate(100, 5.0, 0.5) == 1.0
    assert bounds.constant_rate(2, 0.5, 1.0, 2.0, 4.0) == 3.0
    assert bounds.markov(2.0, 8.0) == 0.25
    assert bounds.deviation(1.0, bounds.deviation_threshold(1.0, 1.5)) == pytest.approx(
        2 * exp(-2.25)
    )


def test_deviation_inequality_and_markov_cross_once():
    crossing, vacuous = bounds.deviation_crossing(), bounds.deviation_vacuous_below()
    assert bounds.deviation_probability(vacuous) == pytest.approx(1.0)
    for a in np.arange(1, 60) / 10:
        value, probability = bounds.two_point_law(3.0, a)
        assert value * probability == pytest.approx(3.0)
        assert (probability > bounds.deviation_probability(a)) == (a > crossing)


@pytest.mark.parametrize("seed", range(5))
def test_dykstra_follows_the_one_dimensional_recursion(seed):
    d, total, radius = 5, 1.0, 1.2
    phi = 3 * np.random.default_rng(seed).normal(size=d)
    mean, deviation = phi.mean(), phi - phi.mean()
    spread, centre = float(np.linalg.norm(deviation)), total / d
    for passes in range(1, 8):
        factor = reduced.shrinkage(mean, spread, radius, d)
        returned, _ = dykstra(phi, total, radius, passes, -1.0)
        np.testing.assert_allclose(returned, centre + factor * deviation, atol=1e-12)
        mean += centre - factor * mean


def test_contraction_is_the_factor_per_pass():
    d, total, radius, spread = 4, 1.0, 1.0, 3.0
    inner = reduced.inner_radius(total, radius, d)
    limit = total / d * spread / inner
    mean, errors = 0.0, []
    for _ in range(30):
        mean += total / d - mean * reduced.shrinkage(mean, spread, radius, d)
        errors.append(abs(mean - limit))
    factor = reduced.contraction(total, spread, radius, d)
    assert errors[-1] / errors[-2] == pytest.approx(factor, rel=1e-3)


@pytest.mark.parametrize("total", [1.0, -1.0])
def test_stalling_mean_stops_the_algorithm_outside_the_ball(total):
    d, radius, spread = 3, 1.0, 2.0
    mean = reduced.stalling_mean(total, spread, radius, d)
    deviation = np.array([1.0, -1.0, 0.0]) * spread / sqrt(2)
    returned, passes = dykstra(mean + deviation, total, radius, 100, 1e-12)
    assert passes == 2
    assert np.linalg.norm(returned) > radius + 0.05
    correct = project_intersection(mean + deviation, total, radius)
    assert np.linalg.norm(correct) == pytest.approx(radius)


def test_no_stall_and_empty_set_are_named():
    with pytest.raises(ValueError, match="no early stop"):
        reduced.stalling_mean(0.0, 2.0, 1.0, 3)
    with pytest.raises(ValueError, match="K is empty"):
        reduced.inner_radius(3.0, 1.0, 2)
