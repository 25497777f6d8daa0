"""Means and variances of independent units, accumulated block by block."""

import numpy as np


class RunningMoments:
    """Count, mean (d,) and sum of squared deviations (d,) of rows seen so far.

    Blocks are merged by the pairwise update of Chan, Golub & LeVeque (1983), of which the online
    variance of Grah & Thouvenot 2020, Algorithm 1, is the case of blocks of one row.
    """

    def __init__(self, size: int):
        self.count = 0
        self.mean = np.zeros(size)
        self._squares = np.zeros(size)

    def update(self, rows: np.ndarray) -> None:
        """Add the rows (m, d)."""
        m = len(rows)
        if m == 0:
            return
        mean = rows.mean(axis=0)
        delta = mean - self.mean
        total = self.count + m
        self._squares += np.square(rows - mean).sum(axis=0)
        self._squares += np.square(delta) * (self.count * m / total)
        self.mean = self.mean + delta * (m / total)
        self.count = total

    def standard_errors(self) -> np.ndarray | None:
        """Standard errors (d,) of the mean; None before the second row."""
        if self.count < 2:
            return None
        return np.sqrt(self._squares / (self.count - 1) / self.count)
