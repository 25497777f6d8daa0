"""A process of the values: its covariance, its variances, residuals of pairs left out."""

import numpy as np
import pytest

from shapaudit.estimators.fits import value_process
from shapaudit.estimators.fits.additive import fit_additive
from shapaudit.estimators.fits.value_process import SIZES, fit_value_process
from shapaudit.estimators.pairs import Pairs, draw_pairs
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.truth import shapley_from_table
from solved_games import entry

RNG = np.random.default_rng(0)


def drawn(game, m, seed=0):
    return draw_pairs(game, 2 + 2 * m, "leverage", np.random.default_rng(seed))


def pairs_of(name, m, seed=0):
    solved = entry(name).solved
    return solved, drawn(solved.game, m, seed)


def changed(pairs, values, opposite, empty, grand):
    return Pairs(pairs.coalitions, values, opposite, pairs.weights, empty, grand)


def set_games(d):
    """Masks of all sets but the empty one; unanimity games and their duals at all coalitions."""
    masks = np.arange(1, 1 << d)
    everywhere = np.arange(1 << d)
    unanimity = (everywhere[:, None] & masks) == masks
    dual = (everywhere[:, None] & masks) > 0
    return np.bitwise_count(masks), unanimity.astype(float), dual.astype(float)


def prior(d, variances):
    """Of each set its variance, as a unanimity game and as a dual; larger sets have the last."""
    sizes, unanimity, dual = set_games(d)
    counts = np.bincount(sizes)[sizes]
    of_sizes = variances[:, np.minimum(sizes, variances.shape[1]) - 1]
    return of_sizes / counts, unanimity, dual


@pytest.fixture(params=[5, 6, 7, 8])
def some(request):
    """Rows of a game of so many players, and variances for each group of sizes."""
    pairs = drawn(TabularGame(RNG.standard_normal(1 << request.param)), 10)
    rows = value_process._rows(pairs)
    return request.param, rows, RNG.random((2, len(rows.tables)))


def test_the_covariance_is_that_of_the_sum_over_all_sets(some):
    d, rows, variances = some
    assert len(rows.tables) == min(d, SIZES + 1)
    (own, duals), unanimity, dual = prior(d, variances)
    everywhere = (unanimity * own) @ unanimity.T + (dual * duals) @ dual.T
    index = (rows.members @ (1 << np.arange(d))).astype(int)
    covariance = rows.covariance(variances, np.zeros(2), np.zeros(len(index)))
    expected = np.tril(everywhere[np.ix_(index, index)])
    np.testing.assert_allclose(covariance, expected, rtol=1e-7, atol=1e-9)


def test_sets_of_a_size_have_equal_coefficients_in_the_part_of_a_function_of_the_size(some):
    d, rows, variances = some
    sizes, *games = set_games(d)
    index = (rows.members @ (1 << np.arange(d))).astype(int)
    profile, n = np.array([0.3, 2.0]), len(index)
    expected = np.zeros((n, n))
    for variance, game in zip(profile, games, strict=True):
        for k in range(1, d + 1):
            mean = game[index][:, sizes == k].mean(axis=1)
            expected += variance / d * np.outer(mean, mean)
    without, both = (rows.covariance(variances, p, np.zeros(n)) for p in (0 * profile, profile))
    np.testing.assert_allclose(both - without, np.tril(expected), rtol=1e-6, atol=1e-7)
    matrix = RNG.standard_normal((n, n))
    precision, dual = matrix @ matrix.T, RNG.standard_normal(n)
    explained, share = rows.profile_sums(dual, np.tril(precision))
    assert profile @ explained == pytest.approx(dual @ expected @ dual)
    assert profile @ share == pytest.approx(np.vdot(precision, expected))


def test_its_shapley_values_are_those_of_the_sum_of_the_rows(some):
    d, rows, variances = some
    (own, duals), unanimity, dual = prior(d, variances)
    index = (rows.members @ (1 << np.arange(d))).astype(int)
    amounts = RNG.standard_normal(len(index))
    table = (unanimity * own) @ unanimity[index].T + (dual * duals) @ dual[index].T
    np.testing.assert_allclose(
        rows.shapley(variances, amounts), shapley_from_table(table @ amounts), atol=1e-12
    )


def test_what_a_group_explains_and_is_expected_to(some):
    _, rows, variances = some
    n, groups = len(rows.members), len(rows.tables)
    matrix = RNG.standard_normal((n, n))
    precision, dual = matrix @ matrix.T, RNG.standard_normal(n)
    explained, expected = rows.sums(dual, np.tril(precision))
    for kind in range(2):
        for group in range(groups):
            alone = np.zeros_like(variances)
            alone[kind, group] = 1.0
            part = np.tril(rows.covariance(alone, np.zeros(2), np.zeros(n)))
            part = part + np.tril(part, -1).T
            assert explained[kind, group] == pytest.approx(dual @ part @ dual, abs=1e-6)
            assert expected[kind, group] == pytest.approx(np.vdot(precision, part), abs=1e-5)


def test_more_players_than_integers_can_count_sets_of():
    tables, shares = value_process._tables(1000)
    assert np.isfinite(tables).all()
    assert np.isfinite(shares).all()
    assert np.diff(tables, axis=1).min() > -1e-12
    whole = tables.sum(axis=0)
    np.testing.assert_allclose(whole[-1], 1000.0)  # each size once, at the grand coalition
    np.testing.assert_allclose(1000 * shares[0, 1:], 1.0)


