"""The process against formulas with a dense inverse, and the sets that it asks for."""

from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pytest

from shapaudit.estimators.fits import mixture, tuning
from shapaudit.estimators.fits.kriging import Kriging, Observations, Sets
from shapaudit.estimators.fits.likelihood import Hyper
from shapaudit.estimators.fits.screening import (
    asked_for,
    asked_of_trees,
    asks_for_any,
    candidates,
    every_set,
)
from shapaudit.estimators.fits.tuning import (
    ROWS,
    SETTLED,
    evenly,
    reweighted,
    settled,
    tuned,
    with_sets,
)
from shapaudit.games import all_coalitions
from shapaudit.truth import shapley_from_table

D = 6
SETS = Sets([np.array([[0, 1, 2], [1, 3, 5]]), np.array([[0, 1, 2, 3, 4]])], np.array([1.0, 2, 3]))


def rows_of(values, d=D, count=40, seed=0):
    """So many signs with the last all ones, and values that a function of signs gives."""
    rng = np.random.default_rng(seed)
    signs = np.vstack([np.where(rng.random((count, d)) < 0.5, 1.0, -1.0), np.ones(d)])
    return Observations(signs, values(signs), np.append(0.5 + rng.random(count), 0.0))


def hyper(d=D):
    rng = np.random.default_rng(5)
    return Hyper(0.5 * rng.random(d), 0.3, 0.2, 0.25, 0.4, 0.1, rng.standard_normal(d))


@pytest.fixture
def fit():
    rows = rows_of(lambda signs: signs[:, 0] * signs[:, 1] * signs[:, 2] + 2 * signs[:, 3])
    return Kriging(rows, hyper(), SETS)


def test_left_out_residuals_are_those_of_fits_without_the_row(fit):
    rows, k = fit.rows, 7
    others = rows.part(np.arange(len(rows.values)) != k)
    # The joint features are scaled by the rows, so the variance is scaled back.
    without = Kriging(others, fit.hyper, SETS)
    assert not np.allclose(without._joint_scales, fit._joint_scales, rtol=1e-12)
    precision = fit.precisions()
    inverse = np.linalg.inv(fit.factor @ fit.factor.T)
    image = inverse @ rows.signs
    full = inverse - image @ np.linalg.solve(rows.signs.T @ image, image.T)
    np.testing.assert_allclose(precision, np.diag(full), rtol=1e-8)
    np.testing.assert_allclose(fit.dual, full @ rows.values, rtol=1e-7, atol=1e-9)
    covariance = fit.factor @ fit.factor.T
    kept = np.arange(len(rows.values)) != k
    inner = np.linalg.inv(covariance[np.ix_(kept, kept)])
    signs, values = rows.signs[kept], rows.values[kept]
    slopes = np.linalg.solve(signs.T @ inner @ signs, signs.T @ inner @ values)
    mean = rows.signs[k] @ slopes + covariance[k, kept] @ inner @ (values - signs @ slopes)
    assert fit.dual[k] / precision[k] == pytest.approx(rows.values[k] - mean)


def test_the_mean_at_the_rows_and_its_residuals_are_the_values(fit):
    sums = fit.at(fit.rows.signs) + fit.residuals()
    np.testing.assert_allclose(sums, fit.rows.values, atol=1e-9)
    assert fit.at(fit.rows.signs)[-1] == pytest.approx(fit.rows.values[-1], abs=1e-6)


def test_covariances_across_serve_all_processes_of_the_same_relevances(fit):
    signs = np.where(all_coalitions(D), 1.0, -1.0)
    across = fit.across(signs)
    other = fit.changed(replace(fit.hyper, noise=0.5, interactions=2.0), Sets())
    for process in (fit, other):
        np.testing.assert_allclose(process.at(signs, across), process.at(signs), rtol=1e-12)
    assert not np.allclose(fit.at(signs, 2.0 * across), fit.at(signs))
    np.testing.assert_allclose(
        fit.across(fit.rows.signs)[np.tril_indices(41)], fit.alone[np.tril_indices(41)], atol=1e-12
    )


