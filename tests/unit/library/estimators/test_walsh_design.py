"""The design of products of signs, formed or by transforms of tables; a polynomial of order 3."""

import numpy as np
import pytest

from shapaudit.estimators import walsh_design
from shapaudit.estimators.fits.cubic import coefficients, fit_cubic
from shapaudit.estimators.fits.fourier import OddFeatures
from shapaudit.estimators.pairs import Pairs, draw_pairs
from shapaudit.estimators.ridge import Tridiagonal, tridiagonal_forms
from shapaudit.estimators.walsh import MAX_TABLE, sets_of_order
from shapaudit.estimators.walsh_design import Design, products_of_signs
from sparse_games import sparse

D = 7


def design_and_rows(monkeypatch, table):
    monkeypatch.setattr(walsh_design, "MAX_TABLE", MAX_TABLE if table else 0)
    rng = np.random.default_rng(0)
    sets = [sets_of_order(3, D)[::3], sets_of_order(5, D)]
    signs = np.where(rng.random((20, D)) < 0.5, 1.0, -1.0)
    spreads = rng.random(sum(map(len, sets)))
    return Design(sets, spreads, signs), spreads[:, None] * products_of_signs(sets, signs)


@pytest.mark.parametrize("table", [True, False])
def test_the_design_gives_what_its_rows_give(monkeypatch, table):
    design, rows = design_and_rows(monkeypatch, table)
    assert design.shape == rows.shape
    assert (design._rows is None) == table
    rng = np.random.default_rng(1)
    columns, amounts = rng.standard_normal((20, 3)), rng.standard_normal(len(rows))
    covariance = design.covariance()
    assert covariance.flags.f_contiguous
    np.testing.assert_allclose(np.tril(covariance), np.tril(rows.T @ rows), atol=1e-12)
    np.testing.assert_allclose(design.gram(), rows @ rows.T, atol=1e-12)
    np.testing.assert_allclose(design.times(columns), rows @ columns, atol=1e-12)
    np.testing.assert_allclose(design.at_rows(amounts), amounts @ rows, atol=1e-12)


@pytest.mark.parametrize("table", [True, False])
def test_a_design_without_sets_has_no_covariance(monkeypatch, table):
    monkeypatch.setattr(walsh_design, "MAX_TABLE", MAX_TABLE if table else 0)
    empty = Design([], np.empty(0), np.ones((4, D)))
    assert (empty.covariance() == 0).all()
    assert empty.gram().shape == (0, 0)


def test_quadratic_forms_and_determinants_of_a_shifted_tridiagonal_form():
    rng = np.random.default_rng(2)
    root, vector = rng.standard_normal((9, 9)), rng.standard_normal(9)
    form, ridges = Tridiagonal(root @ root.T), np.array([1e-3, 1.0, 50.0])
    energies, levels = tridiagonal_forms(form.diagonal, form.off, form.turned(vector), ridges)
    for energy, level, ridge in zip(energies, levels, ridges, strict=True):
        lifted = root @ root.T + ridge * np.eye(9)
        assert energy == pytest.approx(vector @ np.linalg.solve(lifted, vector))
        assert level == pytest.approx(np.linalg.slogdet(lifted)[1])


def noisy_pairs(d, m, largest):
    rng = np.random.default_rng(3)
    game = sparse(d, 80, largest, rng)
    return draw_pairs(game, 2 + 2 * m, "leverage", rng), game


def test_games_of_order_four_are_met_from_as_many_pairs_as_coefficients():
    pairs, game = noisy_pairs(9, coefficients(9) + 3, 4)
    fit = fit_cubic(pairs)
    np.testing.assert_allclose(fit.values, game.shapley_values(), atol=1e-9)
    assert np.abs(fit.left).max() < 1e-9
    assert fit_cubic(pairs.part(np.arange(coefficients(9) - 1))) is None


def test_errors_of_the_polynomial_left_out_are_those_of_fits_without_the_pair():
    pairs, _ = noisy_pairs(8, 90, 7)
    fit = fit_cubic(pairs)
    signs = np.where(pairs.coalitions, 1.0, -1.0)
    rows = np.vstack([signs.T, OddFeatures(8, [sets_of_order(3, 8)]).products(signs)]).T
    for k in (0, 40, 80):
        kept = np.arange(90) != k
        weighted = pairs.weights[kept, None] * rows[kept]
        system = np.ones((rows.shape[1] + 1,) * 2)
        system[:-1, :-1], system[-1, -1] = rows[kept].T @ weighted, 0.0
        right = np.append(pairs.odd_part[kept] @ weighted, 0.5 * pairs.total)
        expected = pairs.odd_part[k] - rows[k] @ np.linalg.solve(system, right)[:-1]
        assert fit.left_out[k] == pytest.approx(expected, rel=1e-6)


def test_pairs_that_do_not_determine_the_polynomial_have_none():
    pairs, _ = noisy_pairs(8, 90, 7)
    twice = np.tile(np.arange(45), 2)
    assert fit_cubic(pairs.part(twice)) is None
    assert isinstance(pairs, Pairs)
