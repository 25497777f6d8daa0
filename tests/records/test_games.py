"""Values of every game of the contract, and those of its walks."""

import numpy as np
import pytest

from contract.test_games import D, games
from recorded import compare, outcome
from shapaudit.games import (
    ConditionalGame,
    GloveGame,
    RegressionGame,
    SymmetricMajorityGame,
    TabularGame,
    TreeGame,
    WeightedMajorityGame,
    all_coalitions,
    coalition_index,
    coalitions_from_index,
    empty_value,
    gains,
    grand_value,
    realisation,
    regression,
    tabulate,
    walk,
)
from shapaudit.games.regression_kernels import shifts_of
from shapaudit.games.regression_penalised import PenalisedRegressionGame
from shapaudit.models import TreeEnsemble
from shapaudit.models.nodes import Nodes
from shapaudit.models.reduced import reduce_problem
from shapaudit.truth import shapley_exact
from unit.worlds import CLOSED, LAWS, MODELS, explicands


@pytest.mark.parametrize("number", range(len(games())))
def test_values_of_a_game(number):
    game, rng = games()[number], np.random.default_rng(5)
    orders = rng.permuted(np.tile(np.arange(D), (10, 1)), axis=1)
    parts = {"values": game(rng.random((60, D)) < 0.5), "walks": walk(game, orders)}
    key = f"{number} {type(game).__name__}"
    compare("games", {key: parts | {"shapley": shapley_exact(game).values}})


@pytest.mark.parametrize(("law", "model"), CLOSED)
def test_conditional_values(law, model):
    game = ConditionalGame(LAWS[law], MODELS[model], explicands(law)[1])
    compare("games", {f"{model} given {law}": game(all_coalitions(game.n_players))})


def wide_trees(d, depth, n_trees, seed=1):
    """Trees over many features, some rows of which lack entries."""
    rng = np.random.default_rng(seed)
    size, inner = (2 << depth) - 1, (1 << depth) - 1
    place = np.tile(np.arange(size), n_trees)
    start = np.repeat(size * np.arange(n_trees), size)
    split = place < inner
    nodes = Nodes(
        feature=np.where(split, rng.integers(d, size=len(place)), -1),
        threshold=rng.normal(size=len(place)),
        left=np.where(split, start + 2 * place + 1, -1),
        right=np.where(split, start + 2 * place + 2, -1),
        default_left=rng.random(len(place)) < 0.5,
        value=np.where(split, 0.0, rng.normal(size=len(place))),
    )
    return TreeEnsemble(nodes, size * np.arange(n_trees), 0.7, d)


