"""Points side by side: none overlaps another where there is room."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from shapaudit.explanations.plots.swarm import DIAMETERS, levels, points_per_unit, swarm


def nearest(x, y):
    gaps = np.hypot(x[:, None] - x, y[:, None] - y)
    return gaps[~np.eye(len(x), dtype=bool)].min()


def test_points_that_fit_do_not_overlap():
    x = np.random.default_rng(0).normal(size=200) * 60
    (offsets,), diameter = swarm([x], 20.0)
    assert diameter in DIAMETERS
    assert nearest(x, offsets) >= diameter * (1 - 1e-9)
    assert np.abs(offsets).max() + diameter / 2 <= 20
    assert nearest(x, 0 * x) < diameter / 10  # without offsets they would


def test_points_are_no_smaller_than_they_must_be():
    x = np.random.default_rng(0).normal(size=200) * 60
    _, diameter = swarm([x], 20.0)
    larger = DIAMETERS[DIAMETERS.index(diameter) - 1]
    assert levels(x, larger, int(20 / larger - 0.5))[1] > 0


def test_points_far_apart_stay_in_the_middle_and_are_large():
    (offsets,), diameter = swarm([np.arange(0.0, 100.0, 10.0)], 10.0)
    assert not offsets.any()
    assert diameter == DIAMETERS[0]


def test_levels_are_the_nearest_to_the_middle():
    chosen, crowded = levels(np.zeros(5), 1.0, 10)
    assert sorted(chosen) == [-2, -1, 0, 1, 2]
    assert crowded == 0


def test_points_without_room_are_counted_and_stay_within_the_levels():
    chosen, crowded = levels(np.zeros(9), 1.0, 1)
    assert crowded == 6
    assert set(chosen) <= {-1, 0, 1}


def test_a_row_without_room_is_pressed_and_the_others_keep_their_size():
    apart = np.arange(0.0, 400.0, 10.0)
    rows, diameter = swarm([np.zeros(100), apart, apart, apart], 9.0)
    assert diameter == DIAMETERS[0]
    assert np.abs(rows[0]).max() == pytest.approx(9.0 - diameter / 2)
    assert len(np.unique(rows[0])) == 100
    assert not rows[1].any()


def test_equal_rows_have_equal_swarms():
    x = np.random.default_rng(1).normal(size=50)
    first, second = swarm([x], 20.0)[0], swarm([x], 20.0)[0]
    np.testing.assert_array_equal(first, second)


def test_units_are_measured_in_print():
    figure = plt.figure(figsize=(4, 2))
    ax = figure.add_axes((0.25, 0.25, 0.5, 0.5))
    ax.set(xlim=(0, 10), ylim=(5, 0))
    assert points_per_unit(ax) == pytest.approx((2 * 72 / 10, 72 / 5))
