"""Cross-validated ridges by a tridiagonal form, against the eigenvectors."""

import numpy as np
import pytest

from shapaudit.estimators.ridge import RIDGES, Tridiagonal, cross_validated, rank_of, solve_shifted


def problem(rows, size, rank, noise=1.0, seed=0):
    """Gram matrix, moment and sum of squares of a regression on features of a given rank."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, size))
    target = features @ rng.normal(size=size) + noise * rng.normal(size=rows)
    return features.T @ features, features.T @ target, target @ target


def by_eigenvectors(gram, moment, residual, rows, floor):
    """The chosen ridge and its solution, all levels at hand."""
    levels, vectors = np.linalg.eigh(gram)
    levels, vectors = levels[levels > floor], vectors[:, levels > floor]
    turned = vectors.T @ moment
    scores = {}
    for ridge in [*(levels.mean() * RIDGES), *([0.0] if rows > len(levels) else [])]:
        fit = turned / (levels + ridge)
        squares = residual - 2 * fit @ turned + levels @ fit**2
        scores[ridge] = max(squares, 0.0) / (rows - (levels / (levels + ridge)).sum()) ** 2
    best = min(scores, key=scores.get)
    return best, vectors @ (turned / (levels + best))


@pytest.mark.parametrize("size", [1, 2, 3, 20])
def test_the_form_keeps_levels_and_every_solution(size):
    gram, moment, _ = problem(30, size, size)
    form = Tridiagonal(gram)
    whole = np.diag(form.diagonal) + np.diag(form.off, 1) + np.diag(form.off, -1)
    np.testing.assert_allclose(np.linalg.eigvalsh(whole), np.linalg.eigvalsh(gram))
    for ridge in (0.1, 10.0):
        x, trace = solve_shifted(form.diagonal, form.off, form.turned(moment), ridge)
        inverse = np.linalg.inv(gram + ridge * np.eye(size))
        np.testing.assert_allclose(form.back(x), inverse @ moment, rtol=1e-8)
        assert trace == pytest.approx(np.trace(inverse))


@pytest.mark.parametrize("rank", [1, 4, 12])
def test_rank_counts_the_levels_above_the_floor(rank):
    gram, _moment, _ = problem(30, 12, rank)
    form = Tridiagonal(gram)
    levels = np.linalg.eigvalsh(gram)
    assert rank_of(form.diagonal, form.off, 1e-9 * levels[-1]) == rank
    assert rank_of(form.diagonal, form.off, 1.01 * levels[-1]) == 0


@pytest.mark.parametrize(("rows", "size", "rank"), [(40, 12, 12), (40, 12, 5), (9, 12, 9)])
def test_chooses_what_the_eigenvectors_choose(rows, size, rank):
    chosen = set()
    for seed in range(20):
        gram, moment, residual = problem(rows, size, rank, 10.0, seed)
        floor = 1e-10 * np.trace(gram)
        ridge, expected = by_eigenvectors(gram, moment, residual, rows, floor)
        solution = cross_validated(gram, moment, residual, rows, floor)
        chosen.add(ridge)
        assert (solution is None) == (ridge == 0.0)
        if solution is not None:
            np.testing.assert_allclose(solution, expected, rtol=1e-6, atol=1e-8)
    assert len(chosen) > 1


def test_takes_no_ridge_without_noise_or_without_features():
    gram, moment, residual = problem(40, 6, 6, noise=0.0)
    assert cross_validated(gram, moment, residual, 40, 1e-9) is None
    assert cross_validated(gram[:0, :0], moment[:0], 1.0, 40, 1e-9) is None
    assert cross_validated(0.0 * gram, 0.0 * moment, 1.0, 40, 1e-9) is None