@pytest.mark.parametrize(("d", "depth", "n_trees"), [(3, 3, 4), (64, 5, 6), (130, 6, 5)])
def test_games_of_trees(d, depth, n_trees):
    rng = np.random.default_rng(3)
    explicand, baseline = rng.normal(size=(2, d))
    explicand[0], baseline[d // 2] = np.nan, np.nan
    game = TreeGame(wide_trees(d, depth, n_trees), explicand, baseline)
    orders = rng.permuted(np.tile(np.arange(d), (300, 1)), axis=1)
    parts = {"values": game(rng.random((1100, d)) < 0.5), "walks": game.walk(orders)}
    parts |= {"null": game.null_players(), "constant": game.terms.constant}
    parts |= {"terms": (game.terms.values, game.terms.present, game.terms.absent)}
    parts["none"] = (game(np.zeros((0, d), dtype=bool)), game.walk(orders[:0]))
    parts["refused"] = [
        outcome(game, np.zeros((2, d + 1), dtype=bool)),
        outcome(game.walk, orders[:, 1:]),
        outcome(game.walk, orders - 1),
        outcome(game.walk, orders + 1),
        outcome(TreeGame, game.ensemble, explicand[1:], baseline),
        outcome(TreeGame, game.ensemble, explicand, baseline[1:]),
    ]
    compare("games", {f"trees {d}": parts})


@pytest.mark.parametrize("p", [1, 2, 3, 4, 5, 6, 7, 9, 16, 19, 131])
@pytest.mark.parametrize("stable", [False, True])
def test_games_of_regressions(p, stable, monkeypatch):
    rng = np.random.default_rng(p)
    rows = rng.normal(size=(2 * p + 30, p)) + 0.3
    target = rows @ rng.normal(size=p) + rng.normal(size=len(rows))
    parts = [[lambda k=k: (rows[k::3], target[k::3])] for k in range(3)]
    if stable:
        monkeypatch.setattr(regression, "LARGEST_CONDITION", 0.0)
    train = [parts[0][0], parts[1][0]]
    game = RegressionGame([reduce_problem(train, parts[2]), reduce_problem(train, parts[1])])
    orbit = np.stack([np.roll(np.arange(p), -k) for k in range(min(p, 8))])
    orders = np.concatenate([orbit, rng.permuted(np.tile(np.arange(p), (3, 1)), axis=1)])
    results = {"walks": game.walk(orders), "values": game(rng.random((9, p)) < 0.5)}
    results |= {"shifts": shifts_of(orders), "total": game.total}
    results |= (
        {"table": game.table()} if p < 8 else {"refused": outcome(game.table) if p > 25 else ""}
    )
    if p < 8 and not stable:
        for kind, penalty in (("non-negative", 0.0), ("lasso", 0.0), ("lasso", 3.0)):
            other = PenalisedRegressionGame(game.problems, kind, penalty)
            results[f"{kind} {penalty}"] = (other.walk(orders), other(rng.random((9, p)) < 0.5))
    compare("games", {f"regression {p} {stable}": results})


@pytest.mark.parametrize("d", [1, 2, 5])
def test_tables(d):
    values = np.random.default_rng(d).normal(size=1 << d)
    game, calls = TabularGame(values), {}
    calls["again"] = tabulate(game, chunk=3).values
    calls["gains"] = gains(game, all_coalitions(d))
    calls["ends"] = (empty_value(game), grand_value(game))
    calls["index"] = coalition_index(all_coalitions(d))
    calls["of index"] = coalitions_from_index(np.array([0, (1 << d) - 1]), d)
    for name, table in (("short", values[1:]), ("square", values[None]), ("none", values[:0])):
        calls[name] = outcome(TabularGame, table)
    calls["one"] = outcome(TabularGame, values[:1])
    compare("games", {f"table {d}": calls})


def test_votes_and_gloves():
    values = {}
    for left, right in ((1, 0), (1, 1), (2, 3), (5, 4)):
        values[f"gloves {left} {right}"] = GloveGame(left, right).shapley_values()
    for weights, quota in (([3, 2, 1, 0], 4), ([1, 1, 1], 2), ([5], 3), ([9, 1, 1], 30)):
        values[f"votes {weights}"] = WeightedMajorityGame(weights, quota).shapley_values()
    for number, call in enumerate(
        (
            (GloveGame, 0, 0),
            (GloveGame, -1, 2),
            (GloveGame, 2, -1),
            (WeightedMajorityGame, [], 1),
            (WeightedMajorityGame, [1, -1], 1),
            (WeightedMajorityGame, [1, 2], 0),
            (SymmetricMajorityGame, 0, 1),
            (SymmetricMajorityGame, 3, 0),
            (SymmetricMajorityGame, 3, 4),
        )
    ):
        values[f"refused {number}"] = outcome(*call)
    values["majority"] = SymmetricMajorityGame(3, 3)(all_coalitions(3))
    compare("games", {"votes": values})


@pytest.mark.parametrize("number", range(len(games())))
def test_gains_of_a_game(number):
    game, rng = games()[number], np.random.default_rng(6)
    parts = {"gains": gains(game, rng.random((7, D)) < 0.5)}
    drawn = realisation(game, np.random.default_rng(2))
    parts |= {"drawn": drawn(rng.random((7, D)) < 0.5), "name": getattr(game, "name", "")}
    if hasattr(game, "shapley_values"):
        parts["known"] = game.shapley_values()
    compare("games", {f"gains {number} {type(game).__name__}": parts})


@pytest.mark.parametrize(("law", "model"), CLOSED)
def test_conditional_values_of_other_rows(law, model):
    values = []
    for row in explicands(law, 4)[2:]:
        game = ConditionalGame(LAWS[law], MODELS[model], row)
        values.append(game(all_coalitions(game.n_players)[::-1]))
    compare("games", {f"{model} given {law}, other rows": values})