def test_the_shapley_values_are_those_of_the_mean(fit):
    table = fit.at(np.where(all_coalitions(D), 1.0, -1.0))
    np.testing.assert_allclose(fit.shapley(), shapley_from_table(table), atol=1e-10)


def test_information_is_that_of_each_feature_alone(fit):
    features = fit.rows.signs.T[:3] * fit.rows.signs.T[3:]
    inverse = np.linalg.inv(fit.factor @ fit.factor.T)
    image = inverse @ fit.rows.signs
    full = inverse - image @ np.linalg.solve(fit.rows.signs.T @ image, image.T)
    np.testing.assert_allclose(fit.information(features), [f @ full @ f for f in features])


def test_sets_that_carry_the_game_are_found_and_the_game_with_them():
    members = [[0, 3, 7], [1, 2, 11], [0, 3, 5, 7, 8]]

    def values(signs):
        return sum(signs[:, s].prod(axis=1) for s in members) + signs @ np.arange(12.0)

    rows = rows_of(values, 12, 150)
    plain = Kriging(rows, tuned(rows))
    fit = with_sets(plain)
    chosen = {tuple(s) for order in fit.sets.members for s in order.tolist()}
    assert chosen >= {tuple(s) for s in members}
    fresh = rows_of(values, 12, 50, seed=3)
    missed = [np.abs(process.at(fresh.signs) - fresh.values).max() for process in (plain, fit)]
    assert missed[1] < 1e-3 * missed[0]


def test_features_that_the_additive_part_has_carry_no_information(fit):
    features = np.vstack([fit.rows.signs.T[:2], fit.rows.signs[:, 0] * fit.rows.signs[:, 1]])
    information = fit.information(features)
    assert (information[:2] == 0).all()
    assert information[2] > 0


def test_sets_without_information_are_not_asked_for(monkeypatch):
    rows = rows_of(lambda signs: 5.0 * signs[:, :3].prod(axis=1), 12, 100)
    fit = Kriging(rows, hyper(12))
    assert asked_for(fit)[0] != []
    monkeypatch.setattr(Kriging, "information", lambda self, features: np.zeros(len(features)))
    assert asked_for(fit)[0] == []


@pytest.mark.parametrize(("count", "few"), [(150, 151), (300, ROWS + D), (1000, 400 + D)])
def test_two_fifths_of_many_rows_choose_the_hyperparameters(monkeypatch, count, few):
    seen, likely = [], tuning.most_likely
    monkeypatch.setattr(
        tuning, "most_likely", lambda *given: seen.append(len(given[0])) or likely(*given)
    )
    tuned(rows_of(lambda signs: signs[:, :3].prod(axis=1) + signs[:, 1], count=count))
    assert seen[-1] == few


def test_trees_propose_sets_that_their_splits_have_found():
    """In a game of five among twenty players, whose sets are those of the five."""

    def values(signs):
        five = np.prod(1.0 + signs[:, :5], axis=1) - np.prod(1.0 - signs[:, :5], axis=1)
        return five / 8 + signs @ np.linspace(-1.0, 1.0, signs.shape[1])

    rows = rows_of(values, 20, 300)
    fit = Kriging(rows, tuned(rows))
    members, variances = asked_of_trees(fit)
    sets = {tuple(s) for order in members for s in order.tolist()}
    assert len(sets) > 5
    assert all(set(s) <= set(range(5)) for s in sets)
    assert all(list(s) == sorted(s) for s in sets)
    assert len(sets) == len(variances)
    assert (variances > 0).all()
    again = fit.changed(fit.hyper, Sets(members, 1e-12 * variances))  # which explain nothing
    assert not sets & {tuple(s) for order in asked_of_trees(again)[0] for s in order.tolist()}
    steeper = replace(rows, values=rows.values + 100.0 * rows.signs[:, 19])
    same = asked_of_trees(Kriging(steeper, fit.hyper))[0]
    assert {tuple(s) for order in same for s in order.tolist()} == sets
    assert sets & {tuple(s) for order in with_sets(fit, 0).sets.members for s in order.tolist()}
    few = rows_of(values, 12, 100)
    assert asked_of_trees(Kriging(few, tuned(few)))[0] == []


