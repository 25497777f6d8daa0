"""Constants, numbers of iterations and the law of one step, at points computed by hand."""

from itertools import combinations
from math import log, sqrt

import numpy as np
import pytest

from shapaudit.games import TabularGame
from shapaudit.samplers.gradients import importance_sizes
from shapaudit.truth import shapley_from_table
from shapaudit_papers.theory import constants, default_step, deviation_law, iterations

VALUES = np.random.default_rng(3).normal(size=16)
TRUTH = shapley_from_table(VALUES)


def test_constants_of_two_players():
    # One size, of weight (D + C)/(1 * 1); mu = 1/2.
    assert constants.bound_terms(2, 3.0, 1.0).tolist() == [4.0]
    assert constants.gradient_bound(2, 3.0, 1.0) == 8.0
    assert constants.kappa(2, 3.0, 1.0) == 16.0
    assert constants.kappa_printed(2, 3.0, 1.0) == 32.0
    assert constants.norm_ceiling(2) == 0.5 + 2.0
    np.testing.assert_allclose(
        constants.bound_terms(3, 2.0, 5.0), [7 / 2, (2 * sqrt(2) + 5) / sqrt(2)]
    )


def test_no_game_has_longer_shapley_values_than_the_ceiling_and_it_is_of_their_size():
    rng, longest = np.random.default_rng(1), 0.0
    for _ in range(500):
        values = rng.choice([-1.0, 1.0], size=16)
        values[0] = 0.0
        longest = max(longest, float(np.square(shapley_from_table(values)).sum()))
    total = sum(1 / sqrt(size * (4 - size)) for size in (1, 2, 3))
    assert constants.norm_ceiling(4) == pytest.approx(0.25 + 4 / 3 * total**2)
    assert 0.2 * constants.norm_ceiling(4) < longest <= constants.norm_ceiling(4)


def test_settings_are_those_of_the_public_code_and_the_tightest():
    values = VALUES + 7.0
    settings = dict(constants.settings_of(TabularGame(values), TRUTH))
    bound, total = np.abs(VALUES - VALUES[0]).max(), VALUES[-1] - VALUES[0]
    assert settings["public"].radius == pytest.approx(2 * bound)
    assert settings["tight"].radius == pytest.approx(np.linalg.norm(TRUTH))
    for setting in settings.values():
        assert setting.bound == pytest.approx(bound)
        assert setting.total == pytest.approx(total)
        assert setting.start == pytest.approx(np.square(TRUTH - total / 4).sum())
        assert setting.mu == 0.75
        expected = constants.gradient_bound(4, setting.radius, bound)
        assert setting.gradient_bound == pytest.approx(expected)
        assert setting.kappa == pytest.approx(expected / 0.75)
        assert setting.ceiling == pytest.approx(4 * setting.radius**2 - total**2)
    assert list(constants.settings_of(TabularGame(np.ones(4)), np.zeros(2))) == []


def test_iterations_are_the_first_with_the_error_asked_for():
    d, radius, mean = 3, 1.5, 0.2
    kappa = constants.kappa(d, radius, 1.0)
    count = iterations.inverse_iterations(d, radius, mean)
    assert 4 * kappa**2 / count <= mean < 4 * kappa**2 / (count - 1)
    own = constants.kappa_printed(d, radius, 1.0)
    printed = iterations.inverse_iterations(d, radius, mean, printed=True)
    assert 4 * own**2 / printed <= mean < 4 * own**2 / (printed - 1)
    count = iterations.square_root_iterations(d, radius, mean)
    assert 4 * radius * kappa / sqrt(count) <= mean < 4 * radius * kappa / sqrt(count - 1)
    # Variance 4 for each of three players: 60 walks, of three evaluations, and the empty one.
    assert iterations.monte_carlo_evaluations(3, 0.2) == 181


