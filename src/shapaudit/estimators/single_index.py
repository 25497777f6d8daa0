"""Games of one number: v(S) = h(b's), s the signs of S, with a trigonometric h.

Exact Shapley values. cos and sin of w b's are the real and imaginary part of the product game
prod_j exp(i w b_j s_j), whose multilinear extension along the diagonal has a partial derivative of
degree d - 1 in q: Gauss-Legendre quadrature with d / 2 nodes integrates it without error.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from .pairs import Pairs

STEPS, TOLERANCE = 40, 1e-5
FEW_ROWS, FEW_STEPS = 300, 12  # that tell whether a sigmoid describes the game
PENALTY = 1e-6  # on the weights of the index: a step function would have infinite ones
CELLS = 500_000  # (row, player) cells that the fit of the index uses, or 5 rows per player
HARMONICS, MARGIN = 128, 1.3  # and the period in units of the range of the index
AT_ONCE = 1 << 14  # rows
SMOOTHING = np.logspace(-14, 1, 31)  # in coalitions


@dataclass(frozen=True, eq=False)
class SingleIndex:
    """h(t) = c_0 + sum_k a_k cos(w_k t) + b_k sin(w_k t) at t = index's; c_0 does not matter.

    Attributes
    ----------
    index : (d,)
    frequencies : (k,)
    amplitudes : (k,) complex, a_k - i b_k
    """

    index: np.ndarray
    frequencies: np.ndarray
    amplitudes: np.ndarray

    def odd(self, signs: np.ndarray) -> np.ndarray:
        """The odd part (m,) at signs (m, d): the sines."""
        position = signs @ self.index
        parts = (np.outer(position[rows], self.frequencies) for rows in _parts(len(position)))
        return np.concatenate([np.sin(angles) @ -self.amplitudes.imag for angles in parts])

    def shapley(self) -> np.ndarray:
        """Shapley values (d,), exactly."""
        nodes, shares = np.polynomial.legendre.leggauss(-(-len(self.index) // 2))
        turn = np.exp(1j * np.outer(self.frequencies, self.index))
        values = np.zeros(len(self.index))
        one = np.ones((len(turn), 1))
        for q, share in zip(0.5 * (nodes + 1.0), 0.5 * shares, strict=True):
            factors = (1.0 - q) * turn.conj() + q * turn
            before = np.cumprod(np.hstack([one, factors[:, :-1]]), axis=1)
            after = np.cumprod(np.hstack([one, factors[:, :0:-1]]), axis=1)[:, ::-1]
            values += share * (self.amplitudes @ (before * after * (turn - turn.conj()))).real
        return values


def single_index_of(pairs: Pairs, rng: np.random.Generator) -> SingleIndex | None:
    """The function of one number fitted to the pairs and the end points."""
    signs = np.where(pairs.coalitions, 1.0, -1.0)
    values = np.concatenate([pairs.values, pairs.opposite])
    order = rng.permutation(len(values))  # so that a first part of them has all sizes
    ends = np.ones((1, signs.shape[1]))
    signs = np.concatenate([ends, -ends, np.concatenate([signs, -signs])[order]])
    return fit_single_index(signs, np.append([pairs.grand, pairs.empty], values[order]))


def fit_single_index(signs: np.ndarray, values: np.ndarray) -> SingleIndex | None:
    """Index by `sigmoid_index`, then h by `smooth_link`; None where nothing varies or it diverges.

    ``signs`` (n, d) are those of the coalitions with ``values`` (n,), in random order but for the
    end points.
    """
    d = signs.shape[1]
    rows = max(CELLS // d, 5 * d)
    index, _ = sigmoid_index(signs[:rows], values[:rows])
    reach = np.abs(index).sum()
    if not 0.0 < reach < np.inf:
        return None
    frequencies = np.arange(1, HARMONICS + 1) * (np.pi / (MARGIN * reach))
    return SingleIndex(index, frequencies, smooth_link(signs @ index, values, frequencies))


def left_by_sigmoid(pairs: Pairs) -> float:
    """Of the sum of squares that a line leaves, the share that a sigmoid of one number leaves.

    At some of the coalitions and of their complements.
    """
    m, d = pairs.coalitions.shape
    signs = np.where(pairs.coalitions, 1.0, -1.0)
    rows = np.linspace(0, 2 * m - 1, min(2 * m, FEW_ROWS + 5 * d)).astype(int)
    values = np.concatenate([pairs.values, pairs.opposite])
    return sigmoid_index(np.concatenate([signs, -signs])[rows], values[rows], FEW_STEPS)[1]


def sigmoid_index(
    signs: np.ndarray, values: np.ndarray, steps: int = STEPS
) -> tuple[np.ndarray, float]:
    """Weights b (d,) of the least-squares fit c + e sigmoid(a + b's), by Levenberg-Marquardt.

    With a small penalty on b. A steep sigmoid is a threshold, the tail of one an exponential
    function, its middle a line. The second result is what the fit leaves of the sum of squares that
    a line leaves.
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

    def loss(params):
        sigmoid = scipy.special.expit(inputs @ params[2:])
        residuals = params[0] + params[1] * sigmoid - target
        return sigmoid, residuals, residuals @ residuals + penalties @ np.square(params)

    sigmoid, residuals, best = loss(params)
    damping = 1e-3
    for _ in range(steps):
        slope = params[1] * sigmoid * (1.0 - sigmoid)
        jacobian = np.column_stack([np.ones(n), sigmoid, slope[:, None] * inputs])
        gram = jacobian.T @ jacobian + np.diag(penalties)
        gradient = jacobian.T @ residuals + penalties * params
        before = best
        while damping < 1e9:
            lifted = gram + damping * np.diag(np.diag(gram) + 1e-9 * n)
            trial = params - _solved(lifted, gradient)
            found = loss(trial)
            if found[2] < best:
                params, (sigmoid, residuals, best) = trial, found
                damping *= 0.2
                break
            damping *= 5.0
        if best >= (1.0 - TOLERANCE) * before:
            break
    return params[3:], float(residuals @ residuals / max(line, 1e-300))


def _solved(gram, gradient):
    try:
        return scipy.linalg.cho_solve(
            scipy.linalg.cho_factor(gram, check_finite=False), gradient, check_finite=False
        )
    except scipy.linalg.LinAlgError:
        return gradient / np.diag(gram).max()


def smooth_link(position: np.ndarray, values: np.ndarray, frequencies: np.ndarray) -> np.ndarray:
    """Complex amplitudes (k,) of h, fitted to ``values`` (n,) at ``position`` (n,).

    The penalty grows as the square of the frequency; its size is that of least generalised
    cross-validation (Golub, Heath & Wahba 1979).
    """
    k, n = len(frequencies), len(position)
    scales = np.concatenate([[1e3 * k], *2 * [k / np.arange(1.0, k + 1.0)]])
    gram, moment = np.zeros((2 * k + 1, 2 * k + 1)), np.zeros(2 * k + 1)
    for rows in _parts(n):
        angles = np.outer(position[rows], frequencies)
        design = np.hstack([np.ones((len(angles), 1)), np.cos(angles), np.sin(angles)]) * scales
        gram += design.T @ design
        moment += values[rows] @ design
    levels, vectors = scipy.linalg.eigh(gram, check_finite=False)
    kept = levels > 1e-13 * levels[-1]
    levels, vectors = levels[kept], vectors[:, kept]
    energy = np.square(vectors.T @ moment) / levels
    unexplained = max(values @ values - energy.sum(), 0.0)
    smoothing = n * SMOOTHING[:, None]
    missed = np.square(smoothing / (levels + smoothing)) @ energy
    left = np.maximum(n - (levels / (levels + smoothing)).sum(axis=1), 1e-9)
    chosen = smoothing[np.argmin((unexplained + missed) / np.square(left))]
    found = scales * (vectors @ ((vectors.T @ moment) / (levels + chosen)))
    return found[1 : k + 1] - 1j * found[k + 1 :]


def _parts(n: int) -> Iterator[slice]:
    """Slices of n rows, so many at a time that their harmonics take little memory; at least one."""
    return (slice(start, start + AT_ONCE) for start in range(0, max(n, 1), AT_ONCE))