@pytest.mark.parametrize("stems", [0, 64])
def test_sets_of_five_extend_sets_of_three_that_the_fit_has(monkeypatch, stems):
    """Once a set of three is known it agrees with nothing, and no new one leads to the five."""
    monkeypatch.setattr("shapaudit.estimators.fits.screening.OWN_STEMS", stems)

    def values(signs):
        return signs[:, [4, 7, 9]].prod(axis=1) + 0.5 * signs[:, [1, 4, 7, 9, 12]].prod(axis=1)

    rows = rows_of(values, 20, 200)
    fit = Kriging(rows, hyper(20), Sets([np.array([[4, 7, 9], [0, 2, 3]])], np.array([1.0, 0.1])))
    fives = [block.tolist() for sets, _ in candidates(fit) for block in sets if block.shape[1] == 5]
    assert ([1, 4, 7, 9, 12] in fives[0]) == (stems > 0)


def test_noise_asks_for_no_set():
    rows = rows_of(lambda signs: np.random.default_rng(2).standard_normal(len(signs)), 10, 100)
    fit = Kriging(rows, tuned(rows))
    variances = asked_for(fit)[1]
    assert len(variances) <= 1


@pytest.mark.parametrize("d", [7, 20])
def test_any_set_is_asked_for_where_there_are_some(d):
    asked = set()
    for seed in range(8):
        noise = np.random.default_rng(seed).standard_normal(151)
        for size in (0, 3, 5):
            strength = 2.0 if size else 0.0
            rows = rows_of(lambda s, k=size, b=strength: b * s[:, :k].prod(axis=1), d, 150)
            fit = Kriging(replace(rows, values=rows.values + noise), hyper(d))
            asks = bool(asked_for(fit)[0] or asked_of_trees(fit)[0])
            assert asks_for_any(fit) == asks
            asked.add((size > 0, asks))
    # Trees have seen the rows, and so among many players they propose some sets for noise too.
    assert asked >= ({(True, True), (False, False)} if d == 7 else {(True, True), (False, True)})


def test_a_covariance_that_has_no_factor_gets_more_on_its_diagonal():
    rows = rows_of(lambda signs: signs[:, 0] * signs[:, 1] * signs[:, 2])
    rows = Observations(np.vstack([rows.signs, rows.signs]), np.tile(rows.values, 2), np.zeros(82))
    broken = Kriging(rows, hyper()).alone - 1e-5 * np.eye(82)  # the same rows twice, less a little
    fit = Kriging(rows, replace(hyper(), joint=0.0, profile=0.0), alone=broken)
    covariance = 0.5 * (fit.factor @ fit.factor.T - np.diag(fit.nugget))
    np.testing.assert_allclose(np.tril(2 * covariance), np.tril(broken), atol=1e-12)
    assert 1e-5 < fit.nugget.max() == fit.nugget.min() < 30 * 1e-5
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        Kriging(rows, hyper(), alone=broken - 10.0 * np.eye(82))


