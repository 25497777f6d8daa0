"""The inverse of a triangle by halves against its definition."""

import numpy as np
import pytest

from shapaudit.estimators.fits.triangular import BLOCK, lower_inverse


@pytest.mark.parametrize("n", [1, 2, BLOCK, BLOCK + 1, 2 * BLOCK + 1, 301])
def test_the_product_with_the_inverse_is_one(n):
    rng = np.random.default_rng(n)
    triangle = np.asfortranarray(np.tril(rng.normal(size=(n, n))) / n + np.eye(n))
    kept = triangle.copy()
    inverse = lower_inverse(triangle)
    np.testing.assert_allclose(triangle @ inverse, np.eye(n), atol=1e-12)
    np.testing.assert_array_equal(inverse, np.tril(inverse))
    np.testing.assert_array_equal(triangle, kept)
    assert inverse.flags.f_contiguous
