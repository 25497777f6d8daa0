"""Words, formulas and numbers as HTML."""

import re

from latex2mathml.converter import convert
from markupsafe import Markup, escape

_FORMULA = re.compile(r"\$([^$]*)\$")


def mathematics(text: str) -> Markup:
    """Text with formulas between dollar signs, these as MathML and all else escaped."""
    pieces = _FORMULA.split(text)
    shown = [Markup(convert(piece)) if k % 2 else escape(piece) for k, piece in enumerate(pieces)]
    return Markup("").join(shown)


def number(value: float | int | str | None) -> str:
    """Three significant digits, integers in full with thousands separated, a dash for None."""
    if value is None or value != value:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or (float(value).is_integer() and abs(value) < 1e15):
        return f"{int(value):,}"
    text = f"{value:#.3g}"
    return text.rstrip(".") if "e" not in text else f"{value:.2e}"


def words(key: str) -> str:
    """A key of a record as words."""
    return key.replace("_", " ").replace("-", " ")
