"""Voting and matching games with values 0, 1, 2, ..., whose Shapley values are counts of orders."""

from fractions import Fraction
from math import comb

import numpy as np

from ..parameters import check_count
from .base import GameError


class GloveGame:
    """v(S) = number of pairs = min(left, right gloves in S); players 0 to n_left - 1 hold a left.

    A left player contributes 1 exactly when it finds fewer left than right gloves before it
    (Shapley & Shubik 1969, International Economic Review 10(3)).
    """

    def __init__(self, n_left: int, n_right: int, name: str = "glove"):
        self.n_left = _count(n_left, f"game {name}: n_left", 0)
        self.n_right = _count(n_right, f"game {name}: n_right", 0)
        self.n_players = _count(self.n_left + self.n_right, f"game {name}: n_left + n_right", 1)
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        left = coalitions[:, : self.n_left].sum(axis=1)
        right = coalitions[:, self.n_left :].sum(axis=1)
        return np.minimum(left, right).astype(np.float64)

    def shapley_values(self) -> np.ndarray:
        """Shapley values (d,)."""
        left = _glove_value(self.n_left, self.n_right)
        right = _glove_value(self.n_right, self.n_left)
        return np.array([left] * self.n_left + [right] * self.n_right)


class SymmetricMajorityGame:
    """v(S) = 1 when |S| >= quota, else 0. Players are interchangeable: each has 1 / d.

    Raises `GameError` unless 1 <= quota <= n_players.
    """

    def __init__(self, n_players: int, quota: int, name: str = "symmetric-majority"):
        self.n_players = _count(n_players, f"game {name}: n_players", 1)
        self.quota = _count(quota, f"game {name}: quota", 1)
        if self.quota > self.n_players:
            raise GameError(f"game {name}: quota {quota} is above the {n_players} players.")
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) in {0, 1} of the coalitions (m, d) bool."""
        return (coalitions.sum(axis=1) >= self.quota).astype(np.float64)

    def shapley_values(self) -> np.ndarray:
        """Shapley values (d,)."""
        return np.full(self.n_players, 1 / self.n_players)


class WeightedMajorityGame:
    """v(S) = 1 when sum_{j in S} weights_j >= quota, else 0.

    The Shapley values are the power index of Shapley & Shubik (1954, American Political Science
    Review 48(3)).

    Parameters
    ----------
    weights : (d,) integers >= 0
    quota : integer >= 1

    Raises `GameError` for other weights or quotas.
    """

    def __init__(self, weights: np.ndarray, quota: int, name: str = "weighted-majority"):
        what = f"game {name}: the weight of player"
        checked = [_count(weight, f"{what} {i}", 0) for i, weight in enumerate(weights)]
        self.weights = np.array(checked, dtype=np.int64)
        self.quota = _count(quota, f"game {name}: quota", 1)
        self.n_players = _count(self.weights.size, f"game {name}: number of weights", 1)
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) in {0, 1} of the coalitions (m, d) bool."""
        # Sums of integers are exact in float64, and a matrix product there is fast.
        return (coalitions @ self.weights.astype(np.float64) >= self.quota).astype(np.float64)

    def shapley_values(self) -> np.ndarray:
        """Shapley values (d,), from integer counts of coalitions by size and weight.

        Player i is pivotal for the coalitions without i whose weight is in
        [quota - weights_i, quota). They are counted for all players at once; those with i are then
        taken out again (Mann & Shapley 1962, RAND RM-3158). Costs O(d^2 quota) integer additions
        and a table of (d + 1) quota integers.
        """
        weights = np.minimum(self.weights, self.quota)  # more than enough is enough
        counts = np.zeros((self.n_players + 1, self.quota), dtype=object)
        counts[0, 0] = 1
        for weight in weights:
            counts[1:, weight:] += counts[:-1, : self.quota - weight].copy()
        distinct, kind = np.unique(weights, return_inverse=True)
        return np.array([_pivot_share(counts, weight) for weight in distinct])[kind]


def _pivot_share(counts: np.ndarray, weight: int) -> float:
    """Share of orders in which one player of that weight is pivotal.

    ``counts`` (d + 1, quota) holds the coalitions of all players, by size and weight below quota.
    """
    d, quota = len(counts) - 1, counts.shape[1]
    without = counts[0]
    share = Fraction(0)
    for size in range(d):
        share += Fraction(int(without[quota - weight :].sum()), d * comb(d - 1, size))
        without_before, without = without, counts[size + 1].copy()
        without[weight:] -= without_before[: quota - weight]
    return float(share)


def _glove_value(own: int, other: int) -> float:
    """Probability that fewer of a player's own kind than of the other kind come before it."""
    d = own + other
    share = Fraction(0)
    for before in range(own):
        for others in range(before + 1, other + 1):
            size = before + others
            pivots = comb(own - 1, before) * comb(other, others)
            share += Fraction(pivots, d * comb(d - 1, size))
    return float(share)


def _count(number: int, what: str, minimum: int) -> int:
    check_count(what, number, minimum, GameError)
    return int(number)
