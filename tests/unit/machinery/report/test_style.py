"""The house style: what tells curves apart, sizes of text, and numbers on logarithmic axes."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from shapaudit_audit.report import palette, style


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_dashes_markers_and_colours_differ():
    for ways in (style.DASHES, style.MARKERS, palette.FAMILIES.values()):
        assert len({*ways}) == len(ways)
    assert len({to_hex(colour) for colour in palette.CONSEQUENCES.values()}) == 7
    solid, *dashed = style.DASHES
    assert solid == "-"
    for offset, lengths in dashed:
        assert offset == 0
        assert len(lengths) % 2 == 0
        assert min(lengths) >= 1  # a gap narrower than the line cannot be seen
        assert len(set(lengths[1::2])) == 1  # the gaps of a pattern are alike


def test_text_is_as_large_as_what_it_stands_with_and_never_tiny():
    size = {key: value for key, value in style.SETTINGS.items() if key.endswith("size")}
    assert size["axes.titlesize"] > size["axes.labelsize"] == size["font.size"]
    assert size["font.size"] > size["xtick.labelsize"] == size["ytick.labelsize"]
    assert size["xtick.labelsize"] > size["legend.fontsize"]
    assert (min(size.values()), max(size.values())) == (7, 8.5)


def test_ticks_are_alike_on_both_axes():
    for key, value in style.SETTINGS.items():
        if key.startswith("xtick"):
            assert style.SETTINGS[key.replace("x", "y", 1)] == value
    assert style.SETTINGS["xtick.minor.width"] < style.SETTINGS["xtick.major.width"]
    assert style.SETTINGS["xtick.major.width"] == style.SETTINGS["axes.linewidth"]


@pytest.mark.parametrize(
    ("limits", "labels"),
    [
        ((0.9, 60), ["1", "2", "5", "10", "20", "50"]),
        ((0.9, 99), ["1", "10"]),
        ((900, 110_000), ["1,000", "10,000", "100,000"]),
        ((0.009, 0.11), ["0.01", "0.02", "0.05", "0.1"]),
    ],
)
def test_few_decades_have_more_numbers(limits, labels):
    _, ax = plt.subplots()
    ax.set_yscale("log")
    ax.set_ylim(*limits)
    style.label_decades(ax.yaxis)
    ticks = [tick for tick in ax.get_yticks() if limits[0] <= tick <= limits[1]]
    assert [ax.yaxis.get_major_formatter()(tick) for tick in ticks] == labels
    assert np.isclose(ax.yaxis.get_minorticklocs(), 3 * 10.0 ** np.floor(np.log10(ticks[0]))).any()


def test_powers_stay_where_plain_numbers_would_be_long():
    for limits in ((1e-6, 1), (1, 1e8)):
        _, ax = plt.subplots()
        ax.set_yscale("log")
        ax.set_ylim(*limits)
        style.label_decades(ax.yaxis)
        assert "10^" in ax.yaxis.get_major_formatter()(100.0)
