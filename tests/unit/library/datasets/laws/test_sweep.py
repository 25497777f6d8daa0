"""Conditional normal laws by sweeps, against the law given each coalition alone."""

import numpy as np
import pytest

from shapaudit.datasets.laws import GaussianLaw, sweep
from shapaudit.datasets.laws.sweep import _sweep_all, conditionals

D = 6


@pytest.fixture
def law():
    return GaussianLaw.factor(np.random.default_rng(0), D)


def coalitions(d=D):
    return (np.arange(1 << d)[:, None] >> np.arange(d) & 1).astype(bool)


@pytest.mark.parametrize("shuffled", [False, True])
def test_every_coalition_is_that_of_the_law(law, shuffled):
    members = coalitions()
    if shuffled:
        members = np.random.default_rng(1).permutation(members)[:20]
    swept = conditionals(law.covariance, members)
    x = np.arange(D) - 2.5
    for k, own in enumerate(members):
        rest = law.given(own, x[own])
        mean = swept.gains[k] @ x
        np.testing.assert_array_equal(mean[own], x[own])
        np.testing.assert_allclose(mean[~own], rest.mean, rtol=1e-10, atol=1e-12)
        left = np.zeros((D, D))
        left[np.ix_(~own, ~own)] = rest.covariance
        np.testing.assert_allclose(swept.left[k], left, atol=1e-12)
        block = law.covariance[own][:, own]
        np.testing.assert_allclose(
            swept.precisions[k][np.ix_(own, own)], np.linalg.inv(block), rtol=1e-9, atol=1e-12
        )
        determinant = np.linalg.slogdet(block)[1] if own.any() else 0.0
        assert swept.log_determinants[k] == pytest.approx(determinant, abs=1e-10)


def test_each_coalition_costs_one_sweep(law, monkeypatch):
    sweeps = []
    monkeypatch.setattr(sweep, "_sweep_all", lambda *given: sweeps.append(_sweep_all(*given)))
    conditionals(law.covariance, np.random.default_rng(1).permutation(coalitions()))
    assert sweeps == [(1 << D) - 1]


def test_what_is_found_does_not_depend_on_the_other_coalitions(law):
    members = coalitions()
    whole = conditionals(law.covariance, members)
    for k in (0, 1, 21, 40, 63):
        alone = conditionals(law.covariance, members[k : k + 1])
        for single, other in zip(alone, whole, strict=True):
            np.testing.assert_array_equal(single[0], other[k])


def test_rounding_does_not_add_up():
    d = 12
    law = GaussianLaw.equicorrelated(d, 0.999)
    members = coalitions(d)
    swept = conditionals(law.covariance, members)
    k = members.sum(axis=1)
    slope = 0.999 / (1 + 0.999 * (k - 1))  # of each present feature
    wanted = np.where(members[:, None] & ~members[:, :, None], slope[:, None, None], 0.0)
    wanted[:, range(d), range(d)] = members
    np.testing.assert_allclose(swept.gains, wanted, atol=1e-11)
