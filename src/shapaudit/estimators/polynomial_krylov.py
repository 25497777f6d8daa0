"""The polynomial regression with thousands of coalitions and interactions, without their matrix.

Ridge regression needs (A + ridge)^-1 b for many ridges, A = F F' the products of the coalitions'
features. Lanczos' tridiagonal form of A, begun at b, has them all after few products of A with a
vector; begun at random signs, it has the traces that generalised cross-validation asks for
(Golub & von Matt 1997). Products with F are formed from the signs alone: of two players' features
in O(m d^2), of three players' in O(m d^3).
"""

from collections.abc import Callable, Sequence
from math import comb

import numpy as np
import scipy

from .ridge import RIDGES

Product = Callable[[np.ndarray], np.ndarray]
STEPS = 160  # of Lanczos' iteration, at most
CONVERGED = 1e-9  # of the first off-diagonal entry, below which it ends
PROBES, PROBE_STEPS = 4, 60


def krylov_work(rows: int, n_players: int, orders: Sequence[int]) -> float:
    """Operations, about, of `ridge_dual` with these interactions."""
    once = sum(4.0 * rows * n_players**order for order in orders)
    return (STEPS + PROBES * PROBE_STEPS) * once


class Interactions:
    """Products with the features F (m, p) of all interactions of two and of three players.

    Those of two players are chi_T - 1, those of three chi_T less the mean sign of the members.
    """

    def __init__(self, signs: np.ndarray, orders: Sequence[int]):
        self.signs, self.orders = signs, orders
        d = signs.shape[1]
        self.first, self.second = np.triu_indices(d, 1)
        self.size = sum(comb(d, order) for order in orders)
        self._later = np.arange(d) > self.second[:, None]  # the third player, once each set
        if 3 in orders:
            self._two = signs[:, self.first] * signs[:, self.second]

    def product(self, vector: np.ndarray) -> np.ndarray:
        """F F' times a vector (m,)."""
        image = np.zeros(len(vector))
        if 2 in self.orders:
            image += self._pairs(vector)
        if 3 in self.orders:
            image += self._triples(vector)
        return image

    def _pairs(self, vector: np.ndarray) -> np.ndarray:
        signs = self.signs
        shares = (signs.T * vector) @ signs - vector.sum()
        np.fill_diagonal(shares, 0.0)
        return 0.5 * (np.einsum("ij,ij->i", signs @ shares, signs) - shares.sum())

    def _triples(self, vector: np.ndarray) -> np.ndarray:
        signs = self.signs
        sums = signs.T @ vector
        means = (sums[self.first] + sums[self.second])[:, None] + sums
        shares = np.where(self._later, (self._two.T * vector) @ signs - means / 3.0, 0.0)
        by_pairs = np.einsum("ij,ij->i", self._two @ shares, signs)
        rows = shares.sum(axis=1)
        members = shares.sum(axis=0)
        members += np.bincount(self.first, weights=rows, minlength=len(sums))
        members += np.bincount(self.second, weights=rows, minlength=len(sums))
        return by_pairs - signs @ members / 3.0


def lanczos(
    product: Product, start: np.ndarray, steps: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Diagonal (k,), off-diagonal (k - 1,) and basis (k, m) of the form begun at ``start`` (m,)."""
    basis = np.empty((min(steps, len(start)), len(start)))
    basis[0] = start / np.linalg.norm(start)
    diagonal, off = [], []
    for step in range(len(basis)):
        image = product(basis[step])
        diagonal.append(basis[step] @ image)
        for _ in range(2):  # rounding errors leave some of what was taken away
            image -= basis[: step + 1].T @ (basis[: step + 1] @ image)
        length = np.linalg.norm(image)
        off.append(length)
        if step + 1 == len(basis) or length <= CONVERGED * max(off[0], abs(diagonal[0])):
            break
        basis[step + 1] = image / length
    return np.array(diagonal), np.array(off[:-1]), basis[: len(diagonal)]


def ridge_dual(product: Product, target: np.ndarray, size: int, taken: int) -> np.ndarray:
    """(A + ridge)^-1 b (m,) for A given by its products with vectors, b the ``target`` (m,).

    The ridge is that of least generalised cross-validation over `ridge.RIDGES` times the mean
    level; ``size`` is that of the features, ``taken`` the degrees of freedom that went before.
    """
    m = len(target)
    if not target.any():
        return np.zeros(m)
    diagonal, off, basis = lanczos(product, target, STEPS)
    levels, vectors = scipy.linalg.eigh_tridiagonal(diagonal, off)
    levels, amounts = np.maximum(levels, 0.0), np.linalg.norm(target) * vectors[0]
    rank = min(m - taken, size)
    probes = np.random.default_rng(0).choice([-1.0, 1.0], (PROBES, m))
    forms = [lanczos(product, probe, PROBE_STEPS)[:2] for probe in probes]
    ridges = m * np.mean([diagonal[0] for diagonal, _ in forms]) / rank * RIDGES
    scores = [
        np.square(ridge * amounts / (levels + ridge)).sum()
        / np.square(ridge * _trace(forms, ridge, m, rank) - taken)
        for ridge in ridges
    ]
    ridge = ridges[np.argmin(scores)]
    return (vectors @ (amounts / (levels + ridge))) @ basis


def _trace(
    forms: Sequence[tuple[np.ndarray, np.ndarray]], ridge: float, m: int, rank: int
) -> float:
    """Trace of (A + ridge)^-1 by Lanczos quadrature, of at most so many levels above zero."""
    traces = []
    for diagonal, off in forms:
        levels, vectors = scipy.linalg.eigh_tridiagonal(diagonal, off)
        traces.append(m * np.square(vectors[0]) @ (1.0 / (np.maximum(levels, 0.0) + ridge)))
    return max(np.mean(traces), (m - rank) / ridge)
