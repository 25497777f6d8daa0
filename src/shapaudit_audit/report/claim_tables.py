"""Claims as a notebook shows them: in tables, and in the words of its conclusion."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
from markupsafe import Markup, escape

from ..audit.ids import by_paper
from ..audit.reading import find_claim
from ..audit.tally import printed
from ..audit.verdict import CONSEQUENCES
from .audit import place_of, verdicts_of
from .headlines import claims_told
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


def conclusion(audit: Mapping, paper: str, answers: Sequence[str]) -> Shown:
    """How many claims of a paper hold, and what a reader learns from those that answer a question.

    Parameters
    ----------
    audit : the claims with their verdicts
    paper : prefix of the claims that are counted; "" for those of all papers
    answers : ids of claims, which may be those of other papers

    Raises ValueError naming an id that no claim has.
    """
    counted = by_paper(audit["claims"])[paper] if paper else audit["claims"]
    points = [
        Markup("<li><b>{}</b> ({}). {} <i>{}.</i> {}</li>").format(
            mathematics(claim["title"]),
            claim["id"],
            mathematics(claim["statement"]),
            CONSEQUENCES[claim["consequence"]].capitalize(),
            mathematics(claim["matters"]),
        )
        for claim in (find_claim(audit, name) for name in answers)
    ]
    return Shown(
        Markup("<p>{}</p>\n<ul>\n{}\n</ul>").format(
            claims_told(printed(counted)), Markup("\n").join(points)
        )
    )


def comparisons_told(rows: pd.DataFrame, place: str) -> Shown:
    """In how many places one estimator has a smaller or a larger error than another, in words.

    Parameters
    ----------
    rows : ratios of the error of ``a`` to that of ``b``, a row for each place, with the columns
        a, b, ratio, low and high; a ratio is decided if its limits are on one side of 1
    place : what the rows of a pair differ in, in the singular: "game"
    """
    points = []
    for (a, b), own in rows.groupby(["a", "b"], sort=False):
        smaller, larger = int((own["high"] < 1).sum()), int((own["low"] > 1).sum())
        counts = {
            "smaller": smaller,
            "larger": larger,
            "not significantly different": len(own) - smaller - larger,
        }
        found = ", ".join(f"{word} in {count}" for word, count in counts.items() if count)
        low, high = (f"{end:.3g}" for end in (own["ratio"].min(), own["ratio"].max()))
        seen = f"1 {place}" if len(own) == 1 else f"{len(own)} {place}s"
        ratios = f"the ratio is {low}" if low == high else f"the ratios are {low} to {high}"
        points.append(
            Markup("<li><b>{}</b> beside {}, in {}: the error is {}; {}.</li>").format(
                a, b, seen, found, ratios
            )
        )
    return Shown(Markup("<ul>\n{}\n</ul>").format(Markup("\n").join(points)))


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
