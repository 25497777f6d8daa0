"""The polynomial regression where interactions outnumber coalitions: by coalitions, not by sets.

Ridge regression on features z depends on them through the m^2 products z(S)'z(S') alone. Those of
all interactions of two and three players, free of Shapley values, are sums of powers of the
players' signs, so that no feature is formed: with u_j = s_j s'_j and sigma the sum of the signs,

    order 2: e_2(u) - e_2(s) - e_2(s') + C(d, 2),
    order 3: e_3(u) - sum_j [s'_j s_j e_2(s without j) + the same of s'] / 3
             + [C(d - 1, 2) sum u + (d - 2) (sigma sigma' - sum u)] / 9.
"""

from collections.abc import Sequence
from math import comb

import numpy as np
import scipy

from .polynomial_krylov import Interactions, ridge_dual
from .ridge import RIDGES, Tridiagonal, rank_of, solve_shifted


def interaction_products(signs: np.ndarray, orders: Sequence[int]) -> np.ndarray:
    """Products (m, m) of the features of all interactions of these orders, 2 or 3."""
    m, d = signs.shape
    agreed, sums = signs @ signs.T, signs.sum(axis=1)
    products = np.zeros((m, m))
    if 2 in orders:
        pairs = 0.5 * (np.square(sums) - d)
        products += 0.5 * (np.square(agreed) - d) - pairs - pairs[:, None] + comb(d, 2)
    if 3 in orders:
        others = sums[:, None] - signs
        cross = (signs * 0.5 * (np.square(others) - (d - 1))) @ signs.T / 3.0
        products += agreed * (np.square(agreed) - (3 * d - 2)) / 6.0 - cross - cross.T
        mixed = (d - 2) * (np.outer(sums, sums) - agreed)
        products += (comb(d - 1, 2) * agreed + mixed) / 9.0
    return products


def fit_by_rows(
    signs: np.ndarray,
    weights: np.ndarray,
    deviations: np.ndarray,
    orders: Sequence[int],
    ridge: float | None,
    tolerance: float,
) -> np.ndarray:
    """Linear coefficients (d,), of sum 0, of the fit to the deviations (m,) at signs (m, d).

    The interactions have the penalty ``ridge`` or, with None, that of least generalised
    cross-validation, as in `ridge.cross_validated`; levels below ``tolerance`` times m are zero.
    """
    roots, basis, inverse = _linear_part(signs, weights, tolerance)
    products = roots[:, None] * interaction_products(signs, orders) * roots
    inner = products - basis @ (basis.T @ products)
    inner -= (inner @ basis) @ basis.T
    m, d = signs.shape
    target = roots * deviations
    left = target - basis @ (basis.T @ target)
    dual = _dual(inner, left, ridge, tolerance * m, d - 1)
    dual -= basis @ (basis.T @ dual)
    return inverse @ (basis.T @ (target - products @ dual))


def fit_by_products(
    signs: np.ndarray,
    weights: np.ndarray,
    deviations: np.ndarray,
    orders: Sequence[int],
    tolerance: float,
) -> np.ndarray:
    """`fit_by_rows` with the ridge of cross-validation, without a matrix of the interactions."""
    roots, basis, inverse = _linear_part(signs, weights, tolerance)
    interactions = Interactions(signs, orders)

    def outside(vector: np.ndarray) -> np.ndarray:
        return vector - basis @ (basis.T @ vector)

    def weighted(vector: np.ndarray) -> np.ndarray:
        return roots * interactions.product(roots * vector)

    target = roots * deviations
    dual = ridge_dual(
        lambda vector: outside(weighted(outside(vector))),
        outside(target),
        interactions.size,
        signs.shape[1] - 1,
    )
    return inverse @ (basis.T @ (target - weighted(dual)))


def _linear_part(
    signs: np.ndarray, weights: np.ndarray, tolerance: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Roots of the weights (m,), the linear part's basis (m, k), and what inverts it (d, k)."""
    roots = np.sqrt(weights)
    linear = roots[:, None] * (signs - signs.mean(axis=1, keepdims=True))
    basis, levels, turn = np.linalg.svd(linear, full_matrices=False)
    kept = levels > np.sqrt(tolerance) * levels[0]
    return roots, basis[:, kept], turn[kept].T / levels[kept]


def _dual(
    inner: np.ndarray, target: np.ndarray, ridge: float | None, floor: float, taken: int
) -> np.ndarray:
    """(A + ridge)^-1 b; ``taken`` degrees of freedom went to the linear part."""
    if ridge is not None:
        lifted = inner + max(ridge, floor) * np.eye(len(inner))
        return scipy.linalg.solve(lifted, target, assume_a="pos", check_finite=False)
    form = Tridiagonal(inner)
    turned = form.turned(target)
    rank = rank_of(form.diagonal, form.off, floor)
    best, solution = np.inf, np.zeros(len(target))
    if rank == 0:  # the linear part explains everything
        return solution
    for size in form.diagonal.sum() / rank * RIDGES:
        x, trace = solve_shifted(form.diagonal, form.off, turned, size)
        score = np.square(size) * (x @ x) / np.square(size * trace - taken)
        if score < best:
            best, solution = score, x
    return form.back(solution)
