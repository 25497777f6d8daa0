"""What every game of the package keeps: values, walks and purity."""

import numpy as np
import pytest

from shapaudit.datasets.laws import ChainLaw, CopulaLaw, DiscreteLaw, GaussianLaw, MixtureLaw
from shapaudit.games import (
    GAMES,
    AdditiveGame,
    AirportGame,
    BaselineGame,
    CachedGame,
    ConditionalGame,
    CountedGame,
    ForeignGame,
    Game,
    GloveGame,
    NetworkGame,
    PaddedGame,
    PairwiseGame,
    ParityGame,
    PenalisedRegressionGame,
    PerceptronGame,
    ProductGame,
    QuotientGame,
    RadialGame,
    RegressionGame,
    RestrictedGame,
    SameClassGame,
    SymmetricMajorityGame,
    TabularGame,
    ThresholdGame,
    TreeGame,
    UnanimityGame,
    WeightedMajorityGame,
    empty_value,
    gains,
    grand_value,
    walk,
)
from shapaudit.games.base import prefixes
from shapaudit.models import Additive, Perceptron, Polynomial, RadialRegression, TreeEnsemble
from shapaudit.models.nodes import Nodes
from shapaudit.models.reduced import reduce_problem

D = 9


def complete_trees(rng, n_trees, depth):
    """Ensemble of complete binary trees with random splits."""
    inner, size = 2**depth - 1, 2 ** (depth + 1) - 1
    split = np.arange(size) < inner
    shape = (n_trees, size)
    first = np.arange(n_trees)[:, None] * size
    nodes = Nodes(
        feature=np.where(split, rng.integers(D, size=shape), -1).ravel(),
        threshold=rng.normal(size=shape).ravel(),
        left=np.where(split, first + 2 * np.arange(size) + 1, -1).ravel(),
        right=np.where(split, first + 2 * np.arange(size) + 2, -1).ravel(),
        default_left=np.ones(n_trees * size, dtype=bool),
        value=np.where(split, 0.0, rng.normal(size=shape)).ravel(),
    )
    return TreeEnsemble(nodes, first[:, 0], 0.5, D)


def regression(rng):
    """R^2 of a regression on generated rows."""
    rows = rng.normal(size=(60, D))
    target = rows.sum(axis=1) + rng.normal(size=60)
    train, test = ([lambda k=k: (rows[k::2], target[k::2])] for k in (0, 1))
    return RegressionGame([reduce_problem(train, test)])


def groups_of(players):
    """D groups of so many players, from D + 1 to 2 D of them, not in their order."""
    return [[k + D, k] if k + D < players else [k] for k in reversed(range(D))]


def pairs_and_one():
    """Four pairs of correlated features, and a feature that is independent of them."""
    covariance = np.eye(D)
    covariance[:-1, :-1] = GaussianLaw.pairs(np.array([0.5, 0.0, -0.7, 0.2])).covariance
    return GaussianLaw(np.zeros(D), covariance)


def conditional_games():
    """Of each kind of law, with a model whose expectations are known."""
    rng = np.random.default_rng(3)
    quadratic = Polynomial(0.2, rng.normal(size=D), rng.normal(size=(D, D)))
    worlds = [
        (GaussianLaw.factor(rng, D), RadialRegression(D)),
        (pairs_and_one(), complete_trees(rng, 5, 4)),
        (MixtureLaw.random(rng, D), quadratic),
        (CopulaLaw.factor(rng, D, ("lognormal", "cubic")), Additive(0.1, rng.normal(size=(D, 3)))),
        (ChainLaw.random(rng, D), quadratic),
        (DiscreteLaw.ising(rng, D), quadratic),
    ]
    return [ConditionalGame(law, model, law.sample(rng, 1)[0]) for law, model in worlds]


