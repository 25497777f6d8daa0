"""Coalitions without replacement: which there are, how many of each size, and their weights."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.stats import chisquare

from shapaudit.samplers.sizes import leverage_sizes
from shapaudit.samplers.without_replacement import (
    all_subsets,
    capped_shares,
    distinct_subsets,
    pairs_of_size,
    stratified_coalitions,
    systematic_counts,
)


def listed(coalitions):
    return [tuple(np.flatnonzero(row)) for row in coalitions]


def complement(members, d):
    return tuple(sorted(set(range(d)) - set(members)))


def test_of_two_complements_in_the_middle_one_counts():
    assert pairs_of_size(np.array([1, 4]), 8).tolist() == [8, 35]
    assert pairs_of_size(np.arange(1, 4), 7).sum() == 2**6 - 1


def test_what_exceeds_a_capacity_goes_to_the_others():
    weights, capacities = np.array([4.0, 2.0, 1.0, 1.0]), np.array([2.0, 3.0, 50.0, 50.0])
    # 16 draws: 8 exceed 2; then of 14, 7 exceed 3; then of 11, half each.
    assert capped_shares(weights, capacities, 16.0).tolist() == [2.0, 3.0, 5.5, 5.5]
    assert capped_shares(weights, capacities, 3.2).tolist() == pytest.approx([1.6, 0.8, 0.4, 0.4])
    assert capped_shares(weights, capacities, 1e3).tolist() == capacities.tolist()
    assert capped_shares(weights, capacities, 105.0).tolist() == capacities.tolist()


def test_counts_have_the_shares_as_their_means_and_their_sum():
    shares, rng = np.array([0.3, 2.0, 1.9, 0.8]), np.random.default_rng(0)
    counts = np.array([systematic_counts(shares, rng) for _ in range(4000)])
    assert (counts.sum(axis=1) == 5).all()
    assert (np.abs(counts - shares) < 1).all()
    np.testing.assert_allclose(counts.mean(axis=0), shares, atol=4 * 0.5 / 4000**0.5)


@pytest.mark.parametrize(("size", "d"), [(0, 3), (1, 4), (2, 5), (3, 5), (5, 5), (3, 6)])
def test_all_coalitions_of_a_size_are_there_once(size, d):
    coalitions = all_subsets(size, d)
    assert coalitions.dtype == bool
    if 2 * size <= d:
        assert listed(coalitions) == list(combinations(range(d), size))
    else:
        assert sorted(listed(coalitions)) == list(combinations(range(d), size))


@pytest.mark.parametrize("count", [2, 6, 14, 15])
def test_drawn_coalitions_differ_and_are_uniform(count):
    rng, seen = np.random.default_rng(1), dict.fromkeys(combinations(range(6), 2), 0)
    for _ in range(600):
        coalitions = listed(distinct_subsets(2, count, 6, rng))
        assert len(set(coalitions)) == len(coalitions) == count
        for members in coalitions:
            seen[members] += 1
    if count == 15:
        assert set(seen.values()) == {600}
    else:
        # Draws without replacement vary less than the test supposes.
        assert chisquare(list(seen.values())).pvalue > 1e-4


def test_many_players_have_keys_of_their_own():
    coalitions = distinct_subsets(1, 20, 100, np.random.default_rng(2))
    assert len(set(listed(coalitions))) == 20
    pairs = distinct_subsets(2, 500, 70, np.random.default_rng(3))
    assert len(set(listed(pairs))) == 500
    assert (pairs.sum(axis=1) == 2).all()


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("d", [5, 6])
def test_enough_draws_enumerate_every_coalition_or_pair(d, paired):
    draws = (1 << d) - 2
    coalitions, weights = stratified_coalitions(
        leverage_sizes(d), draws, d, np.random.default_rng(0), paired
    )
    members = listed(coalitions)
    everything = {s for size in range(1, d) for s in combinations(range(d), size)}
    both = set(members) | ({complement(s, d) for s in members} if paired else set())
    assert both == everything
    assert len(members) == len(everything) // (2 if paired else 1)
    # The kernel over one draw expected of each; a pair within the middle size is one of two.
    kernel = [1 / (comb(d, len(s)) * len(s) * (d - len(s))) for s in members]
    np.testing.assert_allclose(weights, kernel)


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("paired", [False, True])
def test_weighted_coalitions_estimate_sums_over_the_kernel(paired, distinct):
    d, draws = 6, 12
    values = np.random.default_rng(3).normal(size=1 << d)
    values = values + values[::-1] if paired else values  # the same for both of a pair
    kernel = {
        s: 1 / (comb(d, len(s)) * len(s) * (d - len(s)))
        for size in range(1, d // 2 + 1 if paired else d)
        for s in combinations(range(d), size)
        if not (paired and 2 * size == d and 0 not in s)
    }
    index = {s: sum(1 << j for j in s) for s in kernel}
    exact = sum(weight * values[index[s]] for s, weight in kernel.items())
    sums, rng = [], np.random.default_rng(4)
    for _ in range(3000):
        coalitions, weights = stratified_coalitions(
            leverage_sizes(d), draws, d, rng, paired, distinct
        )
        assert len(coalitions) == draws
        members = [s if s in kernel else complement(s, d) for s in listed(coalitions)]
        assert set(members) <= set(kernel)
        assert not distinct or len(set(members)) == draws
        sums.append(sum(w * values[index[s]] for w, s in zip(weights, members, strict=True)))
    error = np.std(sums, ddof=1) / len(sums) ** 0.5
    assert abs(np.mean(sums) - exact) < 4.5 * error
    assert error < 0.1
