"""One estimator that needs no choice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from ..bits import weighted_joint_counts
from ..games import Game
from ..samplers.without_replacement import pairs_of_size
from ..threads import one_blas_thread
from .base import Card, Estimate
from .fits.adaptive import SPARE, adapt
from .fits.additive import LINEAR, explains, fit_additive
from .fits.cubic import coefficients, fit_cubic
from .fits.few_pairs import fit_relevant, fit_sparse
from .fits.fit import Fit
from .fits.value_process import fit_value_process
from .fits.value_trees import LEAST_PAIRS, fit_value_trees
from .pairs import PairEstimator, Pairs, draw_pairs
from .sandwich import sandwich_errors

DOUBT = 0.5  # power of the doubt when fits are compared: a trial has seen fewer pairs
UNSEEN = 12.0  # over m: square error on new pairs beyond that on pairs left out, each fit its own
FEW = 2  # pairs per player, below which players of whom nothing is seen may keep nothing
VALUE_PAIRS = 128  # up to which the values are fitted, not only their differences


@dataclass(frozen=True)
class Auto(PairEstimator):
    """A model of the odd part that the data choose, and least squares on what it leaves.

    Distinct coalitions are drawn with their complements, each size in its share. Their differences
    are samples of the odd part, which alone has Shapley values. A Gaussian process over all sets of
    players, whose relevances are of nearly largest posterior density, is fitted to them; with a
    function of one number, and with single sets of players of a variance of their own, where pairs
    that were not fitted say so (`adaptive`); beside it, with more pairs than coefficients, a
    polynomial of order three (`cubic`). The Shapley values of a fit are exact.
    `StratifiedLeastSquares` on the residuals makes the estimate efficient, consistent whatever was
    fitted, and exact once all coalitions are covered. The estimates of both and that without a fit
    are mixed in the proportions that err least on pairs left out. Where an additive game or the
    polynomial leaves nothing, that is the estimate.

    With few pairs for each player such residuals are mostly noise, and fits to which nothing is
    added are mixed with the others: with fewer than 20 d pairs the process whose slopes have
    variances of their own (`slopes`); with up to 128 pairs a process of the values of both
    coalitions (`value_process`) and, also with fewer than 2 d, boosted trees (`value_trees`); with
    fewer than 2 d an additive game whose players have variances of their own (`few_pairs`). With
    fewer than d + 5 these two are mixed with the process of the most relevant players only.
    What a fit does not explain is shared equally then.

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
        cost=r"O(\min(m, 4096)^2 + m)",
        source="ours; after Musco & Witter 2025, Fumagalli et al. 2026",
        bias="of order 1/m; none once all coalitions are covered",
        efficient=True,
    )

    def minimum_budget(self, n_players: int) -> int:
        """The end points and one pair; one player needs the end points only."""
        return 2 + (0 if n_players == 1 else 2)

    def from_pairs(self, pairs: Pairs, rng: np.random.Generator) -> np.ndarray:
        """Shapley values (d,)."""
        return self.estimate_from(pairs, rng).values

    def estimate(self, game: Game, budget: int, rng: np.random.Generator) -> Estimate:
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

    def _both(self, pairs: Pairs, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        m, d = pairs.coalitions.shape
        plain = fit_additive(pairs)
        if 2 * m + 2 == 1 << d or (m >= d and explains(plain, pairs)):
            return plain.values, exact_errors(pairs, plain)
        few = [fit_sparse(pairs)] if m < FEW * d else []
        if (few or m <= VALUE_PAIRS) and m >= LEAST_PAIRS:
            few.append(fit_value_trees(pairs))
        if m < d + SPARE:
            return combined(pairs, [*few, *fit_relevant(pairs, few[0], rng)])
        cubic = fit_cubic(pairs) if m >= coefficients(d) + SPARE else None
        if cubic is not None and explains(cubic, pairs):
            return cubic.values, exact_errors(pairs, cubic)
        cubics = [] if cubic is None else [cubic]
        values = [fit_value_process(pairs)] if LEAST_PAIRS <= m <= VALUE_PAIRS else []
        return combined(pairs, [plain, *cubics, *few, *values, *adapt(pairs, rng)])


def exact_errors(pairs: Pairs, fit: Fit) -> np.ndarray:
    """Standard errors (d,) of a fit that leaves nothing but rounding errors.

    As large as what is taken for one; zero where all pairs were drawn.
    """
    errors = pair_errors(pairs, fit.left, fitted=True)
    return errors + np.where(errors > 0, LINEAR * np.abs(pairs.odd).max(), 0.0)


def combined(pairs: Pairs, fits: Sequence[Fit]) -> tuple[np.ndarray, np.ndarray]:
    """Shapley values (d,) and standard errors of the mixture that errs least on pairs left out.

    To each fit belongs least squares on what it leaves. Each hyperparameter that all pairs have
    chosen makes squares of residuals of pairs left out smaller than those of new pairs, by one part
    in m or so. By chance some fit errs little on few pairs: a further square error of each, UNSEEN
    / m times its own, which no other fit shares, makes those that err about as much be mixed.
    """
    m = len(pairs.weights)
    roots = np.sqrt(pairs.weights * not_drawn(pairs))
    doubtful = [
        roots * fit.left_out * (fit.doubt * (1.0 + fit.chosen / m)) ** DOUBT for fit in fits
    ]
    own = np.sqrt(UNSEEN / m) * np.linalg.norm(doubtful, axis=1)
    shares = convex_shares(np.hstack([doubtful, np.diag(own)]))
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


def pair_errors(pairs: Pairs, left: np.ndarray, fitted: bool) -> np.ndarray:
    """Standard errors (d,) of least squares on the residuals ``left`` (m,) of the pairs.

    Those of `sandwich_errors`, each size a sample without replacement: of n pairs that there are,
    k drawn, the variance is 1 - k / n times as large. ``fitted`` residuals are those that the least
    squares leaves, the others are of pairs left out. Zero where all pairs were drawn.
    """
    remaining = np.sqrt(not_drawn(pairs))
    if not remaining.any():
        return np.zeros(pairs.coalitions.shape[1])
    gram = weighted_joint_counts(pairs.weights, pairs.coalitions)
    leverages = pairs.weights if fitted else np.zeros(len(left))
    return sandwich_errors(gram, pairs.coalitions, pairs.weights * left * remaining, leverages)


def not_drawn(pairs: Pairs) -> np.ndarray:
    """For each pair the share (m,) of the pairs of its size that were not drawn."""
    d = pairs.coalitions.shape[1]
    sizes = pairs.coalitions.sum(axis=1)
    drawn = np.bincount(sizes, minlength=d + 1)[sizes] / pairs_of_size(sizes, d)
    return np.maximum(1.0 - drawn, 0.0)
