"""Error bars of walks: moments of lifts, and quantiles of normal and of Student's errors."""

import numpy as np
import pytest

from shapaudit.estimators.risk import LiftMoments, gaussian_risk, norm_risk, replicate_risk


@pytest.fixture
def moments():
    gathered = LiftMoments(3)
    lifts = np.random.default_rng(0).normal(size=(40, 3)) @ np.diag([1.0, 2.0, 0.5]) + 1
    for first, last in ((0, 7), (7, 8), (8, 40)):
        gathered.update(lifts[first:last])
    return lifts, gathered


def test_moments_are_those_of_all_lifts(moments):
    lifts, gathered = moments
    assert gathered.count == 40
    np.testing.assert_allclose(gathered.mean, lifts.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(gathered.covariance, np.cov(lifts.T), rtol=1e-12)
    np.testing.assert_allclose(gathered.biased, np.cov(lifts.T, bias=True), rtol=1e-12)


def test_one_lift_has_no_covariance():
    gathered = LiftMoments(2)
    assert (gathered.count, gathered.mean.tolist(), gathered.biased.any()) == (0, [0, 0], False)
    gathered.update(np.ones((1, 2)))
    with pytest.raises(ValueError, match="needs at least 2 lifts; there are 1"):
        gathered.covariance  # noqa: B018 (it raises)
    gathered.update(np.zeros((1, 2)))
    np.testing.assert_array_equal(gathered.covariance, 0.5)


def test_quantiles_are_those_of_the_normal_law(moments):
    lifts, gathered = moments
    error = np.sqrt(np.diag(np.cov(lifts.T)) / 40)
    risk = gaussian_risk(gathered, np.random.default_rng(1), draws=40_000)
    np.testing.assert_allclose(risk.features, 1.959964 * error, rtol=0.03)
    median = gaussian_risk(gathered, np.random.default_rng(1), 0.5, 40_000)
    np.testing.assert_allclose(median.features, 0.67449 * error, rtol=0.03)
    norm = norm_risk(gathered, np.random.default_rng(2), draws=40_000)
    assert norm == pytest.approx(risk.overall, rel=0.03)
    assert risk.features.max() < risk.overall < 1.959964 * np.linalg.norm(error)


def test_constant_lifts_have_no_error():
    gathered = LiftMoments(2)
    gathered.update(np.array([[1.0, 2.0], [2.0, 1.0]]))  # a line, whose other eigenvalue is 0
    assert norm_risk(gathered, np.random.default_rng(0), 20_000) == pytest.approx(
        1.96 * np.sqrt(1 / 2), rel=0.05
    )


def test_few_replicates_have_the_quantiles_of_student():
    errors = np.array([3.0, 4.0])
    for replicates, quantile in ((2, 12.7062), (4, 3.182446), (31, 2.042272)):
        risk = replicate_risk(errors, replicates)
        np.testing.assert_allclose(risk.features, quantile * errors, rtol=1e-6)
        assert risk.overall == pytest.approx(5 * quantile, rel=1e-6)
    assert replicate_risk(errors, 4, 0.5).overall == pytest.approx(5 * 0.764892, rel=1e-6)
    with pytest.raises(ValueError, match="needs at least 2; got 1"):
        replicate_risk(errors, 1)
