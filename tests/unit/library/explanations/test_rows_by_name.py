"""Columns are matched by name, and rows come in the form in which they were given."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from shapaudit.datasets.mixed import TableError, players_of
from shapaudit.explanations.given import table_of
from shapaudit.explanations.rows_game import RowsGame
from shapaudit.explanations.tables import aligned
from shapaudit.truth import shapley_exact

TABLE = pd.DataFrame(np.random.default_rng(0).normal(size=(9, 4)), columns=list("abcd"))
WEIGHTS = pd.Series({"a": 1.0, "b": 10.0, "c": 100.0, "d": 1000.0})
PLAYERS = players_of(list("abcd"), None)


def score(table):
    return (table * WEIGHTS[table.columns]).sum(axis=1).to_numpy()


@pytest.mark.parametrize("order", ["abcd", "dcba", "bdac"])
@pytest.mark.parametrize("moved", ["explicand", "background", "players", "both"])
def test_each_player_has_the_value_of_its_column_in_any_order(order, moved):
    columns = list(order)
    row, rows, players = TABLE.iloc[[0]], TABLE.iloc[1:], PLAYERS
    row = row[columns] if moved in ("explicand", "both") else row
    rows = rows[columns] if moved in ("background", "both") else rows
    players = players_of(columns, None) if moved == "players" else players
    game = RowsGame(score, row, rows, players)
    values = pd.Series(shapley_exact(game).values, index=players.names)
    expected = WEIGHTS * (TABLE.iloc[0] - TABLE.iloc[1:].mean())
    np.testing.assert_allclose(values[list("abcd")], expected)
    assert list(game.sources.columns) == list(rows.columns)


def test_groups_move_their_own_columns_where_the_background_has_another_order():
    players = players_of(list("abcd"), {"ends": ["a", "d"]})
    game = RowsGame(score, TABLE.iloc[[0]], TABLE.iloc[1:][list("dbca")], players)
    each = WEIGHTS * (TABLE.iloc[0] - TABLE.iloc[1:].mean())
    np.testing.assert_allclose(shapley_exact(game).values, [each.a + each.d, each.b, each.c])


TWICE = TABLE.set_axis(list("abca"), axis=1)


@pytest.mark.parametrize(
    ("explicand", "background", "message"),
    [
        (TABLE.iloc[[0]], TABLE[list("abc")], "explicand has other .* it has 'd' in addition"),
        (TABLE.iloc[[0]][list("abc")], TABLE, "explicand has other .* it lacks 'd'"),
        (TABLE.iloc[[0]].set_axis(list("abce"), axis=1), TABLE, "lacks 'd' and has 'e'"),
        (TWICE.iloc[[0]], TABLE, "the explicand has 2 columns named 'a'"),
        (TWICE.iloc[[0]], TWICE, "2 columns named 'a'"),
        (TABLE.iloc[[0]].to_numpy(), TABLE, "lacks 'a', 'b', 'c', 'd' and has 'x0'"),
        (TABLE.iloc[[0]], TABLE[:0], "background has no rows"),
        (TABLE.iloc[:2], TABLE, "explicand has 2 rows"),
    ],
)
def test_other_columns_and_rows_are_refused_by_name(explicand, background, message):
    with pytest.raises(TableError, match=message):
        RowsGame(score, explicand, background, PLAYERS)


def test_players_of_other_columns_are_refused():
    with pytest.raises(TableError, match=r"made of the columns 'a', 'b', 'c', 'e'.*has 'a', 'b'"):
        RowsGame(score, TABLE.iloc[[0]], TABLE, players_of(list("abce"), None))
    with pytest.raises(TableError, match="2 columns named 'a'"):
        players_of(list("aba"), None)


def test_whoever_gives_arrays_is_asked_with_arrays():
    rows = TABLE.to_numpy()
    names = [f"x{j}" for j in range(4)]

    def product(given):
        assert type(given) is np.ndarray
        assert given.dtype == np.float64
        return given.prod(axis=1)

    game = RowsGame(product, rows[[0]], rows[1:], players_of(names, None))
    values = shapley_exact(game).values
    assert values.sum() == pytest.approx(rows[0].prod() - rows[1:].prod(axis=1).mean())


def test_numbers_as_names_are_matched_as_they_are_written():
    table = TABLE.set_axis([0, 1, 2, 3], axis=1)
    model = LinearRegression().fit(TABLE.to_numpy(), score(TABLE))
    players = players_of([str(name) for name in table.columns], None)
    game = RowsGame(
        lambda rows: model.predict(rows.to_numpy()), table.iloc[[0]], table[1:], players
    )
    expected = WEIGHTS * (TABLE.iloc[0] - TABLE.iloc[1:].mean())
    np.testing.assert_allclose(shapley_exact(game).values, expected)


def test_tables_are_made_of_arrays():
    assert list(table_of(np.ones((2, 2)), known=["a", "b"]).columns) == ["a", "b"]
    assert list(table_of(np.ones((2, 2)), known=["a"]).columns) == ["x0", "x1"]
    assert list(aligned(TABLE, list("dcba"), "this", "that").columns) == list("dcba")


def test_entries_that_cannot_be_compared_name_their_column():
    class Unhashable:
        __hash__ = None

    table = TABLE.assign(d=[Unhashable()] * len(TABLE))
    with pytest.raises(TableError, match="the column 'd' holds entries that cannot be compared"):
        RowsGame(score, table.iloc[[0]], table, PLAYERS)


def test_a_game_is_recognised_by_its_rows_and_players():
    def mark(row=0, rows=TABLE[1:], players=PLAYERS):
        return RowsGame(score, TABLE.iloc[[row]], rows, players).fingerprint

    assert mark() == mark()
    assert len({mark(), mark(row=1), mark(rows=TABLE[2:])}) == 3
    assert mark(players=players_of(list("abcd"), {"e": ["a", "b"]})) != mark()
