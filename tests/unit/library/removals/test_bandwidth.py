"""The bandwidth of the kernel removal by a corrected information criterion."""

import numpy as np
import pytest

from shapaudit.datasets import Dataset
from shapaudit.models import CountedModel
from shapaudit.removals import bandwidth, create
from shapaudit.removals.bandwidth import GRID, chosen_bandwidths

D = 3


class Wave:
    """f(x) = sin(k (x1 + x2 + x3))."""

    def __init__(self, frequency):
        self.frequency = frequency

    def predict(self, rows):
        return np.sin(self.frequency * rows.sum(axis=1))


def dataset(n=120, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, D))
    split = {"train": np.arange(n - 1), "test": np.arange(n - 1, n)}
    return Dataset("drawn", rows, None, ("a", "b", "c"), split, "generated")


def fitted(model, **params):
    removal = create("kernel", {"selection": "aicc", **params})
    return removal.fit(model, dataset(), np.random.default_rng(1))


def test_the_criterion_is_that_of_the_hat_matrix():
    rng = np.random.default_rng(2)
    rows, outputs = rng.normal(size=(9, 1)), rng.normal(size=9)
    squares = (rows - rows.T) ** 2
    for width in (0.3, 1.0):
        weights = np.exp(-squares / (2 * width**2))
        hat = weights / weights.sum(axis=1, keepdims=True)
        rest = np.mean((outputs - hat @ outputs) ** 2)
        trace = np.trace(hat) / 9
        wanted = np.log(rest) + (1 + trace) / (1 - trace - 2 / 9)
        criteria = bandwidth._criteria(squares, outputs, np.array([width]))
        np.testing.assert_allclose(criteria, wanted)


def test_without_freedom_the_widest_is_taken():
    rows = np.array([[0.0], [9.0]])
    bandwidths = chosen_bandwidths(
        rows,
        np.array([0.0, 1.0]),
        lambda row, members: (rows[:, 0] - row[0]) ** 2,
        np.random.default_rng(0),
    )
    assert list(bandwidths) == [1.0, GRID[-1]]


def test_what_few_features_tell_little_of_gets_wide_bandwidths():
    """One feature says nothing of a wave of the sum of three, all of them all of it."""
    widths = fitted(Wave(1.0)).arrays["bandwidths"]
    assert widths.shape == (D + 1,)
    assert widths[1] > 2 * widths[3]
    assert set(widths[1:]) <= set(GRID)


def test_fits_take_few_rows_of_the_model(monkeypatch):
    monkeypatch.setattr(bandwidth, "MOST_ROWS", 40)
    counted = CountedModel(Wave(1.0))
    assert fitted(counted).fit_rows == counted.rows == 40


def test_the_chosen_bandwidths_are_those_that_weigh():
    """A game with a chosen bandwidth is that of the same bandwidth, fixed, size by size."""
    model, explicand = Wave(2.0), np.array([0.3, -0.2, 0.1])
    chosen = fitted(model)
    for size in (1, 2):
        fixed = create("kernel", {"bandwidth": float(chosen.arrays["bandwidths"][size])})
        other = fixed.fit(model, dataset(), np.random.default_rng(1))
        coalition = np.arange(D)[None] < size
        games = [removal.game(explicand, np.random.default_rng(0)) for removal in (chosen, other)]
        np.testing.assert_array_equal(*(game(coalition) for game in games))


def test_it_errs_less_than_a_bandwidth_that_is_far_too_narrow():
    """E[f | x2 = 0] = 0 for independent features; too narrow a kernel follows single rows."""
    model = Wave(1.0)
    coalition = np.array([[False, True, False]])
    errors = {}
    for params in ({"selection": "aicc"}, {"bandwidth": 0.05}):
        values = [
            create("kernel", params)
            .fit(model, dataset(seed=seed), np.random.default_rng(seed))
            .game(np.zeros(D), np.random.default_rng(0))(coalition)[0]
            for seed in range(12)
        ]
        errors["selection" in params] = np.mean(np.square(values))
    assert errors[True] < 0.5 * errors[False]


def test_another_selection_is_refused():
    with pytest.raises(ValueError, match="selection 'bic' is none of 'fixed', 'aicc'"):
        create("kernel", {"selection": "bic"})
