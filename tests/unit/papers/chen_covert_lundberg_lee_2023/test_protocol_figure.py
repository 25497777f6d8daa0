"""Labels of the figures of the published protocol."""

import numpy as np
import pytest

from shapaudit_papers.chen_covert_lundberg_lee_2023.figures.protocol import _apart

LEAST = 0.3


@pytest.mark.parametrize("seed", range(30))
def test_labels_are_apart_in_their_order_and_do_not_depend_on_rounding(seed):
    rng = np.random.default_rng(seed)
    wanted = np.sort(rng.uniform(-1.0, 1.0, 8))
    places = _apart(wanted, LEAST)
    assert np.diff(places).min() > 0.9 * LEAST
    assert places.mean() == pytest.approx(wanted.mean(), abs=1e-9)
    rounded = wanted * (1.0 + rng.choice([-3e-16, 0.0, 3e-16], wanted.size))
    np.testing.assert_allclose(_apart(rounded, LEAST), places, atol=1e-12)


def test_labels_that_are_apart_stay():
    wanted = np.array([0.0, 0.3, 1.0])
    np.testing.assert_array_equal(_apart(wanted, LEAST), wanted)
