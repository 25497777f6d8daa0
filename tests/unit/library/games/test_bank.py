"""The bank of games: its tables are what the recipes make, and say so."""

import json

import numpy as np
import pytest
import xgboost
from places import ROOT

import bank as recipes
from shapaudit.games import GameError, bank, tabulate
from shapaudit.truth import shapley_from_table


def test_values_are_those_of_the_tables():
    assert len(bank.names()) > 20
    for name in bank.names():
        solved = bank.load(name)
        exact = shapley_from_table(solved.game.values)
        np.testing.assert_allclose(solved.values, exact, atol=1e-12 * np.abs(exact).max())
        assert solved.game.n_players == bank.index()[name]["players"]
        assert solved.source
        assert np.ptp(solved.values) != 0


def test_the_bank_has_what_the_recipes_name_and_nothing_to_judge_by_at_the_end():
    assert bank.names() == [entry.name for entry in recipes.chosen()]
    assert {entry.part for entry in recipes.chosen()} == {"development"}
    assert {about["kind"] for about in bank.index().values()} == {
        *("booster", "forest", "kernel", "linear", "perceptron", "process", "synthetic")
    }


def difference(name):
    """Largest difference between a table in the bank and the recipe, relative to its size."""
    (entry,) = (entry for entry in recipes.chosen() if entry.name == name)
    table = tabulate(entry.solved.game).values
    return np.abs(bank.load(name).game.values - table).max() / np.abs(table).max()


@pytest.mark.parametrize("name", ["range-10", "wine-linear-baseline", "friedman-kernel-marginal"])
def test_the_recipes_make_the_tables(name):
    assert difference(name) < 1e-6


def test_the_recipe_of_a_booster_makes_its_table_with_the_release_of_xgboost_in_the_lock():
    """Another release grows other trees, from the same rows and seed."""
    locked = f"\nxgboost-cpu=={xgboost.__version__} " in (ROOT / "requirements.lock").read_text()
    assert difference("products-booster-marginal") < 1e-6 or not locked


def test_a_name_that_no_game_has_is_told_the_nearest():
    with pytest.raises(GameError, match=r"no game 'sparse-11' \(did you mean 'sparse-1"):
        bank.load("sparse-11")


def test_a_damaged_table_is_refused(monkeypatch):
    content = json.loads(bank.INDEX.read_text(encoding="utf-8"))
    content["noise-8"]["sha256"] = "0"
    monkeypatch.setattr(bank, "index", lambda: content)
    with pytest.raises(GameError, match=r"noise-8 in .* is damaged"):
        bank.load("noise-8")


@pytest.fixture
def bank_files(tmp_path, monkeypatch):
    """Copies of the bank's two files, which a test may damage; what was read is forgotten."""
    for name in ("INDEX", "TABLES"):
        path = tmp_path / getattr(bank, name).name
        path.write_bytes(getattr(bank, name).read_bytes())
        monkeypatch.setattr(bank, name, path)
    bank.index.cache_clear()
    yield bank.INDEX, bank.TABLES
    bank.index.cache_clear()


def truncated(path):
    path.write_bytes(path.read_bytes()[:-100])


def zeroed(path):
    """Zeros at the beginning, where the content of the first array is."""
    content = bytearray(path.read_bytes())
    content[100:400] = bytes(300)
    path.write_bytes(content)


def emptied(path):
    path.write_bytes(b"")


def removed(path):
    path.unlink()


@pytest.mark.parametrize("damage", [truncated, zeroed, emptied, removed])
@pytest.mark.parametrize("which", [0, 1], ids=["index", "tables"])
def test_a_file_that_is_damaged_or_missing_is_named(bank_files, which, damage):
    name = bank.names()[0]
    bank.index.cache_clear()
    damage(bank_files[which])
    with pytest.raises(GameError, match="install the package anew") as refused:
        bank.load(name)
    assert str(bank_files[which]) in str(refused.value)
