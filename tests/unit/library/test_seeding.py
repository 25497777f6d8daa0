"""Seeds depend on the names of the axes and on nothing else."""

import numpy as np
import pytest

from shapaudit.seeding import derive_seed, generator


def test_the_same_names_give_the_same_stream():
    first, other = (generator(1, "pair", 3, "kernel-shap").random(5) for _ in range(2))
    np.testing.assert_array_equal(first, other)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((1, "a", "bc"), (1, "ab", "c")),
        ((1, "a", 1), (1, "a", "1")),
        ((1, "a"), (2, "a")),
        ((1, 12), (11, 2)),
        ((1, "a|s1:b"), (1, "a", "b")),
    ],
)
def test_different_axes_never_share_a_seed(left, right):
    assert derive_seed(*left) != derive_seed(*right)


def test_streams_of_neighbouring_names_are_uncorrelated():
    draws = np.array([generator(0, "pair", pair).random(500) for pair in range(20)])
    correlations = np.corrcoef(draws)[np.triu_indices(20, 1)]
    assert np.abs(correlations).max() < 5 / np.sqrt(500)
