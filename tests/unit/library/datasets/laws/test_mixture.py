"""Mixtures: moments, and conditional laws by Bayes' rule."""

import numpy as np
import pytest

from shapaudit.datasets.laws import LawError, MixtureLaw


@pytest.fixture
def law():
    return MixtureLaw.random(np.random.default_rng(0), 3)


def test_rows_have_the_moments_of_the_mixture(law):
    rows = law.sample(np.random.default_rng(1), 60_000)
    np.testing.assert_allclose(rows.mean(axis=0), law.weights @ law.means, atol=0.04)
    seconds = law.covariances + law.means[:, :, None] * law.means[:, None]
    wanted = np.tensordot(law.weights, seconds, 1)
    np.testing.assert_allclose(rows.T @ rows / len(rows), wanted, atol=0.1)


def density(law, row):
    """Of one row, by the definition."""
    off = row - law.means
    squares = [o @ np.linalg.solve(c, o) for o, c in zip(off, law.covariances, strict=True)]
    scale = np.sqrt(np.linalg.det(2 * np.pi * law.covariances))
    return float(np.sum(law.weights * np.exp(-0.5 * np.array(squares)) / scale))


def test_conditional_density_is_the_ratio_of_the_joint_one(law):
    members = np.array([False, True, False])
    rest = law.given(members, np.array([0.7]))
    assert rest.weights.sum() == pytest.approx(1)
    rows = np.random.default_rng(2).normal(size=(3, 2))
    ratios = [density(law, np.insert(row, 1, 0.7)) / density(rest, row) for row in rows]
    assert ratios == pytest.approx([ratios[0]] * 3)


def test_what_is_no_mixture_is_refused():
    eye = np.eye(2)[None]
    with pytest.raises(LawError, match="add up to 1"):
        MixtureLaw(np.array([0.5]), np.zeros((1, 2)), eye)
    with pytest.raises(LawError, match="as many"):
        MixtureLaw(np.array([0.5, 0.5]), np.zeros((1, 2)), eye)
    with pytest.raises(LawError, match="x2 are constant"):
        MixtureLaw(np.array([1.0]), np.zeros((1, 2)), eye * [1, 0])
