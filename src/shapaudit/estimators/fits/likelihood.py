"""Restricted likelihood of a Gaussian process on the odd part of a game, and its maximisation.

The additive part is unpenalised, as in universal kriging, hence the restricted likelihood. The
covariance is the sum of `relevance.OddCovariance`, the joint features, exchangeable triples,
`unanimity`, `profile`, and noise, whose variance at a coalition is inversely proportional to its
weight in least squares. Without interactions the estimate is therefore that of weighted least
squares.

Matrices are symmetric; only their lower triangles are formed, in column-major order.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numba import njit
from scipy.linalg import blas, lapack

from .profile import enough_pairs, profile_features
from .relevance import OddCovariance, joint_features
from .triangular import lower_inverse
from .unanimity import alike_triangles

SPREAD = 1.0  # prior standard deviation of the log-odds of a relevance
LEAST, MOST = 8.0, 0.98  # log-odds below the prior mean, at most; largest relevance
GROWTH = 300.0  # of log prod (1 + r), at most, against overflow
NOISE, NOISE_SPREAD = -5.0, 5.0
SHARED, SHARED_SPREAD = -3.0, 5.0  # log variances of what all players have in common


@dataclass(frozen=True, eq=False)
class Hyper:
    """Hyperparameters: relevances (d,), and variances in units of the variance of `OddCovariance`.

    ``weights`` (d,) are those of the joint features.
    """

    relevance: np.ndarray
    joint: float
    triples: float
    unanimity: float
    profile: float
    noise: float
    weights: np.ndarray
    interactions: float = 1.0


def joint_rows(weights: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """The joint features (k, n), each over its root mean square at these signs."""
    rows = joint_features(weights, signs)
    return rows / joint_scales(rows)


def joint_scales(rows: np.ndarray) -> np.ndarray:
    """Root mean squares (k, 1)."""
    return np.maximum(np.sqrt(np.square(rows).mean(axis=1, keepdims=True)), 1e-150)


def inverse(covariance: np.ndarray) -> tuple[np.ndarray, float]:
    """Inverse (n, n) of a positive definite matrix, and the logarithm of its determinant.

    Both matrices are given by their lower triangles, with zeros above. Raises LinAlgError where the
    matrix is not positive definite.
    """
    # Not cleaned: above the diagonal of a triangle there are zeros already.
    factor, refused = lapack.dpotrf(covariance, lower=1, clean=0, overwrite_a=1)
    if refused:
        raise scipy.linalg.LinAlgError("a covariance of the likelihood is not positive definite.")
    level = 2.0 * np.log(np.diag(factor)).sum()
    return lapack.dlauum(lower_inverse(factor), lower=1, overwrite_c=1)[0], level


def without_drift(precision: np.ndarray, drift: np.ndarray) -> tuple[np.ndarray, float]:
    """P = V^-1 - V^-1 X (X'V^-1 X)^-1 X'V^-1 (n, n), and log det of X'V^-1 X, X (n, d).

    ``precision`` and P are lower triangles.
    """
    image = blas.dsymm(1.0, precision, drift, lower=1)
    inner = drift.T @ image
    inner[np.diag_indices(len(inner))] += 1e-10 * np.trace(inner) / len(inner)
    factor, refused = lapack.dpotrf(inner, lower=1)
    if refused:
        raise scipy.linalg.LinAlgError("the additive part is not determined.")
    half = lapack.dtrtrs(factor, image.T, lower=1)[0]
    level = 2.0 * np.log(np.diag(factor)).sum()
    return blas.dsyrk(-1.0, half, 1.0, precision, trans=1, lower=1, overwrite_c=1), level


@njit(cache=True, nogil=True, error_model="numpy")
def covariance_triangle(
    plus: np.ndarray,
    linear: np.ndarray,
    together: np.ndarray,
    triples: np.ndarray,
    unanimity: np.ndarray,
    profile: np.ndarray,
    level: float,
    scales: np.ndarray,
    diagonal: np.ndarray,
) -> np.ndarray:
    """V plus ``diagonal`` (n,); ``plus`` is prod (1 + r u), and ``linear`` the sum of r u.

    ``scales`` are the factors of all interactions, joint features, triples, unanimity games and
    functions of the size.
    """
    n = len(diagonal)
    covariance = np.zeros((n, n)).T
    both = np.exp(2.0 * level)
    for column in range(n):
        for row in range(column, n):
            alone = 0.5 * (plus[row, column] - both / plus[row, column]) - linear[row, column]
            shared = scales[1] * together[row, column] + scales[2] * triples[row, column]
            shared += scales[3] * unanimity[row, column] + scales[4] * profile[row, column]
            covariance[row, column] = scales[0] * alone + shared
        covariance[column, column] += diagonal[column]
    return covariance


@njit(cache=True, nogil=True, error_model="numpy")
def _slopes(
    precision: np.ndarray,
    dual: np.ndarray,
    share: float,
    plus: np.ndarray,
    linear: np.ndarray,
    together: np.ndarray,
    triples: np.ndarray,
    unanimity: np.ndarray,
    profile: np.ndarray,
    level: float,
    agreeing: np.ndarray,
) -> np.ndarray:
    """Sums of the slope P - share dual dual' times parts of dV, see `Likelihood`.

    The slope takes the place of P, and slope times prod (1 + r u) + prod (1 - r u) that of
    ``agreeing``, both lower triangles.
    """
    n = len(dual)
    both = np.exp(2.0 * level)
    sums = np.zeros(6)
    for column in range(n):
        for row in range(column, n):
            slope = precision[row, column] - share * dual[row] * dual[column]
            precision[row, column] = slope
            minus = both / plus[row, column]
            difference = 0.5 * (plus[row, column] - minus)
            agreeing[row, column] = 0.5 * slope * (plus[row, column] + minus)
            if row > column:
                slope *= 2.0
            sums[0] += slope * difference
            sums[1] += slope * (difference - linear[row, column])
            sums[2] += slope * together[row, column]
            sums[3] += slope * triples[row, column]
            sums[4] += slope * unanimity[row, column]
            sums[5] += slope * profile[row, column]
    return sums


class Likelihood:
    """Minus the log posterior of the hyperparameters, and its gradient.

    The rows have ``signs`` (n, d), ``values`` (n,) and noise variances ``noises`` (n,). The prior
    of the log-odds of the relevances has the mean ``centre`` (d,); ``weights`` (d,) are those of
    the joint features. The rows are those of pairs and, last, of the grand coalition; functions of
    the size have a part only with `enough_pairs`.
    """

    def __init__(
        self,
        signs: np.ndarray,
        values: np.ndarray,
        noises: np.ndarray,
        centre: np.ndarray,
        weights: np.ndarray,
    ) -> None:
        self.signs, self.values, self.noises, self.centre = signs, values, noises, centre
        rows = joint_rows(weights, signs)
        self.together = (rows.T @ rows).T
        self.triples, self.unanimity = alike_triangles(signs)
        self.has_profile = enough_pairs(len(values) - 1, signs.shape[1])
        functions = profile_features(signs) * self.has_profile
        self.profile = (functions.T @ functions).T
        self.freedom = len(values) - signs.shape[1]

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """At log-odds of the relevances, then log variances in the order of `Hyper`."""
        signs, d = self.signs, len(self.centre)
        relevance = 1.0 / (1.0 + np.exp(-point[:d]))
        joint, triples, unanimity, profile, noise = np.exp(point[d:])
        kernel = OddCovariance(relevance)
        # Transposed, as the triangles are in the order of columns; all are symmetric.
        plus, linear = kernel.plus(signs, signs).T, ((signs * relevance) @ signs.T).T
        shared = self.together, self.triples, self.unanimity, self.profile
        scales = np.array([1.0 / kernel.variance, joint, triples, unanimity, profile])
        diagonal = noise * self.noises + kernel.jitter
        covariance = covariance_triangle(plus, linear, *shared, kernel.level, scales, diagonal)
        try:
            precision, level = inverse(covariance)
            precision, inner = without_drift(precision, signs)
        except scipy.linalg.LinAlgError:
            return 1e10, np.zeros_like(point)
        dual = blas.dsymv(1.0, precision, self.values, lower=1)
        energy = max(self.values @ dual, 1e-300)
        loss = 0.5 * (level + inner + self.freedom * np.log(energy / self.freedom))
        share = self.freedom / energy
        agreeing = np.empty_like(precision)
        slope = precision  # after the next line
        sums = _slopes(slope, dual, share, plus, linear, *shared, kernel.level, agreeing)
        gradient = np.append(
            self._relevances(kernel, slope, agreeing, *sums[:2]),
            [
                *(joint * sums[2], triples * sums[3], unanimity * sums[4], profile * sums[5]),
                noise * (np.diag(slope) @ self.noises),
            ],
        )
        away = point - np.append(self.centre, [*[SHARED] * 4, NOISE])
        variances = [*[SHARED_SPREAD] * 4, NOISE_SPREAD]
        spreads = np.append(np.full(d, SPREAD), variances)
        loss += 0.5 * np.square(away / spreads).sum()
        return loss, 0.5 * gradient + away / spreads**2

    def _relevances(
        self,
        kernel: OddCovariance,
        slope: np.ndarray,
        agreeing: np.ndarray,
        difference: np.ndarray,
        alone: float,
    ) -> np.ndarray:
        """Derivatives (d,) of the sum of slope times covariance, by the log-odds."""
        relevance, signs = kernel.relevance, self.signs
        change = relevance * (1.0 - relevance)
        rising, falling = change / (1.0 + relevance), -change / (1.0 - relevance)
        agreed, linear = (
            np.einsum("ij,ij->j", signs, blas.dsymm(1.0, part, signs, lower=1))
            for part in (agreeing, slope)
        )
        derivatives = 0.5 * (rising + falling) * difference + 0.5 * (rising - falling) * agreed
        derivatives -= change * linear
        ends = np.exp(np.log1p(relevance).sum()), np.exp(np.log1p(-relevance).sum())
        variance = 0.5 * (ends[0] * rising - ends[1] * falling) - change
        return derivatives / kernel.variance - alone / kernel.variance**2 * variance


def most_likely(
    signs: np.ndarray,
    values: np.ndarray,
    noises: np.ndarray,
    slopes: np.ndarray,
    steps: int,
    start: np.ndarray | None = None,
) -> tuple[Hyper, np.ndarray]:
    """Approximate maximum a posteriori hyperparameters, and the last point of the search (d + 5,).

    ``slopes`` (d,) are those of the additive part. The prior expects the relevances to be
    proportional to their sizes; the joint features have them as weights.
    """
    d = signs.shape[1]
    size = np.abs(slopes).max()
    weights = slopes / size if size > 0 else np.ones(d)
    most = min(MOST, np.expm1(min(GROWTH / d, 1.0)))
    expected = np.minimum(0.4 * np.maximum(np.abs(weights), 0.03), 0.9 * most)
    weights = weights / np.linalg.norm(weights)
    centre = np.log(expected / (1.0 - expected))
    start = np.append(centre, [*[SHARED] * 4, NOISE]) if start is None else start
    loss = Likelihood(signs, values, noises, centre, weights)
    highest = np.log(most / (1.0 - most))
    bounds = [(low, highest) for low in centre - LEAST] + [(-15.0, 20.0)] * 4 + [(-16.0, 6.0)]
    optimum = scipy.optimize.minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": steps}
    )
    relevance = 1.0 / (1.0 + np.exp(-optimum.x[:d]))
    joint, triples, unanimity, profile, noise = np.exp(optimum.x[d:])
    profile *= loss.has_profile
    return Hyper(relevance, joint, triples, unanimity, profile, noise, weights), optimum.x
