"""Trial of a user's function on a few rows: whether it is a function of each row alone."""

from collections.abc import Callable

import numpy as np

from .agreement import differing_row
from .base import ModelError

ROWS = 32
LOOSE = 1e-2  # of the largest output: what single precision may do to a sound model

Outputs = Callable[[np.ndarray], np.ndarray]


def probe(name: str, call: Outputs, outputs: Outputs, rows: np.ndarray) -> None:
    """Call a function on the same 32 rows in several ways.

    The same rows twice, in another order, one at a time, in another type and another layout of
    memory. What a game is worth must depend on its coalition and on nothing else: a model that is
    random, or looks at the other rows of its batch, has no Shapley values, and estimators would be
    compared on noise.

    Parameters
    ----------
    name : what messages call the function
    call : the function itself
    outputs : the same with its outputs checked, on a copy of the rows
    rows : (m, d), of which the first 32 are taken

    Raises
    ------
    ModelError
        When it gives other numbers for the same row, or changes the rows it is given.
    """
    rows = np.ascontiguousarray(rows[:ROWS])
    first = outputs(rows)
    _check_rows_kept(name, call, rows)
    _check_repeatable(name, first, outputs(rows))
    order = np.random.default_rng(0).permutation(len(rows))
    _check_rowwise(name, first[order], outputs(rows[order]), "in another order")
    alone = np.concatenate([outputs(row[None]) for row in rows])
    _check_rowwise(name, first, alone, "alone")
    for kind, same in _layouts(rows):
        _check_layout(name, call, same, kind)


def _check_rows_kept(name: str, call: Outputs, rows: np.ndarray) -> None:
    given = rows.copy()
    call(given)
    if not np.array_equal(given, rows, equal_nan=True):
        column = int(np.flatnonzero((given != rows).any(axis=0))[0])
        raise ModelError(
            f"{name} changes the rows that it is given (column {column}); work on a copy: "
            "rows = rows.copy()"
        )


def _check_repeatable(name: str, first: np.ndarray, again: np.ndarray) -> None:
    row = differing_row(first, again)
    if row is not None:
        raise ModelError(
            f"{name} is random: asked twice for the same {len(first)} rows, it gives row {row} "
            f"{first[row]:.6g} and then {again[row]:.6g}. Make its numbers the same at every call: "
            "fix the seed inside the function, or put the network into evaluation (model.eval() "
            "in PyTorch)"
        )


def _check_rowwise(name: str, first: np.ndarray, other: np.ndarray, how: str) -> None:
    row = differing_row(first, other)
    if row is not None:
        raise ModelError(
            f"{name} depends on the rows that come together: a row has {first[row]:.6g} among "
            f"{len(first)} rows and {other[row]:.6g} {how}. Compute means, ranks or scales once, "
            "from the training rows, not from the rows it is asked for (model.eval() in PyTorch)"
        )


def _layouts(rows: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """The rows in single precision, column by column, and with gaps between the columns."""
    apart = np.zeros((len(rows), 2 * rows.shape[1]))
    apart[:, ::2] = rows
    return [
        ("in single precision", rows.astype(np.float32)),
        ("stored column by column", np.asfortranarray(rows)),
        ("stored with gaps", apart[:, ::2]),
    ]


def _check_layout(name: str, call: Outputs, rows: np.ndarray, kind: str) -> None:
    """A function may refuse such rows, which the study never gives it; it must not misread them."""
    plain = np.ascontiguousarray(rows, dtype=np.float64)
    expected = np.asarray(call(plain.copy()), dtype=np.float64)
    try:
        again = np.asarray(call(rows), dtype=np.float64)
    except Exception:
        return
    allowed = LOOSE * float(np.abs(expected).max(initial=0.0))
    if again.shape != expected.shape or (np.abs(again - expected) > allowed).any():
        raise ModelError(
            f"{name} gives other numbers for the same rows {kind}: it reads the memory of an array "
            "rather than the array. Begin with rows = np.ascontiguousarray(rows, dtype=float)"
        )
