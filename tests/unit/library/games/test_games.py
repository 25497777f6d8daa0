"""Games: the contract's helpers, tables, counting, and the games of models."""

import numpy as np
import pytest
import scipy.sparse

from shapaudit.games import (
    AdditiveGame,
    BaselineGame,
    BudgetExceeded,
    CountedGame,
    GameError,
    PaddedGame,
    ParityGame,
    ProductGame,
    RadialGame,
    RestrictedGame,
    SameClassGame,
    TabularGame,
    ThresholdGame,
    UnanimityGame,
    all_coalitions,
    coalition_index,
    coalitions_from_index,
    empty_value,
    for_estimator,
    gains,
    grand_value,
    tabulate,
    walk,
)
from shapaudit.games.base import prefixes
from shapaudit.models import ChiSquareClassifier, RadialRegression
from shapaudit.samplers import uniform_permutations
from shapaudit.truth import shapley_from_table


class Recorder:
    """Deterministic game that keeps every coalition it was asked for."""

    def __init__(self, n_players, value=None):
        self.n_players = n_players
        self.name = "recorder"
        self.value = value
        self.asked = []

    def __call__(self, coalitions):
        self.asked += [tuple(row) for row in coalitions.tolist()]
        values = coalitions @ np.sqrt(np.arange(1.0, self.n_players + 1))
        values = np.sin(values)
        if self.value is not None:
            values[coalitions.sum(axis=1) == 2] = self.value
        return values


def random_permutations(rng, count, d):
    return rng.permuted(np.tile(np.arange(d), (count, 1)), axis=1)


@pytest.mark.parametrize("d", [1, 7, 8, 9, 20, 33, 62])
def test_index_and_coalition_are_inverse(d):
    rng = np.random.default_rng(d)
    coalitions = rng.random((50, d)) < 0.5
    index = coalition_index(coalitions)
    expected = [sum(1 << j for j in np.flatnonzero(row).tolist()) for row in coalitions]
    assert index.tolist() == expected
    np.testing.assert_array_equal(coalitions_from_index(index, d), coalitions)


def test_index_refuses_more_players_than_bits():
    with pytest.raises(GameError, match="63 players"):
        coalition_index(np.zeros((1, 63), dtype=bool))


def test_all_coalitions_are_in_the_order_of_their_index():
    np.testing.assert_array_equal(coalition_index(all_coalitions(9)), np.arange(512))


def test_prefixes_grow_along_the_permutation():
    grown = prefixes(np.array([[2, 0, 1], [0, 1, 2]]))
    assert [np.flatnonzero(row).tolist() for row in grown[0]] == [[2], [0, 2], [0, 1, 2]]
    assert [np.flatnonzero(row).tolist() for row in grown[1]] == [[0], [0, 1], [0, 1, 2]]


def test_end_values():
    game = AdditiveGame([1.0, 2.0], 5.0)
    assert (empty_value(game), grand_value(game)) == (5.0, 8.0)


def test_default_walk_by_hand():
    game = Recorder(3)
    contributions = walk(game, np.array([[2, 0, 1]]))
    value = {size: game(coalitions_from_index(np.array([size]), 3))[0] for size in (0, 4, 5, 7)}
    expected = [value[5] - value[4], value[7] - value[5], value[4] - value[0]]
    np.testing.assert_allclose(contributions, [expected], atol=1e-15)


def test_table_walks_and_values_are_those_of_the_game():
    game = Recorder(8)
    table = tabulate(game, chunk=37)
    assert len(game.asked) == len(set(game.asked)) == 256
    rng = np.random.default_rng(0)
    coalitions = rng.random((40, 8)) < 0.5
    np.testing.assert_allclose(table(coalitions), game(coalitions), atol=1e-15)
    orders = random_permutations(rng, 20, 8)
    np.testing.assert_allclose(table.walk(orders), walk(Recorder(8), orders), atol=1e-15)


def test_table_refuses_bad_values():
    with pytest.raises(GameError, match="2\\^d values"):
        TabularGame(np.zeros(6))
    with pytest.raises(GameError, match="2\\^d values"):
        TabularGame(np.zeros(1))
    with pytest.raises(GameError, match=r"inf for the coalition of players \[0, 2\]"):
        TabularGame([0, 1, 2, 3, 4, np.inf, 6, 7])


def test_tabulate_refuses_what_is_out_of_reach():
    with pytest.raises(GameError, match="parity has 25 players"):
        tabulate(ParityGame(25))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_value_that_is_not_finite_names_the_coalition(value):
    with pytest.raises(GameError, match=rf"recorder returned {value} .* players \[0, 1\]"):
        tabulate(Recorder(4, value))
    with pytest.raises(GameError, match=rf"recorder returned {value} .* players \[1, 3\]"):
        CountedGame(Recorder(4, value))(np.array([[False, True, False, True]]))


def test_wrong_number_of_values_is_named():
    def broken(coalitions):
        return np.zeros((len(coalitions), 1))

    broken.n_players = 3
    broken.name = "broken"
    with pytest.raises(GameError, match=r"broken returned shape \(8, 1\) for 8 coalitions"):
        CountedGame(broken)(all_coalitions(3))


