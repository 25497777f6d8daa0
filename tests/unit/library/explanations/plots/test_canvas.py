"""When matplotlib is loaded, and what is said where it is not installed."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib import pyplot as plt

from shapaudit.explanations.plots.canvas import GRID, TEXT, THIN, canvas
from shapaudit.optional import MissingPackage


def test_matplotlib_is_loaded_when_something_is_drawn():
    code = (
        "import sys, shapaudit.explanations.explanation, shapaudit.explanations.plots\n"
        "print('matplotlib' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_without_matplotlib_the_message_says_how_to_install_it(made, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingPackage, match=r"needs the package matplotlib: pip install"):
        made(np.ones((1, 2))).plot.bar()


def test_axes_of_others_take_the_style_and_settings_stay_as_they_are():
    before = dict(plt.rcParams)
    _, ax = plt.subplots()
    assert canvas(ax, 1.0) is ax
    assert not ax.spines["top"].get_visible()
    assert ax.spines["bottom"].get_linewidth() == THIN
    assert ax.xaxis.get_major_ticks()[0].label1.get_fontsize() == TEXT
    assert ax.get_xgridlines()[0].get_color() == GRID
    assert dict(plt.rcParams) == before
