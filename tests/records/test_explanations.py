"""What the pictures of an explanation show."""

import numpy as np
import pandas as pd
import pytest

from recorded import compare
from shapaudit.explanations.explanation import Explanation
from shapaudit.explanations.plots import plot_convergence
from unit.drawn import shown

ROWS = 9
TABLES = ("bar", "beeswarm")
FEATURES = ("age", "size", "city", "place")
OF_ROWS = ("bar", "waterfall")
pytestmark = pytest.mark.usefixtures("without_screen")


@pytest.fixture
def explained():
    """Numbers with a gap, texts and a group, with errors, of two outputs."""
    rng = np.random.default_rng(3)
    rows = pd.DataFrame({
        "age": [np.nan, *np.linspace(20, 70, ROWS - 1)], "size": rng.normal(size=ROWS),
        "city": ["Rome", "Bonn", "Oslo"] * (ROWS // 3),
        "lat": np.arange(ROWS) / 7, "lon": np.arange(ROWS) / 3,
    })  # fmt: skip
    values = rng.normal(size=(ROWS, len(FEATURES), 2)) * np.array([[4.0], [3.0], [2.0], [1.0]])
    return Explanation(
        values=values,
        standard_errors=np.full_like(values, 0.2),
        base_values=rng.normal(size=(ROWS, 2)),
        data=rows,
        feature_names=FEATURES,
        output_names=("rent", "costs"),
        how="made up",
        method="auto",
        evaluations=np.full(ROWS, 64),
        groups={"place": ("lat", "lon")},
        unit="euro",
    )


def compared(name, ax):
    figure = ax.get_figure(root=True)
    figure.draw_without_rendering()
    compare("explanations", {f"{name}/{key}": part for key, part in shown(figure).items()})


@pytest.mark.parametrize("most", [2, 12])
def test_pictures_of_a_table(explained, most):
    for kind in TABLES:
        ax = getattr(explained.plot, kind)(most, output="rent")
        compared(f"{kind} of a table, {most} features", ax)


@pytest.mark.parametrize("most", [2, 12])
def test_pictures_of_a_row(explained, most):
    for kind in OF_ROWS:
        ax = getattr(explained[1].plot, kind)(most, output="costs")
        compared(f"{kind} of a row, {most} features", ax)


@pytest.mark.parametrize("feature", FEATURES)
def test_pictures_of_a_feature(explained, feature):
    compared(f"dependence on {feature}", explained.plot.dependence(feature, output="rent"))


def test_the_picture_of_convergence():
    frame = pd.DataFrame([
        {"evaluations": m, "feature": name, "value": at, "low": at - 8 / m, "high": at + 8 / m}
        for m in (8, 16, 64) for name, at in (("a", 1.0), ("b", -4.0), ("c", 2.0))
    ])  # fmt: skip
    compared("convergence", plot_convergence(frame))