def test_counted_game_counts_rows_and_walks():
    game = Recorder(4)
    counted = CountedGame(game)
    counted(all_coalitions(4)[:5])
    assert counted.evaluations == len(game.asked) == 5
    counted.walk(random_permutations(np.random.default_rng(0), 3, 4))
    assert counted.evaluations == len(game.asked) == 5 + 3 * 4 + 1
    counted.walk(random_permutations(np.random.default_rng(1), 2, 4))
    assert counted.evaluations == 5 + 3 * 4 + 1 + 2 * 4


def test_budget_is_refused_before_it_is_exceeded():
    game = Recorder(4)
    counted = CountedGame(game, budget=10)
    counted(all_coalitions(4)[:6])
    with pytest.raises(BudgetExceeded, match="6 of 10 evaluations of recorder are spent; 5 more"):
        counted(all_coalitions(4)[:5])
    with pytest.raises(BudgetExceeded):
        counted.walk(np.array([[0, 1, 2, 3]]))
    assert len(game.asked) == counted.evaluations == 6
    counted(all_coalitions(4)[:4])
    assert counted.evaluations == 10


@pytest.mark.parametrize(
    "coalitions",
    [np.zeros((2, 3), dtype=bool), np.zeros((2, 4)), np.zeros(4, dtype=bool)],
    ids=["players", "dtype", "axes"],
)
def test_counted_game_refuses_other_arrays_without_counting(coalitions):
    counted = CountedGame(Recorder(4))
    for ask in (counted, counted.gains):
        with pytest.raises(GameError, match="coalitions"):
            ask(coalitions)
    assert counted.evaluations == 0


@pytest.mark.parametrize(
    "rows",
    [[[1, 2, 3]], [[-1, 0, 1]], [[0, 1, 2], [0, 1, 1]], [[0, 1]], [[0.0, 1.0, 2.0]], [0, 1, 2]],
    ids=["from 1", "negative", "twice", "short", "floats", "axes"],
)
def test_counted_game_walks_along_permutations_only(rows):
    counted = CountedGame(TabularGame(np.arange(8.0)))
    with pytest.raises(GameError, match="each of the players 0 to 2 once in a row"):
        counted.walk(np.array(rows))
    assert counted.evaluations == 0
    along = np.array([[2, 0, 1], [0, 1, 2]])
    for orders in (along, along.astype(np.uint8), np.asfortranarray(along), along[:, ::-1]):
        np.testing.assert_array_equal(counted.walk(orders), [[1, 2, 4]] * 2)
    assert counted.walk(along[:0]).shape == (0, 3)


def test_missing_values_on_the_way_are_named():
    orders = np.array([[1, 0, 2]])
    with pytest.raises(GameError, match=r"recorder returned nan .* players \[0, 1\]"):
        walk(Recorder(3, np.nan), orders)
    with pytest.raises(GameError, match=r"recorder returned nan .* players \[0, 1\]"):
        gains(Recorder(3, np.nan), np.array([[True, False, False]]))
    walker = Recorder(3)
    walker.walk = lambda permutations: np.full((1, 3), np.nan)  # without a value on the way
    with pytest.raises(GameError, match="recorder gave player 0 the marginal contribution nan"):
        CountedGame(walker).walk(orders)


@pytest.mark.parametrize("kind", [np.uint8, np.float16, bool])
def test_values_of_any_number_type_are_subtracted_as_floats(kind):
    def falling(coalitions):
        return (coalitions.sum(axis=1) < 2).astype(kind)

    falling.n_players = 3
    np.testing.assert_array_equal(walk(falling, np.array([[2, 0, 1]])), [[-1, 0, 0]])
    coalitions = np.array([[True, False, False], [True, True, False]])
    np.testing.assert_array_equal(gains(falling, coalitions), [[0, -1, -1], [-1, -1, 0]])
    assert grand_value(falling) - empty_value(falling) == -1.0


def test_values_of_a_wrong_shape_are_refused_on_the_way():
    def column(coalitions):
        return coalitions.sum(axis=1, keepdims=True)

    column.n_players = 3
    for ask in (
        empty_value,
        grand_value,
        lambda game: walk(game, np.array([[2, 0, 1]])),
        lambda game: gains(game, np.zeros((2, 3), dtype=bool)),
    ):
        with pytest.raises(GameError, match=r"game function returned shape \(\d+, 1\)"):
            ask(column)


def test_baseline_game_evaluates_hybrid_rows():
    game = BaselineGame(lambda rows: rows @ [1, 10, 100], [1, 2, 3], [4, 5, 6])
    coalitions = np.array([[False, False, False], [True, False, True], [True, True, True]])
    np.testing.assert_array_equal(game(coalitions), [654, 351, 321])


def test_baseline_game_refuses_bad_rows():
    with pytest.raises(GameError, match=r"explicand \(3,\) and baseline \(2,\)"):
        BaselineGame(np.sum, [1, 2, 3], [1, 2])
    with pytest.raises(GameError, match=r"features \[1, 2\] of the explicand or baseline of mine"):
        BaselineGame(np.sum, [1, np.nan, 3], [1, 2, np.inf], "mine")