def test_a_residual_left_out_is_of_a_process_without_either_value(monkeypatch):
    """With variances that no value can change, as they are where there are no rounds."""
    monkeypatch.setattr(value_process, "ROUNDS", 0)
    _, pairs = pairs_of("range-10", 20)
    fit, row = fit_value_process(pairs), 7
    others = np.arange(20) != row
    kept = pairs.part(others)
    # The noise variances are relative to the mean weight, the scale to the values seen.
    rows, seen = value_process._rows(pairs), np.append(np.tile(others, 2), True)
    noises = np.append(np.tile(pairs.weights.mean() / pairs.weights, 2), 0.0)
    variances = np.full((2, len(rows.tables)), value_process.OTHERS)
    variances[:, 0] = value_process.ADDITIVE, 0.0
    profile = np.full(2, value_process.OTHERS)
    covariance = rows.covariance(variances, profile, value_process.NOISE * noises)
    covariance = np.tril(covariance) + np.tril(covariance, -1).T
    values = np.concatenate([kept.values, kept.opposite, [kept.grand]]) - pairs.empty
    told = covariance[np.ix_(~seen, seen)] @ np.linalg.solve(covariance[np.ix_(seen, seen)], values)
    own = np.array([pairs.values[row], pairs.opposite[row]]) - pairs.empty - told
    assert fit.left_out[row] == pytest.approx(0.5 * (own[0] - own[1]), rel=1e-6)


def test_variances_settle_where_each_part_explains_what_is_expected(monkeypatch):
    monkeypatch.setattr(value_process, "ROUNDS", 300)
    seen = {}

    def noted(part, expected):
        seen[np.ndim(part)] = np.array(part), np.array(expected)
        return step(part, expected)

    step = value_process.change
    monkeypatch.setattr(value_process, "change", noted)
    _, pairs = pairs_of("sparse-10", 60)
    fit_value_process(pairs)
    explained, expected = seen[2]
    # A part whose variance vanishes explains less than expected, one that stays just so much.
    assert (explained <= 1.02 * expected).all()
    assert np.sum(np.abs(explained / expected - 1.0) < 0.02) >= 3


def test_values_add_up_and_nothing_is_added_to_them():
    _, pairs = pairs_of("range-13", 29)
    fit = fit_value_process(pairs)
    assert fit.values.sum() == pytest.approx(pairs.total)
    assert (fit.left == 0).all()
    assert fit.chosen == 0


def test_units_and_the_value_of_nobody_do_not_matter():
    _, pairs = pairs_of("range-13", 29)
    moved = changed(
        pairs,
        *(
            7.0 + 100.0 * value
            for value in (pairs.values, pairs.opposite, pairs.empty, pairs.grand)
        ),
    )
    first, second = fit_value_process(pairs), fit_value_process(moved)
    np.testing.assert_allclose(second.values, 100.0 * first.values, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(second.left_out, 100.0 * first.left_out, rtol=1e-6, atol=1e-8)


def test_a_game_of_nothing_has_values_of_nothing():
    pairs = drawn(TabularGame(np.zeros(1 << 6)), 12)
    fit = fit_value_process(pairs)
    np.testing.assert_allclose(fit.values, 0.0)
    np.testing.assert_allclose(fit.left_out, 0.0)


def test_the_dual_of_a_game_has_the_same_values_where_kinds_change_places():
    """The dual of v is v(D) - v(D minus S): unanimity games become their duals."""
    _, pairs = pairs_of("sparse-10", 40)
    grand = pairs.grand - pairs.empty
    dual = changed(pairs, pairs.grand - pairs.opposite, pairs.grand - pairs.values, 0.0, grand)
    first, second = fit_value_process(pairs), fit_value_process(dual)
    np.testing.assert_allclose(first.values, second.values, atol=1e-4 * np.abs(first.values).max())


@pytest.mark.parametrize(("name", "m", "ratio"), [("range-13", 29, 0.9), ("sparse-10", 29, 0.8)])
def test_few_pairs_say_more_than_their_differences(name, m, ratio):
    errors = []
    for seed in range(4):
        solved, pairs = pairs_of(name, m, seed)
        fits = fit_value_process(pairs), fit_additive(pairs)
        errors.append([np.linalg.norm(fit.values - solved.values) for fit in fits])
    process, plain = np.mean(errors, axis=0)
    assert process < ratio * plain


def test_fewer_pairs_than_coefficients_of_order_three_say_much():
    """90 pairs for 130 coefficients of the odd part; the even part comes from the same sets."""
    d, rng = 10, np.random.default_rng(5)
    sizes, unanimity, _ = set_games(d)
    own = rng.standard_normal(len(sizes)) * (sizes <= 3) * (rng.random(len(sizes)) < 0.5)
    game = TabularGame(unanimity @ own)
    exact, errors = shapley_from_table(game(all_coalitions(d))), []
    for seed in range(3):
        pairs = drawn(game, 90, seed)
        fits = fit_value_process(pairs), fit_additive(pairs)
        errors.append([np.linalg.norm(fit.values - exact) for fit in fits])
    process, plain = np.mean(errors, axis=0)
    assert process < 0.6 * plain
