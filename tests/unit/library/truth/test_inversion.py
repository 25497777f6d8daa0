"""Inversion: the bound holds against counting and enumeration, and is no larger than it must be."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.stats import chi2

from shapaudit.games import SameClassGame, TabularGame, ThresholdGame, tabulate
from shapaudit.truth import (
    TruthError,
    compute,
    cyclic_reference,
    inversion,
    inverted_shapley,
    shapley_exact,
)
from shapaudit.truth.few_players import counted_crossings, most_counted
from shapaudit.truth.inversion import _middle_sizes
from shapaudit.truth.spectrum import (
    characteristics_rounding,
    mean_characteristics,
    size_bounds,
    sum_bounds,
)
from shapaudit.truth.tails import Tails, vaaler


def same_class(seed, d):
    """A game of two rows from both sides of the median, as the study draws them."""
    rng, threshold = np.random.default_rng([seed, d]), chi2(d).median()
    while True:
        x, r = rng.standard_normal((2, d))
        if (x @ x > threshold) != (r @ r > threshold):
            return SameClassGame(x, r, threshold)


def crossings(shifts, target, first=0):
    """Values (d,) of the sizes first, ..., d - 1 - first, over all coalitions of the others."""
    d = shifts.size
    values = np.zeros(d)
    for i, shift in enumerate(shifts):
        others = np.delete(shifts, i)
        for size in range(first, d - first):
            sums = np.array([others[list(c)].sum() for c in combinations(range(d - 1), size)])
            values[i] += (np.sum(sums <= target) - np.sum(sums <= target - shift)) / len(sums)
    return values / d


def lattice_values(shifts, target, players, first):
    """The same of some players with integer shifts, whose sums have laws on the integers."""
    values = []
    for i in players:
        others = np.delete(shifts, i)
        low = others[others < 0].sum()
        law = np.zeros((shifts.size, np.abs(others).sum() + 1))
        law[0, -low] = 1
        for count, shift in enumerate(others, start=1):
            kept = np.arange(count + 1)[:, None] / count
            moved = np.roll(law[:count], shift, axis=1)
            law[: count + 1] *= 1 - kept
            law[1 : count + 1] += kept[1:] * moved
        sums = low + np.arange(law.shape[1])
        crossed = (sums <= target) * 1.0 - (sums <= target - shifts[i])
        values.append((law[first : shifts.size - first] @ crossed).sum() / shifts.size)
    return np.array(values)


@pytest.mark.parametrize("d", [2, 3, 4, 7, 8, 9, 10])
def test_counts_are_those_of_all_coalitions(d):
    for seed in range(3):
        shifts = np.random.default_rng([seed, d]).normal(size=d)
        most, target = most_counted(d), 0.4 * shifts.sum()
        counts, widths = counted_crossings(shifts, target, 1e-12)
        middle = crossings(shifts, target, most + 1)
        np.testing.assert_allclose(counts, crossings(shifts, target) - middle, atol=1e-14)
        assert not widths.any()
        assert 2 * (most + 1) <= d


def test_a_sum_within_rounding_of_the_threshold_widens_the_bound():
    shifts = np.array([0.1, 0.2, 0.7, -0.4, 1.3, 0.9, 2.1, -0.6])
    counts, widths = counted_crossings(shifts, 0.1 + 0.2, 1e-12)
    for nudge in (-1e-9, 1e-9):
        exact, none = counted_crossings(shifts, 0.3 + nudge, 1e-12)
        assert not none.any()
        assert (np.abs(counts - exact) <= widths + 1e-15).all()
    assert widths.max() > 0


@pytest.mark.parametrize("d", [5, 8, 9])
@pytest.mark.parametrize("first", [1, 2])
def test_characteristics_are_those_of_all_coalitions(d, first):
    shifts, step = np.random.default_rng(d).normal(size=d), 0.3
    tops = np.full(40, (d - 1) // 2)
    characteristics = mean_characteristics(shifts, step, tops, first)
    expected = np.zeros_like(characteristics)
    frequencies = step * np.arange(1, 41)
    for i in range(d):
        others = np.delete(shifts, i)
        for size in range(first, d - first):
            sums = np.array([others[list(c)].sum() for c in combinations(range(d - 1), size)])
            expected[:, i] += np.exp(1j * np.outer(frequencies, sums)).mean(axis=1) / d
    rounding = characteristics_rounding(d, step * 40 * np.abs(shifts).max())
    np.testing.assert_allclose(characteristics, expected, atol=rounding)
    assert rounding < 1e-11


def test_sizes_left_out_are_within_what_they_are_said_to_add():
    game = same_class(3, 60)
    tails = Tails(game.shifts, 0.05, 4, 1 << 14)
    tops, omitted = tails.sizes(64, 1e-3)
    assert 0 < omitted <= 1e-3
    assert (tops < 29).any()
    short, whole = (
        mean_characteristics(game.shifts, 0.05, sizes, 4) for sizes in (tops, np.full(64, 29))
    )
    k = np.arange(1, 65)
    weights = 2 / np.pi * vaaler(k / 16385) / k + 2 * (1 - k / 16385) / 16385
    missing = weights @ np.abs(whole - short)
    assert (missing <= omitted).all()
    assert missing.max() > omitted * 1e-6


@pytest.mark.parametrize("n", [6, 9, 14])
def test_bounds_by_size_hold_and_are_reached(n):
    """Of any phases; with all phases equal the modulus is 1, as the bound says."""
    rng = np.random.default_rng(n)
    for spread in (0.01, 0.5, 2.0, 10.0):
        for _ in range(20):
            z = np.exp(1j * spread * rng.normal(size=n))
            c, second = np.abs(z.sum()), np.abs((z**2).sum())
            coefficients = np.abs(np.poly(-z)) / [comb(n, s) for s in range(n + 1)]
            bounds = size_bounds(n, second)[int(np.ceil(c))]
            assert (coefficients[: n // 2 + 1] <= bounds + 1e-12).all()
    assert (size_bounds(n, n)[n] == 1).all()
    few = size_bounds(n, 0.1 * n)
    assert few[1, 1] == pytest.approx(1 / n)
    # The coefficient of y^2 is (p_1^2 - p_2) / 2.
    assert few[2, 2] == pytest.approx((4 + 0.1 * n) / (n * (n - 1)))


@pytest.mark.parametrize("stride", [1, 4, 5])
def test_bounds_of_sums_hold_at_every_frequency_of_a_cell(stride):
    shifts, step = np.random.default_rng(2).normal(size=40) ** 2 + 3, 0.02
    bounds = sum_bounds(shifts, step, 1500, stride)
    k = np.arange(1, 1500 * stride + 1)
    sums = np.abs(np.exp(1j * np.outer(k * step, shifts)).sum(axis=1)).reshape(1500, stride)
    assert (sums <= bounds[:, None]).all()
    assert (bounds - sums.max(axis=1)).max() < (stride - 1) * step * 40 + 0.1


def test_vaalers_polynomial_is_within_fejers_kernel():
    """The inequality that the certificate rests on, at many points; at 0 it is an equality."""
    degree, x = 12, np.linspace(1e-9, 1 - 1e-9, 20001)
    n = np.arange(1, degree + 1)
    u = n / (degree + 1)
    polynomial = -np.sin(2 * np.pi * np.outer(x, n)) @ (vaaler(u) / (np.pi * n))
    kernel = 1 + 2 * np.cos(2 * np.pi * np.outer(x, n)) @ (1 - u)
    off = np.abs(x - 0.5 - polynomial)
    assert (off <= kernel / (2 * degree + 2) + 1e-12).all()
    assert off[0] == pytest.approx(0.5)
    assert kernel[0] == pytest.approx(degree + 1)


@pytest.mark.parametrize("d", [2, 4, 6, 8, 12, 16, 19])
@pytest.mark.parametrize("kind", ["same-class", "both signs", "one sign", "small start"])
def test_the_bound_holds_against_enumeration(d, kind):
    for seed in range(6):
        rng = np.random.default_rng([seed, d])
        game = {
            "same-class": lambda k=seed: same_class(k, d),
            "both signs": lambda r=rng: ThresholdGame(0.3, r.normal(size=d), 0.2),
            "one sign": lambda r=rng: ThresholdGame(0, r.exponential(size=d), 0.4 * d),
            "small start": lambda r=rng: ThresholdGame(1.0, -r.exponential(size=d), 0.999),
        }[kind]()
        inverted, exact = inverted_shapley(game, 0.02), shapley_exact(tabulate(game))
        assert inverted.certificate == "bounded"
        assert (np.abs(inverted.values - exact.values) <= inverted.bounds).all()
        if d <= 8:  # all sizes are counted
            assert inverted.bounds.max() < 1e-9


@pytest.mark.parametrize("target", [-100.0, 100.0])
def test_a_threshold_out_of_reach_gives_nothing_to_anybody(target):
    """On a circle a far threshold would come back among the sums."""
    shifts = np.random.default_rng(0).normal(size=60)
    for turns in (1, 1.5, 2.25, 3):
        inverted = inverted_shapley(ThresholdGame(0, shifts, turns * target), 1e-2)
        assert (np.abs(inverted.values) <= inverted.bounds).all()


@pytest.mark.parametrize("side", [-1e-6, 1e-6])
def test_the_bound_is_reached_where_a_sum_is_beside_the_threshold(monkeypatch, side):
    """All shifts are even but one: that player loses half an atom, whichever side it is on."""
    monkeypatch.setattr(inversion, "LEAST_DEGREE", 400)
    monkeypatch.setattr(inversion, "PARTS", {"degree": 1, "beyond": 0, "sizes": 0})
    shifts = 2 * np.random.default_rng(4).integers(1, 4, size=40)
    shifts[7] = 3
    target = 80 + side
    middle, bounds = _middle_sizes(shifts.astype(float), target, 1e-12, 0.1, "even")
    exact = lattice_values(shifts, target, range(40), 4)
    assert (np.abs(middle - exact) <= bounds).all()
    assert np.abs(middle - exact)[7] > 0.95 * bounds[7] > 0.005


def test_frequencies_that_are_not_computed_are_in_the_bound(monkeypatch):
    """The same game: without those that come back, the kernels say less than half an atom."""
    monkeypatch.setattr(inversion, "LEAST_DEGREE", 1600)
    monkeypatch.setattr(inversion, "PARTS", {"degree": 1, "beyond": 0.9, "sizes": 0})
    shifts = 2 * np.random.default_rng(4).integers(1, 4, size=40)
    shifts[7] = 3
    target = 80 + 1e-6
    middle, bounds = _middle_sizes(shifts.astype(float), target, 1e-12, 0.9, "even")
    error = np.abs(middle[7] - lattice_values(shifts, target, [7], 4)[0])
    step = 2 * np.pi / (np.abs(shifts).sum() + 2 * np.abs(shifts).max())
    left = Tails(shifts.astype(float), step, 4, 1600).beyond
    kernel = bounds[7] - left[left <= 0.9 * 0.9].max()
    assert kernel < 0.6 * error < error <= bounds[7]


@pytest.mark.parametrize("target", [-3.5, 30.5, 400.5])
def test_the_bound_holds_against_laws_on_a_fine_lattice(target):
    """A hundred players, of whom five are looked at."""
    shifts = np.round(32 * (np.random.default_rng(5).normal(size=100) ** 2 - 0.8)).astype(int)
    game = ThresholdGame(0, shifts / 32, target / 32)
    inverted = inverted_shapley(game, 5e-3)
    players = [0, 17, 40, int(shifts.argmax()), int(shifts.argmin())]
    exact = lattice_values(shifts, target, players, 0) * (1 if game.positive else -1)
    assert (np.abs(inverted.values[players] - exact) <= inverted.bounds[players]).all()
    assert np.abs(exact).max() > 3 * inverted.bounds.max()


@pytest.mark.parametrize("seed", range(2))
def test_shuffles_agree_within_their_standard_errors(seed):
    """At d = 300: z-statistics with a mean square of about 1, and values that add up to 1."""
    game = same_class(seed, 300)
    inverted = inverted_shapley(game, 2e-5)
    shuffled = cyclic_reference(game, np.random.default_rng(seed), 2048)
    z = (inverted.values - shuffled.values) / shuffled.standard_errors
    assert inverted.bounds.max() <= 2e-5
    assert 0.7 < np.mean(z**2) < 1.4
    assert np.abs(z).max() < 4.5
    assert abs(inverted.values.sum() - 1) <= inverted.bounds.sum()
    assert np.linalg.norm(inverted.bounds) < np.linalg.norm(shuffled.standard_errors) / 20


def test_a_smaller_bound_is_kept_too():
    """The values of two bounds differ by no more than both together."""
    game = same_class(1, 300)
    coarse, fine = inverted_shapley(game, 2e-4), inverted_shapley(game, 1.5e-5)
    assert fine.bounds.max() <= 1.5e-5 < coarse.bounds.max() <= 2e-4
    assert (np.abs(coarse.values - fine.values) <= coarse.bounds + fine.bounds).all()
    assert np.abs(coarse.values - fine.values).max() > 1e-9


def test_games_without_a_certificate_are_refused():
    rng = np.random.default_rng(0)
    game = same_class(0, 60)
    with pytest.raises(TruthError, match="first 4096 may add"):
        compute("inversion", game, rng, bound=1e-7)
    with pytest.raises(TruthError, match="first 4096 may add"):  # all shifts are multiples of 1
        compute("inversion", ThresholdGame(0, np.arange(1.0, 101), 2000.5), rng)
    with pytest.raises(TruthError, match="two players"):
        compute("inversion", ThresholdGame(0, [1.0], 0.5), rng)
    with pytest.raises(TruthError, match="finite shifts"):
        compute("inversion", ThresholdGame(0, [1.0, np.nan], 0.5), rng)
    with pytest.raises(TruthError, match="bound is 0"):
        compute("inversion", game, rng, bound=0)
    with pytest.raises(TruthError, match="structure of a ThresholdGame"):
        compute("inversion", TabularGame([0, 1.0]), rng)
