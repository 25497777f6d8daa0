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
from .fits.product_process import fit_product_process
from .fits.profile import fit_profile
from .fits.value_process import fit_value_process
from .fits.value_trees import LEAST_PAIRS, fit_value_trees
from .pairs import PairEstimator, Pairs, spread_pairs
from .sandwich import sandwich_errors

DOUBT = 0.5  # power of the inflation factor when fits are compared: a trial has seen fewer pairs
UNSEEN = 12.0  # over m: independent extra squared error of each fit, relative to its own
FEW = 2  # pairs per player, below which players without a visible effect may get the value 0
VALUE_PAIRS = 128  # up to which the values are fitted, not only their differences


@dataclass(frozen=True)
class Auto(PairEstimator):
    """A model of the odd part, chosen by the data, plus least squares on its residuals.

    Distinct coalitions are drawn with their complements, each size in its share. Up to 512 pairs
    are chosen from more that are drawn, so that each tells much beside the others whatever the
    game is (`spread`). Half the differences of their values are samples of the odd part of the
    game, which has all of its Shapley values. The main model is a Gaussian process over all sets of
    players, whose relevances are approximate maximum a posteriori estimates (`adaptive`). Held-out
    pairs decide whether a ridge function of one weighted sum of the players and interaction terms
    with separate variances are added to it. With more pairs than coefficients, a polynomial of
    order three (`cubic`) is fitted as well. The Shapley values of each fit are exact.
    `StratifiedLeastSquares` on the residuals makes the estimate efficient, whatever was fitted, and
    exact once all coalitions are covered. These estimates and the one without a fit are combined
    with the convex weights of least leave-one-out error. Where an additive game, also beside a
    function of the number of players (`profile`), or the polynomial fits the pairs up to rounding,
    it is the estimate.

    With few pairs per player these residuals are mostly noise. Further fits, whose residuals are
    not regressed, are then combined with the others: below 20 d pairs the process whose slopes are
    shrunk by separate variances (`slopes`); up to 128 pairs a process on the values of both
    coalitions of each pair (`value_process`); below 2 d pairs boosted trees of these values
    (`value_trees`) and an additive game with a variance for each player (`few_pairs`).
    Below d + 5 pairs the latter three are combined with a process on the values that has a length
    for each player (`product_process`) and with the main process of the most relevant players only.
    What such a fit lacks of the total is shared equally among the players.

    The bias comes from the errors of the fit on coalitions that were not drawn; no bound of it is
    proved, as fits, shares and residuals are of the same pairs. The process is exact on games whose
    odd part has few interaction terms once these are found, which is not guaranteed: with up to 16
    players all sets are screened, with more only those that extend sets which were found before.

    Standard errors are those of least squares on leave-one-out residuals, sampled without
    replacement; they do not include the choice of the hyperparameters (`pair_errors`).
    """

    id: ClassVar[str] = "auto"
    card: ClassVar[Card] = Card(
        family="surrogate",
        definition="Gaussian process on the odd part, with sets and a function of one number where "
        "unseen pairs ask for them; a polynomial of order three; least squares on the rest.",
        evaluations="2 m + 2",
        cost=r"O(\min(m, 4096)^2 + m)",
        source="ours; after Musco & Witter 2025, Fumagalli et al. 2026",
        bias="no bound is known; none once all coalitions are covered",
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
        return self.estimate_from(spread_pairs(game, budget, self.sizes, rng), rng)

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
        profile = fit_profile(pairs)
        if profile is not None and explains(profile, pairs):
            return profile.values, exact_errors(pairs, profile)
        few = [fit_sparse(pairs)] if m < FEW * d else []
        if few and m >= LEAST_PAIRS:
            few.append(fit_value_trees(pairs))
        values = [fit_value_process(pairs)] if m <= VALUE_PAIRS else []
        if m < d + SPARE:
            if values:
                values.append(fit_product_process(pairs))
            return combined(pairs, [*few, *values, *fit_relevant(pairs, few[0], rng)])
        cubic = fit_cubic(pairs) if m >= coefficients(d) + SPARE else None
        if cubic is not None and explains(cubic, pairs):
            return cubic.values, exact_errors(pairs, cubic)
        cubics = [] if cubic is None else [cubic]
        return combined(pairs, [plain, *cubics, *few, *values, *adapt(pairs, rng)])


def exact_errors(pairs: Pairs, fit: Fit) -> np.ndarray:
    """Standard errors (d,) of a fit whose residuals are rounding errors.

    Equal to the tolerance below which residuals count as rounding; zero where all pairs were drawn.
    """
    errors = pair_errors(pairs, fit.left, fitted=True)
    return errors + np.where(errors > 0, LINEAR * np.abs(pairs.odd_part).max(), 0.0)


def combined(pairs: Pairs, fits: Sequence[Fit]) -> tuple[np.ndarray, np.ndarray]:
    """Shapley values (d,) and standard errors of the combination of least leave-one-out error.

    Least squares on the residuals is added to each fit. Every hyperparameter that was chosen on all
    pairs makes the squared leave-one-out residuals smaller than those of new pairs, by about one
    part in m. On few pairs some fit has a small error by chance. An independent extra error per
    fit, of UNSEEN / m times its squared error, keeps near-ties mixed instead of picking one by
    chance.
    """
    m = len(pairs.weights)
    roots = np.sqrt(pairs.weights * not_drawn(pairs))
    doubtful = [
        roots * fit.left_out * (fit.doubt * (1.0 + fit.chosen / m)) ** DOUBT for fit in fits
    ]
    own = np.sqrt(UNSEEN / m) * np.linalg.norm(doubtful, axis=1)
    shares = convex_shares(np.hstack([doubtful, np.diag(own)]))
    each = (fit.values + pairs.regressed(fit.left, pairs.total - fit.values.sum()) for fit in fits)
    values = sum(share * estimate for share, estimate in zip(shares, each, strict=True))
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
    weights = scipy.optimize.nnls(system, np.append(np.zeros(len(triangle)), 1.0))[0]
    return weights / weights.sum()


def pair_errors(pairs: Pairs, left: np.ndarray, fitted: bool) -> np.ndarray:
    """Standard errors (d,) of least squares on the residuals ``left`` (m,) of the pairs.

    As `sandwich_errors`, with the correction for sampling without replacement within each size:
    where k of n pairs were drawn, the variance is multiplied by 1 - k / n. ``fitted`` tells whether
    the residuals are those of the fit itself or leave-one-out residuals. Zero where all pairs were
    drawn.
    """
    remaining = np.sqrt(not_drawn(pairs))
    if not remaining.any():
        return np.zeros(pairs.coalitions.shape[1])
    gram = weighted_joint_counts(pairs.weights, pairs.coalitions)
    leverages = pairs.weights if fitted else np.zeros(len(left))
    return sandwich_errors(gram, pairs.coalitions, pairs.weights * left * remaining, leverages)


def not_drawn(pairs: Pairs) -> np.ndarray:
    """For each pair, the share (m,) of the pairs of its size that were not drawn."""
    d = pairs.coalitions.shape[1]
    sizes = pairs.coalitions.sum(axis=1)
    drawn = np.bincount(sizes, minlength=d + 1)[sizes] / pairs_of_size(sizes, d)
    return np.maximum(1.0 - drawn, 0.0)
