"""What completes rows, against plain definitions."""

import numpy as np
import pytest
from removal_worlds import Function, dataset_of

from shapaudit.games import all_coalitions, tabulate
from shapaudit.removals import create
from shapaudit.removals.completed import CHUNK_ROWS
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
