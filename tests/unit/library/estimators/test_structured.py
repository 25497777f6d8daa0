"""L-Shapley, C-Shapley and ApproSemivalue against their definitions."""

from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

from shapaudit.estimators import BudgetTooSmall, create
from shapaudit.estimators.graphs import ball, chain, connected_sets, from_edges, grid
from shapaudit.games import CountedGame, TabularGame, all_coalitions
from shapaudit.truth import shapley_from_table

RNG = np.random.default_rng


def exact(estimator, game):
    return estimator.estimate(game, estimator.minimum_budget(game.n_players), RNG(0)).values


def weight_sums(d, radius, weights="printed"):
    """Sum of the weights of every player on a chain, exactly."""
    estimator = create("c-shapley", {"radius": radius, "weights": weights})
    neighbours = estimator.neighbours(d)
    return [
        sum(weight for _, weight in estimator.terms(neighbours, i, ball(neighbours, i, radius)))
        for i in range(d)
    ]


def local_game(d, width, rng):
    """A game whose interactions are of players at most ``width`` apart on a chain."""
    members = all_coalitions(d)
    values = np.zeros(len(members))
    for start in range(d):
        for size in range(1, width + 2):
            for rest in combinations(range(start + 1, min(d, start + width + 1)), size - 1):
                values += rng.normal() * members[:, [start, *rest]].all(axis=1)
    return TabularGame(values)


def test_graphs():
    assert chain(3) == (frozenset({1}), frozenset({0, 2}), frozenset({1}))
    assert grid(4) == grid(4, 2) == from_edges(4, [(0, 1), (2, 3), (0, 2), (1, 3)])
    assert [
        grid(d) == grid(d, width) for d, width in ((1, 1), (2, 2), (6, 3), (7, 7), (12, 4))
    ] == [True] * 5
    assert ball(chain(7), 3, 2) == (1, 2, 3, 4, 5)
    assert ball(grid(9), 4, 1) == (1, 3, 4, 5, 7)


def test_connected_sets_are_those_of_brute_force():
    neighbours = grid(9)
    near = ball(neighbours, 4, 2)

    def connected(members):
        reached = {4}
        while more := {j for i in reached for j in neighbours[i] if j in members} - reached:
            reached |= more
        return reached == set(members)

    wanted = {
        frozenset((4, *rest))
        for size in range(9)
        for rest in combinations([j for j in near if j != 4], size)
        if connected({4, *rest})
    }
    sets = connected_sets(neighbours, 4, near)
    assert len(sets) == len(wanted)
    assert {members for members, _ in sets} == wanted
    for members, around in sets:
        beside = {j for i in members for j in neighbours[i] if j in near} - members
        assert around == len(beside)


@pytest.mark.parametrize(
    ("radius", "total"), [(1, Fraction(8, 15)), (2, Fraction(9, 14)), (3, Fraction(32, 45))]
)
def test_printed_weights_do_not_sum_to_one(radius, total):
    assert weight_sums(10, radius)[4 if radius < 4 else 0] == total
    assert set(weight_sums(10, radius, "myerson")) == {1}


def test_the_printed_weights_at_the_end_of_a_chain():
    assert weight_sums(10, 9)[0] == Fraction(65, 132)


def test_myersons_weight_is_the_probability_that_a_player_completes_a_component():
    neighbours, d = from_edges(5, [(0, 1), (1, 2), (1, 3), (3, 4)]), 5
    for members, around in connected_sets(neighbours, 1, tuple(range(d))):
        hits = 0
        for order in permutations(range(d)):
            before = set(order[: order.index(1) + 1])
            reached = {1}
            while more := {j for i in reached for j in neighbours[i] if j in before} - reached:
                reached |= more
            hits += reached == members
        estimator = create("c-shapley", {"weights": "myerson"})
        weights = dict(estimator.terms(neighbours, 1, tuple(range(d))))
        assert weights[members] == pytest.approx(hits / 120)
        assert around == sum(
            any(j in neighbours[i] for i in members) for j in set(range(d)) - members
        )


@pytest.mark.parametrize("outside", ["absent", "present"])
def test_l_shapley_is_the_shapley_value_of_the_neighbourhood(outside):
    d, game = 7, TabularGame(RNG(2).normal(size=1 << 7))
    values = exact(create("l-shapley", {"radius": 2, "outside": outside}), game)
    for i in range(d):
        near = ball(chain(d), i, 2)
        far = 0 if outside == "absent" else sum(1 << j for j in range(d) if j not in near)
        rows = np.array([far | sum(1 << near[k] for k in range(len(near)) if s >> k & 1)
                         for s in range(1 << len(near))])  # fmt: skip
        table = game.values[rows]
        assert values[i] == pytest.approx(shapley_from_table(table)[near.index(i)])


