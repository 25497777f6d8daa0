"""DASP against its definition: moments of all coalitions of a size, and of activations."""

from itertools import combinations

import numpy as np
import pytest
import scipy

from explained import ROWS, network
from shapaudit.explainers import ExplainerError, create
from shapaudit.explainers.gaussian_moments import activation_moments
from shapaudit.nets import ACTIVATIONS


def integrated_moments(name, mean, spread):
    """Moments of an activation by numerical integration."""
    value = ACTIVATIONS[name].value

    def moment(power):
        def integrand(z):
            return value(np.array(mean + spread * z)) ** power * np.exp(-z * z / 2)

        kink = [-mean / spread] if abs(mean / spread) < 12 else None
        total = scipy.integrate.quad(integrand, -12, 12, points=kink, limit=400)[0]
        return total / np.sqrt(2 * np.pi)

    first = moment(1)
    return first, moment(2) - first**2


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize(("mean", "spread"), [(0.0, 1.0), (1.5, 0.3), (-2.0, 1.0), (0.4, 2.0)])
def test_moments_of_activations(name, mean, spread):
    moments = activation_moments(name, np.array([mean]), np.array([spread**2]))
    expected = integrated_moments(name, mean, spread)
    tolerance = 1e-8 if name in ("relu", "leaky-relu", "probit") else 1e-7
    np.testing.assert_allclose(np.ravel(moments), expected, atol=tolerance)
    alone, none = activation_moments(name, np.array([mean]), np.array([spread**2]), False)
    np.testing.assert_array_equal(alone, moments[0])
    assert none is None


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_constant_has_no_variance(name):
    means = np.array([-1.0, 0.0, 2.0])
    mean, variance = activation_moments(name, means, np.zeros(3))
    np.testing.assert_allclose(mean, ACTIVATIONS[name].value(means), atol=1e-15)
    np.testing.assert_allclose(variance, 0.0, atol=1e-15)


def test_what_enters_has_the_moments_of_all_coalitions_of_a_size():
    rng = np.random.default_rng(0)
    fitted = create("dasp").fit(network((5, 4, 1)), ROWS[:1])
    parts, start = rng.normal(size=(5, 4)), rng.normal(size=4)
    means, variances = fitted._entering(parts, start, slice(1, 4))
    assert means.shape == (2, 3, 5, 4)
    for place, player in enumerate((1, 2, 3)):
        others = [j for j in range(5) if j != player]
        for size in range(5):
            sums = np.array([parts[list(c)].sum(axis=0) for c in combinations(others, size)])
            np.testing.assert_allclose(means[1, place, size], start + sums.mean(axis=0))
            np.testing.assert_allclose(
                means[0, place, size], start + parts[player] + sums.mean(axis=0)
            )
            np.testing.assert_allclose(
                variances[0, place, size], sums.var(axis=0), atol=1e-12
            )  # fmt: skip


def test_one_layer_is_the_mean_over_sizes_of_closed_moments():
    arrays = network((5, 4, 1))
    fitted = create("dasp").fit(arrays, ROWS[:1])
    weight, bias = arrays["weight0"], arrays["bias0"]
    parts, start = (ROWS[1] - ROWS[0])[:, None] * weight, ROWS[0] @ weight + bias
    expected = np.zeros(5)
    for player in range(5):
        others = np.delete(parts, player, axis=0)
        for size in range(5):
            sums = np.array([others[list(c)].sum(axis=0) for c in combinations(range(4), size)])
            outputs = [
                activation_moments("relu", start + sums.mean(axis=0) + own, sums.var(axis=0))[0]
                for own in (parts[player], 0.0)
            ]
            expected[player] += float((outputs[0] - outputs[1]) @ arrays["weight1"][:, 0]) / 5
    np.testing.assert_allclose(fitted.explain(ROWS[1]).values, expected, atol=1e-10)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_linear_networks_of_few_features_are_exact(d):
    arrays = network((d, 1))
    rows = ROWS[:2, :d]
    values = create("dasp").fit(arrays, rows[:1]).explain(rows[1]).values
    np.testing.assert_allclose(values, (rows[1] - rows[0]) * arrays["weight0"][:, 0], atol=1e-14)
    # Through an activation too, where coalitions of the others have no spread.
    if d < 3:
        assert np.isfinite(
            create("dasp").fit(network((d, 3, 1)), rows[:1]).explain(rows).values
        ).all()


def test_few_sizes_are_the_middles_of_equal_parts_and_cost_two_passes_each():
    fitted = create("dasp", {"sizes": 2}).fit(network(), ROWS[:1])
    np.testing.assert_array_equal(fitted.sizes, [1, 3])
    assert fitted.explain(ROWS[:3]).rows == 2 * 2 * 5 * 3
    whole = create("dasp").fit(network(), ROWS[:1])
    np.testing.assert_array_equal(whole.sizes, np.arange(5))
    assert whole.explain(ROWS[:3]).rows == 2 * 5**2 * 3
    np.testing.assert_array_equal(create("dasp", {"sizes": 1}).fit(network(), ROWS[:1]).sizes, [2])


@pytest.mark.parametrize("sizes", [-1, 6])
def test_sizes_that_there_are_not(sizes):
    with pytest.raises(ExplainerError, match=r"have 5 sizes; got sizes .*give 1 to 5, or 0"):
        create("dasp", {"sizes": sizes}).fit(network(), ROWS[:1])


def test_blocks_of_players_do_not_show(monkeypatch):
    fitted = create("dasp").fit(network(), ROWS[:1])
    whole = fitted.explain(ROWS).values
    monkeypatch.setattr("shapaudit.explainers.dasp.CELLS", 1)
    np.testing.assert_allclose(fitted.explain(ROWS).values, whole, rtol=1e-12)
