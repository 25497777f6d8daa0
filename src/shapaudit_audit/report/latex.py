"""Numbers, words and tables as LaTeX."""

import math
import re
from collections.abc import Callable, Mapping, Sequence

from shapaudit.statistics.limits import UNBOUNDED

from .characters import escape
from .ratios import LEAST, MOST, bounded

SMALLEST_EXPONENT, LARGEST_EXPONENT = -4, 5  # beyond these, powers of ten
SCIENTIFIC = re.compile(r"(\d(?:\.\d+)?)e(?:\+|(-))?0*(\d+)")
DASH = "--"  # in a cell of a table
NOT_RUN = "not run in this study"  # in the prose
DIRECTIONS = {"undecided": "not significantly different"}


def _words(text: str) -> str:
    """Escaped text with the numbers of `prose`."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", r"\\,", escape(text))
    text = re.sub(r"(?<![\d.,])\d{5,}(?!\.?\d)", lambda match: number(int(match[0])), text)
    return SCIENTIFIC.sub(_power_of_ten, text)


def with_formulas(text: str, words: Callable[[str], str] = escape) -> str:
    """Text with formulas between dollar signs, these left as they are and the ``words`` escaped."""
    pieces = text.split("$")
    return "$".join(piece if k % 2 else words(piece) for k, piece in enumerate(pieces))


def prose(text: str) -> str:
    """`with_formulas`, with numbers like those of `number`: not 1.6e+04, 25000 or 25,000."""
    return with_formulas(text, _words)


def _power_of_ten(match: re.Match) -> str:
    mantissa, minus, exponent = match[1], match[2] or "", match[3]
    times = "" if mantissa == "1" else rf"{mantissa}\times"
    return rf"\ensuremath{{{times}10^{{{minus}{exponent}}}}}"


def number(value: float | str, digits: int = 3) -> str:
    """A number to ``digits`` significant digits; 12\\,000 for integers, powers of ten in the tails.

    Text (exact fractions) stays as it is, missing and infinite values become a dash.
    """
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, int):
        return f"{value:,}".replace(",", r"\,")
    if not math.isfinite(value):
        return DASH
    if abs(value) == UNBOUNDED:
        return fixed(value, 0)
    if value == 0:
        return "0"
    exponent = _exponent(value, digits)
    if SMALLEST_EXPONENT <= exponent <= LARGEST_EXPONENT:
        return _rounded(value, digits - 1 - exponent)
    mantissa = f"{value:.{digits - 1}e}".partition("e")[0]
    return rf"\ensuremath{{{mantissa}\times10^{{{exponent}}}}}"


def _rounded(value: float, decimals: int) -> str:
    """`fixed`, with zeros for two or more digits before the point that are not significant."""
    return fixed(round(value, decimals) if decimals < -1 else value, max(0, decimals))


def _counts(value: float) -> bool:
    """Whether a value is finite and not 0, so that it has an exponent."""
    return math.isfinite(value) and value != 0 and abs(value) != UNBOUNDED


def _beside(end: float, decimals: int, digits: int) -> str:
    """A limit with as many decimals as its estimate, or with so many digits where it is large."""
    if not _counts(end) or abs(end) < 10 ** (digits + 1):
        return fixed(end, max(0, decimals))
    return number(end, digits)


def _exponent(value: float, digits: int) -> int:
    return int(f"{value:.{digits - 1}e}".partition("e")[2])


def fixed(value: float, decimals: int) -> str:
    """A number with so many decimals; the symbol of infinity for `UNBOUNDED`."""
    if abs(value) == UNBOUNDED:
        return r"\ensuremath{\infty}" if value > 0 else r"\ensuremath{-\infty}"
    text = f"{value:,.{decimals}f}".replace(",", r"\,")
    return text.replace("-", r"\ensuremath{-}")


def percent(share: float, digits: int = 2) -> str:
    """A share as a percentage."""
    return rf"{number(100 * share, digits)}\,\%" if math.isfinite(share) else DASH


def with_limits(value: float, low: float, high: float, digits: int = 3) -> tuple[str, str]:
    """A value with so many significant digits, and its limits in brackets with as many decimals."""
    exponents = [_exponent(x, digits) for x in (value, low, high) if _counts(x)]
    plain = all(SMALLEST_EXPONENT <= exponent <= LARGEST_EXPONENT for exponent in exponents)
    if not math.isfinite(value) or value == 0 or not plain:
        return number(value, 2), f"[{number(low, 2)}, {number(high, 2)}]"
    decimals = digits - 1 - _exponent(value, digits)
    ends = ", ".join(_beside(end, decimals, digits) for end in (low, high))
    return _rounded(value, decimals), f"[{ends}]"


def _far(value: float) -> bool:
    """Whether a ratio is a number, not 0, that `bounded` does not show."""
    return math.isfinite(value) and value not in (0, UNBOUNDED) and not LEAST <= value <= MOST


def ratio(value: float, digits: int = 3) -> str:
    """A ratio of errors as `number`, or a bound of it where it is far from 1 (`bounded`)."""
    if not _far(value):
        return number(value, digits)
    sign, end = bounded(value, str).split()
    return rf"\ensuremath{{{sign}}}\,{end}"


def ratio_with_limits(value: float, low: float, high: float) -> tuple[str, str]:
    """A ratio with two decimals, or three digits where it is far from 1, and its limits.

    Without limits, as from few explicands, the second text is "no limits"; it is empty where the
    ratio and its limits are all beyond the same bound (`bounded`).
    """
    if math.isnan(low):
        return ratio(value), "no limits"
    if high < LEAST or MOST < low < UNBOUNDED:
        return ratio(value), ""
    if any(map(_far, (value, low, high))):
        return ratio(value), f"[{ratio(low)}, {ratio(high)}]"
    if 0.1 <= value < 10:
        return fixed(value, 2), f"[{_beside(low, 2, 3)}, {_beside(high, 2, 3)}]"
    return with_limits(value, low, high)


def ratio_in_line(value: float, low: float, high: float) -> str:
    """A ratio followed by its limits, as `ratio_with_limits`."""
    return " ".join(filter(None, ratio_with_limits(value, low, high)))


def stacked(value: str, interval: str) -> str:
    """A value over its limits, in one cell; the value alone where these are empty."""
    return value if not interval else rf"\stacked{{{value}}}{{{interval}}}"


def ratio_cell(value: float, low: float, high: float) -> str:
    """A ratio over its limits, bold where they exclude 1; the ratio alone without limits."""
    if not math.isfinite(low):
        return fixed(value, 2)
    shown, interval = ratio_with_limits(value, low, high)
    return stacked(rf"\textbf{{{shown}}}" if low > 1 or high < 1 else shown, interval)


def listing(words: Sequence[str], empty: str = "none") -> str:
    """Words joined by commas and "and"."""
    if len(words) < 2:
        return words[0] if words else empty
    return f"{', '.join(words[:-1])} and {words[-1]}"


def by_case(cases: Sequence[tuple[str, str]]) -> str:
    """Join statements about cases, merging equal ones: "smaller on a and b, and larger on c".

    ``cases`` are pairs of a statement and the name of its case.
    """
    places: dict[str, list[str]] = {}
    for said, where in cases:
        places.setdefault(said, []).append(where)
    parts = [f"{said} on {listing(own)}" for said, own in places.items()]
    return (
        listing(parts, NOT_RUN) if len(parts) < 2 else f"{', '.join(parts[:-1])}, and {parts[-1]}"
    )


def tabular(
    columns: str, header: Sequence[Sequence[str]], groups: Sequence[Sequence[Sequence[str]]]
) -> str:
    """A booktabs table: header rows, then groups of rows with a thin rule between groups.

    Raises ValueError when a row has not as many cells as the last header row.
    """
    width = len(header[-1])
    for row in (row for group in groups for row in group):
        if len(row) != width:
            raise ValueError(f"a row of {len(row)} cells in a table of {width} columns: {row}")
    body = "\\midrule\n".join("".join(_line(row) for row in group) for group in groups if group)
    head = "".join(_line(row) for row in header)
    return (
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head}\\midrule\n{body}"
        "\\bottomrule\n\\end{tabular}\n"
    )


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + " \\\\\n"


def definitions(values: Mapping[str, Mapping[str, str]]) -> str:
    r"""One ``\defvalue{key}{text}{source}`` per value, for ``\val{key}`` in the report.

    ``values`` are texts by source and key; raises ValueError for a key that is no name.
    """
    lines = []
    for source, texts in values.items():
        for key, text in texts.items():
            if not re.fullmatch(r"[A-Za-z0-9.+-]+", key):
                raise ValueError(
                    f"{key!r} is no name of a value: letters, digits, dots and hyphens."
                )
            lines.append(rf"\defvalue{{{key}}}{{{text}}}{{{source}}}")
    return "\n".join(
        ["% Generated from the results of the study; not to be edited.", *sorted(lines), ""]
    )
