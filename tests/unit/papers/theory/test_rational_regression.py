"""Least squares in rational arithmetic against floating point and against one another."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from shapaudit.truth.rational import rationals
from shapaudit_papers.theory import regression

RNG = np.random.default_rng(0)


def integers(*shape):
    drawn = RNG.integers(-5, 6, size=shape)
    return drawn, np.array([rationals(row) for row in drawn.tolist()]) if len(shape) == 2 else (
        rationals(drawn.tolist())
    )


(PLAIN, ROWS), (GOAL, TARGET) = integers(7, 3), integers(7)
(TEST_PLAIN, TEST_ROWS), (TEST_GOAL, TEST_TARGET) = integers(5, 3), integers(5)
TRAIN, TEST = (ROWS, TARGET), (TEST_ROWS, TEST_TARGET)


def plain_r_squared(members):
    theta = np.zeros(3)
    if members:
        chosen = PLAIN[:, list(members)]
        theta[list(members)] = np.linalg.lstsq(chosen, GOAL, rcond=None)[0]
    residual = TEST_PLAIN @ theta - TEST_GOAL
    return 1 - residual @ residual / (TEST_GOAL @ TEST_GOAL)


def test_systems_are_solved_with_pivots_and_singular_ones_refused():
    matrix = np.array([rationals(row) for row in ([0, 2, 1], [1, 0, 3], [2, 1, 0])])
    solution = rationals([Fraction(1, 2), -2, 5])
    assert regression.solve(matrix, matrix @ solution).tolist() == solution.tolist()
    with pytest.raises(ZeroDivisionError):
        regression.solve(np.array([rationals([1, 2]), rationals([2, 4])]), rationals([1, 2]))


@pytest.mark.parametrize("members", [(), (1,), (0, 2), (0, 1, 2)])
def test_fits_have_the_r_squared_of_floating_point(members):
    theta = regression.fit(*TRAIN, members)
    assert {j for j in range(3) if theta[j] != 0} <= set(members)
    r_squared = regression.r_squared(*TEST, theta)
    assert float(r_squared) == pytest.approx(plain_r_squared(members))


def test_one_factorisation_fits_all_chains():
    chain = regression.chain_parameters(*TRAIN)
    for k in range(3):
        assert chain[:, k].tolist() == regression.fit(*TRAIN, range(k + 1)).tolist()


def test_lifts_along_all_orders_have_the_shapley_values_as_their_mean():
    values = {
        m: regression.r_squared(*TEST, regression.fit(*TRAIN, m)) for m in regression.subsets(3)
    }
    assert len(values) == 8
    orders = list(permutations(range(3)))
    lifts = [regression.lifts(TRAIN, TEST, order) for order in orders]
    assert regression.shapley(values, 3).tolist() == (sum(lifts) / Fraction(6)).tolist()
    for order, lift in zip(orders, lifts, strict=True):
        first = plain_r_squared(order[:1])
        assert float(lift[order[0]]) == pytest.approx(first)
        assert float(lift[order[1]]) == pytest.approx(plain_r_squared(order[:2]) - first)


def test_batches_merge_into_the_moments_of_all():
    _, rows = integers(12, 2)
    mean, covariance = regression.merged(np.split(rows, 3))
    whole = regression.moments(rows)
    assert (mean.tolist(), covariance.tolist()) == (whole[0].tolist(), whole[1].tolist())
    plain = rows.astype(float)
    np.testing.assert_allclose(covariance.astype(float), np.cov(plain.T, bias=True))
    np.testing.assert_allclose(mean.astype(float), plain.mean(axis=0))
