"""An estimate is taken or refused by its values, which the tests of studies see only from afar."""

from types import SimpleNamespace

import numpy as np
import pytest

from shapaudit.estimators import Estimate
from shapaudit.estimators.checked_runs import EstimatorDiverged, run_once
from shapaudit.games import TabularGame

GAME = TabularGame(np.arange(8.0))


def runs_of(*values):
    """Runs at two budgets of an estimator that evaluates one coalition and returns these values."""

    def estimate(game, budget, rng):
        game(np.ones((1, 3), dtype=bool))
        return Estimate(values=np.array(values), evaluations=1)

    estimator = SimpleNamespace(estimate=estimate)
    return run_once(estimator, GAME, [2, 4], np.random.default_rng)


def test_finite_values_are_taken_at_every_budget():
    assert [list(one.values) for one in runs_of(1.0, 2.0, 4.0)] == [[1.0, 2.0, 4.0]] * 2


@pytest.mark.parametrize("lost", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_not_finite_is_refused(lost):
    with pytest.raises(EstimatorDiverged, match="not finite at budget 2"):
        runs_of(1.0, lost, 4.0)
