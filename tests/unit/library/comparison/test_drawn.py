"""Tables that are compared on: which of them do, which rows are drawn, and where trees help."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

from shapaudit.comparison import TableError, compare
from shapaudit.comparison.drawn import DrawnRows
from shapaudit.datasets.mixed import players_of
from shapaudit.explanations.given import table_of
from shapaudit.explanations.rows_game import RowsGame
from shapaudit.explanations.tables import typical_row
from shapaudit.explanations.trees import CLOSE, trees_of
from shapaudit.models.model_files import Ordered
from shapaudit.truth import shapley_exact

TABLE = pd.DataFrame(np.random.default_rng(0).normal(size=(50, 3)), columns=list("abc"))
TARGET = TABLE["a"] * TABLE["b"] + TABLE["c"]
PLAYERS = players_of(list("abc"), None)


@pytest.mark.parametrize("counts", [(-1, None), (None, -1), (0, 1), (1, 0)])
def test_counts_of_rows_are_at_least_one(counts):
    with pytest.raises(TableError, match="must be at least 1"):
        DrawnRows(TABLE, *counts, 0)


@pytest.mark.parametrize("background", [None, 1])
def test_a_comparison_needs_two_rows(background):
    with pytest.raises(TableError, match="needs two rows at least; the table has 1 row"):
        compare(lambda table: table.to_numpy().sum(axis=1), TABLE[:1], background=background)
    with pytest.raises(TableError, match="rows has no rows; give at least one"):
        compare(lambda table: table.to_numpy().sum(axis=1), TABLE[:0], background=background)


def test_of_two_rows_one_is_explained():
    drawn = DrawnRows(TABLE[:2], None, None, 0)
    assert drawn.choices() == [(1, 1)]
    assert len(DrawnRows(TABLE[:2], 1, None, 0).explained) == 2  # the typical row is none of them
    with pytest.raises(TableError, match="need 3 rows; the table has 2"):
        DrawnRows(TABLE[:2], 2, None, 0)
    comparison = compare(lambda table: table.to_numpy().prod(axis=1), TABLE[:2])
    assert comparison.values.shape == (1, 3)


def test_rows_are_explained_or_background():
    drawn = DrawnRows(TABLE, None, None, 3)
    assert drawn.choices() == [(20, 20), (20, 10), (5, 20), (5, 10), (1, 20), (1, 10)]
    both = pd.concat([drawn.explained, drawn.background(20)])
    assert len(both.drop_duplicates()) == 40
    pd.testing.assert_frame_equal(drawn.background(5), drawn.background(20)[:5])
    pd.testing.assert_frame_equal(drawn.background(1), typical_row(TABLE))
    for count in (1, 5, 20):
        sources = drawn.known.iloc[drawn.sources(count, 7)].reset_index(drop=True)
        rows = [drawn.background(count), drawn.explained.iloc[[7]]]
        pd.testing.assert_frame_equal(sources, pd.concat(rows, ignore_index=True))


def test_arrays_have_two_axes_and_a_column():
    assert list(table_of(np.ones((2, 3))).columns) == ["x0", "x1", "x2"]
    for shape in ((3, 0), (2, 2, 2)):
        with pytest.raises(TableError, match=r"rows must be a table \(n, p\); got shape"):
            table_of(np.ones(shape))


def test_the_typical_row_is_a_middle_one_also_of_true_and_false():
    table = pd.DataFrame(
        {"n": [1.0, 9.0, 4.0], "b": [True, False, False], "t": ["x", None, None], "i": [5, 1, 2]}
    )
    row = typical_row(table)
    assert len(row) == 1
    assert (row["n"].item(), row["b"].item(), row["i"].item()) == (4.0, False, 2)
    assert row["t"].isna().all()
    assert typical_row(table.assign(b=[True, True, False]))["b"].item()


def trees(model, outputs, table=TABLE, players=PLAYERS, output=None):
    return trees_of(model, output, players, table, outputs)


def test_trees_are_read_where_they_give_what_the_model_does():
    model = DecisionTreeRegressor(max_depth=3).fit(TABLE.to_numpy(), TARGET)
    outputs = model.predict(TABLE.to_numpy())
    by_trees = trees(model, outputs[:6])
    np.testing.assert_allclose(by_trees.outputs(TABLE), outputs)
    largest = np.abs(outputs[:6]).max()
    assert trees(model, outputs[:6] + 0.9 * CLOSE * largest)
    assert trees(model, outputs[:6] + 1.2 * CLOSE * largest) is None
    assert trees(model, outputs[:6] - 1.2 * CLOSE * largest) is None
    nothing = DecisionTreeRegressor().fit(TABLE.to_numpy(), 0 * TARGET)
    assert trees(nothing, np.zeros(6))
    assert trees(nothing, np.full(6, 1e-9)) is None


def test_values_by_trees_sum_to_the_difference_from_the_background():
    model = DecisionTreeRegressor(max_depth=4).fit(TABLE.to_numpy(), TARGET)
    outputs = model.predict(TABLE.to_numpy())
    values = trees(model, outputs[:6]).values(TABLE[10:20])
    assert values.shape == (3,)
    assert values.sum() == pytest.approx(outputs[19] - outputs[10:19].mean())
    assert np.ptp(values) > 0.5


def test_values_by_trees_belong_to_the_columns_that_a_model_knows_by_name():
    names = ["c", "a"]
    forest = RandomForestRegressor(4, max_depth=3, random_state=0).fit(TABLE[names], TARGET)
    model = Ordered(forest, names)
    by_trees = trees(model, model.predict(TABLE)[:6])
    np.testing.assert_allclose(by_trees.outputs(TABLE), model.predict(TABLE))
    game = RowsGame(model.predict, TABLE.iloc[[9]], TABLE[:9], PLAYERS)
    values = by_trees.values(game.sources)
    np.testing.assert_allclose(values, shapley_exact(game).values, atol=1e-9)
    assert values[1] == 0.0
    assert np.abs(values[[0, 2]]).min() > 0.01


@pytest.mark.parametrize(
    ("model", "table", "players"),
    [
        (lambda table: TARGET, TABLE, PLAYERS),  # no trees
        ("forest", TABLE.assign(a="text"), PLAYERS),
        ("forest", TABLE.assign(a=pd.Timestamp("2020-01-01").date()), PLAYERS),
        ("forest", TABLE[["a", "b"]], players_of(["a", "b"], None)),  # a column too few
        ("forest", TABLE, players_of(list("abc"), {"both": ["a", "b"]})),
    ],
    ids=["function", "texts", "dates", "columns", "groups"],
)
def test_where_trees_do_not_help_there_are_none(model, table, players):
    forest = RandomForestRegressor(2, random_state=0).fit(TABLE.to_numpy(), TARGET)
    outputs = forest.predict(TABLE.to_numpy())[:6]
    assert trees(forest if model == "forest" else model, outputs, table, players) is None


OTHERS = pd.DataFrame(np.random.default_rng(1).normal(size=(7, 3)), columns=list("abc"))


def additive(table):
    return table["a"] + 10 * table["b"] + 100 * table["c"]


@pytest.mark.parametrize("rows", [1, 7])
def test_a_background_of_the_user_takes_the_place_of_drawn_rows_by_name(rows):
    given = OTHERS[:rows]
    comparison = compare(additive, TABLE, background=given[["c", "a", "b"]], explicands=[4, 2, 30])
    assert comparison.values.index.tolist() == [4, 2, 30]
    assert comparison.background == rows
    expected = (TABLE.iloc[[4, 2, 30]] - given.mean()) * [1, 10, 100]
    np.testing.assert_allclose(comparison.values, expected)


def test_rows_that_are_named_are_explained_and_none_of_them_is_the_background():
    named = [49, 3, 17, *range(20, 45)]
    drawn = DrawnRows(TABLE, 20, np.array(named), 0)
    assert drawn.places.tolist() == named
    assert drawn.choices() == [(20, 28)]
    both = pd.concat([drawn.explained, drawn.background(20)])
    assert len(both.drop_duplicates()) == 48
    assert DrawnRows(TABLE[:1], OTHERS, [0], 0).choices() == [(7, 1)]
    sources = drawn.known.iloc[drawn.sources(20, 2)]
    pd.testing.assert_frame_equal(
        sources.iloc[[-1]].reset_index(drop=True), TABLE[17:18].reset_index(drop=True)
    )


@pytest.mark.parametrize(
    ("background", "explicands", "message"),
    [
        (None, 51, r"51 rows to explain need 51 rows; the table has 50\. Take fewer"),
        (20, 31, "20 background rows and 31 rows to explain need 51 rows"),
        (OTHERS[["a", "b"]], 1, "the background has other columns .* it lacks 'c'"),
        (OTHERS.assign(d=0), 1, "has 'd' in addition"),
        (OTHERS[:0], 1, "background has no rows"),
        (None, [0, 50], "row 50 to explain does not exist: there are 0 to 49"),
        (None, [-1], "row -1 to explain does not exist"),
        (None, [1, 1], "names a row twice"),
        (None, [0.5], "must be a whole number"),
        (None, [], "must be a count, or numbers of rows"),
        (None, TABLE, "must be a count, or numbers of rows"),
        (2.5, None, "background must be a whole number"),
        (None, "3", "must be a whole number|must be a count"),
    ],
)
def test_rows_that_do_not_do_are_refused(background, explicands, message):
    with pytest.raises(TableError, match=message):
        DrawnRows(TABLE, background, explicands, 0)


def test_where_many_rows_are_to_be_explained_the_background_is_smaller():
    assert DrawnRows(TABLE, None, 40, 0).choices() == [(5, 40), (1, 40)]
    assert DrawnRows(TABLE, None, 50, 0).choices() == [(1, 50)]


def test_arrays_go_to_functions_of_arrays_and_named_models_get_their_names():
    def product(rows):
        return rows[:, 0] * rows[:, 2]

    comparison = compare(product, TABLE.to_numpy(), background=OTHERS.to_numpy(), explicands=[0])
    assert list(comparison.values.columns) == ["x0", "x1", "x2"]
    forest = RandomForestRegressor(3, random_state=0).fit(TABLE, TARGET)
    named = compare(forest, TABLE.to_numpy(), background=3, explicands=2)
    assert list(named.values.columns) == list("abc")


def test_trees_take_the_categories_of_a_table():
    from tree_models import CASES, own_output

    for name in ("XGBoost categories, 1", "LightGBM categories, 1", "XGBoost missing=-999"):
        case = CASES[name]()
        outputs = own_output(case, case.rows)
        players = players_of(list(case.rows.columns), None)
        by_trees = trees_of(case.model, None, players, case.rows, outputs[:6])
        np.testing.assert_allclose(by_trees.outputs(case.rows), outputs, atol=1e-5)
        values = by_trees.values(case.rows[:9])
        np.testing.assert_allclose(values.sum(), outputs[8] - outputs[:8].mean(), atol=1e-5)
