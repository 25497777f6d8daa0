"""Beeswarms: places, colours, errors."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from shapaudit.explanations.plots.swarm import points_per_unit


def rows(ax, count):
    """Points (m, 2) of each row: those with a colour, and open ones."""
    offsets = [np.asarray(part.get_offsets()) for part in ax.collections[-2 * count :]]
    return list(zip(offsets[::2], offsets[1::2], strict=True))


def drawn(ax, count):
    return np.concatenate([part for pair in rows(ax, count) for part in pair])


def test_each_feature_has_its_values_in_its_row(made, texts):
    values = np.random.default_rng(0).normal(size=(50, 3)) * [1, 3, 2]
    ax = made(values).plot.beeswarm()
    assert texts(ax.yaxis) == ["x1", "x2", "x0"]
    for place, (column, (ranked, open_)) in enumerate(zip([1, 2, 0], rows(ax, 3), strict=True)):
        np.testing.assert_allclose(ranked[:, 0], values[:, column])
        assert np.abs(ranked[:, 1] - place).max() < 0.5
        assert len(open_) == 0
    assert ax.get_xlabel() == "Shapley value"
    assert ax.get_legend() is None


def test_points_do_not_overlap(made):
    ax = made(np.random.default_rng(0).normal(size=(100, 2))).plot.beeswarm()
    width, height = points_per_unit(ax)
    for (points, _), part in zip(rows(ax, 2), ax.collections[-4::2], strict=True):
        (size,) = np.unique(part.get_sizes())
        x, y = points[:, 0] * width, points[:, 1] * height
        gaps = np.hypot(x[:, None] - x, y[:, None] - y)[np.triu_indices(100, 1)]
        assert gaps.min() >= 0.98 * np.sqrt(size)


def test_colours_are_ranks_of_entries(made):
    data = pd.DataFrame({"x": [1.0, 1000.0, 10.0, np.nan]})
    ax = made([[4.0], [3.0], [2.0], [1.0]], data).plot.beeswarm()
    ranked, open_ = ax.collections[-2:]
    np.testing.assert_array_equal(ranked.get_array(), [0, 1, 0.5])
    assert (ranked.norm.vmin, ranked.norm.vmax) == (0, 1)
    np.testing.assert_allclose(open_.get_offsets()[:, 0], [1.0])
    (text,) = ax.get_legend().get_texts()
    assert text.get_text() == "missing or without order"


def test_colours_grow_lighter_and_remain_darker_than_paper(made):
    ax = made([[1.0], [2.0]]).plot.beeswarm()
    colours = ax.collections[-2].cmap(np.linspace(0, 1, 50))[:, :3]
    lightness = colours @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(lightness) > 0).all()
    assert lightness[-1] < 0.8


def test_the_scale_of_colours_is_left_out_where_nothing_has_a_rank(made):
    data = pd.DataFrame({"x": ["a", "b"]})
    ax = made([[1.0], [2.0]], data).plot.beeswarm()
    assert ax.get_figure().axes == [ax]
    assert len(made([[1.0], [2.0]]).plot.beeswarm().get_figure().axes) == 2


def test_the_rest_is_a_row_of_sums(made, texts):
    values = np.random.default_rng(0).normal(size=(20, 4)) * [1, 9, 2, 8]
    ax = made(values).plot.beeswarm(3)
    assert texts(ax.yaxis) == ["x3", "x1", "sum of 2 others"]
    ranked, open_ = rows(ax, 3)[-1]
    assert len(ranked) == 0
    np.testing.assert_allclose(open_[:, 0], values[:, 0] + values[:, 2])
    assert ax.get_legend() is None  # its label says what it is


def test_errors_that_can_be_seen_are_drawn_around_zero(made):
    values = np.random.default_rng(0).normal(size=(21, 2)) * [1, 2]
    errors = np.linspace(0.1, 0.3, 21)[:, None] * [1.0, 2.0]
    table = made(values, errors=errors)
    ax = table.plot.beeswarm()
    (bars,) = ax.containers[0].lines[2]
    half = table.half_widths()[10, ::-1]  # the medians, the larger feature first
    np.testing.assert_allclose(
        [ends[:, 0] for ends in bars.get_segments()], [[-h, h] for h in half]
    )
    assert ax.get_xlabel().endswith("bars: median 95 % interval of a value, around 0")
    assert ax.get_xlim()[0] < -half.max()


def test_errors_smaller_than_a_point_are_not_drawn(made):
    values = np.random.default_rng(0).normal(size=(20, 2))
    ax = made(values, errors=1e-4).plot.beeswarm()
    assert not ax.containers
    assert ax.get_xlabel() == "Shapley value"


def test_all_types_of_entries_are_drawn(mixed):
    ax = mixed.plot.beeswarm()
    assert len(drawn(ax, 8)) == mixed.values.size
    number = {text.get_text(): k for k, text in enumerate(ax.get_yticklabels())}
    with_colours = {name: len(rows(ax, 8)[k][0]) for name, k in number.items()}
    assert with_colours == {
        "age": 11,
        "city": 0,
        "grade": 12,
        "since": 11,
        "member": 12,
        "note": 0,
        "cost in $ and $": 12,
        "place": 0,
    }


@pytest.mark.parametrize("values", [np.zeros((30, 2)), np.ones((30, 2)), [[1.5]]])
def test_equal_values_and_single_ones_are_drawn(made, values):
    ax = made(values).plot.beeswarm()
    points = drawn(ax, np.shape(values)[1])
    assert len(points) == np.size(values)
    low, high = ax.get_xlim()
    assert ((low < points[:, 0]) & (points[:, 0] < high)).all()


def test_the_axes_given_are_used_and_returned(made):
    _, ax = plt.subplots(layout="constrained")
    both = made(np.ones((3, 2, 2)) * [1.0, 2.0], outputs=("u", "v"))
    assert both.plot.beeswarm(output="v", ax=ax) is ax
    assert len(plt.get_fignums()) == 1
    assert set(drawn(ax, 2)[:, 0]) == {2.0}
