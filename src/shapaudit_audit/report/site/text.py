"""Words, formulas and numbers as HTML."""

import html
import re
from xml.etree.ElementTree import tostring

from latex2mathml.converter import Converter
from markupsafe import Markup, escape

from ..overview import UNBOUNDED
from ..ratios import LEAST, MOST, bounded

_SCIENTIFIC = re.compile(r"(\d(?:\.\d+)?)e(?:\+|(-))?0*(\d+)(?![\w.])")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FORMULA = re.compile(r"\$([^$]*)\$")
_ELEMENTS = """
    math mrow mi mo mn mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover
    mmultiscripts mprescripts none mtable mtr mtd mstyle menclose mpadded mphantom
"""
# How a formula looks. What leads elsewhere (href) or reaches beyond it (style, class, id) is not.
_ATTRIBUTES = """
    xmlns display displaystyle scriptlevel mathvariant mathcolor mathsize accent accentunder fence
    separator form stretchy symmetric largeop movablelimits lspace rspace minsize maxsize width
    height depth voffset linethickness bevelled notation columnalign columnlines columnspacing
    rowlines rowspacing rowalign frame
"""


def mathematics(text: str) -> Markup:
    """Text with formulas between dollar signs, these as MathML and all else escaped.

    Numbers such as 9.93e-23 are shown as powers of ten.
    """
    pieces = _FORMULA.split(text)
    shown = [_formula(piece) if k % 2 else _words(piece) for k, piece in enumerate(pieces)]
    return Markup("").join(shown)


def _words(text: str) -> Markup:
    return Markup(_SCIENTIFIC.sub(_power_of_ten, str(escape(text))))


def _power_of_ten(match: re.Match) -> str:
    mantissa = "" if match[1] == "1" else f"{match[1]} × "
    return f"{mantissa}10{((match[2] or '') + match[3]).translate(_RAISED)}"


def _formula(latex: str) -> Markup:
    """MathML of a formula; as it is typed, between its dollar signs, where it is none.

    The converter's own text is not escaped: ``\\text{<b>}`` would be an element of the page.
    """
    try:
        tree = Converter().convert_to_element(latex)
    except Exception:  # of many kinds, IndexError among them
        return escape(f"${latex}$")
    for element in tree.iter():
        if element.tag not in _ELEMENTS.split():
            return escape(f"${latex}$")
        for name in set(element.attrib).difference(_ATTRIBUTES.split()):
            del element.attrib[name]
        element.text = html.unescape(element.text or "")
    return Markup(tostring(tree, encoding="unicode"))


def number(value: float | int | str | None) -> str:
    """Three significant digits, integers in full with thousands separated, a dash for None."""
    if value is None or value != value:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or (float(value).is_integer() and abs(value) < 1e15):
        return f"{int(value):,}"
    text = f"{value:#.3g}"
    return _SCIENTIFIC.sub(_power_of_ten, text.rstrip(".") if "e" not in text else f"{value:.2e}")


def ratio(value: float) -> str:
    """A ratio of errors, as `bounded`."""
    return bounded(value, number)


def limits(low: float | None, high: float | None) -> str:
    """Two limits of a ratio in words; what has no bound says so, and None or NaN is no limit."""
    if low is None or high is None or low != low:
        return "no limits"
    if high > UNBOUNDED:
        if low == 0:
            return "no limits"
        return ratio(low) if low > MOST else f"{ratio(low)} or more"
    same = max(low, high) < LEAST or min(low, high) > MOST
    return ratio(low) if same else f"{ratio(low)} to {ratio(high)}"


def words(key: str) -> str:
    """A key of a record as words."""
    return key.replace("_", " ").replace("-", " ")
