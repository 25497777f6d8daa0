"""Many runs at once are runs of the estimator."""

from dataclasses import replace

import numpy as np
import pytest

from shapaudit.estimators import ProjectedSGD
from shapaudit.estimators import many_runs as module
from shapaudit.estimators.many_runs import many_runs
from shapaudit.estimators.projections import project_hyperplane, project_intersection
from shapaudit.games import TabularGame, coalitions_from_index
from shapaudit.samplers import sample_sizes
from shapaudit.truth import shapley_from_table
from shapaudit_papers.theory.recursion import expected_squared_errors

D, STEPS = 5, 40
RULES = {
    "weighted": {"step": "inverse", "average": "weighted", "bound": 0.3},
    "on K": {"step": "inverse", "average": "weighted", "projection": "intersection", "bound": 0.3},
    "batch": {"step": "radius", "average": "uniform", "batch": 3},
    "pairs": {"sampling": "projected", "step": "contracting", "average": "last", "paired": True},
}


@pytest.fixture
def game():
    return TabularGame(0.2 * np.random.default_rng(5).normal(size=1 << D))


def plain_run(sgd, game, drawn):
    """The estimate after the coalitions ``drawn`` (T, batch, d), step by step."""
    reward = game.values[-1] - game.values[0]
    phi = np.full(D, reward / D)
    mean, t = phi, np.arange(1, len(drawn) + 1)
    sizes = drawn.sum(axis=2)
    factors = 2 * (D - 1) / (sizes * (D - sizes) * sgd.size_law(D)[sizes - 1])
    for batch, factor, step, rate in zip(
        drawn, factors, sgd.step_sizes(D, t), sgd.averaging_rates(t), strict=True
    ):
        x, c = batch.astype(float), factor
        if sgd.paired:
            x, c = np.concatenate([x, 1 - x]), np.concatenate([c, c])
        residuals = x @ phi - game(x.astype(bool)) + game.values[0]
        phi = phi - step * (c * residuals) @ x / len(x)
        if sgd.projection == "intersection":
            phi = project_intersection(phi, reward, D**0.5 * sgd.bound)
        else:
            phi = project_hyperplane(phi, reward)
        mean = mean + rate * (phi - mean)
    return mean


@pytest.mark.parametrize("params", RULES.values(), ids=RULES)
def test_runs_take_the_steps_of_the_estimator(game, params):
    sgd, runs, seed = ProjectedSGD(**params), 3, 7
    budget = 2 + STEPS * (sgd.minimum_budget(D) - 2)
    estimates = many_runs(sgd, game, [budget], runs, np.random.default_rng(seed))
    rng = np.random.default_rng(seed)
    sizes = sample_sizes(sgd.size_law(D), runs * STEPS * sgd.batch, rng)
    order, starts = module._by_size(D)
    place = (rng.random(len(sizes)) * np.diff(starts)[sizes]).astype(int)
    drawn = coalitions_from_index(order[starts[sizes] + place], D)
    assert (drawn.sum(axis=1) == sizes).all()
    for path, coalitions in zip(
        estimates[:, 0], drawn.reshape(runs, STEPS, sgd.batch, D), strict=True
    ):
        np.testing.assert_allclose(path, plain_run(sgd, game, coalitions), rtol=0, atol=1e-12)


@pytest.mark.parametrize("params", RULES.values(), ids=RULES)
def test_errors_are_those_of_runs_of_the_estimator(game, params):
    sgd, truth, rng = (
        ProjectedSGD(**params),
        shapley_from_table(game.values),
        np.random.default_rng(2),
    )
    cost = sgd.minimum_budget(D) - 2
    budgets = [2 + cost * t for t in (3, STEPS)]

    def squared(estimates):
        return np.square(np.asarray(estimates) - truth).sum(axis=-1)

    own = squared(
        [[estimate.values for estimate in sgd.trajectory(game, budgets, rng)] for _ in range(1500)]
    )

    def apart(other):
        errors = squared(many_runs(other, game, budgets, 20_000, rng))
        spread = np.hypot(own.std(axis=0) / len(own) ** 0.5, errors.std(axis=0) / 20_000**0.5)
        return np.abs(errors.mean(axis=0) - own.mean(axis=0)) / spread

    assert apart(sgd).max() < 4
    assert apart(replace(sgd, scale=1.5)).max() > 4  # longer steps would be noticed


@pytest.mark.parametrize("name", ["weighted", "batch", "pairs"])
def test_mean_squared_errors_are_the_exact_ones(game, name):
    sgd, truth, runs = ProjectedSGD(**RULES[name]), shapley_from_table(game.values), 4000
    cost = sgd.minimum_budget(D) - 2
    t = np.array([3, STEPS])
    estimates = many_runs(sgd, game, (2 + cost * t).tolist(), runs, np.random.default_rng(1))
    errors = np.square(estimates - truth).sum(axis=2)
    # A pair is a coalition of the odd part of the game, and its complement tells nothing new.
    values = (game.values - game.values[::-1]) / 2 if sgd.paired else game.values
    steps, average = sgd.step_sizes(D, np.arange(1, STEPS + 1)), sgd.average
    exact = expected_squared_errors(values, truth, sgd.size_law(D), steps, average, sgd.batch)[t]
    z = (errors.mean(axis=0) - exact) / (errors.std(axis=0) / runs**0.5)
    assert np.abs(z).max() < 4
    # Steps a fifth longer would be noticed.
    other = expected_squared_errors(
        values, truth, sgd.size_law(D), 1.2 * steps, average, sgd.batch
    )[t]
    assert np.abs((errors.mean(axis=0) - other) / (errors.std(axis=0) / runs**0.5)).max() > 4


def test_every_coalition_of_a_size_is_drawn_alike():
    order, starts = module._by_size(4)
    assert starts.tolist() == [0, 1, 5, 11, 15, 16]
    assert sorted(order[starts[2] : starts[3]].tolist()) == [3, 5, 6, 9, 10, 12]


def test_blocks_change_no_law_and_budgets_are_times(game, monkeypatch):
    sgd = ProjectedSGD(step="inverse", projection="intersection", bound=1.0)
    shape = many_runs(sgd, game, [4, 12, 42], 11, np.random.default_rng(0)).shape
    assert shape == (11, 3, D)
    monkeypatch.setattr(module, "BLOCK_DRAWS", 50)
    estimates = many_runs(sgd, game, [4, 12, 42], 11, np.random.default_rng(0))
    assert len(np.unique(estimates[:, -1], axis=0)) == 11
    np.testing.assert_allclose(estimates.sum(axis=2), game.values[-1] - game.values[0])


def test_a_projection_that_keeps_no_sum_is_refused(game):
    with pytest.raises(ValueError, match="run the estimator"):
        many_runs(ProjectedSGD(projection="ball"), game, [9], 1, np.random.default_rng(0))
