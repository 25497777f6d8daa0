"""Estimators that stratify coalitions by size, with and without marginal contributions."""

import numpy as np
import pytest
from scipy.special import comb

from shapaudit.estimators.complementary import (
    ComplementaryContributions,
    NeymanComplementaryContributions,
    _empty_strata,
)
from shapaudit.estimators.featurewise_order import moments_by_stratum
from shapaudit.estimators.strata import border_cost, border_values, cover
from shapaudit.estimators.stratified import StratifiedSampling
from shapaudit.estimators.svarm import SVARM, StratifiedSVARM, stratified_sizes
from shapaudit.games import CountedGame, TabularGame, WeightedMajorityGame, tabulate
from shapaudit.truth import shapley_from_table

APART = [StratifiedSampling(rule) for rule in ("uniform", "growing", "deviation")]
STREAMS = [SVARM(), StratifiedSVARM(), ComplementaryContributions()]
ESTIMATORS = [*APART, *STREAMS, NeymanComplementaryContributions()]
each = pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)


def random_game(d, seed=0):
    """A game whose values are far from 0, so that an empty stratum shows."""
    return TabularGame(5.0 + np.random.default_rng(seed).normal(size=1 << d))


def z_scores(estimator, game, budget, runs=1000):
    truth = shapley_from_table(game.values)
    rng = np.random.default_rng(0)
    errors = np.array([estimator.estimate(game, budget, rng).values - truth for _ in range(runs)])
    return errors.mean(axis=0) / (errors.std(axis=0, ddof=1) / np.sqrt(runs))


@pytest.mark.parametrize(
    ("estimator", "d"),
    [*((e, d) for e in APART for d in (1, 2)), *((StratifiedSVARM(), d) for d in (1, 2, 3))],
    ids=str,
)
def test_exact_where_nothing_is_left_to_draw(estimator, d):
    game = random_game(d)
    budget = estimator.exact_budget(d)
    estimate = estimator.estimate(game, budget, np.random.default_rng(0))
    np.testing.assert_allclose(estimate.values, shapley_from_table(game.values), atol=1e-12)
    np.testing.assert_array_equal(estimate.standard_errors, np.zeros(d))


def test_which_are_exact_for_how_many_players():
    assert [StratifiedSampling().exact_budget(d) for d in (1, 2, 3)] == [2, 4, None]
    assert [StratifiedSVARM().exact_budget(d) for d in (1, 2, 3, 4)] == [2, 4, 8, None]


@pytest.mark.parametrize("estimator", [e for e in ESTIMATORS if e.card.unbiased], ids=str)
@pytest.mark.parametrize(("d", "more"), [(4, 0), (5, 23)])
def test_unbiased_from_the_minimum_budget_on(estimator, d, more):
    budget = estimator.minimum_budget(d) + more
    assert np.abs(z_scores(estimator, random_game(d, seed=11), budget)).max() < 4.0


def test_without_its_warm_up_an_estimator_is_biased():
    class Cold(ComplementaryContributions):
        def start(self, game, rng):
            return _empty_strata(game)

    values = random_game(5, seed=11).values
    skewed = TabularGame(values * np.bitwise_count(np.arange(32)))
    budget = Cold().minimum_budget(5)
    assert np.abs(z_scores(Cold(), skewed, budget)).max() > 6.0
    assert np.abs(z_scores(ComplementaryContributions(), skewed, budget)).max() < 4.0


@each
def test_standard_errors_cover_at_the_stated_rate(estimator):
    game = random_game(5, seed=11)
    truth = shapley_from_table(game.values)
    covered = []
    for s in range(350):
        estimate = estimator.estimate(game, 2000, np.random.default_rng(s))
        covered.append(np.abs(estimate.values - truth) <= 1.96 * estimate.standard_errors)
    assert np.mean(covered) == pytest.approx(0.95, abs=0.025)


