"""Tables: fractions, conditional tables by counting, what cannot happen."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from shapaudit.datasets.laws import DiscreteLaw, LawError


def test_conditional_table_is_the_table_of_the_matching_rows():
    law = DiscreteLaw.ising(np.random.default_rng(0), 4, (-1.0, 0.0, 1.0))
    members = np.array([False, True, False, True])
    rest = law.given(members, np.array([1.0, 0.0]))
    assert rest.support.shape == (9, 2)
    shares = dict(zip(map(tuple, law.support), law.fractions(), strict=True))
    total = sum(share for row, share in shares.items() if (row[1], row[3]) == (1.0, 0.0))
    for row, share in zip(rest.support, rest.fractions(), strict=True):
        assert share == shares[row[0], 1.0, row[1], 0.0] / total


def test_rows_come_as_often_as_the_law_says():
    law = DiscreteLaw([[0.0, 0], [0, 1], [1, 1]], [1, 2, 5])
    rows = law.sample(np.random.default_rng(0), 80_000)
    shares = [(rows == row).all(axis=1).mean() for row in law.support]
    np.testing.assert_allclose(shares, [0.125, 0.25, 0.625], atol=0.01)
    ends = law.from_uniforms(np.array([[0.0], [0.1249], [0.1251], [0.9999], [1.0]]))
    np.testing.assert_array_equal(ends, law.support[[0, 0, 1, 2, 2]])


def test_the_square_is_uncorrelated_but_not_independent():
    law = DiscreteLaw.square()
    x, y = law.support.T
    assert x @ (y * law.probabilities) == 0
    assert law.given(np.array([True, False]), np.array([1.0])).fractions() == [Fraction(1)]
    assert law.given(np.array([False, True]), np.array([1.0])).n_features == 1


def test_a_row_that_cannot_occur_is_named():
    with pytest.raises(LawError, match="no row with x1 = 1, x2 = 0"):
        DiscreteLaw.square().given(np.ones(2, bool), np.array([1.0, 0.0]))


@pytest.mark.parametrize(
    ("support", "weights", "told"),
    [
        ([[0.0], [0.0]], [1, 1], "twice"),
        ([[0.0], [1.0]], [1, 0], "positive"),
        ([[0.0], [1.0]], [0.5, 0.5], "whole"),
        ([[0.0], [1.0]], [1], "as many"),
    ],
)
def test_malformed_tables_are_refused(support, weights, told):
    with pytest.raises(LawError, match=told):
        DiscreteLaw(support, np.array(weights))


def test_levels_and_sizes_are_checked():
    rng = np.random.default_rng(0)
    with pytest.raises(LawError, match="two or more"):
        DiscreteLaw.ising(rng, 3, (1.0, 1.0))
    with pytest.raises(LawError, match="fewer features"):
        DiscreteLaw.ising(rng, 20)


def test_independent_features_stay_as_they_are():
    law = DiscreteLaw.independent(3)
    rest = law.given(np.array([True, False, False]), np.array([1.0]))
    np.testing.assert_array_equal(rest.probabilities, np.full(4, 0.25))


def test_all_may_be_given():
    rest = DiscreteLaw.square().given(np.ones(2, bool), np.array([-1.0, 1.0]))
    assert rest.sample(np.random.default_rng(0), 3).shape == (3, 0)


@pytest.mark.parametrize("levels", [(0.0, 1.0), (-2.0, 0.0, 4.0)])
def test_pairwise_models_have_the_weights_of_their_fields_and_couplings(levels):
    law, d = DiscreteLaw.ising(np.random.default_rng(5), 3, levels), 3
    rng = np.random.default_rng(5)
    fields, couplings = rng.standard_normal(d) / 2, rng.standard_normal((d, d)) / np.sqrt(d)
    scaled = dict(zip(levels, (-1, 1) if len(levels) == 2 else (-1, -1 / 3, 1), strict=True))
    masses = []
    for row in law.support:
        spins = [scaled[value] for value in row]
        energy = sum(field * spin for field, spin in zip(fields, spins, strict=True))
        pairs = [(i, j) for i in range(d) for j in range(i + 1, d)]
        energy += sum(couplings[i, j] * spins[i] * spins[j] for i, j in pairs)
        masses.append(np.exp(energy))
    np.testing.assert_allclose(law.probabilities, np.array(masses) / sum(masses), atol=1e-6)
    assert law.weights.sum() == pytest.approx(2**20, abs=len(masses))
    assert law.support.tolist() == [list(row) for row in product(levels, repeat=d)]


def test_the_square_is_uniform_on_its_three_rows():
    law = DiscreteLaw.square()
    assert law.support.tolist() == [[-1, 1], [0, 0], [1, 1]]
    assert law.fractions() == [Fraction(1, 3)] * 3
