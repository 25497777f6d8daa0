"""Functions of the number of players: their features, the fit that is exact, and what they add."""

from dataclasses import replace

import numpy as np
import pytest

from shapaudit.estimators.fits import profile
from shapaudit.estimators.fits.additive import explains
from shapaudit.estimators.fits.kriging import Kriging, Observations
from shapaudit.estimators.fits.likelihood import most_likely
from shapaudit.estimators.fits.profile import (
    contained,
    enough_pairs,
    fit_profile,
    odd_functions,
    profile_features,
    profile_shapley,
)
from shapaudit.estimators.fits.tuning import tuned
from shapaudit.estimators.fits.value_process import fit_value_process
from shapaudit.estimators.pairs import Pairs, draw_pairs
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.truth import shapley_from_table


def of_the_size(d, values, slopes):
    """An additive game beside the function of the size with these values (d + 1,)."""
    members = all_coalitions(d)
    return TabularGame(values[members.sum(axis=1)] + members @ slopes)


def drawn(game, count, seed=0):
    return draw_pairs(game, 2 + 2 * count, "leverage", np.random.default_rng(seed))


def rows_of(pairs):
    """The rows of the process, and the noise variances, of pairs and of the grand coalition."""
    d = pairs.coalitions.shape[1]
    return Observations(
        np.vstack([np.where(pairs.coalitions, 1.0, -1.0), np.ones(d)]),
        np.append(pairs.odd_part, 0.5 * pairs.total),
        np.append(pairs.weights.mean() / pairs.weights, 0.0),
    )


@pytest.mark.parametrize("d", [1, 2, 3, 4, 9, 10])
def test_shares_of_sets_are_those_counted(d):
    masks = np.arange(1 << d)
    sizes = np.bitwise_count(masks)
    for size in range(d + 1):
        inside = (masks & ((1 << size) - 1)) == masks
        shares = [inside[sizes == k].mean() for k in range(1, d + 1)]
        np.testing.assert_allclose(contained(d)[:, size], shares, atol=1e-15)


@pytest.mark.parametrize("d", [1, 2, 3, 4, 7, 10, 16])
def test_with_a_line_they_span_all_odd_functions(d):
    functions = odd_functions(d)
    np.testing.assert_array_equal(functions, -functions[:, ::-1])
    line = np.arange(d + 1.0) - 0.5 * d
    assert np.linalg.matrix_rank(np.vstack([line, functions]), tol=1e-9) == (d + 1) // 2
    if d >= 3:
        assert (functions[:, -1] ** 2).sum() == pytest.approx(1.0)


def test_the_covariance_is_that_of_independent_sizes():
    d = 7
    sets = contained(d)[2:]
    parts = (sets - sets[:, ::-1]) / np.sqrt(d - 2)
    np.testing.assert_allclose(
        odd_functions(d).T @ odd_functions(d), parts.T @ parts, rtol=1e-9, atol=1e-12
    )


def test_shapley_values_of_the_functions_are_equal():
    d = 6
    signs = np.where(all_coalitions(d), 1.0, -1.0)
    for feature, value in zip(profile_features(signs), profile_shapley(d), strict=True):
        np.testing.assert_allclose(shapley_from_table(feature), value, atol=1e-14)


@pytest.mark.parametrize("d", [3, 6, 9, 10])
def test_additive_beside_any_function_of_the_size_is_met(d):
    rng = np.random.default_rng(d)
    game = of_the_size(d, rng.standard_normal(d + 1), rng.standard_normal(d))
    fewest = d + d // 2 + profile.SPARE
    assert enough_pairs(fewest, d)
    assert not enough_pairs(fewest - 1, d)
    if 2 * fewest + 2 > 1 << d:
        return
    assert fit_profile(drawn(game, fewest - 1)) is None
    found = 0
    for seed in range(8):
        pairs = drawn(game, fewest, seed)
        fit = fit_profile(pairs)
        if fit is not None:
            assert explains(fit, pairs)
            np.testing.assert_allclose(fit.values, shapley_from_table(game.values), atol=1e-9)
            found += 1
    assert found >= 6
    product = TabularGame(game.values + all_coalitions(d)[:, :3].all(axis=1))
    pairs = drawn(product, fewest)
    assert not explains(fit_profile(pairs), pairs)


def test_pairs_that_do_not_tell_players_apart_are_refused():
    """Two players who are always together have any difference of values."""
    rng = np.random.default_rng(0)
    pairs = drawn(of_the_size(8, rng.standard_normal(9), rng.standard_normal(8)), 60)
    together = pairs.part(pairs.coalitions[:, 0] == pairs.coalitions[:, 1])
    assert enough_pairs(len(together.values), 8)
    assert fit_profile(together) is None
    assert fit_profile(pairs) is not None


def test_evidence_gives_a_variance_to_what_there_is_and_none_to_a_flat_profile():
    """In units of the interactions; a flat profile is a line, which the additive part has."""
    d, size = 10, np.arange(11)
    slopes = np.linspace(-1.0, 1.0, d)
    members = all_coalitions(d)
    triples = np.where(members[:, :3], 1.0, -1.0).prod(axis=1)
    found = {}
    for name, values in (("flat", 0.2 * size), ("saturating", 5.0 * (1 - np.exp(-size)))):
        game = TabularGame(of_the_size(d, values, slopes).values + triples)
        rows = rows_of(drawn(game, 60))
        found[name] = most_likely(rows.signs, rows.values, rows.noises, slopes, 30)[0].profile
    assert found["flat"] < 0.01
    assert found["saturating"] > 100 * found["flat"]


def test_few_pairs_have_no_function_of_the_size():
    game = of_the_size(10, np.sqrt(np.arange(11.0)), np.ones(10))
    for count, has in ((19, False), (20, True)):
        rows = rows_of(drawn(game, count))
        hyper = most_likely(rows.signs, rows.values, rows.noises, np.ones(10), 8)[0]
        assert (hyper.profile > 0) == has


def test_without_a_variance_the_functions_do_nothing():
    rows = rows_of(drawn(of_the_size(8, np.sqrt(np.arange(9.0)), np.arange(8.0)), 30))
    hyper = most_likely(rows.signs, rows.values, rows.noises, np.arange(8.0), 8)[0]
    flat, signs = Kriging(rows, replace(hyper, profile=0.0)), np.where(all_coalitions(8), 1.0, -1.0)
    free = Kriging(rows, replace(hyper, profile=3.0))
    for fit, has in ((flat, False), (free, True)):
        without = fit.shapley()
        fit.functions = np.zeros_like(fit.functions)
        assert np.allclose(fit.shapley(), without, rtol=1e-12) != has
    assert not np.allclose(flat.at(signs), free.at(signs))


def process_shapley(pairs):
    rows = rows_of(pairs)
    return Kriging(rows, tuned(rows)).shapley()


@pytest.mark.parametrize(
    "values_of",
    [
        process_shapley,
        lambda pairs: fit_value_process(pairs).values,
        lambda pairs: fit_profile(pairs).values,
    ],
)
def test_other_names_of_the_players_give_the_same_values(values_of):
    d = 9
    noise = 0.02 * np.random.default_rng(1).standard_normal(1 << d)
    game = of_the_size(d, 1 - np.exp(-np.arange(d + 1.0)), np.linspace(0.0, 0.3, d))
    pairs = drawn(TabularGame(game.values + noise), 60)
    order = np.random.default_rng(2).permutation(d)
    renamed = pairs.of_players(order)
    assert isinstance(renamed, Pairs)
    np.testing.assert_allclose(values_of(renamed), values_of(pairs)[order], atol=1e-5)
