"""Copulas: margins and their inverses, conditional laws through the latent one, ranges."""

import numpy as np
import pytest
import scipy

from shapaudit.datasets.laws import MARGINS, CopulaLaw, LawError

LAWS = {
    "exponential": scipy.stats.expon().cdf,
    "lognormal": scipy.stats.lognorm(1).cdf,
    "normal": scipy.stats.norm().cdf,
}


@pytest.fixture
def law():
    return CopulaLaw.factor(np.random.default_rng(0), 3, ("lognormal", "exponential", "cubic"))


@pytest.mark.parametrize("name", MARGINS)
def test_margins_increase_and_are_inverted(name):
    z = np.linspace(-6, 6, 41)
    x = MARGINS[name].feature(z)
    assert (np.diff(x) > 0).all()
    assert (x > MARGINS[name].least).all()
    np.testing.assert_allclose(MARGINS[name].latent(x), z, atol=1e-9)


@pytest.mark.parametrize("name", LAWS)
def test_margins_have_the_laws_of_their_names(name):
    z = np.linspace(-3, 3, 7)
    probabilities = LAWS[name](MARGINS[name].feature(z))
    np.testing.assert_allclose(probabilities, scipy.stats.norm.cdf(z))


def test_ranks_are_correlated_as_the_latent_law_says(law):
    rows = law.sample(np.random.default_rng(1), 40_000)
    wanted = 6 / np.pi * np.arcsin(law.covariance / 2)  # Spearman's of a normal copula
    np.testing.assert_allclose(scipy.stats.spearmanr(rows).statistic, wanted, atol=0.02)


def test_what_is_given_is_given_to_the_latent_law(law):
    members, values = np.array([True, True, False]), np.array([2.0, 0.5])
    rest = law.given(members, values)
    latent = law.latent.given(members, law.to_latent(members, values))
    np.testing.assert_array_equal(rest.margins, ["cubic"])
    np.testing.assert_array_equal(
        [rest.mean, rest.covariance[0]], [latent.mean, latent.covariance[0]]
    )
    uniforms = np.array([[0.3]])
    z = latent.from_uniforms(uniforms)
    np.testing.assert_allclose(rest.from_uniforms(uniforms), z + z**3)


def test_values_outside_the_range_name_the_feature(law):
    with pytest.raises(LawError, match="x2 is -1; its margin, exponential, has values above 0"):
        law.given(np.array([False, True, False]), np.array([-1.0]))


def test_unknown_margins_are_refused(law):
    with pytest.raises(LawError, match="unknown margin 'gamma'"):
        CopulaLaw(np.array(["gamma"]), np.zeros(1), np.eye(1))
    with pytest.raises(LawError, match="as many margins"):
        CopulaLaw(np.array(["cubic"]), np.zeros(2), np.eye(2))
