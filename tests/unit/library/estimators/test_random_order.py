"""Random-order estimators: structured and quasi-random walks, and players on their own."""

from math import factorial

import numpy as np
import pytest
from scipy.stats import chisquare, qmc, t

from shapaudit.estimators import AntitheticMonteCarlo, OptimisedMonteCarlo, PlainMonteCarlo
from shapaudit.estimators.featurewise_order import FeaturewiseOrder, subsets_without
from shapaudit.estimators.random_order import QuasiRandomOrder, RandomOrder
from shapaudit.games import ProductGame, SymmetricMajorityGame, TabularGame, tabulate
from shapaudit.truth import shapley_from_table

WALKS = [
    *(RandomOrder(name) for name in ("uniform", "antithetic", "cyclic", "williams", "orthogonal")),
    *(
        QuasiRandomOrder(name, 4, reverses)
        for name in ("sobol", "permutohedron")
        for reverses in (False, True)
    ),
]
ALONE = [
    FeaturewiseOrder(pairs, rule)
    for pairs in (False, True)
    for rule in ("uniform", "variance", "deviation")
]
ESTIMATORS = WALKS + ALONE
each = pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)


def random_game(d, seed=0):
    return TabularGame(np.random.default_rng(seed).normal(size=1 << d))


@pytest.mark.parametrize("estimator", [e for e in ESTIMATORS if e.card.unbiased], ids=str)
@pytest.mark.parametrize("more", [0, 23])
def test_unbiased(estimator, more):
    game = random_game(4, seed=11)
    truth = shapley_from_table(game.values)
    budget = estimator.minimum_budget(4) + more
    runs = 300 if isinstance(estimator, QuasiRandomOrder) else 1000
    errors = np.array(
        [
            estimator.estimate(game, budget, np.random.default_rng(s)).values - truth
            for s in range(runs)
        ]
    )
    z = errors.mean(axis=0) / (errors.std(axis=0, ddof=1) / np.sqrt(runs))
    assert np.abs(z).max() < 4.0


@each
def test_standard_errors_cover_at_the_stated_rate(estimator):
    game = random_game(4, seed=11)
    truth = shapley_from_table(game.values)
    runs = 250
    quasi = isinstance(estimator, QuasiRandomOrder)
    quantile = t.ppf(0.975, estimator.replicates - 1 if quasi else 60)
    covered = np.empty(runs)
    for s in range(runs):
        estimate = estimator.estimate(game, 1500, np.random.default_rng(s))
        covered[s] = (np.abs(estimate.values - truth) <= quantile * estimate.standard_errors).mean()
    assert covered.mean() == pytest.approx(0.95, abs=0.03)


def test_no_standard_error_from_a_single_unit():
    game = random_game(4)
    for estimator in (RandomOrder("cyclic"), FeaturewiseOrder(), QuasiRandomOrder("sobol", 1)):
        budget = estimator.minimum_budget(4)
        estimate = estimator.estimate(game, budget, np.random.default_rng(0))
        assert estimate.standard_errors is None


@pytest.mark.parametrize(
    ("name", "known"), [("uniform", OptimisedMonteCarlo()), ("antithetic", AntitheticMonteCarlo())]
)
def test_the_known_walks_to_the_last_bit(name, known):
    game = random_game(6)
    named, other = (
        e.estimate(game, 500, np.random.default_rng(2)) for e in (RandomOrder(name), known)
    )
    np.testing.assert_array_equal(named.values, other.values)
    np.testing.assert_array_equal(named.standard_errors, other.standard_errors)


def test_one_cycle_solves_games_whose_contributions_depend_on_the_position_alone():
    game = SymmetricMajorityGame(7, 4)
    estimate = RandomOrder("cyclic").estimate(game, 7 * 7 + 1, np.random.default_rng(0))
    np.testing.assert_allclose(estimate.values, 1 / 7)


@pytest.mark.parametrize("name", ["sobol", "permutohedron"])
def test_quasi_random_walks_beat_independent_ones_on_a_smooth_game(name):
    factors = np.random.default_rng(1).uniform(0.6, 1.0, size=(2, 6))
    game = tabulate(ProductGame(*factors))
    truth = shapley_from_table(game.values)

    def error(estimator):
        runs = [
            estimator.estimate(game, 6 * 512 + 1, np.random.default_rng(s)).values
            for s in range(40)
        ]
        return np.square(np.array(runs) - truth).sum(axis=1).mean()

    assert error(QuasiRandomOrder(name, 2)) < 0.3 * error(OptimisedMonteCarlo())


def test_the_defaults_are_four_shifted_sobol_sequences():
    """By hand: four digital shifts of one scrambled sequence, sorted, each walked by the table."""
    d, n, rng = 3, 8, np.random.default_rng(5)
    points = qmc.Sobol(d, bits=30, rng=rng).random_base2(3)
    shifts = rng.integers(1 << 30, size=(4, 1, d))
    orders = np.argsort((points * (1 << 30)).astype(int) ^ shifts, axis=-1)
    game = random_game(d)
    means = np.zeros((4, d))
    for replicate, order in ((r, order) for r in range(4) for order in orders[r]):
        coalition = 0
        for player in order:
            gain = game.values[coalition | 1 << player] - game.values[coalition]
            means[replicate, player] += gain / n
            coalition |= 1 << player
    estimate = QuasiRandomOrder().estimate(game, 4 * n * d + 1, np.random.default_rng(5))
    assert estimate.evaluations == 4 * n * d + 1
    np.testing.assert_allclose(estimate.values, means.mean(axis=0))
    np.testing.assert_allclose(estimate.standard_errors, means.std(axis=0, ddof=1) / 2)


