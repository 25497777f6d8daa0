"""How `auto` mixes its fits, and the errors of pairs that the mixture rests on."""

import numpy as np
import pytest

from shapaudit.estimators import auto
from shapaudit.estimators.auto import combined, convex_shares, pair_errors
from shapaudit.estimators.fits.additive import additive_leverages, fit_additive
from shapaudit.estimators.fits.fit import Fit
from shapaudit.estimators.pairs import draw_pairs
from sparse_games import sparse


def test_shares_are_those_of_the_least_norm_of_a_mixture():
    rng = np.random.default_rng(0)
    errors = rng.standard_normal((3, 200)) * np.array([[1.0], [2.0], [0.5]])
    shares = convex_shares(errors)
    assert shares.sum() == pytest.approx(1.0)
    assert (shares > 0).all()
    inverse = np.linalg.solve(errors @ errors.T, np.ones(3))
    np.testing.assert_allclose(shares, inverse / inverse.sum(), rtol=1e-6)
    worse = np.vstack([errors[2], 3.0 * errors[2] + errors[0]])
    np.testing.assert_allclose(convex_shares(worse), [1.0, 0.0])
    np.testing.assert_allclose(convex_shares(np.vstack([errors, np.zeros(200)])), [0, 0, 0, 1])


def test_the_mixture_errs_at_most_as_much_as_each_fit_and_its_share_of_the_rest():
    """Proposition auto-mixture (iii), of the errors that enter the combination."""
    rng = np.random.default_rng(3)
    for m in (12, 40, 300):
        errors = rng.standard_normal((4, m)) * rng.uniform(0.1, 3.0, 4)[:, None]
        norms = np.linalg.norm(errors, axis=1)
        own = np.diag(np.sqrt(auto.UNSEEN / m) * norms)
        mixed = convex_shares(np.hstack([errors, own])) @ errors
        assert (mixed @ mixed <= (1 + auto.UNSEEN / m) * norms**2 * (1 + 1e-12)).all()


def test_the_mixture_is_plain_least_squares_where_a_fit_errs_more():
    pairs = draw_pairs(sparse(8, 30, 6), 120, "leverage", np.random.default_rng(0))
    plain = fit_additive(pairs)
    wrong = Fit(np.ones(8), pairs.odd_part, plain.left_out + np.sqrt(1.0 / pairs.weights))
    values, errors = combined(pairs, [plain, wrong])
    doubtful = Fit(wrong.values, wrong.left, plain.left_out, doubt=100.0)
    np.testing.assert_allclose(combined(pairs, [plain, doubtful])[0], plain.values, atol=1e-2)
    assert np.linalg.norm(values - plain.values) < 0.5 * np.linalg.norm(plain.values)
    assert (errors > 0).all()


@pytest.mark.parametrize("m", [20, 119])
def test_fits_that_err_about_as_much_are_mixed_and_the_less_so_the_more_pairs(m):
    """The second errs the same and a little beside it: by pairs left out alone it has no share."""
    pairs = draw_pairs(sparse(8, 30, 6), 2 + 2 * m, "leverage", np.random.default_rng(0))
    roots = np.sqrt(pairs.weights * auto.not_drawn(pairs))
    even, odd = np.arange(m) % 2 == 0, np.arange(m) % 2 == 1
    first = even / np.linalg.norm(roots * even)
    beside = 0.5 * odd / np.linalg.norm(roots * odd)
    apart = np.eye(8)[0] - np.eye(8)[1]
    fits = [Fit(0.0 * apart, np.zeros(m), first), Fit(apart, np.zeros(m), first + beside)]
    share = (combined(pairs, fits)[0] - combined(pairs, fits[:1])[0])[0]
    # Least is |a + w b|^2 + c ((1 - w)^2 |a|^2 + w^2 |a + b|^2), where b is orthogonal to a.
    c = auto.UNSEEN / m
    assert share == pytest.approx(c / (0.25 + 2.25 * c))


def test_leverages_add_up_to_the_dimension_of_the_hyperplane():
    pairs = draw_pairs(sparse(8, 30, 4), 120, "leverage", np.random.default_rng(0))
    leverages = additive_leverages(pairs)
    assert leverages.sum() == pytest.approx(7)
    assert ((leverages > 0) & (leverages <= 1 + 1e-9)).all()


def test_errors_shrink_with_the_share_of_the_pairs_that_are_drawn():
    pairs = draw_pairs(sparse(6, 30, 4), 60, "leverage", np.random.default_rng(0))
    left = np.ones(len(pairs.values))
    drawn = pair_errors(pairs, left, fitted=False)
    assert (drawn > 0).all()
    outer = pairs.part(pairs.coalitions.sum(axis=1) == 1)
    assert (pair_errors(outer, np.ones(6), fitted=False) == 0).all()


def test_sizes_that_are_drawn_in_full_have_no_say_in_the_mixture():
    pairs = draw_pairs(sparse(8, 30, 6), 120, "leverage", np.random.default_rng(0))
    outer = pairs.coalitions.sum(axis=1) == 1
    assert outer.sum() == 8
    plain = fit_additive(pairs)
    other = Fit(np.ones(8), pairs.odd_part, np.where(outer, 100.0, 0.5) * plain.left_out)
    values, _ = combined(pairs, [plain, other])
    np.testing.assert_allclose(values, combined(pairs, [other])[0])
