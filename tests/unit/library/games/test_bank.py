"""The bank of games: its tables are what the recipes make, and say so."""

import json

import numpy as np
import pytest

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


@pytest.mark.parametrize("name", ["range-10", "wine-linear-baseline", "products-booster-marginal"])
def test_the_recipes_make_the_tables(name):
    (entry,) = (entry for entry in recipes.chosen() if entry.name == name)
    table = tabulate(entry.solved.game).values
    kept = bank.load(name).game.values
    np.testing.assert_allclose(kept, table, atol=1e-6 * np.abs(table).max())


def test_a_name_that_no_game_has_is_told_the_nearest():
    with pytest.raises(GameError, match=r"no game 'sparse-11' \(did you mean 'sparse-1"):
        bank.load("sparse-11")


def test_a_damaged_table_is_refused(monkeypatch):
    content = json.loads(bank.INDEX.read_text(encoding="utf-8"))
    content["noise-8"]["sha256"] = "0"
    monkeypatch.setattr(bank, "index", lambda: content)
    with pytest.raises(GameError, match=r"noise-8 in .* is damaged"):
        bank.load("noise-8")
