"""A model of the odd part of a game that is chosen by what it says of pairs it has not seen.

Candidates: a Gaussian process over all sets of players (`kriging`), mixed with the same that has
sets of their own variance (`mixture`); and this on what a function of one number leaves
(`single_index`). A trial on three quarters of the pairs tells how much each errs on the others: the
better one is taken, and with many pairs the other too, unless it is far behind; `auto` mixes them.
More rows than one process takes are dealt into blocks, with the better one only: the next process
is fitted to what those before it leave on rows that they have not seen.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..pairs import Pairs
from .additive import fit_additive
from .fit import Fit, uncorrected
from .fourier import SHARE
from .kriging import Kriging, Rows, settled, tuned, with_sets
from .mixture import Mixture, SetsTrial, mixed, tried, typical_error
from .screening import asks_for_any
from .single_index import CLEARLY, SingleIndex, left_by_sigmoid, single_index_of

MOST_ROWS = 4096  # of one process
HELD_OUT = 4  # one pair in so many
HOPELESS = 1.4  # times the least error of a trial, above which a model is not fitted to all rows
SIGMOID = 0.05  # of the sum of squares that a line leaves
RELEVANCES = 20  # pairs per player: slopes need no variances of their own, trials are less noisy
SPARE = 5  # rows beyond those that the additive part takes


def adapt(pairs: Pairs, rng: np.random.Generator) -> list[Fit]:
    """Models of at least d + `SPARE` pairs, at which the odd part is not additive.

    With fewer than `RELEVANCES` pairs per player each also with slopes that have variances of their
    own. Of more rows than one process takes there is one model, without such variances.
    """
    m, d = pairs.coalitions.shape
    rows = Rows(
        np.vstack([np.where(pairs.coalitions, 1.0, -1.0), np.ones(d)]),
        np.append(pairs.odd, 0.5 * pairs.total),
        np.append(pairs.weights.mean() / pairs.weights, 0.0),
    )
    if m > MOST_ROWS:
        return [_in_blocks(rows, pairs, rng)]
    trials = _trials(rows, np.arange(m), pairs, rng)
    limit = min(one.missed for one in trials) * (HOPELESS if m >= RELEVANCES * d else 1.0)
    hopeful = [one.model() for one in trials if one.missed <= limit]
    return [fit for offset, found in hopeful for fit in _fits(offset, found, pairs)]


def _in_blocks(rows: Rows, pairs: Pairs, rng: np.random.Generator) -> Fit:
    m, d = pairs.coalitions.shape
    count = -(-m // MOST_ROWS)
    values, left = np.zeros(d), rows.values.copy()
    left_out, doubt = np.empty(m), np.empty(m)
    sparse = False
    for block in range(count):
        own = np.append(np.arange(block, m, count), m)
        part = Rows(rows.signs[own], left[own], rows.noises[own])
        if block == 0:
            trials = _trials(part, own[:-1], pairs, rng)
            offset, found = min(trials, key=lambda one: one.missed).model()
            sparse = found.share > 0
            if offset is not None:
                values += offset.shapley()
                left -= offset.odd(rows.signs)
        else:
            plain = _process(part)
            found = Mixture(plain, with_sets(plain), 1.0) if sparse else Mixture(plain, plain, 0.0)
        values += found.shapley()
        unfitted = found.left_out()
        left_out[own[:-1]], doubt[own[:-1]] = unfitted[:-1], found.doubt(unfitted)
        left -= found.at(rows.signs)
    return Fit(values, left[:-1], left_out, doubt, chosen=d + 4)


def _fits(offset: SingleIndex | None, found: Mixture, pairs: Pairs) -> Iterator[Fit]:
    """The function of one number, if any, with what is fitted to what it leaves of the pairs.

    With few pairs also with slopes that have variances of their own.
    """
    m, d = pairs.coalitions.shape
    given = np.zeros(d) if offset is None else offset.shapley()
    left, unfitted = found.residuals()[:-1], found.left_out()
    values, doubt = given + found.shapley(), found.doubt(unfitted)
    yield Fit(values, left, unfitted[:-1], doubt, chosen=d + 4)
    if m < RELEVANCES * d:
        shrunk = found.with_relevances()
        values, unfitted = given + shrunk.shapley(), shrunk.left_out()[:-1]
        yield uncorrected(values, pairs.total, unfitted, doubt, chosen=d + 4)


@dataclass(frozen=True, eq=False)
class _Trial:
    """A process with sets, with or without a function of one number, on some of the rows.

    Attributes
    ----------
    missed : weighted mean size of its error at the others; 0 where there was nothing to try
    model : gives the function or none, and what is fitted to what it leaves of all rows
    """

    missed: float
    model: Callable[[], tuple[SingleIndex | None, Mixture]]


def _trials(rows: Rows, own: np.ndarray, pairs: Pairs, rng: np.random.Generator) -> list[_Trial]:
    """The process without, and where it may help with a function of one number.

    That is where the joint features matter or a sigmoid leaves little of what a line leaves; with
    fewer than `RELEVANCES` pairs per player its trial must err clearly less than least squares.
    ``rows`` are those of ``own`` pairs, which decide; the function is fitted to all pairs. Where
    neither sets nor a function are asked for, or the rows are too few, nothing is tried.
    """
    seen = np.arange(len(rows.values)) % HELD_OUT != 1
    seen[-1] = True
    plain = _process(rows)
    untried = [_Trial(0.0, lambda: (None, Mixture(plain, plain, 0.0)))]
    if seen.sum() < rows.signs.shape[1] + SPARE:
        return untried
    joined = plain.joint_share() > SHARE or left_by_sigmoid(pairs.part(own)) < SIGMOID
    if not (joined or asks_for_any(plain)):
        return untried
    alone = tried(settled(plain.part(seen)), rows, ~seen)
    found = [_Trial(alone.typical, lambda: (None, mixed(plain, alone)))]
    if joined:
        number = single_index_of(pairs.part(own[seen[:-1]]), rng)
        left = _without(rows, number)
        beside = tried(_process(left.part(seen)), left, ~seen)
        many = len(own) >= RELEVANCES * rows.signs.shape[1]
        if many or beside.typical < CLEARLY * _missed_by_slopes(rows, pairs.part(own), seen):
            found.append(
                _Trial(beside.typical, lambda: _with_number(rows, pairs, number, beside, rng))
            )
    return found


def _missed_by_slopes(rows: Rows, pairs: Pairs, seen: np.ndarray) -> float:
    """As `SetsTrial.typical`, of least squares on the pairs seen: few rows fit many functions."""
    slopes = 0.5 * fit_additive(pairs.part(seen[:-1])).values
    others = rows.part(~seen)
    return typical_error(others.values - others.signs @ slopes, others.noises)


def _with_number(
    rows: Rows,
    pairs: Pairs,
    tried_number: SingleIndex | None,
    trial: SetsTrial,
    rng: np.random.Generator,
) -> tuple[SingleIndex | None, Mixture]:
    offset = single_index_of(pairs, rng, tried_number)
    return offset, mixed(_process(_without(rows, offset)), trial)


def _process(rows: Rows) -> Kriging:
    return settled(Kriging(rows, tuned(rows)))


def _without(rows: Rows, offset: SingleIndex | None) -> Rows:
    """The rows less the odd part of the function, if there is one."""
    if offset is None:
        return rows
    return Rows(rows.signs, rows.values - offset.odd(rows.signs), rows.noises)
