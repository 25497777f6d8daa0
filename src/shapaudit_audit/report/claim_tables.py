"""Claims as tables that a notebook shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from ..audit.verdict import CONSEQUENCES
from .audit import place_of, verdicts_of
from .site.text import mathematics

HEADS = ("Id", "Claim", "Consequence", "What it rests on")


@dataclass(frozen=True)
class Shown:
    """HTML that a notebook shows as such."""

    markup: str

    def _repr_html_(self) -> str:
        return self.markup


def claims_table(claims: Sequence[Mapping], title: str) -> Shown:
    """All of the claims, a row each, with statement, place, consequence, verdicts and reason."""
    cells = Markup("").join(Markup("<th>{}</th>").format(head) for head in HEADS)
    rows = Markup("\n").join(map(_row, claims))
    return Shown(
        Markup(
            '<table class="claims"><caption>{}: {} claims</caption>\n'
            "<thead><tr>{}</tr></thead>\n<tbody>\n{}\n</tbody></table>"
        ).format(title, len(claims), cells, rows)
    )


def _row(claim: Mapping) -> Markup:
    return Markup(
        "<tr><td>{}</td><td><b>{}.</b> {} <i>{}</i></td><td>{}</td><td>{}. {}</td></tr>"
    ).format(
        claim["id"],
        mathematics(claim["title"]),
        mathematics(claim["statement"]),
        place_of(claim),
        CONSEQUENCES[claim["consequence"]],
        escape(verdicts_of(claim).capitalize()),
        mathematics(claim["summary"]),
    )
