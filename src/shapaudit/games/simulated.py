"""The two games of Grah & Thouvenot 2020, Section 5.1, evaluated through their structure."""

import numpy as np
from numba import njit

from ..bits import sums_over_members


@njit(cache=True, nogil=True)
def _walk_threshold(
    shifts: np.ndarray,
    start: float,
    threshold: float,
    positive: bool,
    permutations: np.ndarray,
    contributions: np.ndarray,
) -> None:
    for t in range(permutations.shape[0]):
        position = start
        before = 1.0 if (position > threshold) == positive else 0.0
        for k in range(permutations.shape[1]):
            player = permutations[t, k]
            position += shifts[player]
            after = 1.0 if (position > threshold) == positive else 0.0
            contributions[t, player] = after - before
            before = after


class ThresholdGame:
    """v(S) = 1 when ``start + sum_{j in S} shifts_j`` is on the grand coalition's side, else 0.

    The side is strict: above means ``> threshold``. A step of a walk costs O(1).
    """

    def __init__(self, start: float, shifts: np.ndarray, threshold: float, name: str = "threshold"):
        self.start = float(start)
        self.shifts = np.ascontiguousarray(shifts, dtype=np.float64)
        self.threshold = float(threshold)
        self.positive = bool(self.start + self.shifts.sum() > self.threshold)
        self.n_players = self.shifts.size
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) in {0, 1} of the coalitions (m, d) bool."""
        position = self.start + sums_over_members(coalitions, self.shifts)
        return ((position > self.threshold) == self.positive).astype(np.float64)

    def walk(self, permutations: np.ndarray) -> np.ndarray:
        """Marginal contributions (m, d) along the permutations (m, d)."""
        contributions = np.empty(permutations.shape)
        _walk_threshold(
            self.shifts, self.start, self.threshold, self.positive, permutations, contributions
        )
        return contributions


class SameClassGame(ThresholdGame):
    """Same-class reward of the chi-square classifier: v(S) = 1 when f(z(x, r, S)) = f(x).

    f(z) = 1 when the squared norm of z exceeds ``threshold``, so that replacing r_j by x_j moves
    the squared norm by x_j^2 - r_j^2 (Grah & Thouvenot 2020, Section 5.1, Classification).
    """

    def __init__(
        self,
        explicand: np.ndarray,
        baseline: np.ndarray,
        threshold: float,
        name: str = "same-class",
    ):
        explicand = np.asarray(explicand, dtype=np.float64)
        baseline = np.asarray(baseline, dtype=np.float64)
        super().__init__(baseline @ baseline, explicand**2 - baseline**2, threshold, name)


class ProductGame:
    """v(S) = prod_{j in S} present_j * prod_{j not in S} absent_j - offset.

    The radial regression of Grah & Thouvenot 2020, Section 5.1, with factors rho(x_j), rho(r_j)
    and offset f(r). Factors must be positive: products are formed from logarithms.
    """

    def __init__(
        self, present: np.ndarray, absent: np.ndarray, offset: float = 0.0, name: str = "product"
    ):
        self.present = np.asarray(present, dtype=np.float64)
        self.absent = np.asarray(absent, dtype=np.float64)
        if (self.present <= 0).any() or (self.absent <= 0).any():
            raise ValueError(f"game {name}: the factors of a product game must be positive.")
        self.offset = float(offset)
        self.n_players = self.present.size
        self.name = name
        self._ratios = np.log(self.present) - np.log(self.absent)
        self._start = np.log(self.absent).sum()

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        return np.exp(self._start + sums_over_members(coalitions, self._ratios)) - self.offset

    def walk(self, permutations: np.ndarray) -> np.ndarray:
        """Marginal contributions (m, d) along the permutations (m, d)."""
        exponents = np.zeros((permutations.shape[0], permutations.shape[1] + 1))
        np.cumsum(self._ratios[permutations], axis=1, out=exponents[:, 1:])
        contributions = np.empty(permutations.shape)
        steps = np.diff(np.exp(self._start + exponents), axis=1)
        np.put_along_axis(contributions, permutations, steps, axis=1)
        return contributions


def radial_factor(t: np.ndarray) -> np.ndarray:
    """rho(t) = sqrt(pi / 2) exp(-t^2 / 2), elementwise (Section 5.1, Regression)."""
    return np.sqrt(0.5 * np.pi) * np.exp(-0.5 * np.square(t))


class RadialGame(ProductGame):
    """v(S) = f(z(x, r, S)) - f(r) with f(x) = prod_j rho(x_j)."""

    def __init__(self, explicand: np.ndarray, baseline: np.ndarray, name: str = "radial") -> None:
        absent = radial_factor(baseline)
        super().__init__(radial_factor(explicand), absent, np.prod(absent), name)
