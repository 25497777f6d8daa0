"""One estimator that needs no choice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from ..bits import weighted_joint_counts
from ..threads import one_blas_thread
from .adaptive import SPARE, adapt
from .base import Card, Estimate
from .cubic import LEAST_REMAINING, Fit, coefficients, fit_cubic
from .few_pairs import additive_with_relevances
from .pairs import PairEstimator, Pairs, draw_pairs
from .regression_adjusted import capacity
from .sandwich import sandwich_errors

DOUBT = 0.5  # power of the doubt when fits are compared: a trial has seen fewer pairs
FEW = 2  # pairs per player, below which players of whom nothing is seen may keep nothing
LINEAR = 1e-10  # of the largest value: what rounding leaves of an additive game


@dataclass(frozen=True)
class Auto(PairEstimator):
    """A model of the odd part that the data choose, and least squares on what it leaves.

    Distinct coalitions are drawn with their complements, each size in its share. Their differences
    are samples of the odd part, which alone has Shapley values. A Gaussian process over all sets of
    players, whose relevances are of largest restricted likelihood, is fitted to them; with a
    function of one number, and with single sets of players of a variance of their own, where pairs
    that were not fitted say so (`adaptive`); beside it, with more pairs than coefficients, a
    polynomial of order three (`cubic`). The Shapley values of a fit are exact.
    `StratifiedLeastSquares` on the residuals makes the estimate efficient, consistent whatever was
    fitted, and exact once all coalitions are covered. The estimates of both and that without a fit
    are mixed in the proportions that err least on pairs left out. Where an additive game or the
    polynomial leaves nothing, that is the estimate. With fewer than 2 d pairs an additive game
    whose players have variances of their own (`few_pairs`) is one of those mixed, and with fewer
    than d + 5 it is the estimate; what it does not explain is shared equally.

    Biased, by the fit's errors on the coalitions that were not drawn, in the order of 1/m; the
    process is exact on games with an odd part of few sets once these are found, which nothing
    guarantees: with up to 16 players all sets are looked at, with more those that others lead to.

    Standard errors are those of the least squares on residuals of pairs left out of the process
    (not of its hyperparameters), sampled without replacement: see `pair_errors`.
    """

    id: ClassVar[str] = "auto"
    card: ClassVar[Card] = Card(
        family="surrogate",
        definition="Gaussian process on the odd part, with sets and a function of one number where "
        "unseen pairs ask for them; a polynomial of order three; least squares on the rest.",
        evaluations="2 m + 2",
        cost=r"O(\min(m, 2048)^2)",
        source="ours; after Musco & Witter 2025, Fumagalli et al. 2026",
        bias="of order 1/m; none once all coalitions are covered",
        efficient=True,
    )

    def minimum_budget(self, n_players):
        """The end points and one pair; one player needs the end points only."""
        return 2 + (0 if n_players == 1 else 2)

    def from_pairs(self, pairs, rng):
        """Shapley values (d,)."""
        return self.estimate_from(pairs, rng).values

    def estimate(self, game, budget, rng):
        """Estimate within ``budget`` evaluations; raises `BudgetTooSmall` below the minimum."""
        self.check_budget(game.n_players, budget)
        if game.n_players == 1:
            return Estimate(np.diff(game(np.array([[False], [True]]))), 2, np.zeros(1))
        return self.estimate_from(draw_pairs(game, budget, self.sizes, rng), rng)

    def estimate_from(self, pairs: Pairs, rng: np.random.Generator) -> Estimate:
        """The estimate and its standard errors from pairs that were evaluated, d > 1."""
        with one_blas_thread():
            values, errors = self._both(pairs, rng)
        return Estimate(values, 2 + 2 * len(pairs.values), errors)

    def _both(self, pairs, rng):
        m, d = pairs.coalitions.shape
        plain = fit_additive(pairs)
        if 2 * m + 2 == 1 << d or (m >= d and _explains(plain, pairs)):
            return plain.values, exact_errors(pairs, plain)
        sparse = fit_sparse(pairs) if m < FEW * d else None
        if m < d + SPARE:
            return sparse.values, pair_errors(pairs, sparse.left_out, fitted=False)
        cubic = fit_cubic(pairs) if m >= coefficients(d) + SPARE else None
        if cubic is not None and _explains(cubic, pairs):
            return cubic.values, exact_errors(pairs, cubic)
        others = [fit for fit in (cubic, sparse) if fit is not None]
        return combined(pairs, [plain, *others, adapt(pairs, rng)])


def _explains(fit: Fit, pairs: Pairs) -> bool:
    return np.abs(fit.left).max() <= LINEAR * np.abs(pairs.odd).max()


def exact_errors(pairs: Pairs, fit: Fit) -> np.ndarray:
    """Standard errors (d,) of a fit that leaves nothing but rounding errors.

    As large as what is taken for one; zero where all pairs were drawn.
    """
    errors = pair_errors(pairs, fit.left, fitted=True)
    return errors + np.where(errors > 0, LINEAR * np.abs(pairs.odd).max(), 0.0)


def fit_additive(pairs: Pairs) -> Fit:
    """The additive game of least squares."""
    values = pairs.regressed(pairs.odd, pairs.total)
    left = pairs.odd - np.where(pairs.coalitions, 0.5, -0.5) @ values
    remaining = np.maximum(1.0 - additive_leverages(pairs), LEAST_REMAINING)
    return Fit(values, left, left / remaining)


def fit_sparse(pairs: Pairs) -> Fit:
    """The additive game whose players have variances of their own; nothing is added to it."""
    signs = np.where(pairs.coalitions, 1.0, -1.0)
    noises = pairs.weights.mean() / pairs.weights
    values, left = additive_with_relevances(signs, pairs.odd, noises, pairs.total)
    return Fit(values, np.zeros(len(left)), left, chosen=len(values) + 1)


def combined(pairs: Pairs, fits: Sequence[Fit]) -> tuple[np.ndarray, np.ndarray]:
    """Shapley values (d,) and standard errors of the mixture that errs least on pairs left out.

    To each fit belongs least squares on what it leaves. Each hyperparameter that all pairs have
    chosen makes squares of residuals of pairs left out smaller than those of new pairs, by one part
    in m or so.
    """
    roots, m = np.sqrt(pairs.weights), len(pairs.weights)
    doubtful = [
        roots * fit.left_out * (fit.doubt * (1.0 + fit.chosen / m)) ** DOUBT for fit in fits
    ]
    shares = convex_shares(np.array(doubtful))
    each = (fit.values + pairs.regressed(fit.left, pairs.total - fit.values.sum()) for fit in fits)
    values = sum(share * one for share, one in zip(shares, each, strict=True))
    errors = shares @ np.array([fit.left_out * fit.doubt for fit in fits])
    return values, pair_errors(pairs, errors, fitted=False)


def convex_shares(errors: np.ndarray) -> np.ndarray:
    """Weights (k,), not negative and of sum 1, with which the errors (k, m) have the least norm.

    The w >= 0 of least |E'w|^2 + (sum w - 1)^2 are in proportion to them: where w is positive, both
    have the same entries of E E'w.
    """
    norms = np.linalg.norm(errors, axis=1)
    if norms.min() == 0.0:
        return np.eye(len(errors))[np.argmin(norms)]
    triangle = np.linalg.qr((errors / norms.min()).T, mode="r")
    system = np.vstack([triangle, np.ones(len(errors))])
    found = scipy.optimize.nnls(system, np.append(np.zeros(len(triangle)), 1.0))[0]
    return found / found.sum()


def additive_leverages(pairs: Pairs) -> np.ndarray:
    """Leverages (m,) of the pairs in the least squares of an additive game, the sum of it given."""
    centred = pairs.coalitions - pairs.coalitions.mean(axis=1, keepdims=True)
    gram = (pairs.weights * centred.T) @ centred
    inverse = np.linalg.pinv(gram, rcond=1e-10, hermitian=True)
    return pairs.weights * np.einsum("ij,ij->i", centred @ inverse, centred)


def pair_errors(pairs: Pairs, left: np.ndarray, fitted: bool) -> np.ndarray:
    """Standard errors (d,) of least squares on the residuals ``left`` (m,) of the pairs.

    Those of `sandwich_errors`, each size a sample without replacement: of n pairs that there are,
    k drawn, the variance is 1 - k / n times as large. ``fitted`` residuals are those that the least
    squares leaves, the others are of pairs left out. Zero where all pairs were drawn.
    """
    d = pairs.coalitions.shape[1]
    sizes = pairs.coalitions.sum(axis=1)
    drawn = np.bincount(sizes, minlength=d + 1)[sizes] / capacity(sizes, d)
    remaining = np.sqrt(np.maximum(1.0 - drawn, 0.0))
    if not remaining.any():
        return np.zeros(d)
    gram = weighted_joint_counts(pairs.weights, pairs.coalitions)
    leverages = pairs.weights if fitted else np.zeros(len(left))
    return sandwich_errors(gram, pairs.coalitions, pairs.weights * left * remaining, leverages)
