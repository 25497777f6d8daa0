"""Games whose Shapley values are known in closed form, from their structure."""

import numpy as np

from ..parameters import check_count
from .base import GameError


class AdditiveGame:
    """v(S) = offset + sum_{j in S} weights_j; every marginal contribution of j is weights_j.

    Raises `GameError` when ``weights`` is not (d,) with d >= 1, or a number is not finite.
    """

    def __init__(self, weights: np.ndarray, offset: float = 0.0, name: str = "additive"):
        self.weights = _finite(weights, 1, "weights", name)
        self.offset = float(offset)
        self.n_players = self.weights.size
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        return self.offset + coalitions @ self.weights

    def shapley_values(self) -> np.ndarray:
        """Shapley values (d,): the weights."""
        return self.weights.copy()


class PairwiseGame:
    """v(S) = sum_{i in S} a_i + sum_{i < j, both in S} B_ij: main effects and pair interactions.

    phi_i = a_i + 1/2 sum_j B_ij: each interaction is a unanimity game of two players.

    Parameters
    ----------
    main_effects : a (d,)
    interactions : B (d, d), symmetric with zero diagonal

    Raises `GameError` when the shapes, the symmetry or the diagonal are wrong.
    """

    def __init__(self, main_effects: np.ndarray, interactions: np.ndarray, name: str = "pairwise"):
        self.main_effects = _finite(main_effects, 1, "main_effects", name)
        self.interactions = _finite(interactions, 2, "interactions", name)
        d = self.main_effects.size
        if self.interactions.shape != (d, d):
            raise GameError(f"game {name}: interactions must be ({d}, {d}), as the main effects.")
        if (self.interactions != self.interactions.T).any() or self.interactions.diagonal().any():
            raise GameError(
                f"game {name}: interactions must be symmetric with zero diagonal; put the diagonal "
                "into the main effects."
            )
        self.n_players = d
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        members = coalitions.astype(np.float64)
        pairs = np.einsum("md,md->m", members @ self.interactions, members)
        return members @ self.main_effects + 0.5 * pairs

    def shapley_values(self) -> np.ndarray:
        """Shapley values (d,)."""
        return self.main_effects + 0.5 * self.interactions.sum(axis=1)


class UnanimityGame:
    """v(S) = sum_T c_T u_T(S), with u_T(S) = 1 when all of T is in S, else 0.

    phi_i = sum_{T with i} c_T / |T| (Shapley 1953, A value for n-person games, Lemma 2); any
    game is such a sum (Lemma 3). An empty T adds a constant.

    Parameters
    ----------
    coefficients : c (k,)
    members : (k, d) bool, row T marks the players of T

    Raises `GameError` when the shapes do not match.
    """

    def __init__(self, coefficients: np.ndarray, members: np.ndarray, name: str = "unanimity"):
        self.coefficients = _finite(coefficients, 1, "coefficients", name)
        self.members = np.array(members, dtype=bool)
        if self.members.ndim != 2 or len(self.members) != self.coefficients.size:
            raise GameError(
                f"game {name}: members must be (k, d) with a row for each of the "
                f"{self.coefficients.size} coefficients, not {self.members.shape}."
            )
        self.n_players = self.members.shape[1]
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        # Counts of missing players are small integers: exact in float32, and a matrix product.
        missing = (~coalitions).astype(np.float32) @ self.members.T.astype(np.float32)
        return (missing == 0) @ self.coefficients

    def shapley_values(self) -> np.ndarray:
        """Shapley values (d,)."""
        sizes = np.maximum(self.members.sum(axis=1), 1)
        return (self.coefficients / sizes) @ self.members


class AirportGame:
    """v(S) = max_{j in S} costs_j, and 0 for the empty coalition: the longest runway needed.

    With costs in increasing order, the k-th increment c_k - c_{k-1} is shared equally by the
    d - k + 1 players who need it (Littlechild & Owen 1973, Management Science 20(3)).

    Raises `GameError` when a cost is negative or not finite.
    """

    def __init__(self, costs: np.ndarray, name: str = "airport"):
        self.costs = _finite(costs, 1, "costs", name)
        if (self.costs < 0).any():
            raise GameError(f"game {name}: cost {self.costs.min()} is negative.")
        self.n_players = self.costs.size
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        return np.where(coalitions, self.costs, 0.0).max(axis=1)

    def shapley_values(self) -> np.ndarray:
        """Shapley values (d,)."""
        order = np.argsort(self.costs, kind="stable")
        increments = np.diff(self.costs[order], prepend=0.0)
        phi = np.empty(self.n_players)
        phi[order] = np.cumsum(increments / np.arange(self.n_players, 0, -1))
        return phi


class ParityGame:
    """v(S) = |S| mod 2: the interaction of all players, without any of lower order.

    Players are interchangeable, so each has v(grand) / d.
    """

    def __init__(self, n_players: int, name: str = "parity"):
        check_count(f"game {name}: n_players", n_players, 1, GameError)
        self.n_players = int(n_players)
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) in {0, 1} of the coalitions (m, d) bool."""
        return (coalitions.sum(axis=1) % 2).astype(np.float64)

    def shapley_values(self) -> np.ndarray:
        """Shapley values (d,)."""
        return np.full(self.n_players, (self.n_players % 2) / self.n_players)


def _finite(numbers: object, ndim: int, what: str, name: str) -> np.ndarray:
    """Copy to a finite, non-empty float64 array of ``ndim`` axes, or raise `GameError`."""
    numbers = np.array(numbers, dtype=np.float64)
    if numbers.ndim != ndim or numbers.size == 0:
        raise GameError(f"game {name}: {what} must have {ndim} axes, none of them empty.")
    if not np.isfinite(numbers).all():
        raise GameError(f"game {name}: {what} must be finite; check for NaN and infinity.")
    return numbers
