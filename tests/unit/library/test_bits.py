"""Products of coalitions with numbers."""

import numpy as np
import pytest

from shapaudit.bits import (
    joint_counts,
    sums_over_coalitions,
    sums_over_members,
    weighted_joint_counts,
)


@pytest.mark.parametrize(("m", "d"), [(0, 3), (1, 1), (7, 300), (5000, 16)])
def test_they_are_the_matrix_products(m, d):
    rng = np.random.default_rng(m)
    coalitions, weights = rng.random((m, d)) < 0.4, rng.normal(size=d)
    rewards = rng.normal(size=m)
    np.testing.assert_allclose(
        sums_over_members(coalitions, weights), coalitions @ weights, rtol=0, atol=1e-12
    )
    np.testing.assert_allclose(
        sums_over_coalitions(rewards, coalitions), rewards @ coalitions, rtol=0, atol=1e-11
    )
    assert (joint_counts(coalitions) == coalitions.T.astype(float) @ coalitions).all()
    shares = np.abs(rewards)
    np.testing.assert_allclose(
        weighted_joint_counts(shares, coalitions),
        coalitions.T @ (shares[:, None] * coalitions),
        rtol=0,
        atol=1e-11,
    )


def test_sums_that_a_float_can_hold_are_exact():
    rng = np.random.default_rng(0)
    coalitions, weights = rng.random((200, 40)) < 0.5, rng.integers(-(1 << 40), 1 << 40, 40) * 1.0
    assert (sums_over_members(coalitions, weights) == coalitions @ weights).all()
    assert (sums_over_coalitions(weights, coalitions[:40]) == weights @ coalitions[:40]).all()


def test_views_will_do():
    coalitions = np.ones((4, 6), dtype=bool)[:, ::2]
    assert sums_over_members(coalitions, np.ones(3)).tolist() == [3.0] * 4
    assert (joint_counts(coalitions) == 4.0).all()