def test_a_constant_step_splits_the_error_as_well_as_it_can():
    d, radius, mean = 3, 1.5, 0.2
    mu, b = 2 / 3, constants.gradient_bound(d, radius, 1.0)
    count = iterations.constant_iterations(d, radius, mean)

    def error(step, steps):
        return (1 - step * mu) ** steps * radius**2 + step * b**2 / mu

    steps = np.geomspace(1e-3, 0.999, 4000) * mean * mu / b**2
    assert min(error(step, count) for step in steps) <= mean
    # A finer choice of the step saves little.
    assert min(error(step, 0.98 * count) for step in steps) > mean


def test_sharper_iterations_meet_their_bound():
    count = iterations.sharper_iterations(4, 0.01)
    objective = iterations.start_objective_bound(4, 1.0, 1.0)
    assert iterations.uniform_sizes_rate(count, 4, objective) <= 0.01 * (1 + 1e-6)
    assert iterations.uniform_sizes_rate(0.99 * count, 4, objective) > 0.01


def test_the_default_step_draws_sizes_as_if_the_radius_were_that_of_the_cube():
    np.testing.assert_allclose(default_step.default_sizes(4), importance_sizes(4, 2.0))
    steps = [0.05, 0.05 / sqrt(2), 0.05 / sqrt(3), 0.025]
    np.testing.assert_allclose(default_step.default_steps(4), steps)
    errors = default_step.expected_errors(4, 3)
    assert errors[0] == 1.0
    assert (np.diff(errors) < 0).all()


@pytest.mark.parametrize(("step", "rate"), [(0.02, 1.0), (0.02, 0.5), (50.0, 1.0)])
def test_the_law_of_one_step_is_that_of_each_coalition(step, rate):
    setting = dict(constants.settings_of(TabularGame(VALUES), TRUTH))["public"]
    chances, errors = deviation_law.law_of_one_step(VALUES, TRUTH, setting, step, rate)
    sizes = importance_sizes(4, setting.radius / setting.bound)
    assert chances.sum() == pytest.approx(1.0)
    start, radius = np.full(4, setting.total / 4), sqrt(setting.ceiling / 4)
    for place, mask in enumerate(range(1, 15)):
        x = (mask >> np.arange(4) & 1).astype(float)
        size = int(x.sum())
        same = sum(1 for _ in combinations(range(4), size))
        assert chances[place] == pytest.approx(sizes[size - 1] / same)
        residual = VALUES[mask] - VALUES[0] - x @ start
        weight = 3 / (same * size * (4 - size))
        moved = 2 * step * weight * residual / chances[place] * (x - size / 4)
        if np.linalg.norm(moved) > radius:
            moved *= radius / np.linalg.norm(moved)
        point = start + rate * moved
        assert errors[place] == pytest.approx(np.square(point - TRUTH).sum())


def test_the_worst_level_is_where_the_tail_exceeds_the_bound_most():
    chances, values = np.array([0.9, 0.06, 0.04]), np.array([0.1, 3.0, 9.0])
    mean = 0.09 + 0.18 + 0.36
    worst = deviation_law.worst_level(chances, values)

    def excess(z, tail):
        a = (z / mean - 2) / 4
        return log(tail) - log(2) + a * a

    candidates = {9.0: excess(9.0, 0.04), 3.0: excess(3.0, 0.1)}
    z = max(candidates, key=candidates.get)
    assert worst == pytest.approx({"mean": mean, "z": z, "tail": {9.0: 0.04, 3.0: 0.1}[z]})
    assert deviation_law.excess(worst) == pytest.approx(candidates[z])
    assert deviation_law.level(worst) == pytest.approx((z / mean - 2) / 4)


def test_equal_values_share_a_tail_and_flat_laws_have_no_level():
    twice = deviation_law.worst_level(np.array([0.9, 0.05, 0.05]), np.array([0.1, 5.0, 5.0]))
    assert (twice["z"], twice["tail"]) == (5.0, pytest.approx(0.1))
    flat = deviation_law.worst_level(np.array([0.5, 0.5]), np.array([1.0, 1.5]))
    assert (flat["z"], flat["tail"], flat["mean"]) == (1.5, 0.5, 1.25)
    assert deviation_law.excess(flat) == -log(2)
