"""What checks that compare exact numbers case by case share."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import floor, isinf

import numpy as np

from shapaudit.truth.rational import rationals

from .context import Context
from .evidence import Case

_WORDS = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_LARGEST = 1e15

INTEGER_RANGE = 9  # random games take integer values in -9, ..., 9


def vector_cases(label: str, left: np.ndarray, right: np.ndarray) -> list[Case]:
    """One case per entry of two vectors (d,)."""
    return [
        Case(f"{label}, entry {k + 1}", *sides)
        for k, sides in enumerate(zip(left, right, strict=True))
    ]


def random_integers(context: Context, *names: str | int, count: int) -> np.ndarray:
    """Integers (count,) in -9, ..., 9 as fractions."""
    rng = context.generator(*names)
    return rationals(rng.integers(-INTEGER_RANGE, INTEGER_RANGE + 1, size=count).tolist())


def exact_dimensions(context: Context) -> range:
    """2, ..., the study's largest dimension of exact identities."""
    return range(2, context.settings.max_exact_dimension + 1)


def small_dimensions(context: Context, top: int) -> range:
    """2, ..., the smaller of ``top`` and the study's limit for brute force."""
    return range(2, min(top, context.settings.brute_force_dimension) + 1)


def integer_games(
    context: Context, *names: str | int, dimensions: Iterable[int]
) -> Iterator[tuple[str, int, np.ndarray]]:
    """Label, number of players and values (2^d,), fractions, of random integer games."""
    for d in dimensions:
        for k in range(context.settings.random_games):
            values = random_integers(context, *names, "game", d, k, count=1 << d)
            yield f"d = {d}, game {k + 1}", d, values


def show(value: float | Fraction) -> str:
    """A number for a summary: three digits, in words up to trillions, beyond as in 9.93e-23.

    Integers and fractions stand in full; limits that are none are infinity. Report and site show
    powers of ten as such.
    """
    if isinstance(value, int | Fraction):
        return str(value)
    rounded = float(f"{float(value):.3g}")
    size = abs(rounded)
    if isinf(size):
        return "infinity" if rounded > 0 else "minus infinity"
    if 1e3 <= size < 1e6:
        return f"{rounded:,.0f}"
    unit, word = next((pair for pair in _WORDS if size >= pair[0]), (0, ""))
    if size >= _LARGEST or not unit:
        return f"{rounded:.3g}"
    return f"{rounded / unit:.3g} {word}"


def show_power(exponent: float) -> str:
    """Ten to a power that may be beyond all floats, as `show` has large and small numbers."""
    whole = floor(exponent)
    mantissa = f"{10 ** (exponent - whole):.2g}"
    return f"1e{whole + 1}" if mantissa == "10" else f"{mantissa}e{whole}"
