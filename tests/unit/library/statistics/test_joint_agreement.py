"""Printed means against expectations, all cells together."""

import numpy as np
import pytest

from shapaudit.statistics import joint_agreement
from shapaudit.statistics.joint_agreement import joint_test

METHODS, CELLS, TRIALS = 8, 6, 100
NAMES = [f"method {k}" for k in range(METHODS)]


@pytest.fixture(scope="module", autouse=True)
def _few_resamples():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joint_agreement, "RESAMPLES", 999)
        yield


def squares(rng, trials=TRIALS):
    """Squared errors of trials whose cells share their noise, as those of a trajectory do."""
    shared, own = rng.normal(size=(trials, 1, 6)), rng.normal(size=(trials, CELLS, 6))
    return np.square(np.sqrt(0.5) * (shared + own)).mean(axis=-1)


def outcome(seed, factors=1.0):
    rng = np.random.default_rng(seed)
    ours = {name: squares(rng) for name in NAMES}
    means = zip(NAMES, np.ones((METHODS, CELLS)) * factors, strict=True)
    printed = {name: row * squares(rng).mean(axis=0) for name, row in means}
    return joint_test(ours, printed, TRIALS)


@pytest.fixture(scope="module")
def level():
    """Tests in worlds where nothing differs."""
    return [outcome(seed) for seed in range(25)]


def test_where_nothing_differs_the_tests_are_at_their_level(level):
    # Uniform: the mean of 25 values has a standard deviation of 0.06.
    for key in ("p", "p_within", "p_between"):
        assert 0.3 < np.mean([getattr(result, key) for result in level]) < 0.7
    assert np.mean([result.low <= 1 <= result.high for result in level]) >= 0.8
    assert level[0].cells == METHODS * CELLS
    # Noise that cells share makes their sum vary more, not its mean.
    assert level[0].expected == pytest.approx(METHODS * CELLS, rel=0.1)


def test_a_common_factor_is_noticed_as_often_as_promised(level):
    factor = level[0].noticed
    results = [outcome(seed, factor) for seed in range(25)]
    assert 0.5 <= np.mean([result.low > 1 for result in results]) <= 1.0
    assert level[0].noticed < 1.1
    assert results[0].p_between > 0.01


def test_factors_by_method_leave_nothing_within_them():
    factors = np.ones((METHODS, CELLS))
    factors[:4] = 1.4
    result = outcome(0, factors)
    assert result.p < 0.01 < result.p_within
    assert result.p_between < 0.01
    assert result.between > 3 * (METHODS - 1)
    assert (result.methods["low"].iloc[:4] > 1).all()
    assert (result.methods["low"].iloc[4:] < 1).all()


def test_cells_that_differ_by_themselves_are_left_over():
    factors = np.exp(0.5 * (-1.0) ** np.arange(CELLS)) * np.ones((METHODS, 1))
    assert outcome(0, factors).p_within < 0.01
