"""Games that are hard for one estimator or another, with exact Shapley values."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from shapaudit.games import (
    AirportGame,
    ProductGame,
    UnanimityGame,
    WeightedMajorityGame,
    tabulate,
)
from shapaudit.samplers.coalitions import uniform_subsets
from shapaudit.samplers.random_games import (
    parity_table,
    sparse_game,
    threshold_game,
    two_additive_table,
)
from shapaudit.truth import product_shapley

from .base import Entry, Solved, tabulated

Rng = np.random.Generator
Build = Callable[[int, Rng], Solved]


def _closed(game) -> Solved:
    return Solved(game, game.shapley_values())


def _unanimity(d: int, rng: Rng, terms: int, largest: int, smallest: int = 1) -> Solved:
    sizes = rng.integers(smallest, largest + 1, size=terms)
    return _closed(UnanimityGame(rng.standard_normal(terms), uniform_subsets(sizes, d, rng)))


def _voting(d: int, rng: Rng) -> Solved:
    weights = 1 + rng.poisson(6.0 * rng.random(d) ** 2 * 4.0, size=d)
    return _closed(WeightedMajorityGame(weights, int(weights.sum() // 2 + 1)))


def _product(d: int, rng: Rng) -> Solved:
    present, absent = np.exp(rng.normal(scale=2.5 / np.sqrt(d), size=(2, d)))
    game = ProductGame(present, absent)
    return Solved(game, product_shapley(game).values)


def _threshold(d: int, rng: Rng) -> Solved:
    return tabulated(tabulate(threshold_game(d, rng)).values)


def _parities(d: int, rng: Rng, degree: int) -> Solved:
    """A few parities of so many players beside main effects."""
    table = parity_table(d, degree, rng) / d
    linear = parity_table(d, 1, rng)
    return tabulated(table + linear)


def _parity(d: int, rng: Rng) -> Solved:
    """One parity of seven players: no sample tells which."""
    members = np.zeros((1, d), dtype=bool)
    members[0, rng.permutation(d)[:7]] = True
    index = np.arange(1 << d)
    mask = int((members[0] * (1 << np.arange(d))).sum())
    return tabulated(np.bitwise_count(index & mask) % 2.0)


def _noise(d: int, rng: Rng) -> Solved:
    return tabulated(rng.standard_normal(1 << d))


def _smooth_noise(d: int, rng: Rng) -> Solved:
    """Walsh coefficients of all sets, normal, smaller by half with each member."""
    sizes = np.bitwise_count(np.arange(1 << d))
    table = rng.standard_normal(1 << d) * 0.5**sizes
    for player in range(d):  # the Walsh-Hadamard transform
        halves = table.reshape(-1, 2, 1 << player)
        table = np.stack([halves.sum(axis=1), halves[:, 0] - halves[:, 1]], axis=1).ravel()
    return tabulated(table)


def _glass(d: int, rng: Rng) -> Solved:
    """The largest of the members' normal weights less the smallest: neither smooth nor sparse."""
    weights = rng.standard_normal(d)
    members = (np.arange(1 << d)[:, None] >> np.arange(d)) & 1
    high = np.where(members, weights, -np.inf).max(axis=1)
    low = np.where(members, weights, np.inf).min(axis=1)
    return tabulated(np.where(np.isfinite(high), high - low, 0.0))


KINDS: dict[str, tuple[tuple[int, ...], Build]] = {
    "sparse": ((10, 13, 16, 40, 100), lambda d, rng: _closed(sparse_game(d, rng))),
    "very-sparse": ((12, 15, 50), partial(_unanimity, terms=12, largest=6, smallest=2)),
    "second-order": ((11, 80), partial(_unanimity, terms=150, largest=2)),
    "third-order": ((12, 30), partial(_unanimity, terms=120, largest=3)),
    "voting": ((11, 14, 51, 101), _voting),
    "airport": (
        (10, 15, 60, 200),
        lambda d, rng: _closed(AirportGame(rng.exponential(size=d) ** 2)),
    ),
    "product": ((9, 14, 100), _product),
    "threshold": ((10, 15), _threshold),
    "two-additive": ((13,), lambda d, rng: tabulated(two_additive_table(d, rng))),
    "parities-of-3": ((10, 12), partial(_parities, degree=3)),
    "parities-of-5": ((11,), partial(_parities, degree=5)),
    "one-parity": ((10,), _parity),
    "noise": ((8, 9), _noise),
    "smooth-noise": ((12, 14), _smooth_noise),
    "range": ((10, 13), _glass),
}


def entries() -> Iterator[Entry]:
    """Every kind at each of its numbers of players."""
    for kind, (players, build) in KINDS.items():
        for d in players:
            yield Entry(f"{kind}-{d}", "synthetic", d, partial(build, d))
