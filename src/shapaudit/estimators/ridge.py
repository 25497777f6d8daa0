"""The ridge of least generalised cross-validation, from one tridiagonal form of a Gram matrix."""

import numpy as np
import scipy
from numba import njit

RIDGES = np.logspace(-4, 6, 31)  # in units of the mean level


@njit(cache=True, nogil=True)
def _reflect(
    reflectors: np.ndarray, scales: np.ndarray, vector: np.ndarray, backwards: bool
) -> None:
    """Apply Q', or backwards Q, to a vector (p,), whose first coordinate stays."""
    steps = scales.size
    for step in range(steps):
        k = steps - 1 - step if backwards else step
        dot = vector[k + 1]
        for row in range(k + 2, vector.size):
            dot += reflectors[row, k] * vector[row]
        dot *= scales[k]
        vector[k + 1] -= dot
        for row in range(k + 2, vector.size):
            vector[row] -= dot * reflectors[row, k]


class Tridiagonal:
    """A = Q T Q' (p, p): every ridge regression on A and b is one on T and Q'b.

    Takes a third of the time of the eigenvectors of A, of which the upper triangle is read.

    Attributes
    ----------
    diagonal, off : of T, (p,) and (p - 1,)
    """

    def __init__(self, gram: np.ndarray):
        work = int(scipy.linalg.lapack.dsytrd_lwork(len(gram), lower=1)[0])
        reflectors, self.diagonal, self.off, scales, _ = scipy.linalg.lapack.dsytrd(
            gram.T, lower=1, lwork=work
        )
        self._reflectors = reflectors, scales

    def turned(self, vector: np.ndarray) -> np.ndarray:
        """Q' times a vector (p,)."""
        vector = vector.copy()
        _reflect(*self._reflectors, vector, False)
        return vector

    def back(self, vector: np.ndarray) -> np.ndarray:
        """Q times a vector (p,)."""
        vector = vector.copy()
        _reflect(*self._reflectors, vector, True)
        return vector


@njit(cache=True, nogil=True)
def rank_of(diagonal: np.ndarray, off: np.ndarray, floor: float) -> int:
    """Levels of T above ``floor``: as many as T - floor has positive pivots (Sylvester)."""
    count, pivot = 0, 1.0
    for k in range(diagonal.size):
        square = off[k - 1] ** 2 if k else 0.0
        pivot = diagonal[k] - floor - square / pivot
        if pivot == 0.0:
            pivot = -1e-300
        count += pivot > 0.0
    return count


@njit(cache=True, nogil=True)
def solve_shifted(
    diagonal: np.ndarray, off: np.ndarray, right: np.ndarray, ridge: float
) -> tuple[np.ndarray, float]:
    """Solution (p,) of (T + ridge) x = b, and the trace of the inverse."""
    size = diagonal.size
    down, x = np.empty(size), np.empty(size)
    for k in range(size):
        down[k], x[k] = diagonal[k] + ridge, right[k]
        if k:
            factor = off[k - 1] / down[k - 1]
            down[k] -= factor * off[k - 1]
            x[k] -= factor * x[k - 1]
    trace, up = 0.0, 0.0
    for k in range(size - 1, -1, -1):
        # The pivots from both ends meet in the diagonal of the inverse.
        entry = diagonal[k] + ridge
        up = entry - (off[k] ** 2 / up if k < size - 1 else 0.0)
        trace += 1.0 / (down[k] + up - entry)
        if k < size - 1:
            x[k] -= off[k] * x[k + 1]
        x[k] /= down[k]
    return x, trace


@njit(cache=True, nogil=True)
def tridiagonal_forms(
    diagonal: np.ndarray, off: np.ndarray, right: np.ndarray, ridges: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """b'(T + ridge)^-1 b and the logarithm of the determinant of T + ridge, for each ridge."""
    energies, levels = np.empty(ridges.size), np.empty(ridges.size)
    for number in range(ridges.size):
        ridge = ridges[number]
        energy, level, pivot, carried = 0.0, 0.0, 1.0, 0.0
        for k in range(diagonal.size):
            factor = off[k - 1] / pivot if k else 0.0
            pivot = diagonal[k] + ridge - (factor * off[k - 1] if k else 0.0)
            pivot = max(pivot, 1e-300)
            carried = right[k] - factor * carried
            energy += carried * carried / pivot
            level += np.log(pivot)
        energies[number], levels[number] = energy, level
    return energies, levels


def cross_validated(
    gram: np.ndarray, moment: np.ndarray, residual: float, rows: int, floor: float
) -> np.ndarray | None:
    """(A + ridge)^-1 b (p,) for the ridge of least RSS / (degrees of freedom left)^2.

    None where that is no ridge, or where there is nothing to shrink.

    Parameters
    ----------
    gram, moment : A (p, p) and b (p,) of the normal equations
    residual : the weighted sum of squares before the fit, with ``rows`` degrees of freedom
    floor : levels of A below it count as zero
    """
    if len(gram) == 0:
        return None
    form, scores, solutions = Tridiagonal(gram), [], []
    turned = form.turned(moment)
    rank = rank_of(form.diagonal, form.off, floor)
    if rank == 0:
        return None
    ridges = form.diagonal.sum() / rank * RIDGES
    if rows > rank:
        ridges = np.append(ridges, floor)  # as good as none
    for ridge in ridges:
        x, trace = solve_shifted(form.diagonal, form.off, turned, ridge)
        unexplained = max(residual - turned @ x - ridge * (x @ x), 0.0)
        scores.append(unexplained / (rows - len(gram) + ridge * trace) ** 2)
        solutions.append(x)
    best = np.argmin(scores)
    return form.back(solutions[best]) if best < len(RIDGES) else None
