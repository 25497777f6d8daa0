"""Games from outside the package: what they may do, and what is said of those that break off."""

from fractions import Fraction

import numpy as np
import pytest

from shapaudit.estimators import create
from shapaudit.games import (
    CountedGame,
    ForeignGame,
    GameError,
    PaddedGame,
    RestrictedGame,
    TabularGame,
    guarded,
    walk,
)

D = 5
TABLE = TabularGame(np.random.default_rng(0).normal(size=1 << D))
ORDERS = np.array([[2, 0, 1, 4, 3], [0, 1, 2, 3, 4]])


class Writer:
    """The values of TABLE; what it is given is overwritten, what it returns is reused."""

    n_players, name = D, "writer"

    def __init__(self):
        self.out = np.empty(1 << 16)

    def __call__(self, coalitions):
        out = self.out[: len(coalitions)]
        out[:] = TABLE(coalitions)
        coalitions[:] = False
        return out


class Walker(Writer):
    """The same, which also walks by itself."""

    def walk(self, permutations):
        contributions = TABLE.walk(permutations)
        permutations[:] = 0
        return contributions

    def gains(self, coalitions):
        contributions = self(coalitions)[:, None] * np.zeros(D)
        coalitions[:] = True
        return contributions


def returning(values):
    """A game of two players that returns ``values`` for any coalitions."""

    def game(coalitions):
        return values

    game.n_players = 2
    return game


def test_games_of_the_package_are_not_wrapped():
    assert guarded(TABLE) is TABLE
    assert CountedGame(TABLE).game is TABLE
    counted = CountedGame(Writer())
    assert guarded(counted) is counted
    assert isinstance(counted.game, ForeignGame)


ESTIMATORS = (
    "kernel-shap",
    "svarm",
    "plain-monte-carlo",
    "optimised-monte-carlo",
    "projected-sgd",
    "leverage-shap",
    "complementary-contributions",
    "featurewise-order",
)


@pytest.mark.parametrize("count", [False, True], ids=["bare", "counted"])
@pytest.mark.parametrize("game", [Writer, Walker])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_game_that_writes_into_what_it_is_given_changes_no_estimate(name, game, count):
    writing = CountedGame(game()) if count else game()
    values = create(name).estimate(writing, 200, np.random.default_rng(1)).values
    other = create(name).estimate(TABLE, 200, np.random.default_rng(1)).values
    np.testing.assert_allclose(values, other, rtol=1e-12, atol=1e-12)


def test_what_is_asked_for_stays_as_it_was():
    game, coalitions = CountedGame(Walker()), np.ones((3, D), dtype=bool)
    first = game(coalitions)
    kept = first.copy()
    game(~coalitions)
    np.testing.assert_array_equal(first, kept)
    orders = ORDERS.copy()
    np.testing.assert_array_equal(game.walk(orders), TABLE.walk(ORDERS))
    game.gains(coalitions)
    assert coalitions.all()
    np.testing.assert_array_equal(orders, ORDERS)


def test_wrapped_games_are_guarded_too():
    coalitions = np.ones((2, D), dtype=bool)
    PaddedGame(Writer(), 0)(coalitions)
    assert coalitions.all()
    with pytest.raises(GameError, match="returned a ndarray of type complex128"):
        RestrictedGame(returning(np.zeros(1, dtype=complex)), [1])(coalitions[:1, :1])
    game = RestrictedGame(Walker(), np.arange(D))
    np.testing.assert_array_equal(walk(game, ORDERS), TABLE.walk(ORDERS))


def test_a_game_is_given_rows_that_it_may_hold_and_view():
    seen = []

    def game(coalitions):
        seen.append(coalitions)
        return coalitions.view(np.uint8).sum(axis=1)

    game.n_players = D
    coalitions = np.asfortranarray(np.eye(D, dtype=bool))
    np.testing.assert_array_equal(CountedGame(game)(coalitions), np.ones(D))
    coalitions[:] = False
    assert seen[0].flags.c_contiguous
    assert seen[0].flags.writeable
    assert seen[0].any()


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        (np.zeros((2, 1)), r"game function returned shape \(2, 1\) for 2 coalitions"),
        (0.5, r"returned shape \(\) for 2 coalitions"),
        (np.array([1.0, np.nan]), r"returned nan for the coalition of players \[1\]"),
        (np.array([1.0, 2j]), "returned a ndarray of type complex128; return real numbers"),
        ([Fraction(1, 2), Fraction(1, 3)], "returned a list of type object"),
        (["1", "2"], "returned a list of type <U1"),
        (None, "returned a NoneType of type object"),
        ([[1], [1, 2]], "returned a list that makes no array: "),
    ],
    ids=["column", "scalar", "nan", "complex", "object", "text", "none", "ragged"],
)
def test_what_is_no_value_per_coalition_is_refused_by_name(values, fault):
    with pytest.raises(GameError, match=fault):
        CountedGame(returning(values))(np.array([[True, False], [False, True]]))


@pytest.mark.parametrize("kind", ["walk", "gains"])
@pytest.mark.parametrize(
    ("contributions", "fault"),
    [
        (np.zeros((2, 1)), r"contributions of shape \(2, 1\) and type float64; .* shape \(2, 2\)"),
        (np.zeros((2, 2), dtype=complex), r"shape \(2, 2\) and type complex128; return real"),
        (np.full((2, 2), np.inf), "marginal contribution inf"),
    ],
    ids=["shape", "complex", "inf"],
)
def test_contributions_are_checked_as_values_are(kind, contributions, fault):
    game = returning(np.zeros(2))
    setattr(game, kind, lambda _: contributions)
    asked = {"walk": np.array([[0, 1], [1, 0]]), "gains": np.eye(2, dtype=bool)}[kind]
    with pytest.raises(GameError, match=f"game function .*{fault}"):
        getattr(CountedGame(game), kind)(asked)


@pytest.mark.parametrize(
    ("players", "fault"),
    [
        (0, "must be a whole number above 0; got 0"),
        (2.0, "got 2.0"),
        (True, "got True"),
        (None, "got None"),
        ("5", "got '5'"),
    ],
)
def test_players_are_a_whole_number(players, fault):
    game = returning(np.zeros(2))
    game.n_players = players
    with pytest.raises(GameError, match=f"n_players of game function .*{fault}"):
        create("kernel-shap").estimate(game, 100, np.random.default_rng(0))


def test_what_is_no_game_is_told():
    with pytest.raises(GameError, match=r"game function has no n_players; .* v\.n_players = 5"):
        create("kernel-shap").estimate(lambda coalitions: coalitions, 100, 0)
    with pytest.raises(GameError, match="game int cannot be called"):
        CountedGame(3)
    game = Writer()
    game.n_players = np.int32(D)
    assert type(guarded(game).n_players) is int
