"""An explanation as it is printed, and as a notebook shows it."""

from html import escape

import numpy as np

from .entries import shortened
from .explanation import Explanation
from .summary import Line, Summary, summary

FEATURES = 6  # lines of features in a text
FEATURES_HTML = 12
POSITIVE, NEGATIVE = "#d1495b", "#3a7ca5"  # legible on white and on black
BAR = 120  # pixels


def as_text(explanation: Explanation) -> str:
    """At most twelve lines: what is explained, how, and the features of largest values."""
    several = bool(explanation.output_names)
    shown = summary(explanation, FEATURES - several)
    table = [_cells(line) for line in [*shown.features, *shown.totals]]
    if several or not shown.signed:
        names = [part for name in shown.outputs for part in (shortened(name), "")]
        table.insert(0, [shown.heading, "", *names])
    body = _aligned(table)
    at = len(body) - len(shown.totals)
    rest = [f"  {shown.rest}"] if shown.rest else []
    ends = [shown.note] if shown.note else []
    return "\n".join([shown.title, shown.how, *body[:at], *rest, *body[at:], *ends])


def _cells(line: Line) -> list[str]:
    pairs = zip(line.numbers, line.around, strict=True)
    return [shortened(line.name), shortened(line.entry), *(part for pair in pairs for part in pair)]


def _aligned(table: list[list[str]]) -> list[str]:
    """Lines of columns of equal width, the values to the right; empty columns are left out."""
    padded = []
    for number, column in enumerate(zip(*table, strict=True)):
        if width := max(map(len, column)):
            right = number >= 2 and number % 2 == 0
            gap = " " if number % 2 and number > 1 else "  "
            padded.append([gap + (c.rjust(width) if right else c.ljust(width)) for c in column])
    return ["".join(cells).rstrip() for cells in zip(*padded, strict=True)]


def as_html(explanation: Explanation) -> str:
    """A table with a bar for each value. It has the colours of the page and loads nothing."""
    shown = summary(explanation, FEATURES_HTML)
    scale = max(
        (float((np.abs(line.values) + line.halves).max(initial=0.0)) for line in shown.features),
        default=0.0,
    )
    rows = [_row(line, _bars(line, scale, shown.signed), shown) for line in shown.features]
    rows += [_wide(shown.rest, shown)] if shown.rest else []
    rows += [_row(line, [""] * len(line.values), shown) for line in shown.totals]
    rows += [_wide(shown.note, shown)] if shown.note else []
    return (
        f'<div style="color:inherit"><div><strong>{escape(shown.title)}</strong></div>'
        f"<div>{escape(shown.how)}</div>"
        '<table style="color:inherit;background:none;border-collapse:collapse">'
        f"{_head(shown)}<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(text: str, kind: str = "td", align: str = "left", span: int = 1) -> str:
    """A cell of text, which is escaped."""
    style = f"text-align:{align};white-space:nowrap;padding:1px 6px"
    return f'<{kind} colspan="{span}" style="{style}">{escape(text)}</{kind}>'


def _head(shown: Summary) -> str:
    cells = [_cell(shown.heading, "th"), *([_cell("entry", "th")] if shown.signed else [])]
    cells += [_cell(name, "th", span=2) for name in shown.outputs]
    return f"<thead><tr>{''.join(cells)}</tr></thead>"


def _wide(text: str, shown: Summary) -> str:
    """A line of text below the features."""
    return f"<tr>{_cell(text, span=1 + shown.signed + 2 * len(shown.outputs))}</tr>"


def _row(line: Line, bars: list[str], shown: Summary) -> str:
    cells = [_cell(line.name), *([_cell(shortened(line.entry, 60))] if shown.signed else [])]
    for number, around, bar in zip(line.numbers, line.around, bars, strict=True):
        cells += [_cell(f"{number} {around}".rstrip(), align="right"), f"<td>{bar}</td>"]
    return f"<tr>{''.join(cells)}</tr>"


def _bars(line: Line, scale: float, signed: bool) -> list[str]:
    pairs = zip(line.values.tolist(), line.halves.tolist(), strict=True)
    return [_bar(value, half, scale, signed) for value, half in pairs]


def _bar(value: float, half: float, scale: float, signed: bool) -> str:
    """A bar from zero, in the middle where values have signs, with a line across the interval."""
    zero = BAR / 2 if signed else 0.0
    factor = (BAR - zero) / scale if scale > 0 else 0.0
    end, reach = zero + factor * value, factor * half
    colour = POSITIVE if value >= 0 else NEGATIVE
    parts = [
        f'<rect x="{min(zero, end):.1f}" y="3" width="{abs(end - zero):.1f}" height="8" '
        f'fill="{colour}"/>',
        f'<line x1="{zero:.1f}" x2="{zero:.1f}" y1="0" y2="14" stroke="currentColor" '
        'stroke-opacity="0.4"/>',
    ]
    if half:
        parts.append(
            f'<line x1="{end - reach:.1f}" x2="{end + reach:.1f}" y1="7" y2="7" '
            'stroke="currentColor"/>'
        )
    return f'<svg width="{BAR}" height="14" aria-hidden="true">{"".join(parts)}</svg>'
