"""A game that remembers: repeats cost nothing, batches are kept, files are of one game."""

import numpy as np
import pytest

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