@pytest.mark.parametrize("name", ["sobol", "permutohedron"])
def test_cards_tell_of_reverses_where_there_are_some_and_what_they_cost(name):
    once, twice = QuasiRandomOrder(name).card, QuasiRandomOrder(name, antithetic=True).card
    assert once.definition.endswith("Sobol' points" + " on the sphere" * (name != "sobol") + ".")
    assert twice.definition == once.definition.removesuffix(".") + ", and their reverses."
    assert (once.evaluations, twice.evaluations) == ("d n R + 1", "2 d n R + 1")
    for estimator in (QuasiRandomOrder(name), QuasiRandomOrder(name, 3, antithetic=True)):
        factor = estimator.replicates * (2 if estimator.antithetic else 1)
        estimate = estimator.estimate(random_game(5), 5 * 7 * factor + 3, np.random.default_rng(0))
        assert estimate.evaluations == 5 * 7 * factor + 1


def test_parameters_outside_their_choices_are_named():
    with pytest.raises(ValueError, match="replicates"):
        QuasiRandomOrder("sobol", 0)
    with pytest.raises(ValueError, match="latin"):
        RandomOrder("latin")
    with pytest.raises(ValueError, match="std"):
        FeaturewiseOrder(allocation="std")


class Recorder:
    """A game that keeps the coalitions it is asked for."""

    n_players = 4

    def __call__(self, coalitions):
        self.asked = coalitions
        return np.zeros(len(coalitions))


def coalitions_before(players):
    """Coalitions that three ways of drawing them put before one player of four."""
    rng = np.random.default_rng(0)
    count = 20_000
    alone, plain = Recorder(), Recorder()
    FeaturewiseOrder(False).estimate(alone, 8 * count, rng)
    PlainMonteCarlo().draw(plain, count, rng)
    orders = rng.permuted(np.tile(np.arange(4), (count, 1)), axis=1)
    ranks = np.argsort(orders, axis=1)
    drawn = subsets_without(np.full(count, players), rng.integers(4, size=count), 4, rng)
    return {
        "semivalue": drawn,
        "featurewise": alone.asked[: 4 * count].reshape(4, count, 4)[players],
        "IME": plain.asked[: 4 * count].reshape(count, 4, 4)[:, players],
        "permutation": ranks < ranks[:, [players]],
    }


@pytest.mark.parametrize("player", [0, 2, 3])
def test_ime_draws_from_the_semivalue_distribution(player):
    # Castro et al.'s ApproSemivalue, of which the law of a draw is all there is, is IME.
    for drawn in coalitions_before(player).values():
        counts = np.bincount(drawn @ (1 << np.arange(4)), minlength=16)
        sizes = np.bitwise_count(np.arange(16))
        outside = (np.arange(16) >> player & 1) == 0
        assert counts[~outside].sum() == 0
        law = np.array([factorial(s) * factorial(3 - s) / factorial(4) for s in sizes[outside]])
        assert chisquare(counts[outside], law * counts.sum()).pvalue > 1e-4


def test_allocation_by_the_deviation_beats_the_variance_and_an_equal_split():
    rng = np.random.default_rng(0)
    values = np.zeros(64)
    for player, scale in enumerate((1, 3, 9, 0, 0, 0)):
        values += scale * rng.normal(size=64) * ((np.arange(64) >> player) & 1)
    game = TabularGame(values)
    truth = shapley_from_table(game.values)

    def error(rule):
        estimator = FeaturewiseOrder(False, rule)
        runs = [estimator.estimate(game, 2400, np.random.default_rng(s)).values for s in range(300)]
        return np.square(np.array(runs) - truth).sum(axis=1).mean()

    errors = {rule: error(rule) for rule in ("uniform", "variance", "deviation")}
    assert errors["deviation"] < min(errors["uniform"], errors["variance"])


def test_two_stages_are_biased_on_a_skewed_game():
    # Each player's gain is 1 with probability 1/3; one whose first two draws are alike is drawn
    # no more as long as another's differ.
    values = np.zeros(8)
    values[7] = 1.0
    game = TabularGame(values)
    truth = shapley_from_table(values)

    def z(rule):
        estimator = FeaturewiseOrder(False, rule)
        budget = FeaturewiseOrder(False, "deviation").minimum_budget(3)
        errors = np.array(
            [
                estimator.estimate(game, budget, np.random.default_rng(s)).values - truth
                for s in range(1500)
            ]
        )
        return errors.mean(axis=0) / (errors.std(axis=0, ddof=1) / np.sqrt(len(errors)))

    assert np.abs(z("deviation")).max() > 5.0
    assert np.abs(z("uniform")).max() < 4.0