def games():
    rng = np.random.default_rng(2026)
    x, r = rng.normal(size=(2, D))
    interactions = rng.normal(size=(D, D))
    interactions += interactions.T
    np.fill_diagonal(interactions, 0)
    trees = complete_trees(rng, 5, 4)
    shapes = ((D, 7), (7, 3))
    perceptron = Perceptron(
        tuple(rng.normal(size=shape) for shape in shapes),
        tuple(rng.normal(size=shape[1]) for shape in shapes),
    )
    first = perceptron.weights[0], perceptron.biases[0]
    return [
        AdditiveGame(x, 1.0),
        AirportGame(x**2),
        BaselineGame(RadialRegression(D).predict, x, r),
        CachedGame(AdditiveGame(x), 3),
        *conditional_games(),
        CountedGame(AdditiveGame(x)),
        GloveGame(4, 5),
        NetworkGame(*first, lambda entered: np.tanh(entered).sum(axis=-1), x, r),
        PaddedGame(TabularGame(rng.normal(size=2 ** (D - 3))), 3),
        PairwiseGame(x, interactions),
        ParityGame(D),
        PerceptronGame(perceptron, x, r),
        ProductGame(np.exp(x), np.exp(r), 1.0),
        RadialGame(x, r),
        regression(rng),
        SameClassGame(x, r, 0.5 * (x @ x + r @ r)),
        SymmetricMajorityGame(D, 5),
        TabularGame(rng.normal(size=2**D)),
        ThresholdGame(0.1, x, 0.3),
        TreeGame(trees, x, r),
        UnanimityGame(rng.normal(size=6), rng.random((6, D)) < 0.4),
        WeightedMajorityGame(rng.integers(1, 9, size=D), 20),
        RestrictedGame(TabularGame(rng.normal(size=2 ** (D + 2))), rng.permutation(D + 2)[:D]),
        ForeignGame(AdditiveGame(x)),
        PenalisedRegressionGame(regression(rng).problems, "lasso", 0.1),
        QuotientGame(TabularGame(rng.normal(size=2 ** (D + 3))), groups_of(D + 3)),
    ]


def test_every_game_of_the_library_is_tested_here():
    tested = {type(game).__name__ for game in games()}
    assert {*GAMES} <= tested, "add an instance"


@pytest.fixture(params=games(), ids=lambda game: type(game).__name__)
def game(request):
    return request.param


@pytest.fixture
def coalitions():
    return np.random.default_rng(1).random((60, D)) < 0.5


def test_is_a_named_game(game):
    assert isinstance(game, Game)
    assert isinstance(game.name, str)
    assert game.n_players == D


def test_values_are_finite_float64(game, coalitions):
    values = game(coalitions)
    assert values.dtype == np.float64
    assert values.shape == (60,)
    assert np.isfinite(values).all()


def test_no_coalitions_have_no_values(game):
    assert game(np.zeros((0, D), dtype=bool)).shape == (0,)


def test_same_coalitions_same_values(game, coalitions):
    kept = coalitions.copy()
    first = game(coalitions)
    np.testing.assert_array_equal(coalitions, kept)
    game(~coalitions)
    np.testing.assert_array_equal(game(kept), first)


def test_values_depend_on_the_coalition_alone(game, coalitions):
    values = game(coalitions)
    order = np.random.default_rng(2).permutation(60)
    close = {"rtol": 1e-13, "atol": 1e-14}
    np.testing.assert_allclose(game(coalitions[order]), values[order], **close)
    np.testing.assert_allclose(game(np.asfortranarray(coalitions)), values, **close)
    one_by_one = [game(row[None])[0] for row in coalitions]
    np.testing.assert_allclose(one_by_one, values, **close)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_walk_is_the_difference_of_prefix_values(game, dtype):
    rng = np.random.default_rng(3)
    orders = rng.permuted(np.tile(np.arange(D, dtype=dtype), (25, 1)), axis=1)
    values = game(prefixes(orders).reshape(-1, D)).reshape(25, D)
    steps = np.diff(values, axis=1, prepend=empty_value(game))
    contributions = walk(game, orders)
    assert contributions.dtype == np.float64
    for order, step, contribution in zip(orders, steps, contributions, strict=True):
        np.testing.assert_allclose(contribution[order], step, rtol=1e-12, atol=1e-13)


def test_walks_add_up(game):
    orders = np.random.default_rng(4).permuted(np.tile(np.arange(D), (10, 1)), axis=1)
    total = grand_value(game) - empty_value(game)
    np.testing.assert_allclose(walk(game, orders).sum(axis=1), total, rtol=1e-12, atol=1e-12)


def test_gains_move_each_player_in_and_out(game, coalitions):
    moved = gains(game, coalitions)
    for player in range(D):
        without, joined = coalitions.copy(), coalitions.copy()
        without[:, player], joined[:, player] = False, True
        wanted = game(joined) - game(without)
        np.testing.assert_allclose(moved[:, player], wanted, rtol=1e-12, atol=1e-13)


def test_gains_count_a_row_for_the_coalition_and_each_player(game, coalitions):
    counted = CountedGame(game)
    np.testing.assert_array_equal(gains(counted, coalitions), gains(game, coalitions))
    assert counted.evaluations == 60 * (D + 1)


def test_no_permutations_have_no_contributions(game):
    assert walk(game, np.zeros((0, D), dtype=np.int64)).shape == (0, D)


def test_counted_wrapper_changes_nothing(game, coalitions):
    counted = CountedGame(game)
    np.testing.assert_array_equal(counted(coalitions), game(coalitions))
    assert counted.evaluations == 60
    assert counted.name == game.name
