"""A model of the odd part of a game, selected by its error on held-out pairs.

There are two candidates. The first is a Gaussian process over all sets of players (`kriging`),
mixed with the same process plus interaction terms with separate variances (`mixture`). The second
is a ridge function of one weighted sum (`single_index`) plus such a mixture fitted to its
residuals. A trial on three quarters of the pairs gives the error of each on the other pairs. The
better candidate is taken and, with many pairs, also the other one unless it is far behind; `auto`
combines them. If there are more rows than one process can take, they are dealt into blocks and only
the better candidate is used: each process is fitted to the residuals of those before it, on rows
that these have not seen.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..pairs import Pairs
from .additive import fit_additive
from .fit import Fit, uncorrected
from .fourier import SHARE
from .kriging import Kriging, Observations
from .mixture import ProcessMixture, SetsTrial, mixed, tried, typical_error
from .screening import asks_for_any
from .single_index import CLEARLY, SingleIndex, left_by_sigmoid, single_index_of
from .tuning import settled, tuned, with_sets

MOST_ROWS = 4096  # of one process
HELD_OUT = 4  # one pair in so many
HOPELESS = 1.4  # times the least held-out error, above which a model is not fitted to all rows
SIGMOID = 0.05  # share of a sigmoid's residual sum of squares in that of a line
RELEVANCES = 20  # pairs per player, from which slopes are not shrunk, and trials are less noisy
SPARE = 5  # rows in excess of the degrees of freedom of the additive part


def adapt(pairs: Pairs, rng: np.random.Generator) -> list[Fit]:
    """Fits to at least d + `SPARE` pairs whose odd part is not additive.

    With fewer than `RELEVANCES` pairs per player, each comes also with slopes that are shrunk by
    separate variances. Where the rows are more than one process can take, there is one fit without
    such shrinkage.
    """
    m, d = pairs.coalitions.shape
    rows = Observations(
        np.vstack([np.where(pairs.coalitions, 1.0, -1.0), np.ones(d)]),
        np.append(pairs.odd_part, 0.5 * pairs.total),
        np.append(pairs.weights.mean() / pairs.weights, 0.0),
    )
    if m > MOST_ROWS:
        return [_in_blocks(rows, pairs, rng)]
    trials = _trials(rows, np.arange(m), pairs, rng)
    limit = min(trial.held_out_error for trial in trials) * (
        HOPELESS if m >= RELEVANCES * d else 1.0
    )
    hopeful = [trial.model() for trial in trials if trial.held_out_error <= limit]
    return [fit for offset, process in hopeful for fit in _fits(offset, process, pairs)]


def _in_blocks(rows: Observations, pairs: Pairs, rng: np.random.Generator) -> Fit:
    m, d = pairs.coalitions.shape
    count = -(-m // MOST_ROWS)
    values, left = np.zeros(d), rows.values.copy()
    left_out, doubt = np.empty(m), np.empty(m)
    sparse = False
    for block in range(count):
        own = np.append(np.arange(block, m, count), m)
        part = Observations(rows.signs[own], left[own], rows.noises[own])
        if block == 0:
            trials = _trials(part, own[:-1], pairs, rng)
            offset, process = min(trials, key=lambda trial: trial.held_out_error).model()
            sparse = process.share > 0
            if offset is not None:
                values += offset.shapley()
                left -= offset.odd_part(rows.signs)
        else:
            plain = _process(part)
            process = (
                ProcessMixture(plain, with_sets(plain), 1.0)
                if sparse
                else ProcessMixture(plain, plain, 0.0)
            )
        values += process.shapley()
        unfitted = process.left_out()
        left_out[own[:-1]], doubt[own[:-1]] = unfitted[:-1], process.doubt(unfitted)
        left -= process.at(rows.signs)
    return Fit(values, left[:-1], left_out, doubt, chosen=d + 4)


def _fits(offset: SingleIndex | None, process: ProcessMixture, pairs: Pairs) -> Iterator[Fit]:
    """Fits of the ridge function, if any, plus the process fitted to its residuals.

    With few pairs per player, a second fit has slopes that are shrunk by separate variances.
    """
    m, d = pairs.coalitions.shape
    given = np.zeros(d) if offset is None else offset.shapley()
    left, unfitted = process.residuals()[:-1], process.left_out()
    values, doubt = given + process.shapley(), process.doubt(unfitted)
    yield Fit(values, left, unfitted[:-1], doubt, chosen=d + 4)
    if m < RELEVANCES * d:
        shrunk = process.with_relevances()
        values, unfitted = given + shrunk.shapley(), shrunk.left_out()[:-1]
        yield uncorrected(values, pairs.total, unfitted, doubt, chosen=d + 4)


@dataclass(frozen=True, eq=False)
class _Trial:
    """A candidate that was fitted to some of the rows and judged on the others.

    Attributes
    ----------
    held_out_error : weighted mean absolute error on the held-out rows; 0 where nothing was tried
    model : returns the ridge function, or None, and the mixture fitted to its residuals on all rows
    """

    held_out_error: float
    model: Callable[[], tuple[SingleIndex | None, ProcessMixture]]


def _trials(
    rows: Observations, own: np.ndarray, pairs: Pairs, rng: np.random.Generator
) -> list[_Trial]:
    """The candidate without a ridge function and, where it may help, the one with it.

    A ridge function is tried where the joint features matter, or where a sigmoid fits much better
    than a line; with fewer than `RELEVANCES` pairs per player its held-out error must also be
    clearly below that of least squares. ``rows`` are those of the pairs with the numbers ``own``,
    which decide; the function is fitted to all pairs. Nothing is tried where the data support
    neither interaction terms nor a ridge function, or where the rows are too few.
    """
    seen = np.arange(len(rows.values)) % HELD_OUT != 1
    seen[-1] = True
    plain = _process(rows)
    untried = [_Trial(0.0, lambda: (None, ProcessMixture(plain, plain, 0.0)))]
    if seen.sum() < rows.signs.shape[1] + SPARE:
        return untried
    joined = plain.joint_share() > SHARE or left_by_sigmoid(pairs.part(own)) < SIGMOID
    if not (joined or asks_for_any(plain)):
        return untried
    alone = tried(settled(plain.part(seen)), rows, ~seen)
    trials = [_Trial(alone.typical, lambda: (None, mixed(plain, alone)))]
    if joined:
        number = single_index_of(pairs.part(own[seen[:-1]]), rng)
        left = _without(rows, number)
        beside = tried(_process(left.part(seen)), left, ~seen)
        many = len(own) >= RELEVANCES * rows.signs.shape[1]
        if many or beside.typical < CLEARLY * _missed_by_slopes(rows, pairs.part(own), seen):
            trials.append(
                _Trial(beside.typical, lambda: _with_number(rows, pairs, number, beside, rng))
            )
    return trials


def _missed_by_slopes(rows: Observations, pairs: Pairs, seen: np.ndarray) -> float:
    """Held-out error of additive least squares, as `SetsTrial.typical` has it.

    It guards against overfitting: few rows are fitted by many ridge functions.
    """
    slopes = 0.5 * fit_additive(pairs.part(seen[:-1])).values
    others = rows.part(~seen)
    return typical_error(others.values - others.signs @ slopes, others.noises)


def _with_number(
    rows: Observations,
    pairs: Pairs,
    tried_number: SingleIndex | None,
    trial: SetsTrial,
    rng: np.random.Generator,
) -> tuple[SingleIndex | None, ProcessMixture]:
    offset = single_index_of(pairs, rng, tried_number)
    return offset, mixed(_process(_without(rows, offset)), trial)


def _process(rows: Observations) -> Kriging:
    return settled(Kriging(rows, tuned(rows)))


def _without(rows: Observations, offset: SingleIndex | None) -> Observations:
    """The rows minus the odd part of the ridge function, if there is one."""
    if offset is None:
        return rows
    return Observations(rows.signs, rows.values - offset.odd_part(rows.signs), rows.noises)
