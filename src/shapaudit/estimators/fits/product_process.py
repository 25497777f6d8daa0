"""A Gaussian process on the values of few pairs, whose covariance is a product over the players.

    cov(v(S), v(T)) = prod_j exp(-l_j [j is in one of S and T only]),

up to a factor, as in ShaplEIG (Rundel et al. 2026). It is a sum over all sets of players, each with
the product of their signs times a coefficient whose variance is in proportion to the product of the
relevances tanh(l_j / 2) of its members. Unlike in `kriging`, slopes and interactions have their
relevances in common, and the even part of the game has a say in them. The mean is an unknown
constant; the values at the end points are known.

The Shapley value of player i for the covariance with a coalition S is a polynomial of degree d - 1,
integrated over q from 0 to 1:

    (a_i - c_i) prod_{j not i} (q a_j + (1 - q) c_j),

a_j = 1 where j is in S and exp(-l_j) elsewhere, c_j the other way round (Owen 1972).
"""

from dataclasses import dataclass

import numpy as np
import scipy

from ..pairs import Pairs
from .fit import Fit, uncorrected
from .likelihood import inverse, without_drift
from .value_process import odd_left_out

START, SPREAD = 0.3, 1.0  # first length l_j; standard deviation of their logarithms
NOISE = 1e-4  # first noise variance, in units of the process
LONGEST, SHORTEST, MOST_NOISE, LEAST_NOISE = 3.0, 1e-4, 1e2, 1e-8
STEPS = 20  # of the search
JITTER = 1e-8


def fit_product_process(pairs: Pairs) -> Fit:
    """The process with approximately the most likely lengths, one for each player.

    Leave-one-out residuals omit both values of a pair.
    """
    process = process_of(pairs)
    left_out = odd_left_out(process.precision, process.dual, len(pairs.values))
    return uncorrected(process.shapley(), pairs.total, left_out, chosen=len(process.lengths) + 1)


@dataclass(frozen=True, eq=False)
class ProductProcess:
    """The process given its values at coalitions.

    Attributes
    ----------
    signs : (n, d), 1 for members of the coalition and -1 for others
    lengths : l (d,)
    precision : P (n, n), the inverse of the covariance less what the constant takes
    dual : (n,), P times the values
    """

    signs: np.ndarray
    lengths: np.ndarray
    precision: np.ndarray
    dual: np.ndarray

    def odd_rows(self) -> np.ndarray:
        """Signs of one coalition of each pair, and of the grand coalition."""
        m = len(self.signs) // 2 - 1
        return np.vstack([self.signs[:m], self.signs[-1:]])

    def shapley(self) -> np.ndarray:
        """Shapley values (d,) of the mean."""
        return self.dual @ shapley_of_sections(self.lengths, self.signs)


def covariance(lengths: np.ndarray, signs: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Covariances (n, k) of the values at signs (n, d) and others (k, d)."""
    return np.exp(0.5 * ((signs * lengths) @ others.T - lengths.sum()))


def shapley_of_sections(lengths: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """Shapley values (n, d) of the games covariance(., signs_k)."""
    d = len(lengths)
    nodes, shares = np.polynomial.legendre.leggauss(d // 2 + 1)
    far = np.exp(-lengths)
    values = np.zeros(signs.shape)
    for q, share in zip(0.5 * (nodes + 1.0), 0.5 * shares, strict=True):
        factors = np.where(signs > 0, q + (1.0 - q) * far, q * far + 1.0 - q)
        values += share * factors.prod(axis=1, keepdims=True) / factors
    return signs * (1.0 - far) * values


def process_of(pairs: Pairs) -> ProductProcess:
    """The process given the values of the pairs and at the end points, in this order."""
    d = pairs.coalitions.shape[1]
    ends = np.array([np.zeros(d, dtype=bool), np.ones(d, dtype=bool)])
    members = np.vstack([pairs.coalitions, ~pairs.coalitions, ends])
    values = np.concatenate([pairs.values, pairs.opposite, [pairs.empty, pairs.grand]])
    noises = pairs.weights.mean() / pairs.weights
    return most_likely(members, values, np.concatenate([noises, noises, np.zeros(2)]))


def most_likely(members: np.ndarray, values: np.ndarray, noises: np.ndarray) -> ProductProcess:
    """The process of maximum a posteriori lengths at members (n, d) bool, with values (n,).

    ``noises`` (n,) are noise variances up to a factor, zero where a value is exact.
    """
    signs, d = np.where(members, 1.0, -1.0), members.shape[1]
    loss = _Likelihood(signs, values / (values.std() or 1.0), noises)
    start = np.append(np.full(d, np.log(START)), np.log(NOISE))
    bounds = np.log([(SHORTEST, LONGEST)] * d + [(LEAST_NOISE, MOST_NOISE)])
    point = scipy.optimize.minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": STEPS}
    ).x
    precision, _ = loss.precision(np.exp(point))
    return ProductProcess(signs, np.exp(point[:d]), precision, precision @ values)


class _Likelihood:
    """Minus the restricted log posterior of the lengths and the noise, and its gradient."""

    def __init__(self, signs: np.ndarray, values: np.ndarray, noises: np.ndarray) -> None:
        self.signs, self.values, self.noises = signs, values, noises
        self._ones = np.ones((len(values), 1))

    def precision(self, scales: np.ndarray) -> tuple[np.ndarray, float]:
        """P (n, n) at the lengths and the noise (d + 1,), and the logarithm of a determinant."""
        matrix = covariance(scales[:-1], self.signs, self.signs)
        matrix[np.diag_indices(len(matrix))] += scales[-1] * self.noises + JITTER
        lower, level = inverse(np.asfortranarray(np.tril(matrix)))
        lower, inner = without_drift(lower, self._ones)
        return np.tril(lower) + np.tril(lower, -1).T, level + inner

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """At the logarithms of the lengths, then that of the noise variance."""
        scales, freedom = np.exp(point), len(self.values) - 1
        try:
            precision, level = self.precision(scales)
        except scipy.linalg.LinAlgError:
            return 1e10, np.zeros_like(point)
        dual = precision @ self.values
        energy = max(float(self.values @ dual), 1e-300)
        slope = precision - (freedom / energy) * np.outer(dual, dual)
        noise = scales[-1] * (self.noises @ np.diag(slope))
        slope = slope * covariance(scales[:-1], self.signs, self.signs)
        agreeing = np.einsum("ij,ij->j", self.signs, slope @ self.signs)
        gradient = np.append(-0.5 * scales[:-1] * (slope.sum() - agreeing), noise)
        away = (point[:-1] - point[:-1].mean()) / SPREAD
        loss = 0.5 * (level + freedom * np.log(energy / freedom) + away @ away)
        return loss, 0.5 * gradient + np.append(away / SPREAD, 0.0)
