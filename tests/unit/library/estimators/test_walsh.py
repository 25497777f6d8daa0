"""Sums over coalitions by a transform of their table."""

import numpy as np
import pytest

from shapaudit.estimators.walsh import gather, transform
from shapaudit.games import all_coalitions


def test_entries_are_gathered_at_the_players_in_whom_two_sets_differ():
    table, masks, others = np.arange(8.0), np.array([0, 3, 5]), np.array([1, 6])
    assert gather(table, masks, others).tolist() == [[1.0, 6.0], [2.0, 5.0], [4.0, 3.0]]


@pytest.mark.parametrize("d", [0, 1, 2, 3, 4])
def test_the_transform_sums_with_the_sign_of_the_players_in_both(d):
    table = np.random.default_rng(0).standard_normal(1 << d)
    members = all_coalitions(d)
    expected = [(table * (-1.0) ** (members & subset).sum(axis=1)).sum() for subset in members]
    transform(table)
    np.testing.assert_allclose(table, expected, atol=1e-12)
