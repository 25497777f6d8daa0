"""Names at the ends of curves."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from shapaudit_audit.report.end_labels import SIZE, apart, label_ends

LEAST = 0.3


@pytest.mark.parametrize("seed", range(30))
def test_labels_areapart_in_their_order_and_do_not_depend_on_rounding(seed):
    rng = np.random.default_rng(seed)
    wanted = np.sort(rng.uniform(-1.0, 1.0, 8))
    places = apart(wanted, LEAST)
    assert np.diff(places).min() > 0.9 * LEAST
    assert places.mean() == pytest.approx(wanted.mean(), abs=1e-9)
    rounded = wanted * (1.0 + rng.choice([-3e-16, 0.0, 3e-16], wanted.size))
    np.testing.assert_allclose(apart(rounded, LEAST), places, atol=1e-12)


def test_labels_that_areapart_stay():
    wanted = np.array([0.0, 0.3, 1.0])
    np.testing.assert_array_equal(apart(wanted, LEAST), wanted)


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_names_do_not_overlap_and_stand_in_the_order_of_their_curves(scale):
    figure, ax = plt.subplots(figsize=(4, 2))
    ax.set(yscale=scale, ylim=(1, 100))
    label_ends(ax, [(1, 11, "second", "k"), (1, 10, "first", "k"), (1, 1000, "beyond", "r")])
    figure.canvas.draw()
    boxes = {text.get_text(): text.get_window_extent() for text in ax.texts}
    assert [text.get_text() for text in ax.texts] == ["first", "second", "beyond"]
    assert boxes["first"].y1 <= boxes["second"].y0 + 1
    assert boxes["second"].y1 < boxes["beyond"].y0
    assert boxes["beyond"].y0 < ax.get_window_extent().y1 < boxes["beyond"].y1
    assert {text.get_fontsize() for text in ax.texts} == {SIZE}
    plt.close(figure)
