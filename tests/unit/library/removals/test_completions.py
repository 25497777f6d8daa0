"""What completes rows, against plain definitions."""

import numpy as np
import pytest
import scipy
from removal_worlds import Function, dataset_of

from shapaudit.games import all_coalitions, tabulate
from shapaudit.removals import create
from shapaudit.removals.completed import CHUNK_ROWS
from shapaudit.removals.copula import scores_of
from shapaudit.removals.marginal import k_means
from shapaudit.removals.own_training import uniform_size_masks

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(150, 3)) @ (np.eye(3) + 0.5)
X = np.array([0.4, -0.2, 0.9])
MODEL = Function(lambda rows: rows[:, 0] * rows[:, 1] + np.exp(0.3 * rows[:, 2]))


def play(name, params=None, rows=ROWS, seed=0, x=X):
    fitted = create(name, params).fit(MODEL, dataset_of(rows), np.random.default_rng(seed))
    return fitted.game(x, np.random.default_rng(seed))


def by_definition(members, bandwidth, share, most):
    """The kernel removal's value, from all weights sorted."""
    if members.any():
        difference = (X - ROWS)[:, members]
        inverse = np.linalg.inv(np.cov(ROWS[:, members], rowvar=False).reshape(members.sum(), -1))
        squares = np.einsum("ni,ij,nj->n", difference, inverse, difference) / members.sum()
    else:
        squares = np.zeros(len(ROWS))
    weights = np.exp(-(squares - squares.min()) / (2 * bandwidth**2))
    order = np.argsort(-weights, kind="stable")
    ends = np.cumsum(weights[order])
    kept = order[: int(np.searchsorted(ends, share * ends[-1])) + 1][:most]
    hybrids = np.where(members, X, ROWS[kept])
    return np.average(MODEL.predict(hybrids), weights=weights[kept]), len(kept)


@pytest.mark.parametrize("bandwidth", [0.1, 0.6])
@pytest.mark.parametrize(("share", "most"), [(0.95, None), (0.6, None), (0.95, 12)])
def test_the_kernel_keeps_the_heaviest_rows(bandwidth, share, most):
    game = play("kernel", {"bandwidth": bandwidth, "share": share, "most": most})
    coalitions = all_coalitions(3)[:-1]
    expected = [by_definition(members, bandwidth, share, most) for members in coalitions]
    values, counts = map(np.array, zip(*expected, strict=True))
    np.testing.assert_allclose(game(coalitions), values, rtol=1e-10)
    assert game.rows(coalitions).tolist() == counts.tolist()


def test_combined_is_either_by_size():
    game = play("combined", {"largest": 1, "draws": 30})
    small = play("kernel")
    few = all_coalitions(3)[[0, 1, 2, 4]]
    np.testing.assert_array_equal(game(few), small(few))
    many = all_coalitions(3)[[3, 5, 6]]
    assert game.rows(many).tolist() == [30] * 3
    assert (game(many) != small(many)).all()


def test_centres_are_means_with_the_shares_of_their_rows():
    groups = np.vstack([RNG.normal(size=(40, 2)) + place for place in ([0, 0], [30, 0], [0, 50])])
    centres, weights = k_means(groups[:90], 3, np.random.default_rng(1))
    order = np.lexsort(centres.T)
    np.testing.assert_allclose(weights[order].sum(), 1)
    assert sorted(weights) == pytest.approx([10 / 90, 40 / 90, 40 / 90])
    np.testing.assert_allclose(weights @ centres, groups[:90].mean(axis=0))
    assert len(k_means(np.ones((5, 2)), 3, np.random.default_rng(0))[0]) == 1


def test_centres_are_weighted_in_the_game():
    params = {"rows": 5, "choice": "k-means"}
    removal = create("marginal", params)
    fitted = removal.fit(MODEL, dataset_of(ROWS), np.random.default_rng(0))
    centres, weights = fitted.arrays["background"], fitted.arrays["weights"]
    members = np.array([True, False, False])
    expected = np.average(MODEL.predict(np.where(members, X, centres)), weights=weights)
    np.testing.assert_allclose(fitted.game(X, None)(members[None]), [expected])


def test_random_rows_are_drawn_without_replacement():
    fitted = create("marginal", {"rows": 150}).fit(MODEL, dataset_of(ROWS), RNG)
    np.testing.assert_array_equal(fitted.arrays["background"], ROWS)


def test_a_mixture_finds_its_parts():
    parts = RNG.normal(size=(400, 2))
    parts[:300, 0] += 8
    parts[300:, 1] -= 6
    fitted = create("mixture", {"components": 2}).fit(
        Function(lambda rows: rows[:, 0]), dataset_of(parts), np.random.default_rng(0)
    )
    order = np.argsort(fitted.arrays["weights"])
    np.testing.assert_allclose(fitted.arrays["weights"][order], [0.25, 0.75], atol=0.01)
    np.testing.assert_allclose(fitted.arrays["means"][order], [[0, -6], [8, 0]], atol=0.3)
    upper = fitted.game(np.array([0.0, 0.5]), np.random.default_rng(0))
    assert tabulate(upper).values[2] == pytest.approx(8, abs=0.3)  # x2 tells the part


