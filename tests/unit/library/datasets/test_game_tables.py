"""Tables of values as data: the rows of several games, and files that do not go together."""

import numpy as np
import pytest

from shapaudit import datasets, models
from shapaudit.datasets import DatasetError
from shapaudit.games import TabularGame, all_coalitions, save
from shapaudit.models import ModelError

VALUES = np.random.default_rng(0).normal(size=(3, 8))


def read(path, **params):
    params = {"path": str(path), **params}
    return datasets.load("game-tables", params, np.random.default_rng(1))


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "games"
    for name, values in zip("cab", VALUES, strict=True):
        save(TabularGame(values, name, ("x", "y", "z")), folder / f"{name}.npz")
    (folder / "README.txt").write_text("whence they come")
    return folder


def test_each_file_of_a_folder_is_a_game_in_the_order_of_names(folder):
    data = read(folder)
    np.testing.assert_array_equal(data.features, np.tile(all_coalitions(3), (3, 1)))
    np.testing.assert_array_equal(data.target, VALUES[[1, 2, 0]].ravel())
    assert data.feature_names == ("x", "y", "z")
    assert data.provenance.count("SHA-256") == 3
    tables = models.train("table", data, {}, 0)
    np.testing.assert_array_equal(tables.values, VALUES[[1, 2, 0]])
    np.testing.assert_array_equal(tables.predict(all_coalitions(3)), VALUES[1])
    assert models.held_out_score(tables, *data.rows("test"))[0] == {}
    with pytest.raises(ModelError, match="rows of 0 and 1 alone"):
        tables.predict(np.full((1, 3), 0.5))


def test_a_saved_model_holds_the_values(folder, tmp_path):
    models.train("table", read(folder), {}, 0).save(tmp_path / "model")
    np.testing.assert_array_equal(models.load_model(tmp_path / "model").values, VALUES[[1, 2, 0]])


def test_one_file_is_a_game(tmp_path):
    np.save(tmp_path / "game.npy", VALUES[0])
    data = read(tmp_path / "game.npy", order="binary")
    assert (data.n_rows, data.feature_names) == (8, ("player 0", "player 1", "player 2"))


def test_games_of_other_players_are_refused(folder):
    save(TabularGame(np.arange(8.0), "d", ("x", "y", "w")), folder / "d.npz")
    with pytest.raises(DatasetError, match=r"d\.npz has the players \['x', 'y', 'w'\]"):
        read(folder)
    (folder / "d.npz").unlink()
    np.save(folder / "e.npy", np.arange(16.0))
    with pytest.raises(DatasetError, match=r"e\.npy has 4 players, and .* \['x', 'y', 'z'\]"):
        read(folder)


def test_folders_without_games_and_large_tables_are_refused(tmp_path):
    with pytest.raises(DatasetError, match="no folder with files"):
        read(tmp_path)
    np.save(tmp_path / "large.npy", np.zeros(1 << 21))
    with pytest.raises(DatasetError, match="21 players; a study takes tables of 20 at most"):
        read(tmp_path / "large.npy")


def test_a_table_is_taken_from_the_coalitions_of_games_alone(folder):
    data = datasets.load("diabetes", {}, np.random.default_rng(0))
    with pytest.raises(ModelError, match="choose the loader 'game-tables'"):
        models.train("table", data, {}, 0)
