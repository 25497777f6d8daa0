"""Sparse fits to few pairs: players without a visible effect get the value 0.

With fewer pairs than players, least squares has many solutions, and the one closest to the equal
split spreads the effects over all players. With a few more pairs it has one, which overfits noise.
Here the values of the players are independent, and each has its own variance. MacKay's updates
(1992) increase the likelihood of these variances; most of them vanish where few players matter.
"""

import numpy as np
import scipy

from ..pairs import Pairs
from .adaptive import adapt
from .additive import explains, fit_additive
from .fit import Fit, uncorrected
from .mackay import change

ROUNDS = 12
NOISE, LEAST_NOISE = 0.1, 1e-8  # in units of the mean variance of a value
JITTER = 1e-9
LEAST_PLAYERS = 15  # of the process of the most relevant ones


def fit_sparse(pairs: Pairs) -> Fit:
    """The additive game with a separate prior variance for each player."""
    signs = np.where(pairs.coalitions, 1.0, -1.0)
    noises = pairs.weights.mean() / pairs.weights
    values, left_out = additive_with_relevances(signs, pairs.odd_part, noises, pairs.total)
    return uncorrected(values, pairs.total, left_out, chosen=len(values) + 1)


def fit_relevant(pairs: Pairs, sparse: Fit, rng: np.random.Generator) -> list[Fit]:
    """The process on the players of largest ``sparse`` values, half as many as there are pairs.

    The other players act as noise. An additive game on these players takes its place where it
    fits the pairs up to rounding. Empty with fewer than `LEAST_PLAYERS` players.
    """
    m, d = pairs.coalitions.shape
    if m // 2 < LEAST_PLAYERS:
        return []
    players = np.sort(np.argsort(-np.abs(sparse.values), kind="stable")[: m // 2])
    own = pairs.of_players(players)
    plain = fit_additive(own)
    fits = []
    for fit in [plain] if explains(plain, own) else adapt(own, rng):
        values = np.zeros(d)
        values[players] = fit.values
        fits.append(uncorrected(values, pairs.total, fit.left_out, fit.doubt, fit.chosen))
    return fits


def additive_with_relevances(
    signs: np.ndarray, odd_part: np.ndarray, noises: np.ndarray, total: float
) -> tuple[np.ndarray, np.ndarray]:
    """Shapley values (d,) that sum to the total, and leave-one-out residuals (m,) of the pairs.

    The pairs have ``signs`` (m, d), ``odd_part`` (m,) of the game and noise variances ``noises``
    (m,).
    """
    m, d = signs.shape
    signs, values = np.vstack([signs, np.ones(d)]), np.append(odd_part, 0.5 * total)
    noises = np.append(noises, 0.0)  # the value of the grand coalition is known
    variances, noise = np.full(d, 1.0 / d), NOISE
    for round_ in range(ROUNDS + 1):
        covariance = (signs * variances) @ signs.T
        covariance[np.diag_indices(m + 1)] += noise * noises + JITTER * max(1.0, variances.sum())
        factor = scipy.linalg.cholesky(covariance, lower=True, check_finite=False)
        half = scipy.linalg.lapack.dtrtri(factor, lower=1)[0]
        dual = half.T @ (half @ values)
        precisions = np.square(half).sum(axis=0)
        if round_ == ROUNDS:
            break
        scale = max(values @ dual / (m + 1), 1e-300)
        known = np.square(half @ signs).sum(axis=0)
        variances = variances * change(np.square(dual @ signs) / scale, known)
        noise *= float(change(noises @ np.square(dual) / scale, noises @ precisions))
        noise = max(noise, LEAST_NOISE)
    shapley = 2.0 * variances * (dual @ signs)
    return shapley + (total - shapley.sum()) / d, (dual / precisions)[:m]