@each
def test_no_standard_error_where_a_stratum_has_one_draw(estimator):
    budget = estimator.minimum_budget(6)
    estimate = estimator.estimate(random_game(6), budget, np.random.default_rng(0))
    twice = isinstance(estimator, NeymanComplementaryContributions) or estimator == APART[2]
    assert (estimate.standard_errors is not None) == twice


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7])
def test_covers_hold_every_player_once_or_twice_and_are_uniform(size):
    rng = np.random.default_rng(0)
    covers = np.array([cover(7, size, rng) for _ in range(3000)])
    assert covers.shape[1] == -(-7 // size)
    assert (covers.sum(axis=2) == size).all()
    assert set(np.unique(covers.sum(axis=1))) <= {1, 2}
    # Given that player 0 is in the last piece, the others are in it alike.
    last = covers[:, -1][covers[:, -1, 0]][:, 1:].mean(axis=0)
    expected = (size - 1) / 6
    spread = np.sqrt(max(expected * (1 - expected), 1e-12) / covers[:, -1, 0].sum())
    assert np.abs(last - expected).max() <= 4 * spread


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_border_values_read_the_outermost_coalitions_once(d):
    game = random_game(d)
    counted = CountedGame(game)
    empty, grand, singles, all_but = border_values(counted)
    assert counted.evaluations == border_cost(d) <= 1 << d
    players = 1 << np.arange(d)
    assert (empty, grand) == (game.values[0], game.values[-1])
    np.testing.assert_array_equal(singles, game.values[players])
    np.testing.assert_array_equal(all_but, game.values[(1 << d) - 1 - players])


@pytest.mark.parametrize("d", [4, 5, 6, 9, 16])
def test_published_size_distribution_of_stratified_svarm(d):
    p = stratified_sizes(d)
    assert p.sum() == pytest.approx(1)
    np.testing.assert_allclose(p, p[::-1])
    if d % 2 == 0 and d > 4:
        assert p[d // 2 - 2] == pytest.approx(1 / (d * np.log(d)))
    harmonic = np.sum(1.0 / np.arange(1, (d + 1) // 2)) - 1.0
    if d % 2:
        assert p[0] == pytest.approx(1 / (4 * harmonic))


def test_svarm_has_the_variance_of_its_random_counts_within_the_published_bound():
    d, pairs, runs = 5, 10, 2000
    game = random_game(d, seed=3)
    budget = SVARM().minimum_budget(d) + 2 * pairs
    values = [SVARM().estimate(game, budget, np.random.default_rng(s)).values for s in range(runs)]
    inside = (np.arange(32)[:, None] >> np.arange(d)) & 1
    size = np.bitwise_count(np.arange(32))
    variance = np.zeros(d)
    for member, served in ((1, size), (0, d - size)):
        law = (inside == member) / np.maximum(served * comb(d, size), 1)[:, None]
        assert law.sum(axis=0) == pytest.approx(np.ones(d))
        variance += np.square(game.values) @ law - np.square(game.values @ law)
    # A draw serves a player with probability 1 / H_d, the warm-up once for sure.
    p = 1.0 / np.sum(1.0 / np.arange(1, d + 1))
    expected = variance * (1 - (1 - p) ** (pairs + 1)) / ((pairs + 1) * p)
    np.testing.assert_allclose(np.var(values, axis=0), expected, rtol=0.13)
    assert (expected < variance / (pairs * p)).all()


def test_neyman_allocation_helps_where_one_size_holds_the_variance():
    d = 8
    size = np.bitwise_count(np.arange(1 << d))
    noise = np.random.default_rng(0).normal(size=1 << d)
    game = TabularGame(np.where(size == 4, 10.0, 0.1) * noise)
    truth = shapley_from_table(game.values)

    def error(estimator):
        runs = [estimator.estimate(game, 1000, np.random.default_rng(s)).values for s in range(200)]
        return np.square(np.array(runs) - truth).sum(axis=1).mean()

    plain, neyman = (
        error(e) for e in (ComplementaryContributions(), NeymanComplementaryContributions())
    )
    assert neyman < 0.5 * plain
    uniform, deviation = (error(e) for e in (APART[0], APART[2]))
    assert deviation < 0.8 * uniform


def test_two_stages_are_biased_beyond_their_standard_errors_on_a_voting_game():
    votes = np.random.default_rng(0).integers(1, 20, size=10)
    game = tabulate(WeightedMajorityGame(votes, int(votes.sum()) // 2))
    truth = shapley_from_table(game.values)

    def bias_over_variance(estimator):
        runs = np.array(
            [estimator.estimate(game, 1500, np.random.default_rng(s)).values for s in range(300)]
        )
        squared = np.square(runs.mean(axis=0) - truth).sum()
        return squared / runs.var(axis=0, ddof=1).sum()

    assert bias_over_variance(APART[0]) < 0.02
    assert bias_over_variance(APART[2]) > 0.1


def test_moments_of_strata_are_means_and_unbiased_variances():
    values = np.array([1.0, 4.0, 7.0, 2.0, 5.0, 9.0])
    stage = moments_by_stratum(values, np.array([3, 0, 1, 2]))
    assert stage.means.tolist() == [4.0, 0.0, 2.0, 7.0]
    assert stage.counts.tolist() == [3, 0, 1, 2]
    np.testing.assert_allclose(stage.variances, [9.0, np.nan, np.nan, 8.0])
