"""A game that remembers: repeats cost nothing, batches are kept, files are of one game."""

import numpy as np
import pandas as pd
import pytest

from shapaudit.datasets.mixed import players_of
from shapaudit.explanations.rows_game import RowsGame
from shapaudit.games import CachedGame, GameError, TabularGame, all_coalitions

GAME = TabularGame(np.random.default_rng(0).standard_normal(1 << 9))


def test_repeats_are_not_evaluated():
    cached, coalitions = CachedGame(GAME, 7), all_coalitions(9)[:40]
    twice = np.concatenate([coalitions, coalitions])
    np.testing.assert_array_equal(cached(twice), GAME(twice))
    assert cached.evaluations == len(cached) == 40
    cached(coalitions)
    assert cached.evaluations == 40
    assert len(cached(coalitions[:0])) == 0


def test_a_file_holds_the_values_and_a_broken_end_is_left_out(tmp_path):
    path, coalitions = tmp_path / "values", all_coalitions(9)[:40]
    CachedGame(GAME, 10, path)(coalitions)
    content = path.read_bytes()
    path.write_bytes(content[:-3])
    again = CachedGame(GAME, 10, path)
    assert len(again) == 39
    np.testing.assert_array_equal(again(coalitions), GAME(coalitions))
    assert again.evaluations == 1
    assert path.read_bytes() == content
    path.write_bytes(b"")
    assert len(CachedGame(GAME, 10, path)) == 0


def test_a_file_of_another_game_is_refused(tmp_path):
    path = tmp_path / "values"
    path.write_bytes(b"something else")
    with pytest.raises(GameError, match="values of a game of 9 players"):
        CachedGame(GAME, path=path)
    with pytest.raises(GameError, match="batch_size must be at least 1"):
        CachedGame(GAME, 0)


TABLE = pd.DataFrame(np.random.default_rng(1).normal(size=(6, 3)), columns=list("abc"))


def rows_game(row=0, scale=1.0, background=5):
    players = players_of(list("abc"), None)
    background = TABLE.iloc[1 : 1 + background]
    return RowsGame(
        lambda t: scale * t.prod(axis=1).to_numpy(), TABLE.iloc[[row]], background, players
    )


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"row": 1}, "explicand, background or players differ"),
        ({"background": 4}, "explicand, background or players differ"),
        ({"scale": 1.001}, "values of another game or model: a coalition was worth"),
    ],
)
def test_the_file_of_another_row_or_model_is_refused(tmp_path, other, message):
    path = tmp_path / "row.values"
    CachedGame(rows_game(), path=path)(all_coalitions(3))
    content = path.read_bytes()
    with pytest.raises(GameError, match=message):
        CachedGame(rows_game(**other), path=path)
    assert path.read_bytes() == content
    again = CachedGame(rows_game(), path=path)
    again(all_coalitions(3))
    assert again.evaluations == 0


def test_games_of_no_fingerprint_are_recognised_by_values(tmp_path):
    path = tmp_path / "values"
    CachedGame(GAME, path=path)(all_coalitions(9)[:40])
    with pytest.raises(GameError, match="name another file, or delete it"):
        CachedGame(TabularGame(GAME.values + 1.0), path=path)
    rounded = CachedGame(TabularGame(GAME.values * (1 + 1e-7)), path=path)
    assert len(rounded) == 40


def test_a_file_of_a_former_version_is_checked_and_goes_on(tmp_path):
    path, game = tmp_path / "values", rows_game()
    CachedGame(game, path=path)(all_coalitions(3)[:5])
    former = b"shapaudit 00000003\n" + path.read_bytes().partition(b"\n")[2]
    path.write_bytes(former)
    CachedGame(game, path=path)(all_coalitions(3))
    assert path.read_bytes().startswith(former)
    assert len(CachedGame(game, path=path)) == 8
    with pytest.raises(GameError, match="another game or model"):
        CachedGame(rows_game(1), path=path)


@pytest.mark.parametrize("content", [b"shapaudit 00000003", b"shapaudit 00000004\n", b"a,b\n1,2\n"])
def test_files_of_the_user_are_refused_and_stay(tmp_path, content):
    path = tmp_path / "values"
    path.write_bytes(content)
    with pytest.raises(GameError, match="no values of a game of 3 players"):
        CachedGame(rows_game(), path=path)
    assert path.read_bytes() == content
