"""The suite of games: what is in it, that its values are exact, and that it is always the same."""

from collections import Counter

import numpy as np
import pytest

from shapaudit.games import BaselineGame, empty_value, grand_value, tabulate
from shapaudit.truth import reference_values, shapley_exact
from solved_games import FEW, PARTS, WIDER, Entry, UnknownGame, entries, entry
from solved_games.data import FEW_TABLES, MANY_TABLES
from solved_games.fitted import MODELS, Radial
from solved_games.real import MANY, MeanGame, radial_shapley

QUICK = (
    "products-booster-marginal",
    "products-linear-baseline",
    "diabetes-kernel-marginal",
    "whole-cancer-booster-marginal",
    "whole-cancer-process-baseline",
    "sparse-40",
    "voting-51",
    "product-100",
    "range-10",
)


def test_at_least_forty_games_of_real_models_of_six_kinds_in_both_parts():
    real = [listed for listed in entries() if listed.kind != "synthetic" and not listed.wider]
    assert len(real) >= 40
    assert {listed.kind for listed in real} == set(MODELS)
    assert len({listed.name for listed in entries()}) == len(entries())
    for part in set(PARTS) - {WIDER}:
        mine = [listed for listed in entries() if listed.part == part]
        assert Counter(listed.few for listed in mine)[True] >= 15
        assert Counter(listed.few for listed in mine)[False] >= 10
        assert {listed.kind for listed in mine} >= set(MODELS)


def test_players_are_as_many_as_the_tables_have_features():
    rng = np.random.default_rng(0)
    for d, load in (FEW_TABLES | MANY_TABLES).values():
        table = load(rng)
        assert table.features.shape[1] == d
        assert np.isfinite(table.features).all()
        assert not table.classes or set(np.unique(table.target)) == {0.0, 1.0}


@pytest.mark.parametrize("name", QUICK)
def test_values_share_out_the_grand_coalition(name):
    solved, d = entry(name).solved, entry(name).n_players
    assert solved.game.n_players == d == len(solved.values)
    total = grand_value(solved.game) - empty_value(solved.game)
    assert solved.values.sum() == pytest.approx(total, abs=1e-9)
    if d <= FEW:
        np.testing.assert_allclose(shapley_exact(solved.game).values, solved.values, atol=1e-12)


@pytest.mark.parametrize("name", ["whole-cancer-booster-marginal", "whole-cancer-process-baseline"])
def test_values_of_many_players_are_those_of_permutations(name):
    solved = entry(name).solved
    reference = reference_values(solved.game, np.random.default_rng(0), 60)
    z = (reference.values - solved.values) / (reference.standard_errors + 1e-12)
    assert np.abs(z).max() < 5


def test_a_game_is_the_same_whenever_it_is_built():
    first, other = (Entry(*vars_of(entry("products-booster-marginal"))) for _ in range(2))
    np.testing.assert_array_equal(first.solved.game.values, other.solved.game.values)
    np.testing.assert_array_equal(first.solved.values, other.solved.values)


def vars_of(game):
    return game.name, game.kind, game.n_players, game.build


def test_radial_machines_have_the_values_of_their_tables():
    rng = np.random.default_rng(2)
    machine = Radial(rng.standard_normal((9, 5)), rng.standard_normal(9), 0.3, 1.0)
    explicand, baseline = rng.standard_normal((2, 5))
    table = tabulate(BaselineGame(machine, explicand, baseline))
    values = radial_shapley(machine, explicand, baseline)
    np.testing.assert_allclose(values, shapley_exact(table).values, atol=1e-12)


def test_a_mean_of_games_is_the_mean_of_their_values():
    games = [entry("range-10").solved.game, entry("sparse-10").solved.game]
    coalitions = np.eye(10, dtype=bool)
    expected = 0.5 * (games[0](coalitions) + games[1](coalitions))
    np.testing.assert_allclose(MeanGame(games)(coalitions), expected)


def test_an_unknown_game_is_named_with_those_there_are():
    with pytest.raises(UnknownGame, match=r"'chess'.*sparse-10"):
        entry("chess")


def test_many_players_have_both_removals():
    names = {listed.name for listed in entries()}
    for data in MANY_TABLES:
        for model in MANY:
            assert {f"{data}-{model}-baseline", f"{data}-{model}-marginal"} <= names


@pytest.mark.parametrize("model", ["booster", "process"])
def test_absent_features_come_from_one_row_or_the_mean_of_twelve_others(model):
    table = MANY_TABLES["whole-cancer"][1](np.random.default_rng(0)).features
    single = entry(f"whole-cancer-{model}-baseline").solved.game
    several = entry(f"whole-cancer-{model}-marginal").solved.game
    for games in ([single], several.games):
        rows = np.array([game.baseline for game in games])
        places = [np.flatnonzero((table == row).all(axis=1)).item() for row in rows]
        own = np.flatnonzero((table == games[0].explicand).all(axis=1)).item()
        assert len({own, *places}) == 1 + len(games)
    assert len(several.games) == 12
    coalitions = np.random.default_rng(1).random((5, 30)) < 0.5
    expected = np.mean([game(coalitions) for game in several.games], axis=0)
    np.testing.assert_allclose(several(coalitions), expected)


def test_removals_take_turns_over_tables_and_models():
    real = [
        listed.name.rsplit("-", 1)
        for listed in entries()
        if listed.few and listed.kind != "synthetic"
    ]
    turns = dict(real)
    for i, data in enumerate(FEW_TABLES):
        for k, model in enumerate(MODELS):
            assert turns[f"{data}-{model}"] == ("marginal" if (i + k) % 2 else "baseline")
