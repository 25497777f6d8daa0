"""Numbers in the notation of the summaries of verdicts."""

from fractions import Fraction
from math import floor, isinf

_WORDS = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_LARGEST = 1e15


def show(value: float | Fraction) -> str:
    """A number for a summary: three digits, in words up to trillions, otherwise as in 9.93e-23.

    Integers and fractions are written in full; infinite values, as of missing limits, are
    "infinity" or "minus infinity". Report and site turn 9.93e-23 into a power of ten.
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
    """Ten to a power that may be beyond all floats, in the notation of `show`."""
    whole = floor(exponent)
    mantissa = f"{10 ** (exponent - whole):.2g}"
    return f"1e{whole + 1}" if mantissa == "10" else f"{mantissa}e{whole}"
