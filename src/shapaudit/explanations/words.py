"""How values were computed, in a sentence."""

from collections.abc import Sequence

import numpy as np

from ..parameters import counted
from .reading import Reading
from .sampling import RowValues
from .stopping import Stopping

READ = {"trees": "the trees of the model", "linear": "the coefficients of the model"}


def how_read(reading: Reading, background: int) -> str:
    """Of values that were read from a model."""
    return (
        f"Read from {READ[reading.method]}, exactly, over {counted(background, 'background row')}; "
        "their sums are the outputs of the model."
    )


def how_sampled(rows: Sequence[RowValues], spread: np.ndarray, stop: Stopping, removed: str) -> str:
    """Of values for which coalitions were evaluated, of outputs of a spread (k,).

    ``removed`` says how columns were absent. Rows that ended before the tolerance are counted.
    """
    spent = np.array([row.evaluations for row in rows])
    if not any(row.errors.any() for row in rows):
        return f"Exactly, from {_range(spent)} coalitions of each row, {removed}."
    if (spent == stop.all_coalitions).all():
        return f"From all {_range(spent)} coalitions of each row, {removed}; its draws have errors."
    ends = ""
    if stop.tolerance is not None:
        share = f"{stop.tolerance:.3g}"
        ends = f", until all intervals are within {share}" + (
            " of the spread of the outputs" if stop.relative else ""
        )
        if wide := sum(not row.within(stop, spread) for row in rows):
            ends += f"; in {wide:,} of {counted(len(rows), 'row')} some are wider, and more "
            ends += "evaluations or minutes would narrow them"
    return (
        f"Estimated by auto from {_range(spent)} of {_number(stop.players)} coalitions of each "
        f"row, {removed}{ends}."
    )


def _range(spent: np.ndarray) -> str:
    low, high = int(spent.min()), int(spent.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _number(players: int) -> str:
    return f"{2**players:,}" if players <= 30 else f"2^{players}"
