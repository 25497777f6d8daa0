"""Rows reduced to a triangle, by either method, and columns that determine no coefficients."""

import numpy as np
import pytest

from shapaudit.models import ModelError
from shapaudit.models.reduced import check_columns, reduce_problem
from shapaudit.models.reduction import blocks_of, reduce_rows


def table(n=50, p=4):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(n, p)) + np.arange(1, p + 1)
    return rows, rows @ rng.normal(size=p) + rng.normal(size=n)


@pytest.mark.parametrize("method", ["qr", "cholesky"])
def test_the_triangle_has_the_gram_matrix_of_the_centred_rows(method):
    rows, target = table()
    blocks = blocks_of(rows[:20], target[:20]) + blocks_of(rows[20:], target[20:])
    reduced = reduce_rows(blocks, method)
    both = np.column_stack([rows, target])
    centred = both - both.mean(axis=0)
    np.testing.assert_allclose(reduced.factor.T @ reduced.factor, centred.T @ centred, rtol=1e-12)
    np.testing.assert_allclose(reduced.means, both.mean(axis=0), rtol=1e-12)
    assert (reduced.factor == np.triu(reduced.factor)).all()
    assert (reduced.n_rows, reduced.method) == (50, method)
    assert (
        len({reduced, reduce_rows(blocks, method)}) == 2
    )  # compared as objects, not entry by entry


@pytest.mark.parametrize("method", ["qr", "cholesky"])
def test_given_means_are_taken_off(method):
    rows, target = table()
    means = np.arange(5.0)
    reduced = reduce_rows(blocks_of(rows, target), method, means)
    shifted = np.column_stack([rows, target]) - means
    np.testing.assert_allclose(reduced.factor.T @ reduced.factor, shifted.T @ shifted, rtol=1e-12)
    np.testing.assert_array_equal(reduced.means, means)


def checked(rows, target):
    blocks = blocks_of(rows, target)
    check_columns(reduce_problem(blocks, blocks))


def test_columns_that_predict_nothing_or_depend_on_others_are_named():
    rows, target = table()
    checked(rows, target)
    constant = rows.copy()
    constant[:, 2] = 1e6 / 3  # of which centring leaves the rounding
    with pytest.raises(ModelError, match=r"columns \[2\] are constant"):
        checked(constant, target)
    dependent = np.column_stack([rows, rows[:, 1]])
    with pytest.raises(ModelError, match=r"columns \[[14]\] depend linearly"):
        checked(dependent, target)
    with pytest.raises(ModelError, match="3 training rows do not determine 4 coefficients"):
        checked(rows[:3], target[:3])


@pytest.mark.parametrize("method", ["qr", "cholesky", "auto"])
@pytest.mark.parametrize("values", [(np.nan, 1.0), (np.inf, -np.inf), (np.inf, 1.0)])
def test_columns_with_missing_or_infinite_entries_are_named(method, values):
    rng = np.random.default_rng(0)
    rows, target = rng.normal(size=(60, 4)), rng.normal(size=60)
    rows[[7, 40], 2] = values
    with pytest.raises(ModelError, match=r"^missing or infinite entries in column 2; fill"):
        reduce_rows(blocks_of(rows, target), method)
    target[3] = np.nan
    with pytest.raises(ModelError, match="in column 2, the response"):
        reduce_rows(blocks_of(rows, target), method)
