"""Laws that are drawn at random, and targets, against what is said of them."""

import numpy as np
import pytest

from shapaudit import datasets
from shapaudit.datasets.laws import ChainLaw, CopulaLaw, GaussianLaw, MixtureLaw


def rng():
    return np.random.default_rng(4)


def target_and_columns(d, noise):
    made = datasets.load(
        "gaussian-law", {"n_features": d, "n_rows": 500, "noise": noise}, np.random.default_rng(1)
    )
    return made.target, (made.features - made.features.mean(axis=0)) / made.features.std(axis=0)


@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_the_target_is_the_sum_that_is_said(d):
    target, z = target_and_columns(d, 0.0)
    rest = target - z[:, 0] * z[:, 1 % d] - np.abs(z[:, 2 % d])
    effects = np.linalg.lstsq(z, rest, rcond=None)[0]
    np.testing.assert_allclose(z @ effects, rest, atol=1e-10)
    np.testing.assert_allclose(np.abs(effects), 1 / np.sqrt(np.arange(1, d + 1)))


def test_noise_is_normal_and_of_its_size():
    exact, little, much = (target_and_columns(4, noise)[0] for noise in (0.0, 0.5, 2.0))
    np.testing.assert_allclose(4 * (little - exact), much - exact)
    assert ((much - exact) / 2).std() == pytest.approx(1, abs=4 / np.sqrt(2 * 500))
    assert (much - exact).mean() == pytest.approx(0, abs=4 * 2 / np.sqrt(500))


def test_effects_have_either_sign():
    signs = set()
    for seed in range(6):
        made = datasets.load(
            "chain-law", {"n_features": 1, "n_rows": 99, "noise": 0.0}, np.random.default_rng(seed)
        )
        z = (made.features[:, 0] - made.features.mean()) / made.features.std()
        signs.add(float(np.round(((made.target - z * z - np.abs(z)) / z)[0])))
    assert signs == {-1.0, 1.0}


def test_common_factors_make_the_correlations():
    law = GaussianLaw.factor(rng(), 7, 2)
    loadings = rng().standard_normal((7, 2))
    lengths = np.sqrt(1 + loadings[:, 0] ** 2 + loadings[:, 1] ** 2)
    for i in range(7):
        for j in range(7):
            both = loadings[i] @ loadings[j] / (lengths[i] * lengths[j])
            assert law.covariance[i, j] == pytest.approx(1.0 if i == j else both)
    assert (law.mean == 0).all()


def test_margins_are_gone_through_in_turn():
    law = CopulaLaw.factor(rng(), 5, ("lognormal", "cubic"))
    assert law.margins.tolist() == ["lognormal", "cubic", "lognormal", "cubic", "lognormal"]
    np.testing.assert_allclose(np.diag(law.covariance), 1.0)


@pytest.mark.parametrize("components", [1, 3])
def test_components_are_alike_but_for_means_and_correlations(components):
    laws = [MixtureLaw.random(np.random.default_rng(seed), 6, components) for seed in range(100)]
    means = np.array([law.means for law in laws])
    assert means.shape == (100, components, 6)
    assert means.std() == pytest.approx(1.5, rel=4 / np.sqrt(2 * means.size))
    for law in laws[:3]:
        np.testing.assert_allclose(law.weights, 1 / components)
        for covariance in law.covariances:
            np.testing.assert_allclose(np.diag(covariance), 1.0)
    assert not np.allclose(*laws[0].covariances[[0, -1]]) or components == 1


@pytest.mark.parametrize("persistence", [0.0, 0.6, 1.0])
def test_a_chain_repeats_itself_as_often_as_is_said(persistence):
    laws = [ChainLaw.random(np.random.default_rng(k), 8, (0, 1, 5), persistence) for k in range(60)]
    moves = np.concatenate([law.transitions for law in laws])
    np.testing.assert_allclose(moves.sum(axis=2), 1.0)
    diagonal = moves[:, range(3), range(3)]
    assert diagonal.min() >= persistence
    # Rows uniform on the simplex stay with probability 1/3 on average, with variance 1/18.
    stay, spread = persistence + (1 - persistence) / 3, (1 - persistence) / np.sqrt(18)
    assert diagonal.mean() == pytest.approx(stay, abs=1e-12 + 4 * spread / np.sqrt(diagonal.size))
    assert diagonal.std() == pytest.approx(spread, rel=0.1, abs=1e-12)
    for law in laws[:2]:
        np.testing.assert_allclose(law.initial, 1 / 3)
        assert law.levels.tolist() == [0.0, 1.0, 5.0]


def test_correlations_of_pairs_are_uniform_below_nine_tenths():
    correlations = []
    for seed in range(150):
        params = {"n_features": 8, "n_rows": 2, "shape": "pairs"}
        law = datasets.load("gaussian-law", params, np.random.default_rng(seed)).law
        correlations += [law.covariance[2 * k, 2 * k + 1] for k in range(4)]
    assert np.abs(correlations).max() < 0.9
    assert np.mean(correlations) == pytest.approx(0, abs=4 * 0.9 / np.sqrt(3 * len(correlations)))
    assert np.std(correlations) == pytest.approx(0.9 / np.sqrt(3), rel=0.08)


@pytest.mark.parametrize("loader", ["gaussian", "mixture", "copula", "discrete", "chain"])
def test_noise_is_a_half_unless_it_is_said(loader):
    params = {"n_features": 4, "n_rows": 800}
    made, exact = (
        datasets.load(f"{loader}-law", params | noise, np.random.default_rng(2))
        for noise in ({}, {"noise": 0.0})
    )
    assert (made.target - exact.target).std() == pytest.approx(0.5, rel=4 / np.sqrt(2 * 800))
