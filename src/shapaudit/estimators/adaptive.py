"""A model of the odd part of a game that is chosen by what it says of pairs it has not seen.

Candidates: a Gaussian process over all sets of players (`kriging`); the same beside a function of
one number (`single_index`); the same with sets of their own variance (`screening`). A quarter of
the pairs tells whether the second errs less than the first, and in which proportion the third is
mixed with it. More rows than one process takes are dealt into blocks: the next process is fitted to
what those before it leave on rows that they have not seen.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .fit import Fit, uncorrected
from .fourier import SHARE
from .kriging import Kriging, Rows, settled, tuned, with_sets
from .pairs import Pairs
from .screening import asks_for_any
from .single_index import SingleIndex, single_index_of
from .slopes import with_relevances

MOST_ROWS = 4096  # of one process
HELD_OUT = 4  # one pair in so many
BETTER = 0.8  # of the squared error without it
LEAST_SHARE = 0.1  # of the process with sets, below which they are not worth their time
WARM_ROUNDS = 5  # of looking for sets beside those of a trial
ALONE = 1e-10  # of the largest precision, below which a row is not predicted by the others
RELEVANCES = 20  # pairs per player, from which slopes need no variances of their own
SPARE = 5  # rows beyond those that the additive part takes


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
        return sum(share * of(fit) for share, fit in shares if share > 0)

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


def adapt(pairs: Pairs, rng: np.random.Generator) -> list[Fit]:
    """The model of at least d + `SPARE` pairs, at which the odd part is not additive.

    With fewer than `RELEVANCES` pairs per player also that whose slopes have variances of their
    own, of the rows of one process.
    """
    d = pairs.coalitions.shape[1]
    rows = Rows(
        np.vstack([np.where(pairs.coalitions, 1.0, -1.0), np.ones(d)]),
        np.append(pairs.odd, 0.5 * pairs.total),
        np.append(pairs.weights.mean() / pairs.weights, 0.0),
    )
    return _in_blocks(rows, pairs, rng)


def _in_blocks(rows: Rows, pairs: Pairs, rng: np.random.Generator) -> list[Fit]:
    m = len(pairs.coalitions)
    count = -(-m // MOST_ROWS)
    d = rows.signs.shape[1]
    values, left = np.zeros(d), rows.values.copy()
    left_out, doubt = np.empty(m), np.empty(m)
    sparse = False
    for block in range(count):
        own = np.append(np.arange(block, m, count), m)
        part = Rows(rows.signs[own], left[own], rows.noises[own])
        if block == 0:
            offset, found = _chosen(part, own[:-1], pairs, rng)
            sparse = found.share > 0
            if offset is not None:
                values += offset.shapley()
                left -= offset.odd(rows.signs)
        else:
            plain = _process(part)
            found = Mixture(plain, with_sets(plain), 1.0) if sparse else Mixture(plain, plain, 0.0)
        own_values = found.shapley()
        values += own_values
        unfitted = found.left_out()
        left_out[own[:-1]], doubt[own[:-1]] = unfitted[:-1], found.doubt(unfitted)
        if count > 1:
            left -= found.at(rows.signs)
        else:
            left = found.residuals()
    fits = [Fit(values, left[:-1], left_out, doubt, chosen=d + 4)]
    if count == 1 and m < RELEVANCES * d:
        shrunk = found.with_relevances()
        values = values - own_values + shrunk.shapley()
        unfitted = shrunk.left_out()[:-1]
        fits.append(uncorrected(values, pairs.total, unfitted, doubt, chosen=d + 4))
    return fits


def _chosen(
    rows: Rows, own: np.ndarray, pairs: Pairs, rng: np.random.Generator
) -> tuple[SingleIndex | None, Mixture]:
    """The function of one number, if it is taken, and what is fitted to what it leaves.

    ``rows`` are those of ``own`` pairs, which decide; the function is fitted to all pairs then.
    """
    seen = np.arange(len(rows.values)) % HELD_OUT != 1
    seen[-1] = True
    plain = _process(rows)
    nothing_to_try = plain.joint_share() <= SHARE and not asks_for_any(plain)
    if nothing_to_try or seen.sum() < rows.signs.shape[1] + SPARE:
        return None, Mixture(plain, plain, 0.0)
    trial = _tried(settled(plain.part(seen)), rows, ~seen)
    if plain.joint_share() > SHARE:
        offset, left = _without_number(rows, pairs.part(own[seen[:-1]]), rng)
        other = _tried(_process(left.part(seen)), left, ~seen)
        if other.missed < BETTER * trial.missed:
            offset, rest = _without_number(rows, pairs, rng)
            return offset, _mixed(_process(rest), other)
    return None, _mixed(plain, trial)


def _process(rows: Rows) -> Kriging:
    return settled(Kriging(rows, tuned(rows)))


def _without_number(
    rows: Rows, pairs: Pairs, rng: np.random.Generator
) -> tuple[SingleIndex | None, Rows]:
    """The function of one number fitted to the pairs, and the rows less its odd part."""
    offset = single_index_of(pairs, rng)
    if offset is None:
        return None, rows
    return offset, Rows(rows.signs, rows.values - offset.odd(rows.signs), rows.noises)


@dataclass(frozen=True, eq=False)
class _Trial:
    """A process on some rows with sets: its share beside that without, and what both miss.

    ``missed`` is the weighted mean square of the mixture's error at the ``unseen`` rows.
    """

    found: Kriging
    share: float
    unseen: np.ndarray
    missed: float


def _tried(trial: Kriging, rows: Rows, unseen: np.ndarray) -> _Trial:
    """The proportion of the process with sets that errs least on the unseen rows."""
    error, noises = _error(trial, rows, unseen), rows.noises[unseen]
    found, share, step = with_sets(trial), 0.0, 0.0
    if found.sets.members:
        step = error - _error(found, rows, unseen)
        share = (step / noises) @ error / max((step / noises) @ step, 1e-300)
        share = float(np.clip(share, 0.0, 1.0)) if share > LEAST_SHARE else 0.0
    return _Trial(found, share, unseen, _mean_square(error - share * step, noises))


def _mixed(plain: Kriging, trial: _Trial) -> Mixture:
    """The mixture in the proportion of the trial.

    The sets that the trial found are where the search for those of the mixture begins.
    """
    seen = trial.unseen, trial.missed
    if trial.share == 0.0:
        return Mixture(plain, plain, 0.0, seen)
    found = trial.found
    variances = {name: getattr(found.hyper, name) for name in ("joint", "noise", "interactions")}
    warm = plain.changed(replace(plain.hyper, **variances), found.sets)
    return Mixture(plain, with_sets(warm, WARM_ROUNDS), trial.share, seen)


def _error(fit: Kriging, rows: Rows, unseen: np.ndarray) -> np.ndarray:
    """Error (k,) of the fit at the unseen rows."""
    return rows.values[unseen] - fit.at(rows.signs[unseen])


def _mean_square(error: np.ndarray, noises: np.ndarray) -> float:
    """Mean square of the errors, each over its noise variance."""
    return float(np.mean(np.square(error) / noises))
