"""Whether two calls of a model on the same rows gave the same numbers, but for rounding."""

import hashlib

import numpy as np

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


def fingerprint(outputs: np.ndarray) -> str:
    """Twelve hexadecimal digits of the SHA-256 of outputs (m,)."""
    return hashlib.sha256(outputs.astype("<f8").tobytes()).hexdigest()[:12]
