"""Steps, batches and sets of projected stochastic gradients."""

import numpy as np
import pytest

from shapaudit.estimators import ProjectedSGD
from shapaudit.games import TabularGame
from shapaudit.truth import shapley_from_table

GAME = TabularGame(np.random.default_rng(2).normal(size=1 << 4))
TRUTH = shapley_from_table(GAME.values)


def test_the_last_iterate_of_a_constant_step_keeps_an_error_of_the_order_of_the_step():
    squared = []
    for scale in (0.02, 0.005):
        estimator = ProjectedSGD(step="constant", scale=scale, average="last")
        runs = [estimator.estimate(GAME, 8_000, np.random.default_rng(s)) for s in range(100)]
        squared.append(np.mean([np.sum((run.values - TRUTH) ** 2) for run in runs]))
    assert squared[0] / squared[1] == pytest.approx(4, rel=0.4)


def test_a_mini_batch_divides_the_noise():
    floors = []
    for batch in (1, 4):
        estimator = ProjectedSGD(step="constant", scale=0.01, average="last", batch=batch)
        runs = [
            estimator.estimate(GAME, 2 + 1000 * batch, np.random.default_rng(s)) for s in range(100)
        ]
        floors.append(np.mean([np.sum((run.values - TRUTH) ** 2) for run in runs]))
    assert floors[0] / floors[1] == pytest.approx(4, rel=0.5)


def test_projected_sgd_refuses_an_empty_feasible_set():
    game = TabularGame(np.array([0.0, 5.0, 5.0, 10.0]))
    with pytest.raises(ValueError, match="empty"):
        ProjectedSGD(projection="intersection", bound=1.0).estimate(
            game, 100, np.random.default_rng(0)
        )
