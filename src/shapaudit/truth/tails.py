"""What the frequencies that are not computed can add, from sums of phases alone."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from .spectrum import size_bounds, sum_bounds

LEVELS = (0.1, 0.2, 0.4, 1.0)  # of the players: bounds of |p_2| that have a table
STRIDE = 2  # frequencies in a cell


def vaaler(u: np.ndarray) -> np.ndarray:
    """pi u (1 - u) cot(pi u) + u for 0 < u < 1: from 1 down to 0."""
    return np.pi * u * (1 - u) / np.tan(np.pi * u) + u


@lru_cache(maxsize=2)
def _bounds(n: int, first: int) -> np.ndarray:
    """Bounds (levels, n + 1, n // 2 + 1) by level, c and size, of n other players.

    Of the mean over that size, its mirror image and all between, of first, ..., n - first.
    """
    counted = np.full(n // 2 + 1, 2.0)
    counted[:first] = 0
    if n % 2 == 0:
        counted[n // 2] = float(n // 2 >= first)
    tables = np.array([size_bounds(n, level * n) for level in LEVELS])
    return (tables * counted)[..., ::-1].cumsum(axis=-1)[..., ::-1] / (n + 1)


@dataclass(frozen=True, eq=False)
class Tails:
    """Bounds of means over sizes of characteristic functions, by frequency.

    Attributes
    ----------
    shifts : (d,)
    step : 2 pi / period
    first : the sizes are first, ..., d - 1 - first
    degree : frequencies 1, ..., degree are of interest
    """

    shifts: np.ndarray
    step: float
    first: int
    degree: int

    @property
    def _bounds(self) -> np.ndarray:
        return _bounds(self.shifts.size - 1, self.first)

    @cached_property
    def _at(self) -> tuple[np.ndarray, np.ndarray]:
        """Level and c (cells,), of the sum over any d - 1 of the players."""
        n, cells = self.shifts.size - 1, -(-self.degree // STRIDE)
        sums = np.minimum(sum_bounds(self.shifts, self.step, cells, STRIDE) + 1, n)
        # Twice the frequencies of a cell are in two cells; of the later ones nothing is known.
        half = cells // 2
        doubled = np.full(cells, float(n))
        doubled[:half] = sums[: 2 * half].reshape(half, 2).max(axis=1)
        levels = np.searchsorted(np.array(LEVELS[:-1]) * n, doubled)
        return levels, np.ceil(sums).astype(np.int64)

    @property
    def beyond(self) -> np.ndarray:
        """Error that the frequencies after the first STRIDE j may cause, by j (cells + 1,)."""
        k = np.arange(len(self._at[0])) * STRIDE + 1.0
        each = STRIDE * self._weights(k) * self._bounds[(*self._at, 0)]
        return np.append(np.cumsum(each[::-1])[::-1], 0.0)

    def sizes(self, count: int, most: float) -> tuple[np.ndarray, float]:
        """Largest sizes (count,) that the first frequencies need, and the error without the others.

        That error is at most ``most``.
        """
        k = np.arange(count)
        weights = self._weights(k + 1.0)
        levels, sums = (index[k // STRIDE] for index in self._at)
        rest = self._bounds[levels, sums]
        tops = np.maximum((rest > most / weights.sum()).sum(axis=1) - 1, 0)
        omitted = np.append(rest, np.zeros((count, 1)), axis=1)[k, tops + 1]
        return tops, float(weights @ omitted)

    def _weights(self, k: np.ndarray) -> np.ndarray:
        """Error per modulus at frequencies k: in a difference of two laws, and in its bound."""
        u = k / (self.degree + 1)
        return 2 / np.pi * vaaler(u) / k + 2 * (1 - u) / (self.degree + 1)
