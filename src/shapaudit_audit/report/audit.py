"""The audit as LaTeX: tables of claims with their verdicts."""

import re
from collections.abc import Iterable, Mapping, Sequence

from ..audit.ids import short_id
from ..audit.paper import OURS, Paper
from ..audit.verdict import CONSEQUENCES
from .latex import escape
from .palette import CONSEQUENCES as COLOURS

# A letter beside the colour of each consequence, for readers and printers without colours.
MARKS = {
    "stands": "+",
    "loosely": "l",
    "setting": "e",
    "slip": "s",
    "hypothesis": "h",
    "wrong": "w",
    "undecided": "?",
}
ADDED = "Ours: consequences and corrections"

PLACES = {
    "app": "Section",
    "lem": "Lemma",
    "prop": "Proposition",
    "thm": "Theorem",
    "cor": "Corollary",
    "rem": "Remark",
    "ex": "Example",
    "sec": "Section",
    "eq": "Equation",
    "fig": "Figure",
    "tab": "Table",
}


def summary_table(claims: Sequence[Mapping]) -> str:
    """A longtable of a paper, one claim per row: number, title, place, both verdicts, consequence.

    Claims that the paper does not make stand at the end. Numbers link to the claims on the site,
    which has their words, evidence and rows.
    """
    groups = by_group([claim for claim in claims if claim["source"] != OURS])
    if ours := [claim for claim in claims if claim["source"] == OURS]:
        groups[ADDED] = ours
    lines = []
    for group, members in groups.items():
        lines.append(
            rf"\multicolumn{{6}}{{@{{}}l}}{{\emph{{{escape(group)}}}}}\\*\addlinespace[1pt]"
        )
        lines += [_summary_row(claim) for claim in members]
        lines.append(r"\addlinespace[3pt]")
    heads = r" & claim & place & in its setting & in general & consequence \\"
    left = r">{\raggedright\arraybackslash}"
    columns = f"@{{}}l{left}p{{3.9cm}}{left}p{{4.8cm}}l{left}p{{2.2cm}}l@{{}}"
    return "\n".join(
        [
            rf"\begin{{longtable*}}{{{columns}}}",
            rf"\toprule {heads}",
            r"\midrule\endfirsthead",
            rf"\toprule {heads}",
            r"\midrule\endhead",
            r"\bottomrule\endlastfoot",
            *lines,
            r"\end{longtable*}",
            "",
        ]
    )


def _summary_row(claim: Mapping) -> str:
    setting = claim["setting"]
    own = "--"
    if setting:
        own = setting["status"] + (r"\textsuperscript{*}" if setting["stand_in"] else "")
    cells = [
        rf"\onsite{{{claim['id']}}}{{{short_id(claim['id'])}}}",
        escape(claim["title"]),
        escape(place_of(claim)),
        own,
        escape(_with_reach(claim)) + _shown_at(labels_of(claim)),
        rf"\briefbadge{{{claim['consequence']}}}",
    ]
    return " & ".join(cells) + r" \\"


def labels_of(claim: Mapping) -> list[str]:
    """Labels of the proofs and figures that show a verdict; none where a table alone does."""
    return [] if claim["evidence"] == "rows" else claim["evidence"].split(", ")


def _shown_at(labels: Sequence[str]) -> str:
    """References to the proofs and figures that show it, in brackets; "" without any."""
    references = ", ".join(rf"{place(label)}~\ref{{{label}}}" for label in labels)
    return f" ({references})" if references else ""


def by_group(claims: Sequence[Mapping]) -> dict[str, list[Mapping]]:
    """Claims under the heading they share, in the order of the headings' first claims."""
    groups: dict[str, list[Mapping]] = {}
    for claim in claims:
        groups.setdefault(claim["heading"], []).append(claim)
    return groups


def badges(claims: Sequence[Mapping]) -> str:
    """Consequences in a word, each with the numbers of its claims, ours in brackets."""
    members: dict[str, list[str]] = {key: [] for key in CONSEQUENCES}
    for claim in claims:
        name = short_id(claim["id"])
        ours = claim["source"] == OURS
        members[claim["consequence"]].append(f"[{name}]" if ours else name)
    return r" \quad ".join(
        rf"\mbox{{\briefbadge{{{key}}}}} {', '.join(names)}"
        for key, names in members.items()
        if names
    )


def place_of(claim: Mapping) -> str:
    """The place of a claim in its source, or the place that a claim of this project is about."""
    return f"{claim['where']} (ours)" if claim["source"] == OURS else claim["where"]


def verdicts_of(claim: Mapping) -> str:
    """The verdicts behind a consequence, in words and without a full stop.

    "supported in its setting, refuted in general", "supported, in its setting and in general", or,
    for a claim without a setting of its own, "proved" and "exact for d up to 8".
    """
    setting = claim["setting"]
    general = _with_reach(claim)
    if not setting:
        return general
    place = "on a stand-in for its setting" if setting["stand_in"] else "in its setting"
    if setting["status"] == general:
        return f"{general}, {place} and in general"
    return f"{setting['status']} {place}, {general} in general"


def _with_reach(claim: Mapping) -> str:
    return f"{claim['status']} for {claim['reach']}" if claim["reach"] else claim["status"]


def consequence_macros() -> str:
    r"""For each consequence its colour, ``verdict-<key>``, words, ``\badge{<key>}``, and letter."""
    return "".join(
        f"\\definecolor{{verdict-{key}}}{{HTML}}{{{COLOURS[key][1:]}}}\n"
        f"\\defconsequence{{{key}}}{{{words}}}{{{MARKS[key]}}}\n"
        for key, words in CONSEQUENCES.items()
    )


def letters(papers: Iterable[Paper]) -> str:
    r"""One ``\defletters{prefix}{letter}`` per paper, for ``\cl{id}`` in the report."""
    return "".join(rf"\defletters{{{paper.prefix}}}{{{paper.letter}}}" + "\n" for paper in papers)


def place(label: str) -> str:
    """The kind of object that a label of the report names; raises ValueError for an unknown one."""
    prefix = label.split(":")[0]
    if not re.fullmatch(r"[a-z]+:[A-Za-z0-9-]+", label) or prefix not in PLACES:
        raise ValueError(f"evidence {label!r}: labels begin with one of {', '.join(PLACES)}.")
    return PLACES[prefix]


def evidence_labels(claims: Sequence[Mapping]) -> set[str]:
    """Labels of the report that verdicts point at."""
    return {label for claim in claims for label in labels_of(claim)}
