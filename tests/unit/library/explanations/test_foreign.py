"""Explanations as objects of shap and of shapiq: the same numbers, and plots that draw them."""

import sys
from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import shap
import shapiq
from matplotlib import pyplot as plt

from explained_rows import made
from shapaudit.datasets.mixed import TableError
from shapaudit.explanations.foreign import as_numbers
from shapaudit.optional import MissingPackage

mpl.use("Agg")
TABLE = made()
OUTPUTS = made(outputs=("a", "b", "c"))
PLOTS = shap.plots


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def test_arrays_and_names_are_the_same():
    explanation = TABLE.shap()
    np.testing.assert_array_equal(explanation.values, TABLE.values)
    np.testing.assert_array_equal(explanation.base_values, TABLE.base_values)
    np.testing.assert_array_equal(explanation.error_std, TABLE.standard_errors)
    assert explanation.feature_names == list(TABLE.feature_names)
    assert explanation.data.dtype == np.float64
    assert explanation.data.shape == explanation.display_data.shape == TABLE.values.shape


def test_a_row_is_that_row_of_the_table():
    rows = TABLE.shap()
    number = next(i for i, full in enumerate(TABLE.data.notna().all(axis=1)) if full)
    row = TABLE[number].shap()
    assert row.values.shape == (9,)
    assert row.base_values == rows.base_values[number]
    np.testing.assert_array_equal(row.values, rows[number].values)
    assert list(row.display_data) == list(rows[number].display_data)


def test_outputs_are_the_last_axis():
    explanation = OUTPUTS.shap()
    assert explanation.shape == (30, 9, 3)
    assert explanation.output_names == ["a", "b", "c"]
    np.testing.assert_array_equal(explanation[:, :, "b"].values, OUTPUTS["b"].values)
    np.testing.assert_array_equal(explanation[:, :, "b"].base_values, OUTPUTS["b"].base_values)
    assert OUTPUTS[2].shap().shape == (9, 3)
    assert list(OUTPUTS[2].shap().base_values) == list(OUTPUTS.base_values[2])


def test_numbers_alone_need_no_display():
    numbers = made()
    columns = ["age", "income", "children"]
    chosen = [numbers.feature_names.index(name) for name in columns]
    part = replace(
        numbers,
        values=numbers.values[:, chosen],
        standard_errors=numbers.standard_errors[:, chosen],
        data=numbers.data[columns],
        feature_names=tuple(columns),
        groups={},
    )
    assert part.shap().display_data is None


def test_what_stands_in_the_table_is_displayed():
    words = dict(zip(TABLE.feature_names, TABLE.shap().display_data[3], strict=True))
    data = TABLE.data.iloc[3]
    assert words["age"] == data["age"]
    assert words["class"] == data["class"]
    assert words["member"] == str(data["member"])
    assert words["since"] == "missing"
    assert words["place"] == f"{data['lat']:.4g}, {data['lon']:.4g}"
    dates = TABLE.shap()[:, "since"].display_data
    assert dates[4] == str(TABLE.data["since"].iloc[4].date())


@pytest.mark.parametrize(
    ("column", "numbers"),
    [
        (pd.Series([1, 2], dtype="i2"), [1, 2]),
        (pd.Series([True, False]), [1, 0]),
        (pd.Series([1, None], dtype="Int64"), [1, np.nan]),
        (pd.Series([True, None], dtype="boolean"), [1, np.nan]),
        (pd.Series(["b", "a", None, "b"]), [1, 0, np.nan, 1]),
        (pd.Series(["b", "a", None], dtype="string"), [1, 0, np.nan]),
        (pd.Series([2, "a", None, 2], dtype=object), [0, 1, np.nan, 0]),
        (pd.Series(pd.Categorical(["b", "a", None], ["b", "a"])), [0, 1, np.nan]),
        (pd.Series(pd.to_datetime(["1970-01-03 12:00", None])), [2.5, np.nan]),
        (pd.Series(pd.to_datetime(["1970-01-02 01:00"]).tz_localize("Etc/GMT-1")), [1.0]),
        (pd.Series(pd.to_timedelta(["36h", None])), [1.5, np.nan]),
    ],
)
def test_numbers_that_stand_for_entries(column, numbers):
    np.testing.assert_array_equal(as_numbers(column), np.array(numbers, dtype=float))


@pytest.mark.parametrize("plot", ["beeswarm", "violin", "bar", "heatmap"])
@pytest.mark.parametrize("values", [TABLE.shap(), OUTPUTS.shap()[:, :, 1]], ids=["one", "outputs"])
def test_tables_are_drawn(plot, values):
    getattr(PLOTS, plot)(values, show=False)
    names = {label.get_text() for label in plt.gcf().axes[0].get_yticklabels()}
    assert {"age", "place"} <= names


@pytest.mark.parametrize(
    "row", [TABLE.shap()[3], TABLE[3].shap(), OUTPUTS[3].shap()[:, 1]], ids=["of", "one", "output"]
)
def test_single_rows_are_drawn(row):
    PLOTS.waterfall(row, show=False)
    labels = " ".join(label.get_text() for label in plt.gcf().axes[0].get_yticklabels())
    assert f"{row.display_data[2]} = town" in labels
    PLOTS.bar(row, show=False)
    PLOTS.force(row, matplotlib=True, show=False)
    assert "town" in PLOTS.force(row).html()


def test_forces_of_several_rows_are_drawn():
    assert "Bern" in PLOTS.force(TABLE.shap()).html()


@pytest.mark.parametrize("name", TABLE.feature_names)
def test_features_are_scattered(name):
    values = TABLE.shap()
    PLOTS.scatter(values[:, name], color=values[:, "class"], show=False)
    if name == "town":
        ticks = [tick.get_text() for tick in plt.gcf().axes[0].get_xticklabels()]
        assert {"Bern", "Köln", "Wien"} <= set(ticks)


def test_interaction_values_are_those_of_a_row():
    interactions = TABLE[3].shapiq()
    assert isinstance(interactions, shapiq.InteractionValues)
    assert (interactions.index, interactions.max_order, interactions.n_players) == ("SV", 1, 9)
    assert [interactions[(j,)] for j in range(9)] == TABLE.values[3].tolist()
    assert interactions.baseline_value == interactions[()] == TABLE.base_values[3]
    assert interactions.estimated
    assert interactions.estimation_budget == 100


def test_several_rows_are_a_list():
    exact = made(exact=True)
    interactions = exact.shapiq()
    assert [row[(2,)] for row in interactions] == exact.values[:, 2].tolist()
    assert not any(row.estimated for row in interactions)
    assert {row.estimation_budget for row in interactions} == {None}


def test_interaction_values_are_drawn():
    names = list(TABLE.feature_names)
    interactions = TABLE[3].shapiq()
    interactions.plot_waterfall(feature_names=names, show=False)
    interactions.plot_force(feature_names=names, show=False)
    plt.close("all")
    shapiq.plot.bar_plot(TABLE[:4].shapiq(), feature_names=names, show=False)


def test_interaction_values_are_of_one_output():
    with pytest.raises(TableError, match=r"choose one of 'a', 'b', 'c', .*\['a'\]\.shapiq\(\)"):
        OUTPUTS.shapiq()
    assert OUTPUTS["b"][0].shapiq()[(1,)] == OUTPUTS.values[0, 1, 1]


@pytest.mark.parametrize("package", ["shap", "shapiq"])
def test_a_package_that_is_missing_is_named(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    advice = rf"needs the package {package}: pip install {package} "
    with pytest.raises(MissingPackage, match=advice):
        getattr(TABLE[0], package)()
