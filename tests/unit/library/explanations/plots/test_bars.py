"""Bars and waterfalls: lengths, intervals, labels."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from shapaudit.explanations.plots.canvas import NEGATIVE, POSITIVE, TEXT, WIDTH

ROW = np.array([[1.0, -3.0, 0.5, 2.0]])


def lengths(ax):
    return [bar.get_width() for bar in ax.patches]


def segments(ax):
    """Ends of the error bars that are drawn last, the ones of ink, by row."""
    drawn = [line for container in ax.containers for line in getattr(container, "lines", ())]
    *_, (bars,) = [part for part in drawn if isinstance(part, tuple) and len(part) == 1]
    return {ends[0, 1]: ends[:, 0] for ends in bars.get_segments()}


def column(ax):
    return [text.get_text() for text in ax.texts]


def test_values_of_a_row_have_their_intervals(made, texts):
    row = made(ROW, errors=0.1, unit="euro")[0]
    ax = row.plot.bar()
    assert lengths(ax) == [-3, 2, 1, 0.5]
    assert texts(ax.yaxis) == ["x1 = 0", "x3 = 0", "x0 = 0", "x2 = 0"]
    assert [to_hex(bar.get_facecolor()) for bar in ax.patches] == [
        colour.lower() for colour in (NEGATIVE, POSITIVE, POSITIVE, POSITIVE)
    ]
    half = row.half_widths()[0]
    for place, value in enumerate([-3, 2, 1, 0.5]):
        np.testing.assert_allclose(segments(ax)[place], [value - half, value + half])
    assert column(ax) == ["−3.00 ± 0.32", "+2.00 ± 0.32", "+1.00 ± 0.32", "+0.50 ± 0.32"]
    assert ax.get_xlabel() == "Shapley value (euro)"
    assert ax.yaxis_inverted()


def test_the_rest_of_a_row_has_the_sum_of_the_half_widths(made, texts):
    row = made(ROW, errors=[[0.1, 0.1, 0.2, 0.3]])[0]
    ax = row.plot.bar(3)
    assert lengths(ax) == [-3, 2, 1.5]
    assert texts(ax.yaxis)[-1] == "sum of 2 others"
    low, high = segments(ax)[2]
    assert high - low == pytest.approx(2 * (row.half_widths()[0] + row.half_widths()[2]))


def test_exact_values_have_no_error_bars(made):
    ax = made(ROW)[0].plot.bar()
    assert len(ax.containers) == 1  # the bars themselves
    assert column(ax) == ["−3.00", "+2.00", "+1.00", "+0.500"]


def test_a_table_of_one_row_is_that_row(made):
    assert lengths(made(ROW).plot.bar()) == [-3, 2, 1, 0.5]


def test_means_have_their_limits(made, texts):
    table = made(np.random.default_rng(0).normal(size=(30, 4)) * [1, 4, 2, 3], errors=0.1)
    frame = table.mean_abs()
    ax = table.plot.bar(3)
    sums = frame[["mean_abs", "low", "high"]].to_numpy()[2:].sum(axis=0)
    np.testing.assert_allclose(lengths(ax), [*frame["mean_abs"][:2], sums[0]])
    assert texts(ax.yaxis) == ["x1", "x3", "sum of 2 others"]
    np.testing.assert_allclose(segments(ax)[0], [frame["low"][0], frame["high"][0]])
    np.testing.assert_allclose(segments(ax)[2], sums[1:])
    assert ax.get_xlabel() == "mean |Shapley value| over 30 rows"
    assert all("[" in text for text in column(ax))


def test_few_rows_are_said_to_have_no_limits(made):
    ax = made(np.ones((5, 2))).plot.bar()
    assert len(ax.containers) == 1
    assert ax.get_xlabel() == "mean |Shapley value| over 5 rows, too few for limits"


def test_a_waterfall_leads_from_the_base_value_to_the_prediction(made, texts):
    row = made(ROW, base=10.0, errors=0.1)[0]
    ax = row.plot.waterfall()
    assert texts(ax.yaxis) == ["base value", "x1 = 0", "x3 = 0", "x0 = 0", "x2 = 0", "prediction"]
    starts = [bar.get_x() for bar in ax.patches]
    np.testing.assert_allclose(starts, [10, 7, 9, 10])
    np.testing.assert_allclose(lengths(ax), [-3, 2, 1, 0.5])
    markers = {
        line.get_ydata()[0]: line.get_xdata()[0] for line in ax.lines if line.get_marker() == "D"
    }
    assert markers == {0: 10.0, 5: 10.5}
    half = row.half_widths()[0]
    for place, end in enumerate([7, 9, 10, 10.5], start=1):
        np.testing.assert_allclose(segments(ax)[place], [end - half, end + half])
    assert column(ax)[0] == "10.0"
    assert column(ax)[-1] == "10.5"
    low, high = ax.get_xlim()
    assert low < 7 - half
    assert high > 10.5 + half


def test_a_waterfall_sums_up_what_does_not_fit(made, texts):
    ax = made(ROW, base=1.0)[0].plot.waterfall(2)
    assert texts(ax.yaxis) == ["base value", "x1 = 0", "sum of 3 others", "prediction"]
    np.testing.assert_allclose(lengths(ax), [-3, 3.5])


@pytest.mark.parametrize("figure", ["bar", "waterfall"])
def test_the_axes_given_are_used_and_returned(made, figure):
    _, ax = plt.subplots()
    assert getattr(made(ROW)[0].plot, figure)(ax=ax) is ax
    assert len(plt.get_fignums()) == 1
    assert ax.patches


def test_new_figures_are_as_wide_as_a_text_and_wholly_within_it(made, mixed):
    for ax in (mixed[1].plot.bar(), mixed[1].plot.waterfall(), mixed.plot.bar()):
        figure = ax.get_figure()
        figure.draw_without_rendering()
        assert figure.get_size_inches()[0] == WIDTH
        box = figure.get_tightbbox()
        assert box.x0 >= 0
        assert box.x1 <= WIDTH
        sizes = {text.get_fontsize() for text in [*ax.texts, *ax.get_yticklabels(), ax.xaxis.label]}
        assert sizes == {TEXT}


def test_dollars_are_no_mathematics(mixed, texts):
    ax = mixed[1].plot.bar()
    assert "cost in $ and $ = 100000" in texts(ax.yaxis)
    assert not any(tick.get_parse_math() for tick in ax.get_yticklabels())


def test_an_output_is_chosen_by_its_name(made):
    both = made(np.stack([ROW, 2 * ROW], 2), outputs=("u", "v"))
    assert lengths(both.plot.bar(output="v")) == [-6, 4, 2, 1]
    assert lengths(both[0].plot.waterfall(output="u")) == [-3, 2, 1, 0.5]


def test_values_that_are_all_zero_can_be_drawn(made, texts):
    zero = made(np.zeros((25, 2)))
    assert lengths(zero.plot.bar()) == [0, 0]
    assert lengths(zero[0].plot.bar()) == [0, 0]
    assert column(zero[0].plot.waterfall()) == ["0", "0", "0", "0"]