def test_among_few_players_the_sets_are_those_of_largest_agreement_also_for_their_variance():
    rows = rows_of(lambda signs: signs[:, [0, 2, 3, 4, 5]].prod(axis=1) + signs[:, 1])
    fit = Kriging(rows, hyper(), Sets([np.array([[0, 1, 2]])], np.ones(1)))
    rounds = list(every_set(fit))
    orders = [[block.shape[1] for block in sets] for sets, _ in rounds]
    assert orders[0] == [3]
    assert orders[1] == [5]
    for sets, numbers in rounds:
        order = np.concatenate([np.full(len(block), block.shape[1]) for block in sets])
        np.testing.assert_array_equal(numbers, [comb(D, k) for k in order])
    triples = rounds[0][0][0].tolist()
    dual, signs = fit.dual, rows.signs
    noise = fit.nugget.mean() / len(dual)

    def strength(members):
        prior = fit.kernel.relevance[list(members)].prod() / fit.kernel.variance
        return (dual @ signs[:, members].prod(axis=1)) ** 2 * (prior + noise)

    def agreement(members):
        return abs(dual @ signs[:, members].prod(axis=1))

    every = [s for s in combinations(range(D), 3) if s != (0, 1, 2)]
    most = len(dual) // 4
    best = [set(sorted(every, key=key)[-most:]) for key in (strength, agreement)]
    assert sorted(triples) == sorted(map(list, best[0] | best[1]))
    assert best[0] != best[1]
    assert [0, 2, 3, 4, 5] in [set_ for block in rounds[1][0] for set_ in block.tolist()]


def test_sets_that_the_fit_has_are_not_asked_for_again():
    rows = rows_of(lambda signs: signs[:, [0, 1, 2]].prod(axis=1) + signs[:, 1], count=80)
    fit = Kriging(rows, hyper(), Sets([np.array([[0, 1, 2]])], np.array([1e-9])))
    sets = [block for blocks, _ in every_set(fit) for block in blocks]
    assert sum(map(len, sets)) == 19 + 6
    assert [0, 1, 2] not in sets[0].tolist()


def test_the_trace_of_the_noise_is_estimated_from_random_signs(monkeypatch):
    rows = rows_of(lambda signs: signs[:, 0] * signs[:, 1] * signs[:, 2], 12, 400)
    fit = Kriging(rows, tuned(rows))
    exact = rows.noises @ fit.precisions()
    assert fit.expected()[2] != exact
    assert fit.expected()[2] == pytest.approx(exact, rel=0.1)
    monkeypatch.setattr("shapaudit.estimators.fits.kriging.PROBES", 1000)
    assert fit.expected()[2] == exact


def test_what_is_expected_of_features_is_their_information(fit):
    products, joint, noise = fit.expected()
    np.testing.assert_allclose(products, fit.information(fit.products))
    assert joint == pytest.approx(fit.information(fit.joint).sum())
    assert noise == pytest.approx(fit.rows.noises @ fit.precisions())


