"""Baseline games of networks, without a row of features for each coalition."""

from collections.abc import Callable, Iterator

import numpy as np

from ..models.perceptron import Perceptron
from .base import GameError

BLOCK_CELLS = 1 << 18  # (row, unit of the first layer) cells at a time: they stay in the cache


class NetworkGame:
    """v(S) = g(b + z(x, r, S) W), z having x on S and r off S.

    What enters the first layer is additive in the players, b + r W + sum_{j in S} (x_j - r_j) W_j:
    a coalition costs a product of its bits with the steps, a neighbour along a walk or across one
    player the addition of one step.

    Parameters
    ----------
    weight, bias : (d, units) and (units,) of the first layer
    rest : g, maps what enters the first layer (..., units) to values (...)
    explicand, baseline : (d,) finite

    Raises `GameError` when shapes differ or an entry is missing.
    """

    def __init__(
        self,
        weight: np.ndarray,
        bias: np.ndarray,
        rest: Callable[[np.ndarray], np.ndarray],
        explicand: np.ndarray,
        baseline: np.ndarray,
        name: str = "network",
    ):
        explicand = np.asarray(explicand, dtype=np.float64)
        baseline = np.asarray(baseline, dtype=np.float64)
        if not explicand.shape == baseline.shape == (len(weight),):
            raise GameError(
                f"explicand {explicand.shape} and baseline {baseline.shape} of {name} must both be "
                f"({len(weight)},), the inputs of the model."
            )
        if not (np.isfinite(explicand).all() and np.isfinite(baseline).all()):
            raise GameError(f"the explicand or baseline of {name} has entries that are not finite.")
        self.explicand, self.baseline = explicand, baseline
        self.n_players, self.name = len(explicand), name
        self.rest = rest
        self.start = baseline @ weight + bias
        self.steps = (explicand - baseline)[:, None] * weight

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        parts = [self.rest(self._enter(coalitions[k])) for k in self._blocks(len(coalitions), 1)]
        return np.concatenate(parts) if parts else np.empty(0)

    def walk(self, permutations: np.ndarray) -> np.ndarray:
        """Marginal contributions (m, d) along the permutations (m, d)."""
        m, d = permutations.shape
        contributions = np.empty((m, d))
        empty = self.rest(self.start[None])[0]
        for k in self._blocks(m, d):
            orders = permutations[k]
            values = self.rest(self.start + self.steps[orders].cumsum(axis=1))
            steps = np.diff(values, axis=1, prepend=empty)
            np.put_along_axis(contributions[k], orders, steps, axis=1)
        return contributions

    def gains(self, coalitions: np.ndarray) -> np.ndarray:
        """v(S + i) - v(S - i), shape (m, d), for each player i and coalition S (m, d) bool."""
        differences = np.empty(coalitions.shape)
        for k in self._blocks(*coalitions.shape):
            members = coalitions[k]
            signs = np.where(members, -1.0, 1.0)
            entered = self._enter(members)
            moved = self.rest(entered[:, None] + signs[..., None] * self.steps)
            differences[k] = signs * (moved - self.rest(entered)[:, None])
        return differences

    def _enter(self, coalitions: np.ndarray) -> np.ndarray:
        return self.start + coalitions.astype(np.float64) @ self.steps

    def _blocks(self, count: int, rows: int) -> Iterator[slice]:
        size = max(1, BLOCK_CELLS // (rows * len(self.start)))
        return (slice(k, k + size) for k in range(0, count, size))


class PerceptronGame(NetworkGame):
    """v(S) = p_c(z(x, r, S)), the probability of a class, z having x on S and r off S.

    Okhrati & Lipani 2021, Definition III.1, have c the predicted class of x, and r = 0.

    Parameters
    ----------
    model : a perceptron of d inputs
    explicand, baseline : (d,) finite
    label : the class c; by default the one predicted for the explicand

    Raises `GameError` when shapes differ or an entry is missing.
    """

    def __init__(
        self,
        model: Perceptron,
        explicand: np.ndarray,
        baseline: np.ndarray,
        label: int | None = None,
        name: str = "perceptron",
    ):
        super().__init__(
            model.weights[0], model.biases[0], self._probability, explicand, baseline, name
        )
        self.model = model
        self.label = int(model.predict(self.explicand[None])[0]) if label is None else int(label)

    def _probability(self, entered: np.ndarray) -> np.ndarray:
        return self.model.probabilities_from(entered)[..., self.label]
