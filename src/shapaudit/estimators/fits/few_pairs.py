"""Fits to few pairs: players of whom nothing is seen keep nothing.

With fewer pairs than players least squares has many solutions, and the one closest to the equal
split spreads what it sees over all players; with a few more it has one, which follows every noise.
Here the values of the players are independent, each with a variance of its own, which are those of
a step-by-step larger likelihood (MacKay 1992): most of them vanish where few players matter.
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
    """The additive game whose players have variances of their own."""
    signs = np.where(pairs.coalitions, 1.0, -1.0)
    noises = pairs.weights.mean() / pairs.weights
    values, left_out = additive_with_relevances(signs, pairs.odd, noises, pairs.total)
    return uncorrected(values, pairs.total, left_out, chosen=len(values) + 1)


def fit_relevant(pairs: Pairs, sparse: Fit, rng: np.random.Generator) -> list[Fit]:
    """The process of half as many players as there are pairs, those of largest ``sparse`` values.

    The others are noise to it. An additive game of these, where one explains all; nothing with
    fewer than `LEAST_PLAYERS`.
    """
    m, d = pairs.coalitions.shape
    if m // 2 < LEAST_PLAYERS:
        return []
    players = np.sort(np.argsort(-np.abs(sparse.values), kind="stable")[: m // 2])
    own = pairs.of_players(players)
    plain = fit_additive(own)
    found = []
    for fit in [plain] if explains(plain, own) else adapt(own, rng):
        values = np.zeros(d)
        values[players] = fit.values
        found.append(uncorrected(values, pairs.total, fit.left_out, fit.doubt, fit.chosen))
    return found


def additive_with_relevances(
    signs: np.ndarray, odd: np.ndarray, noises: np.ndarray, total: float
) -> tuple[np.ndarray, np.ndarray]:
    """Shapley values (d,) that sum to the total, and residuals (m,) of each pair left out.

    ``signs`` (m, d) of the pairs with odd values ``odd`` (m,) and noise variances ``noises`` (m,).
    """
    m, d = signs.shape
    signs, values = np.vstack([signs, np.ones(d)]), np.append(odd, 0.5 * total)
    noises = np.append(noises, 0.0)  # what the grand coalition is worth is known
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
    found = 2.0 * variances * (dual @ signs)
    return found + (total - found.sum()) / d, (dual / precisions)[:m]