@pytest.mark.parametrize("seed", range(6))
def test_same_class_game_is_the_reward_of_the_classifier(seed):
    rng = np.random.default_rng(seed)
    model = ChiSquareClassifier.for_dimension(9)
    x, r = rng.normal(size=(2, 9))
    label = model.predict(x[None])[0]
    reward = BaselineGame(lambda rows: model.predict(rows) == label, x, r)
    game = SameClassGame(x, r, model.threshold)
    np.testing.assert_array_equal(game(all_coalitions(9)), reward(all_coalitions(9)))


@pytest.mark.parametrize("seed", range(3))
def test_radial_game_is_the_regression_without_its_constant(seed):
    x, r = np.random.default_rng(seed).normal(size=(2, 9))
    model = RadialRegression(9)
    values = BaselineGame(model.predict, x, r)(all_coalitions(9)) - model.predict(r[None])[0]
    np.testing.assert_allclose(RadialGame(x, r)(all_coalitions(9)), values, rtol=1e-12, atol=1e-14)


def test_threshold_is_strict_and_the_grand_coalition_wins():
    game = ThresholdGame(0.0, [1.0, 1.0, -3.0], 1.0)  # ends at -1, below
    table = tabulate(game).values
    # positions 0, 1, 1, 2 without the last player; only 2 is above the threshold
    np.testing.assert_array_equal(table, [1, 1, 1, 0, 1, 1, 1, 1])


def test_product_game_refuses_factors_that_are_not_positive():
    with pytest.raises(ValueError, match="must be positive"):
        ProductGame([1.0, 0.0], [1.0, 1.0])


def test_null_players_change_nothing_but_the_number_of_players():
    rng = np.random.default_rng(1)
    core = UnanimityGame(rng.normal(size=9), rng.random((9, 5)) < 0.5)
    game = PaddedGame(tabulate(core), 3)
    exact = shapley_from_table(tabulate(game).values)
    np.testing.assert_allclose(exact[:5], core.shapley_values())
    np.testing.assert_allclose(exact[5:], 0, atol=1e-15)
    alone = RestrictedGame(game, np.arange(5))
    np.testing.assert_array_equal(alone(all_coalitions(5)), core(all_coalitions(5)))
    permutations = uniform_permutations(20, 8, rng)
    walked = walk(tabulate(game), permutations)
    np.testing.assert_allclose(game.walk(permutations), walked, atol=1e-12)
    assert not game.walk(permutations)[:, 5:].any()


def test_explicands_that_are_no_numbers_are_refused():
    rows = np.ones((1, 3))
    with pytest.raises(GameError, match=r"mine: .* the explicand are sparse; .*rows.toarray\(\)"):
        BaselineGame(len, scipy.sparse.csr_array(rows), rows[0], name="mine")
    with pytest.raises(GameError, match=r"mine: .* the baseline must be numbers"):
        BaselineGame(len, rows[0], ["a", "b", "c"], name="mine")


def test_what_an_estimator_is_given_counts_as_the_counter_does():
    table = np.random.default_rng(0).normal(size=16)
    counted, alone = (CountedGame(TabularGame(table), 60) for _ in range(2))
    given = for_estimator(counted)
    orders, coalitions = np.array([[2, 0, 1, 3]]), np.eye(4, dtype=bool)
    np.testing.assert_array_equal(given(coalitions), alone(coalitions))
    np.testing.assert_array_equal(given.walk(orders), alone.walk(orders))
    np.testing.assert_array_equal(given.gains(coalitions), alone.gains(coalitions))
    assert (given.n_players, given.name) == (4, alone.name)
    assert given.evaluations == counted.evaluations == alone.evaluations == 4 + 5 + 20
    assert given.budget == 60
    with pytest.raises(BudgetExceeded):
        given(np.zeros((32, 4), dtype=bool))


@pytest.mark.parametrize("name", ["game", "_spend", "__dict__"])
def test_an_estimator_cannot_reach_the_game_or_its_counter(name):
    assert not hasattr(for_estimator(CountedGame(TabularGame(np.zeros(4)))), name)


@pytest.mark.parametrize("name", ["evaluations", "budget", "n_players", "other"])
def test_an_estimator_can_set_nothing_of_what_it_is_given(name):
    given = for_estimator(CountedGame(TabularGame(np.zeros(4)), 2))
    with pytest.raises(AttributeError):
        setattr(given, name, 0)


def test_a_realisation_that_an_estimator_draws_spends_from_the_same_budget():
    class Noisy:
        n_players = 2

        def __call__(self, coalitions):
            return coalitions.sum(axis=1) * 1.0

        def realisation(self, rng):
            return Noisy()

    counted = CountedGame(Noisy(), 5)
    fresh = for_estimator(counted).realisation(np.random.default_rng(0))
    assert not hasattr(fresh, "game")
    fresh(np.zeros((4, 2), dtype=bool))
    assert counted.evaluations == 4
    plain = for_estimator(CountedGame(TabularGame(np.zeros(4))))
    assert plain.realisation(np.random.default_rng(0)) is plain