def test_a_part_of_a_process_is_one_of_these_rows(fit):
    kept = np.arange(len(fit.rows.values)) % 3 != 1
    expected, part = Kriging(fit.rows.part(kept), fit.hyper, SETS), fit.part(kept)
    np.testing.assert_allclose(part.dual, expected.dual, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(part.shapley(), expected.shapley(), rtol=1e-9)


def test_changed_weights_give_other_joint_features(fit):
    weights = np.roll(fit.hyper.weights, 1)
    moved = replace(fit.hyper, weights=weights, joint=2.0)
    np.testing.assert_array_equal(
        fit.changed(moved, SETS).dual, Kriging(fit.rows, moved, SETS).dual
    )
    same = replace(fit.hyper, joint=2.0)
    np.testing.assert_array_equal(fit.changed(same, SETS).dual, Kriging(fit.rows, same, SETS).dual)


def test_no_slope_has_a_smaller_standard_error_than_the_least(fit):
    inverse = np.linalg.inv(fit.factor @ fit.factor.T)
    precision = fit.rows.signs.T @ inverse @ fit.rows.signs
    errors = np.sqrt(fit.scale * np.diag(np.linalg.inv(precision)))
    least = fit.least_slope_error()
    assert 0.3 * errors.min() < least <= errors.min()
    assert least == pytest.approx(np.sqrt(fit.scale / np.diag(precision).max()))


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_weights_settle_to_those_of_the_additive_part(noise):
    def values(signs):
        errors = np.random.default_rng(1).normal(size=len(signs))
        return np.sinh(signs @ np.linspace(-0.5, 0.5, 12)) + noise * errors

    def moved(fit):
        return (
            np.linalg.norm(fit.slopes)
            * np.abs(fit.slopes / np.linalg.norm(fit.slopes) - fit.hyper.weights).max()
        )

    rows = rows_of(values, 12, 120)
    plain = Kriging(rows, tuned(rows))
    fit = settled(plain)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("shapaudit.estimators.fits.tuning.UNSETTLED", 1.1)
        assert settled(plain) is plain
    assert fit.joint_share() > 0.99
    share, least = SETTLED
    enough = max(share * fit.least_slope_error(), least * np.linalg.norm(fit.slopes))
    assert moved(fit) < enough < moved(plain)


def test_reweighting_lets_go_of_what_the_data_do_not_show():
    rows = rows_of(lambda signs: signs[:, 0] * signs[:, 1] * signs[:, 2] + 0 * signs[:, 0])
    sets = Sets([np.array([[0, 1, 2], [3, 4, 5]])], np.array([1.0, 1.0]))
    fit = Kriging(rows, hyper(), sets)
    variances = reweighted(fit)[1].variances
    assert variances[0] > 20 * variances[1]


def test_joined_sets_keep_their_variances():
    more = SETS.joined([np.array([[2, 3, 4]])], np.array([7.0]))
    by_order = {block.shape[1]: block.tolist() for block in more.members}
    assert by_order[3] == [[0, 1, 2], [1, 3, 5], [2, 3, 4]]
    assert more.variances.tolist() == [1.0, 2.0, 7.0, 3.0]
    empty = Sets().joined([np.array([[2, 3, 4]])], np.array([7.0]))
    assert empty.variances.tolist() == [7.0]


def test_evenly_spaced_rows_hold_the_last():
    assert evenly(100, 7).tolist()[-1] == 99
    assert evenly(5, 7).tolist() == [0, 1, 2, 3, 4]


def test_players_that_are_always_together_have_equal_slopes():
    rows = rows_of(lambda signs: signs @ np.arange(1.0, D + 1))
    signs = rows.signs.copy()
    signs[:, 1] = signs[:, 0]
    apart = Hyper(np.full(D, 0.3), 0.0, 0.0, 0.0, 0.0, 0.01, np.zeros(D))
    slopes = Kriging(Observations(signs, signs @ np.arange(1.0, D + 1), rows.noises), apart).slopes
    np.testing.assert_allclose(slopes, [1.5, 1.5, 3, 4, 5, 6], rtol=1e-6)


def test_a_row_that_alone_determines_a_slope_has_no_residual_left_out():
    class Fitted:
        dual = np.array([6e-16, 3.0, -2.0])

        def precisions(self):
            return np.array([0.0, 4.0, 0.5])

    np.testing.assert_array_equal(mixture._left_out(Fitted()), [0.0, 0.75, -4.0])


def test_sets_of_relevant_players_are_looked_at_first():
    """Without noise thousands of sets agree as much as those that determine the game."""
    seven = [0, 1, 3, 4, 6, 8, 9]
    rows = rows_of(lambda signs: signs[:, seven].prod(axis=1), 10, 99, 6)
    asked, _ = asked_for(Kriging(rows, tuned(rows)))
    assert seven in [set_ for order in asked for set_ in order.tolist()]


def test_a_round_that_finds_a_single_set_is_the_last_where_all_are_looked_at(monkeypatch):
    sets = np.array([[0, 4, 5], [0, 6, 7]])
    for players, count, expected in ((10, 1, 1), (10, 2, 3), (17, 1, 3)):
        rounds = []

        def asked(fit, rounds=rounds, number=count):
            rounds.append(len(rounds))
            return [sets[:number] + np.array([rounds[-1], 0, 0])], np.ones(number)

        monkeypatch.setattr(tuning, "asked_for", asked)
        rows = rows_of(lambda signs: signs[:, :3].prod(axis=1), players, 60)
        with_sets(Kriging(rows, hyper(players)))
        assert len(rounds) == expected
