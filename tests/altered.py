"""Evidence as it would be elsewhere: the same pieces with other numbers.

On a tiny study a claim has one verdict. What it would be if the numbers were equal, zero, of the
other sign, far apart or in another order shows the rest of its judgement.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import count

import numpy as np

FACTORS = (Fraction(1, 2), 3, Fraction(1, 7), 1, 20)
ROUNDING = 1e-12  # below which a number differs from one processor to the next

# What becomes of the k-th number x: a float, or a fraction.
NUMBERS = {
    "equal": lambda x, k: type(x)(1),
    "zero": lambda x, k: type(x)(0),
    "negated": lambda x, k: -x,
    "apart": lambda x, k: type(x)(x * type(x)(FACTORS[k % len(FACTORS)])),
}
ALTERATIONS = (*NUMBERS, "opposite", "reversed", "halved")


def altered(piece: object, alteration: str) -> object:
    """A piece of evidence in which all numbers but whole ones, all truth values (``opposite``), or
    the order (``reversed``) or number (``halved``) of all parts of lists and arrays are others."""
    places = count()

    def changed(value):
        if isinstance(value, Mapping):
            return {key: changed(part) for key, part in value.items()}
        if isinstance(value, np.ndarray):
            entries = _entries(value, changed)
            return _sequence(entries, alteration) if value.ndim else entries
        if isinstance(value, list):
            return _sequence([changed(part) for part in value], alteration)
        if isinstance(value, tuple):
            parts = [changed(part) for part in value]
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        if isinstance(value, bool | np.bool_):
            return bool(value) != (alteration == "opposite")
        if isinstance(value, float | Fraction) and alteration in NUMBERS:
            kind = Fraction if isinstance(value, Fraction) else float
            exact = kind(0) if abs(float(value)) < ROUNDING else kind(value)
            return NUMBERS[alteration](exact, next(places))
        return value

    return changed(piece)


def _entries(array, changed):
    entries = np.empty(array.size, dtype=array.dtype)
    entries[:] = [changed(entry) for entry in array.ravel().tolist()]
    return entries.reshape(array.shape)


def _sequence(parts, alteration):
    if alteration == "reversed":
        return parts[::-1]
    if alteration == "halved":
        return parts[: (len(parts) + 1) // 2]
    return parts
