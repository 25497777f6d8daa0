"""Parts of the closed forms: fractions, normal probabilities, boxes of trees, fine points."""

from fractions import Fraction

import numpy as np
import pytest
import scipy
from worlds import D, generator, trees

from shapaudit.datasets.laws import DiscreteLaw, GaussianLaw
from shapaudit.games import all_coalitions
from shapaudit.games.expectations import exact_values, expectation_of
from shapaudit.games.expectations.bivariate import bivariate_normal
from shapaudit.games.expectations.boxes import Boxes, cut, pairs_of
from shapaudit.games.expectations.normal import _add_relus
from shapaudit.games.expectations.numerical import owen
from shapaudit.games.expectations.table import superset_sums
from shapaudit.models import Polynomial


def test_the_square_in_fractions():
    law = DiscreteLaw.square()
    outputs = [Fraction(int(row[1])) for row in law.support]  # f(x) = x2
    values = exact_values(law, outputs, (0.0, 0.0))
    assert values.tolist() == [Fraction(2, 3), 0, 0, 0]
    values = exact_values(law, outputs, (1.0, 1.0))
    assert values.tolist() == [Fraction(2, 3), 1, 1, 1]


def test_fractions_are_what_floats_come_near_to():
    law = DiscreteLaw.ising(generator(), 3)
    model = Polynomial(0.25, np.array([1.0, -2.0, 0.5]), np.ones((3, 3)))
    outputs = [Fraction(value) for value in model.predict(law.support)]
    exact = exact_values(law, outputs, law.support[3])
    values = expectation_of(law, model).values(law.support[3:4], all_coalitions(3))[0]
    np.testing.assert_allclose(values, exact.astype(float), rtol=1e-14)
    assert all(isinstance(value, Fraction) for value in exact)


def test_sums_over_supersets():
    table = np.arange(8.0)
    wanted = [sum(table[t] for t in range(8) if s & t == s) for s in range(8)]
    np.testing.assert_array_equal(superset_sums(table), wanted)
    np.testing.assert_array_equal(table, np.arange(8.0))


@pytest.mark.parametrize("correlation", [-0.95, -0.5, 0.0, 0.3, 0.9])
def test_bivariate_probabilities(correlation):
    grid = np.array([-3.0, -0.7, 0.0, 0.4, 2.5])
    h, k = (part.ravel() for part in np.meshgrid(grid, grid))
    covariance = [[1, correlation], [correlation, 1]]
    law = {"mean": [0, 0], "cov": covariance, "abseps": 1e-12, "releps": 1e-12}
    wanted = scipy.stats.multivariate_normal.cdf(np.column_stack([h, k]), **law)
    probabilities = bivariate_normal(h, k, correlation)
    np.testing.assert_allclose(probabilities, wanted, atol=1e-9)
    np.testing.assert_allclose(owen(h, k, correlation), probabilities, atol=1e-13)
    ends = bivariate_normal(np.array([np.inf, -np.inf]), np.array([0.3, 0.3]), correlation)
    np.testing.assert_allclose(ends, [scipy.special.ndtr(0.3), 0.0], atol=1e-15)


def test_boxes_are_the_leaves():
    ensemble = trees(n_trees=1, depth=4)
    boxes, rows = Boxes(ensemble), generator(1).normal(size=(200, D))
    single = rows.astype(np.float32)[:, None]
    inside = ((boxes.low <= single) & (single < boxes.high)).all(axis=2)
    assert (inside.sum(axis=1) == 1).all()
    wanted = ensemble.predict(rows) - ensemble.base_score
    np.testing.assert_allclose(inside @ boxes.values, wanted)


def test_cuts_are_where_rounding_reaches_the_threshold():
    threshold = np.array([0.1, -3.7, 1e-3, np.inf, -np.inf], dtype=np.float32)
    cuts = cut(threshold)
    finite = np.isfinite(cuts)
    above, below = np.nextafter(cuts[finite], np.inf), np.nextafter(cuts[finite], -np.inf)
    assert (above.astype(np.float32) >= threshold[finite]).all()
    assert (below.astype(np.float32) < threshold[finite]).all()
    np.testing.assert_array_equal(cuts[~finite], [np.inf, -np.inf])


def test_pairs_of_a_law():
    assert pairs_of(GaussianLaw.pairs(np.array([0.5, 0.0, -0.2]))) == [
        (0, 1),
        (2, 2),
        (3, 3),
        (4, 5),
    ]
    assert pairs_of(GaussianLaw.equicorrelated(3, 0.5)) is None


@pytest.mark.parametrize("spread", [0.0, 1e-12, 0.3, 1.0, 7.0])
def test_expected_relus_near_and_far(spread):
    means = np.concatenate([np.linspace(-80, 80, 4001) * spread, np.linspace(-3, 3, 7)])
    sums = np.empty((1, len(means)))
    _add_relus(means[None, :, None], np.array([[spread]]), np.ones(1), sums)
    safe = spread if spread else 1.0
    z = np.clip(means / safe, -40, 40)
    wanted = means * scipy.special.ndtr(z) + safe * np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    wanted = wanted if spread else np.maximum(means, 0)
    np.testing.assert_allclose(sums[0], wanted, rtol=1e-14, atol=2e-15 * max(spread, 1))
