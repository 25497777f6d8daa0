"""Moments accumulated block by block."""

import numpy as np
import pytest

from shapaudit.statistics.moments import RunningMoments


@pytest.mark.parametrize("sizes", [(1, 1), (3, 0, 1, 5), (7,)])
def test_blocks_give_the_moments_of_all_rows(sizes):
    rows = np.random.default_rng(0).normal(3.0, size=(sum(sizes), 2))
    moments = RunningMoments(2)
    for block in np.split(rows, np.cumsum(sizes)[:-1]):
        moments.update(block)
    assert moments.count == len(rows)
    np.testing.assert_allclose(moments.mean, rows.mean(axis=0))
    expected = rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
    np.testing.assert_allclose(moments.standard_errors(), expected)


def test_one_row_has_no_standard_error():
    moments = RunningMoments(1)
    assert moments.standard_errors() is None
    moments.update(np.ones((1, 1)))
    assert moments.standard_errors() is None