@pytest.mark.parametrize("width", [0, 1, 2])
def test_l_shapley_is_exact_where_interactions_are_local(width):
    game = local_game(8, width, RNG(3))
    truth = shapley_from_table(game.values)
    assert exact(create("l-shapley", {"radius": max(width, 1)}), game) == pytest.approx(truth)
    beyond = exact(create("l-shapley", {"radius": 1}), local_game(8, 3, RNG(3)))
    assert not np.allclose(beyond, shapley_from_table(local_game(8, 3, RNG(3)).values))


def test_bias_of_l_shapley_is_what_the_moebius_coefficients_say():
    d, radius, rng = 6, 1, RNG(5)
    coefficients = rng.normal(size=1 << d)
    coefficients[0] = 0.0
    members = all_coalitions(d)
    values = np.array([coefficients[[(s & ~t) == 0 for s in range(1 << d)]].sum()
                       for t in range(1 << d)])  # fmt: skip
    game = TabularGame(values)
    estimated = exact(create("l-shapley", {"radius": radius}), game)
    truth = shapley_from_table(values)
    for i in range(d):
        near = set(ball(chain(d), i, radius))
        left_out = sum(
            coefficients[s] / members[s].sum()
            for s in range(1, 1 << d)
            if members[s, i] and not set(np.flatnonzero(members[s])) <= near
        )
        assert estimated[i] - truth[i] == pytest.approx(-left_out)


def test_c_shapley_by_its_printed_sum():
    d, k, game = 6, 2, TabularGame(RNG(4).normal(size=1 << 6))
    values = exact(create("C-Shapley", {"radius": k}), game)
    for i in range(d):
        total = 0.0
        for low in range(max(0, i - k), i + 1):
            for high in range(i, min(d - 1, i + k) + 1):
                t, bits = high - low + 1, sum(1 << j for j in range(low, high + 1))
                gain = game.values[bits] - game.values[bits & ~(1 << i)]
                total += 2 / ((t + 2) * (t + 1) * t) * gain
        assert values[i] == pytest.approx(total)


class Watched:
    """The size of a coalition; keeps all coalitions it is asked for."""

    def __init__(self, n_players):
        self.n_players, self.seen = n_players, []

    def __call__(self, coalitions):
        self.seen.append(coalitions.copy())
        return coalitions.sum(axis=1).astype(float)


@pytest.mark.parametrize(
    ("name", "radius", "d"), [("l-shapley", 2, 12), ("c-shapley", 3, 12), ("c-shapley", 1, 40)]
)
def test_distinct_coalitions_are_evaluated_once(name, radius, d):
    estimator, game = create(name, {"radius": radius}), Watched(d)
    budget = estimator.minimum_budget(d)
    assert estimator.estimate(CountedGame(game, budget), budget + 100, RNG(0)).evaluations == budget
    seen = np.concatenate(game.seen)
    assert len(seen) == len(np.unique(seen, axis=0)) == budget
    if name == "c-shapley":
        assert budget <= d * (radius + 1) ** 2 + d * (2 * radius + 1) + 1
    with pytest.raises(BudgetTooSmall):
        estimator.estimate(game, budget - 1, RNG(0))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"graph": "grid", "width": 5}, "12 players do not fill rows of 5; give a width that"),
        ({"graph": "edges", "edges": [[0, 12]]}, r"edge \[0, 12\] does not link two"),
        ({"graph": "edges", "edges": [[3, 3]]}, r"edge \[3, 3\] does not link two"),
        ({"radius": 10}, "and at most 20 are looked at"),
    ],
)
def test_a_graph_that_does_not_fit_is_refused(params, message):
    d = 22 if "radius" in params else 12
    with pytest.raises(ValueError, match=message):
        create("l-shapley", params).minimum_budget(d)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"radius": -1}, "must not be negative"),
        ({"graph": "edges"}, "give edges with graph 'edges'"),
        ({"edges": [[0, 1]]}, "give edges with graph 'edges'"),
    ],
)
def test_parameters_that_contradict_each_other_are_refused(params, message):
    with pytest.raises(ValueError, match=message):
        create("c-shapley", params)


def test_appro_semivalue_draws_with_the_weights_of_the_value():
    d, game = 5, Watched(5)
    create("ApproSemivalue").estimate(game, 2 * d * 20_000, RNG(1))
    before = np.concatenate([block[: len(block) // 2] for block in game.seen])[::d]
    assert not before[:, 0].any()
    sizes = np.bincount(before.sum(axis=1), minlength=d) / len(before)
    assert np.allclose(sizes, 1 / d, atol=0.015)
    of_two = before[before.sum(axis=1) == 2][:, 1:]
    shares = np.unique(of_two, axis=0, return_counts=True)[1] / len(of_two)
    assert np.allclose(shares, 1 / comb(d - 1, 2), atol=0.03)
