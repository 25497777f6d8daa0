"""Restricted likelihood of a Gaussian process on the odd part of a game, and its largest value.

The additive part is free, as in universal kriging: the likelihood is that of what it leaves. The
covariance is that of `relevance.OddCovariance`, of the joint features, and of noise, whose variance
at a coalition is inverse to its weight in least squares. Without interactions the estimate is
therefore that of weighted least squares.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from .relevance import OddCovariance, joint_features, triple_covariance

SPREAD = 1.0  # of the log-odds of a relevance about what the additive part says
LEAST, MOST = 8.0, 0.98  # log-odds below what is expected, and a relevance
GROWTH = 300.0  # of log prod (1 + r): what floats can hold
NOISE, NOISE_SPREAD = -5.0, 5.0
SHARED, SHARED_SPREAD = -3.0, 5.0  # logarithms of the variances of joint features and of triples


@dataclass(frozen=True, eq=False)
class Hyper:
    """Hyperparameters: relevances (d,), and variances in units of that of all interactions.

    ``weights`` (d,) are those of the joint features.
    """

    relevance: np.ndarray
    joint: float
    triples: float
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
    """Inverse (n, n) of a positive definite matrix, and the logarithm of its determinant."""
    factor = scipy.linalg.cholesky(covariance, lower=True, check_finite=False)
    found = scipy.linalg.lapack.dpotri(factor, lower=1)[0]
    found = np.tril(found) + np.tril(found, -1).T
    return found, 2.0 * np.log(np.diag(factor)).sum()


def without_drift(precision: np.ndarray, drift: np.ndarray) -> tuple[np.ndarray, float]:
    """P = V^-1 - V^-1 X (X'V^-1 X)^-1 X'V^-1 (n, n), and log det of X'V^-1 X, X (n, d)."""
    image = precision @ drift
    inner = drift.T @ image
    inner[np.diag_indices(len(inner))] += 1e-10 * np.trace(inner) / len(inner)
    factor = scipy.linalg.cholesky(inner, lower=True, check_finite=False)
    half = scipy.linalg.solve_triangular(factor, image.T, lower=True, check_finite=False)
    return precision - half.T @ half, 2.0 * np.log(np.diag(factor)).sum()


class Likelihood:
    """Minus the log posterior of the hyperparameters, and its gradient.

    ``signs`` (n, d), ``values`` (n,) and the noise variances ``noises`` (n,) are of the rows;
    ``centre`` (d,) are the log-odds of the relevances that are expected, ``weights`` (d,) those of
    the joint features.
    """

    def __init__(self, signs, values, noises, centre, weights):
        self.signs, self.values, self.noises, self.centre = signs, values, noises, centre
        rows = joint_rows(weights, signs)
        self.together = rows.T @ rows
        self.triples = triple_covariance(signs, signs)
        self.freedom = len(values) - signs.shape[1]

    def __call__(self, point: np.ndarray) -> tuple[float, np.ndarray]:
        """At log-odds of the relevances, log variances of joint features, triples and noise."""
        signs, d = self.signs, len(self.centre)
        relevance = 1.0 / (1.0 + np.exp(-point[:d]))
        joint, triples, noise = np.exp(point[d:])
        kernel = OddCovariance(relevance)
        plus, minus = kernel.products(signs, signs)
        alone = 0.5 * (plus - minus) - (signs * relevance) @ signs.T
        covariance = alone / kernel.variance + joint * self.together
        covariance += triples * self.triples
        covariance[np.diag_indices(len(signs))] += noise * self.noises + kernel.jitter
        try:
            precision, level = inverse(covariance)
            precision, inner = without_drift(precision, signs)
        except scipy.linalg.LinAlgError:
            return 1e10, np.zeros_like(point)
        dual = precision @ self.values
        energy = max(self.values @ dual, 1e-300)
        loss = 0.5 * (level + inner + self.freedom * np.log(energy / self.freedom))
        slope = precision - (self.freedom / energy) * np.outer(dual, dual)  # times dV, summed
        gradient = np.append(
            self._relevances(kernel, slope, plus, minus, alone),
            [
                joint * np.sum(slope * self.together),
                triples * np.sum(slope * self.triples),
                noise * (np.diag(slope) @ self.noises),
            ],
        )
        away = point - np.append(self.centre, [SHARED, SHARED, NOISE])
        shared = [SHARED_SPREAD, SHARED_SPREAD, NOISE_SPREAD]
        spreads = np.append(np.full(d, SPREAD), shared)
        loss += 0.5 * np.square(away / spreads).sum()
        return loss, 0.5 * gradient + away / spreads**2

    def _relevances(self, kernel, slope, plus, minus, alone):
        """Derivatives (d,) of the sum of slope times covariance, by the log-odds."""
        relevance, signs = kernel.relevance, self.signs
        change = relevance * (1.0 - relevance)
        rising, falling = change / (1.0 + relevance), -change / (1.0 - relevance)
        difference, total = 0.5 * slope * (plus - minus), 0.5 * slope * (plus + minus)
        agreeing = np.einsum("ij,ij->j", signs, total @ signs)
        linear = np.einsum("ij,ij->j", signs, slope @ signs)
        found = 0.5 * (rising + falling) * difference.sum() + 0.5 * (rising - falling) * agreeing
        found -= change * linear
        ends = np.exp(np.log1p(relevance).sum()), np.exp(np.log1p(-relevance).sum())
        variance = 0.5 * (ends[0] * rising - ends[1] * falling) - change
        return found / kernel.variance - np.sum(slope * alone) / kernel.variance**2 * variance


def most_likely(
    signs: np.ndarray,
    values: np.ndarray,
    noises: np.ndarray,
    slopes: np.ndarray,
    steps: int,
    start: np.ndarray | None = None,
) -> tuple[Hyper, np.ndarray]:
    """Hyperparameters of (nearly) largest posterior, and where the search ended, (d + 3,).

    ``slopes`` (d,) are those of the additive part: a player's relevance is expected to be in
    proportion, and the joint features have them as weights.
    """
    d = signs.shape[1]
    size = np.abs(slopes).max()
    weights = slopes / size if size > 0 else np.ones(d)
    most = min(MOST, np.expm1(min(GROWTH / d, 1.0)))
    expected = np.minimum(0.4 * np.maximum(np.abs(weights), 0.03), 0.9 * most)
    weights = weights / np.linalg.norm(weights)
    centre = np.log(expected / (1.0 - expected))
    start = np.append(centre, [SHARED, SHARED, NOISE]) if start is None else start
    loss = Likelihood(signs, values, noises, centre, weights)
    highest = np.log(most / (1.0 - most))
    bounds = [(low, highest) for low in centre - LEAST] + [(-15.0, 20.0)] * 2 + [(-16.0, 6.0)]
    found = scipy.optimize.minimize(
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": steps}
    )
    relevance = 1.0 / (1.0 + np.exp(-found.x[:d]))
    joint, triples, noise = np.exp(found.x[d:])
    return Hyper(relevance, joint, triples, noise, weights), found.x
