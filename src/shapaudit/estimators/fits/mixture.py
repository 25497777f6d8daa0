"""Two processes, with and without interaction terms, in proportions chosen on held-out rows."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .kriging import Kriging, Observations
from .slopes import with_relevances
from .tuning import with_sets

LEAST_SHARE = 0.1  # of the process with interaction terms, below which it is left out
WARM_ROUNDS = 5  # of screening, after the terms that a trial found
ALONE = 1e-10  # share of the largest precision, below which the others do not predict a row


@dataclass(frozen=True, eq=False)
class ProcessMixture:
    """(1 - share) plain + share sparse: two processes on the same rows.

    ``unseen`` are the held-out rows of the trial that chose the share, and the weighted mean
    squared error of the trial on them; None where there was no trial.
    """

    plain: Kriging
    sparse: Kriging
    share: float
    unseen: tuple[np.ndarray, float] | None = None

    def shapley(self) -> np.ndarray:
        """Shapley values (d,)."""
        return self._mixed(Kriging.shapley)

    def at(self, signs: np.ndarray) -> np.ndarray:
        """The odd part (m,) at signs (m, d)."""
        return self._mixed(lambda fit: fit.at(signs))

    def residuals(self) -> np.ndarray:
        """Residuals (n,) at the rows."""
        return self._mixed(Kriging.residuals)

    def left_out(self) -> np.ndarray:
        """Leave-one-out residuals (n,).

        A row that alone determines a slope of the additive part cannot be predicted by the others;
        its residual counts as 0.
        """
        return self._mixed(_left_out)

    def with_relevances(self) -> "ProcessMixture":
        """The same processes with slopes that are shrunk by separate variances."""
        plain = with_relevances(self.plain) if self.share < 1 else self.plain
        sparse = with_relevances(self.sparse) if self.share > 0 else self.sparse
        return replace(self, plain=plain, sparse=sparse)

    def _mixed(self, of: Callable[[Kriging], np.ndarray]) -> np.ndarray:
        """The mixture of a function of the processes; one without a share is not evaluated."""
        shares = (1.0 - self.share, self.plain), (self.share, self.sparse)
        parts = (share * of(fit) for share, fit in shares if share > 0)
        return sum(parts, start=np.zeros(()))

    def doubt(self, left_out: np.ndarray) -> float:
        """Inflation factor (>= 1): held-out over leave-one-out error.

        The leave-one-out residuals ``left_out`` (n,) are too small, since hyperparameters, terms
        and ridge function were chosen on all rows; the trial had not seen its held-out rows.
        """
        if self.unseen is None:
            return 1.0
        rows, squared = self.unseen
        claimed = _mean_square(left_out[rows], self.plain.rows.noises[rows])
        return np.sqrt(max(squared / max(claimed, 1e-300), 1.0))


def _left_out(fit: Kriging) -> np.ndarray:
    precisions = fit.precisions()
    known = precisions > ALONE * precisions.max()
    return np.divide(fit.dual, precisions, out=np.zeros_like(fit.dual), where=known)


@dataclass(frozen=True, eq=False)
class SetsTrial:
    """A trial on some rows of the process with interaction terms, and its share in the mixture.

    ``squared`` is the weighted mean squared error of the mixture on the ``unseen`` rows,
    ``typical`` its weighted mean absolute error, in which a few rows on the wrong side of a
    threshold count for less.
    """

    sparse: Kriging
    share: float
    unseen: np.ndarray
    squared: float
    typical: float


def tried(trial: Kriging, rows: Observations, unseen: np.ndarray) -> SetsTrial:
    """The share of the process with interaction terms that has the least error on unseen rows.

    It lies between 0 and 1, and is 0 up to `LEAST_SHARE`.
    """
    others = rows.part(unseen)
    noises, across = others.noises, trial.across(others.signs)
    error = others.values - trial.at(others.signs, across)
    sparse, share, step = with_sets(trial), 0.0, 0.0
    if sparse.sets.members:
        step = error - (others.values - sparse.at(others.signs, across))
        share = (step / noises) @ error / max((step / noises) @ step, 1e-300)
        share = float(np.clip(share, 0.0, 1.0)) if share > LEAST_SHARE else 0.0
    error = error - share * step
    squared, typical = _mean_square(error, noises), typical_error(error, noises)
    return SetsTrial(sparse, share, unseen, squared, typical)


def mixed(plain: Kriging, trial: SetsTrial) -> ProcessMixture:
    """The mixture with the share of the trial, on all rows.

    The search for its interaction terms starts from those of the trial and their variances.
    """
    seen = trial.unseen, trial.squared
    if trial.share == 0.0:
        return ProcessMixture(plain, plain, 0.0, seen)
    sparse = trial.sparse
    variances = {name: getattr(sparse.hyper, name) for name in ("joint", "noise", "interactions")}
    warm = plain.changed(replace(plain.hyper, **variances), sparse.sets)
    return ProcessMixture(plain, with_sets(warm, WARM_ROUNDS), trial.share, seen)


def _mean_square(error: np.ndarray, noises: np.ndarray) -> float:
    """Mean squared error (k,), each over its noise variance."""
    return float(np.mean(np.square(error) / noises))


def typical_error(error: np.ndarray, noises: np.ndarray) -> float:
    """Mean absolute error (k,), each over the root of its noise variance."""
    return float(np.mean(np.abs(error) / np.sqrt(noises)))
