"""A comparison on one's own model: the game, the answer, bad input."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor
from threadpoolctl import threadpool_info, threadpool_limits

from shapaudit.comparison import TableError, compare, page, plan
from shapaudit.comparison import run as running
from shapaudit.comparison.drawn import DrawnRows
from shapaudit.datasets.mixed import players_of, read_table
from shapaudit.explanations.asking import SpeedTrial
from shapaudit.explanations.rows_game import RowsGame
from shapaudit.explanations.tables import typical_row
from shapaudit.games import all_coalitions
from shapaudit.models.predictors import predictor_of
from shapaudit.truth import shapley_exact

MIXED = pd.DataFrame(
    {
        "size": [1.0, 2.0, 3.0, 4.0, np.nan, 6.0] * 8,
        "rooms": [1, 2, 2, 3, 3, 3] * 8,
        "city": ["Ulm", "Graz", None, "Ulm", "Linz", "Ulm"] * 8,
        "lift": [True, False] * 24,
        "built": pd.to_datetime(["1990-01-01", "2001-05-05", "2010-10-10"] * 16),
    }
)


def rent(table):
    """A model that wants names, texts, dates and missing values."""
    size = table["size"].fillna(3.0)
    city = (table["city"] == "Ulm").astype(float)
    age = 2020.0 - table["built"].dt.year
    lift = np.where(table["lift"], table["rooms"], 0)
    return (size * (1 + city) + lift - 0.01 * age * city).to_numpy(dtype=float)


def smooth(table):
    """A model of numbers, none of whose columns is idle."""
    x = table.to_numpy(dtype=float)
    return np.sin(x.sum(axis=1)) + x[:, 0] * x[:, 1]


def direct(explicand, background, columns):
    """v of one coalition by replacing columns in copies of the background, one at a time."""
    rows = background.copy()
    for name in columns:
        rows[name] = pd.concat([explicand[name]] * len(rows), ignore_index=True).astype(
            background[name].dtype
        )
    return rent(rows).mean()


def test_values_of_mixed_columns_are_means_over_rows_put_together_by_hand():
    players = players_of(list(MIXED.columns), {"flat": ["size", "rooms"]})
    explicand, background = MIXED.iloc[[3]].reset_index(drop=True), MIXED.iloc[[0, 1, 2, 4]]
    background = background.reset_index(drop=True)
    game = RowsGame(rent, explicand, background, players)
    coalitions = all_coalitions(len(players))
    columns = [["size", "rooms"], ["city"], ["lift"], ["built"]]
    expected = [
        direct(explicand, background, [c for k in np.flatnonzero(row) for c in columns[k]])
        for row in coalitions
    ]
    np.testing.assert_allclose(game(coalitions), expected, atol=1e-12)
    assert players.names == ("flat", "city", "lift", "built")


def test_rows_that_are_equal_are_evaluated_once():
    players = players_of(list(MIXED.columns), None)
    game = RowsGame(rent, MIXED.iloc[[3]], MIXED.iloc[[0, 6, 12]], players)  # the same row thrice
    coalitions = all_coalitions(len(players))
    game(coalitions)
    moved = (MIXED.iloc[0] != MIXED.iloc[3]).sum()  # columns in which it is not the explained one
    assert moved == 3
    assert game.rows == 2**moved
    assert game.sources.index.tolist() == [0, 1, 2, 3]


def test_the_comparison_finds_the_exact_values_and_ranks_by_error():
    comparison = compare(rent, MIXED, background=3, explicands=12, seed=4)
    assert comparison.plan.truth == "enumeration"
    assert comparison.resolution == 0.0
    table = comparison.table()
    exact = table[(table.estimator == "auto") & (table.budget == max(comparison.plan.budgets))]
    by_hand = comparison.errors.query("estimator == 'leverage-shap' and budget == 12")
    means = by_hand.groupby("row")[["error", "scale"]].mean()
    median = (means.error / means.scale).median()
    row = table[(table.estimator == "leverage-shap") & (table.budget == 12)]
    assert row["relative"].item() == pytest.approx(max(median, 1e-9))
    assert exact["relative"].item() <= row["relative"].item()
    assert "Exact values are affordable here: 5 players have 32 coalitions" in str(comparison)
    assert re.search(rf"Use (the exact values: .* )?{comparison.best()}\b", str(comparison))


def test_values_are_those_of_enumeration_and_background_rows_are_not_explained():
    comparison = compare(rent, MIXED, background=2, explicands=2, seed=1)
    order_free = compare(rent, MIXED, background=2, explicands=2, seed=1)
    pd.testing.assert_frame_equal(comparison.values, order_free.values)
    for _, values in comparison.values.iterrows():
        assert np.abs(values).sum() > 0


def test_a_reference_stands_in_where_coalitions_are_too_many_and_is_said():
    wide = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 22)))
    weights = np.arange(22.0)
    comparison = compare(
        lambda table: table.to_numpy() @ weights + table[0] * table[1],
        wide,
        background=1,
        explicands=2,
        minutes=0.05,
        estimators=("auto", "antithetic-monte-carlo"),
    )
    assert comparison.plan.truth == "reference"
    assert "a long run of auto" in str(comparison) or comparison.resolution == 0


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (lambda table: table["a"], "fails on .* rows with the columns"),
        (lambda table: np.full(len(table), np.nan), "gives nan for a row that mixes"),
        (lambda table: np.ones(3), "gives shape"),
        (lambda table: np.array(["x"] * len(table)), "outputs of type"),
        (
            lambda table: np.random.default_rng().random(len(table)),
            "different numbers for the same rows",
        ),
        (lambda table: table["rooms"] - table["rooms"].mean(), "different numbers.*alone"),
        (7, "is no model"),
    ],
)
def test_models_that_do_not_do_are_refused_before_the_work(model, message):
    with pytest.raises(TableError, match=message):
        compare(model, MIXED, background=2, explicands=3)


def test_bad_groups_tables_and_sizes_are_named(tmp_path):
    with pytest.raises(TableError, match=r"'citty', which the table lacks .*'city'"):
        players_of(list(MIXED.columns), {"place": ["citty"]})
    with pytest.raises(TableError, match="'city' is in the groups 'a' and 'b'"):
        players_of(list(MIXED.columns), {"a": ["city"], "b": ["city"]})
    with pytest.raises(TableError, match="need 101 rows; the table has 48"):
        compare(rent, MIXED, background=100)
    with pytest.raises(TableError, match="need 49 rows; the table has 48"):
        DrawnRows(MIXED, len(MIXED), 1, 0)
    assert len(DrawnRows(MIXED, len(MIXED) - 1, 1, 0).background(len(MIXED) - 1)) == len(MIXED) - 1
    with pytest.raises(TableError, match="does not exist"):
        read_table(tmp_path / "none.csv", None)
    path = tmp_path / "one.csv"
    MIXED.to_csv(path, index=False)
    with pytest.raises(TableError, match=r"no column 'rent'"):
        read_table(path, "rent")
    assert list(read_table(path, "size", ["city"]).columns) == ["rooms", "lift", "built"]


def test_the_typical_row_has_medians_and_frequent_values():
    row = typical_row(MIXED)
    assert row["city"].item() == "Ulm"
    assert row["rooms"].item() in (2, 3)
    assert row.dtypes.equals(MIXED.dtypes)


def test_a_model_of_each_row_alone_passes_the_trial():
    trial = SpeedTrial(predictor_of(rent), MIXED)
    np.testing.assert_array_equal(trial.outputs, rent(MIXED.iloc[:6]))


def test_saved_files_hold_what_the_comparison_says(tmp_path):
    comparison = compare(rent, MIXED, background=2, explicands=10)
    tmp_path /= "of/mine"
    comparison.save(tmp_path)
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "table.csv"), comparison.table())
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 1
    assert comparison.best() in page
    for name in comparison.needed().index:
        assert f'<th scope="row">{name}</th>' in page


def test_values_agree_with_enumeration_of_the_same_game():
    comparison = compare(rent, MIXED, background=1, explicands=1, seed=2)
    players = players_of(list(MIXED.columns), None)
    drawn = DrawnRows(MIXED, 1, 1, 2)
    game = RowsGame(predictor_of(rent), drawn.explained, drawn.background(1), players)
    np.testing.assert_allclose(comparison.values.iloc[0], shapley_exact(game).values, atol=1e-12)


def test_estimators_have_one_thread_where_the_model_is_not_asked(monkeypatch):
    def recorded(*arguments):
        threads.update(
            pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"
        )
        return runs(*arguments)

    threads, runs = set(), running._runs
    monkeypatch.setattr(running, "_runs", recorded)
    with threadpool_limits(2, user_api="blas"):
        compare(rent, MIXED, background=2, explicands=1, minutes=0.1)
    assert threads == {1}


def test_an_estimator_without_an_error_is_drawn_at_the_foot_of_the_figure():
    nothing, some = np.zeros(2), np.array([0.1, 0.01])
    table = pd.DataFrame({"estimator": ["exact", "exact", "another", "another"]})
    table = table.assign(budget=[10, 100, 10, 100], relative=np.append(nothing, some))
    drawn = page._figure(table.assign(low=table["relative"] / 2, high=table["relative"] * 2), "x")
    shown = "".join(re.findall(r"<tspan[^>]*>([^<]*)<", drawn))
    # Which powers have a label depends on the version of Matplotlib.
    assert max(int(power) for power in re.findall(r"10−(1?\d)", shown)) in (15, 16)
    lines = re.findall(r'<path d="([^"]*)" clip-path="[^"]*" style="fill: none; stroke: #1f', drawn)
    heights = {float(y) for line in lines for y in re.findall(r"[ML] [-\d.]+ ([-\d.]+)", line)}
    assert len(heights) == 1  # the foot, and seen
    assert 200 < min(heights) < 3.8 * 72


def test_a_band_down_to_nothing_ends_at_the_foot_and_the_legend_has_no_frame():
    table = pd.DataFrame(
        {"estimator": ["one", "one"], "budget": [10, 100], "relative": [0.1, 0.01]}
    )
    drawn = [
        page._figure(table.assign(low=low, high=table["relative"] * 2), "x") for low in (0.0, 1e-16)
    ]
    assert drawn[0] == drawn[1]
    assert "stroke: #cccccc" not in drawn[0]


def figure_of(low, high):
    table = pd.DataFrame({"estimator": "one", "budget": [10, 100], "relative": [0.1, 0.01]})
    return page._figure(table.assign(low=low, high=high), "x")


def test_a_figure_has_a_size_and_its_band_no_edge():
    drawn = figure_of([0.05, 0.005], [0.2, 0.02])
    assert drawn.startswith('\n<svg role="img" aria-label="Error by evaluations')
    assert 'viewBox="0 0 460.8 273.6"' in drawn
    (band,) = re.findall(r'style="([^"]*fill-opacity: 0.15[^"]*)"', drawn)
    assert "stroke" not in band
    assert "stroke-opacity: 0.3" in drawn  # of the grid


def test_a_band_without_width_lies_at_the_foot():
    nothing, foot = figure_of([0.0, 0.0], [0.0, 0.0]), figure_of([1e-16] * 2, [1e-16] * 2)
    assert nothing == foot != figure_of([1e-16] * 2, [1e-15] * 2)


def test_names_of_outputs_are_texts_on_the_page_whatever_they_hold(tmp_path):
    def model(table):
        return pd.DataFrame({"<b>&": table["rooms"], "other": 2.0 * table["rooms"]})

    comparison = compare(model, MIXED[["rooms", "lift"]], explicands=2, target="a < b")
    for _ in range(2):  # again over what is there
        comparison.save(tmp_path)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<h2>&lt;b&gt;&amp;</h2>" in page
    assert "<b>" not in page


@pytest.mark.parametrize("truth", ["trees", "enumeration", "reference"])
@pytest.mark.parametrize("background", [1, 3])
def test_base_values_predictions_and_background_are_saved(truth, background, tmp_path, monkeypatch):
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 6)), columns=[*"uvwxyz"])
    if truth == "trees":
        predict = RandomForestRegressor(3, random_state=0).fit(table, table["u"]).predict
        model = predict.__self__
    else:
        model = predict = smooth
    if truth != "enumeration":
        monkeypatch.setattr(plan, "MOST_TABULATED", 3)
    found = compare(model, table, background=background, explicands=6, estimators=["kernel-shap"])
    assert found.plan.truth == truth
    assert len(found.background_rows) == background
    base = predict(found.background_rows).mean()
    np.testing.assert_allclose(found.ends["base_value"], base)
    np.testing.assert_allclose(found.ends["prediction"], predict(table.iloc[found.ends.index]))
    sums = found.ends["prediction"] - found.ends["base_value"]
    np.testing.assert_allclose(found.values.sum(axis=1), sums, atol=1e-9)
    found.save(tmp_path)
    saved = pd.read_csv(tmp_path / "outputs.csv", index_col="row")
    pd.testing.assert_frame_equal(saved, found.ends)
    rows = pd.read_csv(tmp_path / "background.csv")
    pd.testing.assert_frame_equal(rows, found.background_rows.reset_index(drop=True))