def test_completions_never_change_present_features():
    params = {"draws": 5}
    coalitions = all_coalitions(3)[:-1]
    for name in ("gaussian", "copula", "mixture", "autoencoder", "combined", "product"):
        given = params | ({"epochs": 1} if name == "autoencoder" else {})
        done = play(name, given).completions.complete(coalitions)
        inside = np.repeat(coalitions, np.diff(done.starts), axis=0)
        assert (np.where(inside, done.rows, X) == X).all(), name
        assert (np.where(inside, np.nan, done.rows) != X).all(), name


def test_rows_are_evaluated_in_chunks():
    asked = []

    def sums(rows):
        asked.append(len(rows))
        return rows.sum(axis=1)

    fitted = create("gaussian", {"draws": 1000}).fit(
        Function(sums), dataset_of(ROWS), np.random.default_rng(0)
    )
    fitted.game(X, np.random.default_rng(0))(np.repeat(all_coalitions(3), 20, axis=0))
    assert sum(asked) == 140 * 1000 + 20
    assert max(asked) <= CHUNK_ROWS


def test_masks_have_uniform_sizes():
    masks = uniform_size_masks(8000, 3, np.random.default_rng(0))
    sizes = np.bincount(masks.sum(axis=1), minlength=4)
    assert np.abs(sizes - 2000).max() < 4.5 * np.sqrt(2000 * 0.75)
    assert np.abs(masks.mean(axis=0) - 0.5).max() < 0.03


def test_a_narrow_kernel_is_the_nearest_row():
    game = play("kernel", {"bandwidth": 1e-12})
    coalitions = all_coalitions(3)[1:-1]
    for coalition, value in zip(coalitions, game(coalitions), strict=True):
        (nearest,) = by_definition(coalition, 1e-12, 1e-9, 1)[:1]
        assert value == pytest.approx(nearest, rel=1e-12)
    assert game.rows(coalitions).tolist() == [1] * 6


def test_scores_are_normal_quantiles_of_mean_ranks():
    column = np.array([3.0, 1.0, 2.0, 2.0, 7.0, 2.0, 3.0])
    shares = scipy.stats.rankdata(column) / (len(column) + 1)
    scores = scores_of(np.sort(column), column)
    np.testing.assert_allclose(scipy.stats.norm.cdf(scores), shares)
    # Between two values ranks are interpolated; beyond the ends they are those of the ends.
    between = scipy.stats.norm.cdf(scores_of(np.sort(column), np.array([0.0, 5.0, 9.0])))
    np.testing.assert_allclose(between, np.array([1.0, (5.5 + 7) / 2, 7.0]) / 8)


def test_the_most_likely_mixture_is_a_fixed_point_of_its_equations():
    parts = RNG.normal(size=(300, 2)) @ [[1.0, 0.4], [0.0, 1.0]]
    parts[:200] += [1.5, -1.0]
    params = {"components": 2, "floor": 1e-9, "tolerance": 0.0, "steps": 3000}
    law = create("mixture", params).fit(
        Function(lambda rows: rows[:, 0]), dataset_of(parts), np.random.default_rng(0)
    )
    weights, means, covariances = (law.arrays[key] for key in ("weights", "means", "covariances"))
    densities = np.column_stack(
        [
            weight * scipy.stats.multivariate_normal(mean, covariance).pdf(parts)
            for weight, mean, covariance in zip(weights, means, covariances, strict=True)
        ]
    )
    shares = densities / densities.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(weights, shares.mean(axis=0), atol=1e-5)
    for k in range(2):
        np.testing.assert_allclose(
            means[k], np.average(parts, axis=0, weights=shares[:, k]), atol=1e-4
        )
        expected = np.cov(parts, rowvar=False, aweights=shares[:, k], bias=True)
        np.testing.assert_allclose(covariances[k], expected, atol=1e-4)


def test_rows_that_values_took_are_not_completed_again(monkeypatch):
    rows = np.random.default_rng(0).normal(size=(50, 3))
    fitted = create("kernel", {"bandwidth": 0.3}).fit(MODEL, dataset_of(rows), None)
    games = [fitted.game(np.zeros(3), None) for _ in range(2)]
    first = games[0].rows(all_coalitions(3))
    assert len(set(first)) > 2
    games[1](all_coalitions(3)[2:])
    made = []
    whole = games[1].completions.complete
    monkeypatch.setattr(games[1].completions, "complete", lambda c: made.append(len(c)) or whole(c))
    np.testing.assert_array_equal(games[1].rows(all_coalitions(3)), first)
    assert made == [2]
