"""Normal laws: moments, conditional laws against their definition, singular covariances."""

import numpy as np
import pytest
import scipy

from shapaudit.datasets.laws import GaussianLaw, LawError
from shapaudit.datasets.laws.base import normal_quantiles

MEMBERS = np.array([True, False, True, False])


@pytest.fixture
def law():
    factor = GaussianLaw.factor(np.random.default_rng(1), 4)
    return GaussianLaw(np.arange(4.0), factor.covariance)


def test_rows_have_the_mean_and_the_covariance(law):
    rows = law.sample(np.random.default_rng(0), 40_000)
    np.testing.assert_allclose(rows.mean(axis=0), law.mean, atol=0.03)
    np.testing.assert_allclose(np.cov(rows.T), law.covariance, atol=0.03)


def test_conditional_law_is_the_schur_complement(law):
    values = np.array([0.3, 1.1])
    rest = law.given(MEMBERS, values)
    precision = np.linalg.inv(law.covariance)[~MEMBERS][:, ~MEMBERS]
    np.testing.assert_allclose(rest.covariance, np.linalg.inv(precision))
    cross = law.covariance[~MEMBERS][:, MEMBERS]
    slopes = cross @ np.linalg.inv(law.covariance[MEMBERS][:, MEMBERS])
    np.testing.assert_allclose(
        rest.mean, law.mean[~MEMBERS] + slopes @ (values - law.mean[MEMBERS])
    )


def test_density_of_the_members(law):
    values = np.array([0.3, 1.1])
    own = law.covariance[MEMBERS][:, MEMBERS]
    off = values - law.mean[MEMBERS]
    expected = -0.5 * off @ np.linalg.inv(own) @ off - np.log(2 * np.pi)
    expected -= 0.5 * np.log(np.linalg.det(own))
    assert law.given_with_density(MEMBERS, values)[1] == pytest.approx(expected)


def test_all_or_none_may_be_given(law):
    assert law.given(np.ones(4, bool), np.zeros(4)).sample(np.random.default_rng(0), 3).shape == (
        3,
        0,
    )
    np.testing.assert_array_equal(
        law.given(np.zeros(4, bool), np.empty(0)).covariance, law.covariance
    )


def test_opposite_numbers_give_opposite_rows(law):
    uniforms = np.random.default_rng(2).random((5, 4))
    both = law.from_uniforms(uniforms) + law.from_uniforms(1 - uniforms)
    np.testing.assert_allclose(both, np.tile(2 * law.mean, (5, 1)))
    assert np.isfinite(law.from_uniforms(np.array([[0.0, 1.0, 0.0, 1.0]]))).all()


def test_shapes_of_the_families():
    equal = GaussianLaw.equicorrelated(3, 0.4)
    np.testing.assert_array_equal(equal.covariance[0], [1.0, 0.4, 0.4])
    pairs = GaussianLaw.pairs(np.array([0.5, -0.8]))
    np.testing.assert_array_equal(pairs.covariance[2], [0, 0, 1, -0.8])
    assert pairs.covariance[0, 1] == 0.5
    np.testing.assert_allclose(
        np.diag(GaussianLaw.factor(np.random.default_rng(0), 6).covariance), 1
    )


def test_a_singular_covariance_names_its_columns():
    root = np.array([[1.0, 0, 0], [0, 1.0, 0], [1, 0, 0], [0, 0, 1.0]])
    with pytest.raises(LawError, match="columns x1, x3 are"):
        GaussianLaw(np.zeros(4), root @ root.T)
    with pytest.raises(LawError, match="columns x2 are constant"):
        GaussianLaw(np.zeros(2), np.diag([1.0, 0.0]))


@pytest.mark.parametrize(
    ("members", "values", "told"),
    [
        (np.ones(3, bool), np.zeros(3), "shape"),
        (np.ones(4), np.zeros(4), "bool"),
        (MEMBERS, np.zeros(3), "2 features are given"),
        (MEMBERS, np.array([0.0, np.nan]), "x3 is given as NaN"),
    ],
)
def test_what_does_not_fit_is_refused(law, members, values, told):
    with pytest.raises(LawError, match=told):
        law.given(members, values)


@pytest.mark.parametrize("entry", [0.5, np.nan, np.inf])
def test_what_is_no_covariance_is_refused(entry):
    with pytest.raises(LawError, match="finite and symmetric"):
        GaussianLaw(np.zeros(2), np.array([[1.0, entry], [0.2, 1.0]]))
    with pytest.raises(LawError, match="shape"):
        GaussianLaw(np.zeros(2), np.eye(3))


def test_normal_numbers_are_finite_at_both_ends():
    ends = normal_quantiles(np.array([0.0, 0.5, 1.0]))
    expected = [scipy.stats.norm.ppf(2.0**-54), 0.0, scipy.stats.norm.ppf(np.nextafter(1, 0))]
    np.testing.assert_allclose(ends, expected, rtol=1e-14)
