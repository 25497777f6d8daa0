"""Odd ridge functions h(b's) of one weighted sum: s the signs of a coalition, h a sum of sines.

Their Shapley values are exact. sin(k b's) is the imaginary part of the product game
prod_j exp(i k b_j s_j), whose multilinear extension along the diagonal has a partial derivative of
degree d - 1 in q: Gauss-Legendre quadrature with d / 2 nodes integrates it without error.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from ..pairs import Pairs

STEPS, TOLERANCE = 40, 1e-5
FEW_ROWS, ROUGH = 300, 1e-2  # and tolerance, that tell whether a sigmoid describes the game
PENALTY = 1e-6  # on the weights of the index: a step function would have infinite ones
CELLS = 500_000  # (row, player) cells that the fit of the index uses, or 5 rows per player
HARMONICS, MARGIN = 128, 1.3  # and half the period in units of the largest number
AT_ONCE = 1 << 14  # rows
SMOOTHING = np.logspace(-8, 1, 37)  # noise variances over the number of pairs
CLEARLY = 0.5  # as large errors, that make one fit better than another
ROUNDING = 1e-12  # of the largest level


@dataclass(frozen=True, eq=False)
class SingleIndex:
    """h(t) = sum_k b_k sin(k t) at t = index's.

    Attributes
    ----------
    index : (d,)
    amplitudes : b (k,)
    """

    index: np.ndarray
    amplitudes: np.ndarray

    def odd_part(self, signs: np.ndarray) -> np.ndarray:
        """The odd part (m,) at signs (m, d)."""
        position = signs @ self.index
        parts = (sines(position[rows], len(self.amplitudes)) for rows in _parts(len(position)))
        return np.concatenate([part @ self.amplitudes for part in parts])

    def shapley(self) -> np.ndarray:
        """Shapley values (d,), exactly."""
        nodes, shares = np.polynomial.legendre.leggauss(-(-len(self.index) // 2))
        turn = np.exp(1j * np.outer(np.arange(1, len(self.amplitudes) + 1), self.index))
        values = np.zeros(len(self.index))
        ones = np.ones((len(turn), 1))
        for q, share in zip(0.5 * (nodes + 1.0), 0.5 * shares, strict=True):
            factors = (1.0 - q) * turn.conj() + q * turn
            before = np.cumprod(np.hstack([ones, factors[:, :-1]]), axis=1)
            after = np.cumprod(np.hstack([ones, factors[:, :0:-1]]), axis=1)[:, ::-1]
            # turn - turn.conj() is 2 i sin(k b_j)
            values += share * (self.amplitudes @ ((before * after).real * 2.0 * turn.imag))
        return values


def single_index_of(
    pairs: Pairs, rng: np.random.Generator, known: SingleIndex | None = None
) -> SingleIndex | None:
    """A ridge function: its index from `sigmoid_index` on all values, then h by `smooth_sines`.

    h is fitted to the odd part. The index ``known`` is taken instead where its residuals are less
    than half as large, since a search may end far from the best index. None where the values do
    not vary or the index diverges.
    """
    signs = np.where(pairs.coalitions, 1.0, -1.0)
    m, d = signs.shape
    ends = np.ones((1, d))
    order = rng.permutation(2 * m)[: max(CELLS // d, 5 * d)]  # some, of all sizes
    both = np.concatenate([signs, -signs])[order]
    values = np.concatenate([pairs.values, pairs.opposite])[order]
    both = np.concatenate([ends, -ends, both])
    index, _ = sigmoid_index(both, np.append([pairs.grand, pairs.empty], values))
    reach = np.abs(index).sum()
    if not 0.0 < reach < np.inf:
        return None
    signs = np.vstack([signs, ends])
    odd_part = np.append(pairs.odd_part, 0.5 * pairs.total)
    fitted = _with_index(np.pi / (MARGIN * reach) * index, signs, odd_part)
    if known is None:
        return fitted
    other = _with_index(known.index, signs, odd_part)
    left, left_by_other = (
        np.abs(odd_part - index.odd_part(signs)).sum() for index in (fitted, other)
    )
    return other if left_by_other < CLEARLY * left else fitted


def _with_index(index: np.ndarray, signs: np.ndarray, odd_part: np.ndarray) -> SingleIndex:
    return SingleIndex(index, smooth_sines(signs @ index, odd_part))


def left_by_sigmoid(pairs: Pairs) -> float:
    """Residual sum of squares of a sigmoid of one weighted sum, over that of a linear function.

    It is computed on a subset of the coalitions and their complements.
    """
    m, d = pairs.coalitions.shape
    signs = np.where(pairs.coalitions, 1.0, -1.0)
    rows = np.linspace(0, 2 * m - 1, min(2 * m, FEW_ROWS + 5 * d)).astype(int)
    values = np.concatenate([pairs.values, pairs.opposite])
    return sigmoid_index(np.concatenate([signs, -signs])[rows], values[rows], ROUGH)[1]


def sigmoid_index(
    signs: np.ndarray, values: np.ndarray, tolerance: float = TOLERANCE
) -> tuple[np.ndarray, float]:
    """Weights b (d,) of the least-squares fit c + e sigmoid(a + b's), by Levenberg-Marquardt.

    There is a small penalty on b. A steep sigmoid is a threshold; the tail of a sigmoid is an
    exponential function, its middle a line. The second result is the residual sum of squares over
    that of a linear function.
    """
    n, d = signs.shape
    spread = np.ptp(values)
    if spread == 0.0:
        return np.zeros(d), 1.0
    target = (values - values.min()) / spread
    inputs = np.column_stack([np.ones(n), signs])
    slopes = np.linalg.lstsq(inputs, target, rcond=None)[0]
    line = np.square(inputs @ slopes - target).sum()
    scale = 2.0 / max((inputs @ slopes).std(), 1e-12)
    slopes[0] -= target.mean()
    params = np.concatenate([[0.0, 1.0], scale * slopes])
    penalties = np.concatenate([[0.0, 0.0, 0.0], np.full(d, PENALTY)])

    def loss(params: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        sigmoid = scipy.special.expit(inputs @ params[2:])
        residuals = params[0] + params[1] * sigmoid - target
        return sigmoid, residuals, residuals @ residuals + penalties @ np.square(params)

    sigmoid, residuals, best = loss(params)
    damping = 1e-3
    for _ in range(STEPS):
        slope = params[1] * sigmoid * (1.0 - sigmoid)
        jacobian = np.column_stack([np.ones(n), sigmoid, slope[:, None] * inputs])
        gram = jacobian.T @ jacobian + np.diag(penalties)
        gradient = jacobian.T @ residuals + penalties * params
        before = best
        while damping < 1e9:
            lifted = gram + damping * np.diag(np.diag(gram) + 1e-9 * n)
            trial = params - _solved(lifted, gradient)
            tried = loss(trial)
            if tried[2] < best:
                params, (sigmoid, residuals, best) = trial, tried
                damping *= 0.2
                break
            damping *= 5.0
        if best >= (1.0 - tolerance) * before:
            break
    return params[3:], float(residuals @ residuals / max(line, 1e-300))


def _solved(gram: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    try:
        return scipy.linalg.cho_solve(
            scipy.linalg.cho_factor(gram, check_finite=False), gradient, check_finite=False
        )
    except scipy.linalg.LinAlgError:
        return gradient / np.diag(gram).max()


def smooth_sines(position: np.ndarray, odd_part: np.ndarray, count: int = HARMONICS) -> np.ndarray:
    """Amplitudes (count,) of h, fitted to ``odd_part`` (n,) of the game at ``position`` (n,).

    This is a Gaussian process. The amplitude of frequency k has the prior variance 1 / k^2, so that
    h is nearly piecewise linear between positions, and the noise level maximises the likelihood.
    Cross-validation would fit different values at nearly equal positions, at the price of large
    oscillations in the gaps.
    """
    n = len(position)
    scales = count / np.arange(1.0, count + 1.0)
    gram, moment = np.zeros((count, count)), np.zeros(count)
    for rows in _parts(n):
        design = sines(position[rows], count) * scales
        gram += design.T @ design
        moment += odd_part[rows] @ design
    levels, vectors = scipy.linalg.eigh(gram, check_finite=False)
    kept = levels > ROUNDING * levels[-1]
    levels, vectors = levels[kept], vectors[:, kept]
    seen = vectors.T @ moment
    energy = np.square(seen) / levels
    unexplained = max(odd_part @ odd_part - energy.sum(), 0.0)
    noises = n * SMOOTHING[:, None]
    squares = (1.0 / (levels + noises)) @ energy + unexplained / noises[:, 0]
    volumes = np.log(levels + noises).sum(axis=1) + (n - len(levels)) * np.log(noises[:, 0])
    chosen = noises[np.argmin(n * np.log(np.maximum(squares, 1e-300)) + volumes)]
    return scales * (vectors @ (seen / (levels + chosen)))


def sines(position: np.ndarray, count: int) -> np.ndarray:
    """sin(k t) (n, count) of t in ``position`` (n,), k = 1, ..., count."""
    turns = np.broadcast_to(np.exp(1j * position)[:, None], (len(position), count))
    return np.cumprod(turns, axis=1).imag


def _parts(n: int) -> Iterator[slice]:
    """Slices of n rows, of a size whose harmonics take little memory; at least one slice."""
    return (slice(start, start + AT_ONCE) for start in range(0, max(n, 1), AT_ONCE))
