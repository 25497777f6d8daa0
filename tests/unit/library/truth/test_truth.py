"""The truth record, the multilinear method, and the registry of methods."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from worlds import LAWS, MODELS, explicands

from shapaudit import datasets
from shapaudit.games import (
    AirportGame,
    BaselineGame,
    ConditionalGame,
    ParityGame,
    ProductGame,
    RadialGame,
    RegressionGame,
    TabularGame,
    ThresholdGame,
    WeightedMajorityGame,
    tabulate,
)
from shapaudit.models import TreeEnsemble
from shapaudit.models.nodes import Nodes
from shapaudit.models.reduced import reduce_problem
from shapaudit.truth import (
    METHODS,
    Truth,
    TruthError,
    compute,
    product_shapley,
    shapley_exact,
    shapley_from_table,
)


def test_truth_keeps_its_own_read_only_copy():
    values = np.array([1.0, 2.0])
    truth = Truth(values, "exact", "by hand")
    values[0] = 7
    assert truth.values.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        truth.values[0] = 7


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0], "guess", "m"), "certificate 'guess'"),
        (([1.0], "exact", "m", [0.1]), "exact values have none"),
        (([1.0], "exact", "m", None, [0.1]), "others have none"),
        (([1.0], "bounded", "m"), "bounded values need bounds"),
        (([1.0], "bounded", "m", [0.1], [0.1]), "bounded values have none"),
        (([1.0], "bounded", "m", None, [-0.1]), "bounds must be"),
        (([1.0], "bounded", "m", None, [np.nan]), "bounds of player 0 is nan"),
        (([1.0], "reference", "m"), "needs standard errors"),
        (([1.0], "reference", "m", [-0.1]), "none negative"),
        (([1.0, 2.0], "reference", "m", [0.1]), r"must be \(d,\)"),
        (([1.0], "reference", "m", [np.inf]), "standard errors of player 0 is inf"),
        (([1.0, np.nan], "exact", "m"), "values of player 1 is nan"),
        (([[1.0]], "exact", "m"), r"not \(1, 1\)"),
        (([], "exact", "m"), "d >= 1"),
    ],
)
def test_truth_refuses_what_it_cannot_certify(arguments, message):
    with pytest.raises(TruthError, match=message):
        Truth(*arguments)


@pytest.mark.parametrize("d", [1, 2, 3, 8, 16])
def test_multilinear_is_the_enumeration(d):
    for seed in range(3):
        rng = np.random.default_rng([seed, d])
        for game in (
            RadialGame(*rng.normal(size=(2, d))),
            ProductGame(*rng.lognormal(size=(2, d)), offset=3.0),
        ):
            expected = shapley_exact(game).values
            error = np.abs(product_shapley(game).values - expected).max()
            assert error <= 1e-12 * np.abs(expected).max()


def test_multilinear_at_three_hundred_players_in_high_precision():
    game = RadialGame(*np.random.default_rng(7).normal(size=(2, 300)))
    phi = product_shapley(game).values
    for player in (0, 299):
        expected = multilinear_integral(game, player)
        assert phi[player] == pytest.approx(expected, rel=1e-12)


def multilinear_integral(game, player):
    """The integral of `product_shapley` from the coefficients of its polynomial, 400 digits."""
    with localcontext() as context:
        context.prec = 400
        absent = [Decimal(value) for value in game.absent.tolist()]
        steps = [Decimal(p) - a for p, a in zip(game.present.tolist(), absent, strict=True)]
        polynomial = [Decimal(1)]
        for j in range(game.n_players):
            if j != player:
                low = [c * absent[j] for c in polynomial] + [Decimal(0)]
                high = [Decimal(0)] + [c * steps[j] for c in polynomial]
                polynomial = [a + b for a, b in zip(low, high, strict=True)]
        integral = sum(c / (k + 1) for k, c in enumerate(polynomial))
        return float(steps[player] * integral)


def two_trees(n_features):
    """A tree of two levels on features 0, 1 and 2, and a stump on feature 1, around 0."""
    nodes = Nodes(
        feature=[0, 1, 2, -1, -1, -1, -1, 1, -1, -1],
        threshold=np.zeros(10),
        left=[1, 3, 5, -1, -1, -1, -1, 8, -1, -1],
        right=[2, 4, 6, -1, -1, -1, -1, 9, -1, -1],
        default_left=np.ones(10, dtype=bool),
        value=[0, 0, 0, 1.0, -2.0, 4.0, -8.0, 0, 16.0, -32.0],
    )
    return TreeEnsemble(nodes, [0, 7], 0.5, n_features)


def regression(n_features):
    """R^2 of a regression on generated rows."""
    mechanism = datasets.load(
        "linear", {"n_train": 60, "n_test": 60, "n_features": n_features}, np.random.default_rng(5)
    )
    return RegressionGame([reduce_problem(mechanism.blocks("train"), mechanism.blocks("test"))])


def conditional(model):
    """The game of a model under a mixture of normal laws."""
    return ConditionalGame(LAWS["mixture"], MODELS[model], explicands("mixture")[0])


def test_every_method_agrees_where_it_applies():
    rng = np.random.default_rng(8)
    ensemble = two_trees(10)
    cases = {
        "closed-form": WeightedMajorityGame(rng.integers(1, 9, size=10), 21),
        "diagonal": TabularGame(rng.normal(size=1 << 9)),
        "enumeration": AirportGame(rng.exponential(size=10)),
        "inversion": ThresholdGame(0.2, rng.normal(size=8), 0.5),
        "law": conditional("quadratic"),
        "law-numerical": conditional("probit"),
        "multilinear": RadialGame(*rng.normal(size=(2, 10))),
        "tree": BaselineGame(ensemble.predict, *rng.normal(size=(2, 10))),
        "orbits": regression(10),
        "permutations": ThresholdGame(0.2, rng.normal(size=10), 0.5),
        "subsets": regression(9),
    }
    assert set(cases) == set(METHODS)
    for method, game in cases.items():
        truth = compute(method, game, rng)
        error = np.abs(truth.values - shapley_from_table(tabulate(game).values))
        if truth.certificate == "exact":
            assert error.max() < 1e-12, method
        elif truth.certificate == "bounded":
            assert (error <= truth.bounds).all(), method
        else:
            assert (error < 5 * truth.standard_errors).all(), method


@pytest.mark.parametrize(
    ("method", "params", "message"),
    [
        ("magic", {}, "unknown method 'magic'; the known ones are 'closed-form', 'diagonal'"),
        ("enumeration", {"shuffles": 3}, "no parameter 'shuffles'; it knows 'chunk'"),
        ("enumeration", {"chunk": 0}, "chunk must be an integer of at least 1"),
        ("permutations", {"shuffles": 1}, "shuffles must be an integer of at least 2"),
        ("tree", {"depth": 1}, "no parameter 'depth'; it knows none"),
        ("closed-form", {}, r"needs its own method shapley_values\(\), which game parity"),
        ("multilinear", {}, "needs the structure of a ProductGame, which game parity"),
        ("tree", {}, "needs a tree ensemble, an explicand and a baseline, which game parity"),
    ],
)
def test_compute_refuses_unknown_names_and_unfit_games(method, params, message):
    game = tabulate(ParityGame(3))
    with pytest.raises(TruthError, match=message):
        compute(method, game, np.random.default_rng(0), **params)


def test_tree_method_refuses_another_output_of_the_trees():
    """The same-class reward of an ensemble is no sum over its leaves."""
    ensemble = two_trees(4)
    game = BaselineGame(lambda rows: ensemble.predict(rows) > 0, np.zeros(4), np.ones(4))
    with pytest.raises(TruthError, match="needs a tree ensemble"):
        compute("tree", game, np.random.default_rng(0))
