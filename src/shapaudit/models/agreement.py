"""Whether a model's outputs at the same rows are the same numbers, but for rounding.

Two calls of one model are compared, and what was read from a model with what it gives itself.
"""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from .base import ModelError

Output = Callable[[Any], np.ndarray]  # rows (m, d), or a table of them, to (m,) or (m, k)

DOUBLE, SINGLE = 1e-9, 1e-5  # of the largest output: what the order of additions may change


def tolerance_of(outputs: np.ndarray) -> float:
    """By how much outputs (m,) may differ by rounding alone, in their units.

    Numerical libraries add in another order on other processors, or with other numbers of rows.
    Outputs that all are numbers of single precision are taken to be computed in it.
    """
    single = np.array_equal(outputs.astype(np.float32).astype(np.float64), outputs)
    return (SINGLE if single else DOUBLE) * float(np.abs(outputs).max(initial=0.0))


def differing_row(first: np.ndarray, second: np.ndarray) -> int | None:
    """Row in which two outputs (m,) differ most, or None where rounding explains it."""
    apart = np.abs(first - second)
    row = int(np.argmax(apart)) if apart.size else 0
    within = apart.size == 0 or apart[row] <= max(tolerance_of(first), tolerance_of(second))
    return None if within else row


def check_reading(what: str, own: Output, given: Any, read: np.ndarray, gap: np.ndarray) -> None:
    """Raise `ModelError` where a model itself gives other outputs than what was read from it.

    ``own`` gives the model's outputs (m,) of the rows ``given``; ``read`` (m,) may differ from them
    by ``gap`` (m,). It also raises where the model fails.
    """
    try:
        theirs = np.asarray(own(given), dtype=np.float64)
    except Exception as error:  # whatever another package raises
        raise ModelError(
            f"{what} itself fails on these rows, so that what was read from it cannot be checked "
            f"({type(error).__name__}: {str(error).split('Stack trace')[0].strip()})"
        ) from error
    if theirs.shape != read.shape:
        raise ModelError(f"{what} gives outputs of shape {theirs.shape} for {len(read)} rows")
    apart = np.abs(read - theirs)
    excess = np.where(np.isnan(apart), np.inf, apart - gap)
    row = int(np.argmax(excess)) if excess.size else 0
    if excess.size and excess[row] > 0:
        raise ModelError(
            f"{what} gives {theirs[row]:.9g} for row {row}, but what was read from it gives "
            f"{read[row]:.9g}: it is not the sum that was read, and its values would be wrong; "
            "explain it as any model, by an estimator or by fast-shap"
        )


def column_of(scores: Output, output: int | None, two_classes: bool) -> Output:
    """One of a model's outputs: that of a number, or the only one.

    A model of two classes has one score, that of the second, which is taken by default; the score
    of the first is the same with the other sign.
    """

    def chosen(rows: Any) -> np.ndarray:
        every = np.asarray(scores(rows), dtype=np.float64)
        if every.ndim == 1 or every.shape[1] == 1:
            every = every.reshape(len(every))
            return -every if two_classes and output == 0 else every
        return every[:, output or 0]

    return chosen


def fingerprint(outputs: np.ndarray) -> str:
    """Twelve hexadecimal digits of the SHA-256 of outputs (m,)."""
    return hashlib.sha256(outputs.astype("<f8").tobytes()).hexdigest()[:12]
