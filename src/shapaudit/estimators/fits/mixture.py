"""Two processes on the same rows, with and without sets, in proportions that unseen rows choose."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .kriging import Kriging, Rows, with_sets
from .slopes import with_relevances

LEAST_SHARE = 0.1  # of the process with sets, below which they are not worth their time
WARM_ROUNDS = 5  # of looking for sets beside those of a trial
ALONE = 1e-10  # of the largest precision, below which a row is not predicted by the others


@dataclass(frozen=True, eq=False)
class Mixture:
    """(1 - share) plain + share sparse: two processes on the same rows.

    ``unseen``, where something was chosen: rows that a trial of the same had not seen, and the
    weighted mean square of its error there.
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
        """What is left (n,) at the rows."""
        return self._mixed(Kriging.residuals)

    def left_out(self) -> np.ndarray:
        """Residuals (n,) of each row as if it had not been fitted.

        Without a row that alone determines a slope of the additive part there is no prediction of
        it: its residual counts as none.
        """
        return self._mixed(_left_out)

    def with_relevances(self) -> "Mixture":
        """The same processes, their slopes having variances of their own."""
        plain = with_relevances(self.plain) if self.share < 1 else self.plain
        sparse = with_relevances(self.sparse) if self.share > 0 else self.sparse
        return replace(self, plain=plain, sparse=sparse)

    def _mixed(self, of: Callable[[Kriging], np.ndarray]) -> np.ndarray:
        """What a process gives, mixed; one without a share is not asked."""
        shares = (1.0 - self.share, self.plain), (self.share, self.sparse)
        parts = (share * of(fit) for share, fit in shares if share > 0)
        return sum(parts, start=np.zeros(()))

    def doubt(self, left_out: np.ndarray) -> float:
        """How much more a trial erred on rows that it had not seen than these residuals say.

        The hyperparameters, sets and function have seen all rows. At least 1.
        """
        if self.unseen is None:
            return 1.0
        rows, missed = self.unseen
        claimed = _mean_square(left_out[rows], self.plain.rows.noises[rows])
        return np.sqrt(max(missed / max(claimed, 1e-300), 1.0))


def _left_out(fit: Kriging) -> np.ndarray:
    precisions = fit.precisions()
    known = precisions > ALONE * precisions.max()
    return np.divide(fit.dual, precisions, out=np.zeros_like(fit.dual), where=known)


@dataclass(frozen=True, eq=False)
class SetsTrial:
    """A process on some rows with sets: its share beside that without, and what both miss.

    ``missed`` is the weighted mean square of the mixture's error at the ``unseen`` rows,
    ``typical`` the mean of its size, in which a few rows on the wrong side of a threshold count for
    less.
    """

    found: Kriging
    share: float
    unseen: np.ndarray
    missed: float
    typical: float


def tried(trial: Kriging, rows: Rows, unseen: np.ndarray) -> SetsTrial:
    """The proportion of the process with sets that errs least on the unseen rows.

    Between 0 and 1; none up to `LEAST_SHARE`.
    """
    others = rows.part(unseen)
    noises, across = others.noises, trial.across(others.signs)
    error = others.values - trial.at(others.signs, across)
    found, share, step = with_sets(trial), 0.0, 0.0
    if found.sets.members:
        step = error - (others.values - found.at(others.signs, across))
        share = (step / noises) @ error / max((step / noises) @ step, 1e-300)
        share = float(np.clip(share, 0.0, 1.0)) if share > LEAST_SHARE else 0.0
    error = error - share * step
    missed, typical = _mean_square(error, noises), typical_error(error, noises)
    return SetsTrial(found, share, unseen, missed, typical)


def mixed(plain: Kriging, trial: SetsTrial) -> Mixture:
    """The mixture in the proportion of the trial.

    The sets that the trial found, and the variances it has with them, are where the search for
    those of the mixture begins.
    """
    seen = trial.unseen, trial.missed
    if trial.share == 0.0:
        return Mixture(plain, plain, 0.0, seen)
    found = trial.found
    variances = {name: getattr(found.hyper, name) for name in ("joint", "noise", "interactions")}
    warm = plain.changed(replace(plain.hyper, **variances), found.sets)
    return Mixture(plain, with_sets(warm, WARM_ROUNDS), trial.share, seen)


def _mean_square(error: np.ndarray, noises: np.ndarray) -> float:
    """Mean square of the errors, each over its noise variance."""
    return float(np.mean(np.square(error) / noises))


def typical_error(error: np.ndarray, noises: np.ndarray) -> float:
    """Mean size of the errors (k,), each over the root of its noise variance."""
    return float(np.mean(np.abs(error) / np.sqrt(noises)))
