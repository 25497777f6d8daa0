"""Shapley values of one row by evaluating coalitions: all of them, or those that `auto` draws."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..estimators.explain import refined
from ..games.base import all_coalitions
from ..seeding import derive_seed
from ..truth import shapley_from_table
from .explanation import interval_factor
from .rows_game import SharedValues
from .stopping import Stopping

Values = Callable[[np.ndarray], np.ndarray]  # of coalitions (m, d), for k outputs (m, k)


class RowValues(NamedTuple):
    """The explanation of one row for k outputs.

    Attributes
    ----------
    values, errors : Shapley values and their standard errors (d, k)
    base : value of the empty coalition (k,)
    evaluations : coalitions that were evaluated
    """

    values: np.ndarray
    errors: np.ndarray
    base: np.ndarray
    evaluations: int

    def within(self, stop: Stopping, spread: np.ndarray) -> bool:
        """Whether all intervals are within the tolerance, for outputs of a spread (k,)."""
        half = interval_factor(stop.players) * self.errors.max(axis=0)
        return bool((half <= _limit(stop, spread, self.values.sum(axis=0))).all())


def _limit(stop: Stopping, spread: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Half-widths (k,) at which a row ends.

    For an output without spread ``distance``, of the row's output from the base value, takes its
    place.
    """
    return stop.limit(np.where(spread > 0, spread, np.abs(distance)))


def averaged_row(
    games: Sequence[Values], spread: np.ndarray, stop: Stopping, seed: int, name: str
) -> RowValues:
    """The values of a row over several games, with standard errors from how these differ."""
    if len(games) == 1:
        return sampled_row(games[0], spread, stop, seed, name)
    part = replace(stop, seconds=stop.seconds / len(games))
    rows = [
        sampled_row(game, spread, part, seed, f"{name} {number}")
        for number, game in enumerate(games)
    ]
    values = np.array([row.values for row in rows])
    return RowValues(
        values.mean(axis=0),
        values.std(axis=0, ddof=1) / np.sqrt(len(games)),
        np.mean([row.base for row in rows], axis=0),
        max(row.evaluations for row in rows),
    )


def sampled_row(
    game: Values, spread: np.ndarray, stop: Stopping, seed: int, name: str
) -> RowValues:
    """The values of a row.

    Parameters
    ----------
    game : of the row, with values (m, k)
    spread : of the k outputs, for a tolerance that is relative to it; where it is 0, the distance
        of the row's output from the base value takes its place
    name : of the row; with ``seed`` it determines which coalitions are drawn
    """
    d, k = stop.players, len(spread)
    if stop.exhausts:
        table = game(all_coalitions(d)).reshape(-1, k)
        values = np.stack([shapley_from_table(column) for column in table.T], axis=1)
        return RowValues(values, np.zeros_like(values), table[0], len(table))
    started, known = time.monotonic(), SharedValues(game, k)
    base, grand = known(np.repeat([[False], [True]], d, axis=1))
    limit = _limit(stop, spread, grand - base)
    most = min(stop.evaluations, stop.all_coalitions)
    drawn = derive_seed(seed, "explanation", name)
    for look in refined(known, d, most, drawn, whole=not stop.looks):
        errors = np.stack([each.known_errors() for each in look.estimates], axis=1)
        half = np.maximum(look.half_widths(), interval_factor(d) * errors.max(axis=0))
        if (half <= limit).all() or stop.is_over(time.monotonic() - started):
            break
    values = np.stack([each.values for each in look.estimates], axis=1)
    return RowValues(values, errors, base, look.estimates[0].evaluations)
