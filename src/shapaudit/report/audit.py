"""The audit as LaTeX: a long table of claims with their verdicts."""

import re
from collections.abc import Iterable, Mapping, Sequence

from ..audit.changes import short_id
from ..audit.paper import OURS, Paper
from ..audit.verdict import CONSEQUENCES
from .latex import escape, number, prose
from .style import CONSEQUENCES as COLOURS

SHOWN_LIMITS = 3
PLACES = {
    "app": "Appendix",
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


def claims_table(claims: Sequence[Mapping], name: str) -> str:
    """A longtable of one paper: claim with its place, verdict badge, what it rests on.

    ``name`` is that of the generated table, which its caption points at.
    """
    rows = "".join(
        _heading(group) + "".join(_claim_row(claim) for claim in members)
        for group, members in by_group(claims).items()
    )
    return (
        "\\begin{longtable}{@{}p{0.9cm}"
        ">{\\raggedright\\arraybackslash}p{6.6cm}"
        ">{\\raggedright\\arraybackslash}p{7.7cm}@{}}\n"
        f"\\caption{{Claims and verdicts. \\from{{{name}}}}}\\\\\n"
        "\\toprule\n & Claim & Verdict and what it rests on \\\\\n\\midrule\n\\endfirsthead\n"
        "\\toprule\n & Claim & Verdict and what it rests on \\\\\n\\midrule\n\\endhead\n"
        "\\midrule\n\\multicolumn{3}{r}{\\emph{continued overleaf}}\\\\\n\\endfoot\n"
        f"\\bottomrule\n\\endlastfoot\n{rows}\\end{{longtable}}\n"
    )


def summary_table(claims: Sequence[Mapping]) -> str:
    """One line per claim of a paper, by group: number, title, consequence, verdicts behind it."""
    lines = []
    for group, members in by_group(claims).items():
        lines.append(
            rf"\addlinespace[2pt]\multicolumn{{4}}{{@{{}}l}}{{\emph{{{escape(group)}}}}}\\"
        )
        lines += [
            f"{short_id(claim['id'])} & {escape(claim['title'])} & "
            rf"\briefbadge{{{claim['consequence']}}} & "
            f"{escape(verdicts_of(claim))} \\\\"
            for claim in members
        ]
    head = (
        "\\begin{tabular}{@{}lll>{\\raggedright\\arraybackslash}p{4.6cm}@{}}\n\\toprule\n"
        " & Claim & Consequence & Verdict \\\\\n\\midrule\n"
    )
    return head + "\n".join(lines) + "\n\\bottomrule\n\\end{tabular}\n"


def by_group(claims: Sequence[Mapping]) -> dict[str, list[Mapping]]:
    """Claims under the heading they share, in the order of the headings' first claims."""
    groups: dict[str, list[Mapping]] = {}
    for claim in claims:
        groups.setdefault(claim["heading"], []).append(claim)
    return groups


def badges(claims: Sequence[Mapping]) -> str:
    """Consequences in a word, each with the numbers of its claims, ours in brackets."""
    members = {key: [] for key in CONSEQUENCES}
    for claim in claims:
        name = short_id(claim["id"])
        ours = claim["source"] == OURS
        members[claim["consequence"]].append(f"[{name}]" if ours else name)
    return r" \quad ".join(
        rf"\mbox{{\briefbadge{{{key}}}}} {', '.join(names)}"
        for key, names in members.items()
        if names
    )


def _badge(claim: Mapping) -> str:
    return rf"\badge{{{claim['consequence']}}}"


def place_of(claim: Mapping) -> str:
    """Where a claim is made, or what of the source a claim of this project is on."""
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
    r"""For each consequence its colour, ``verdict-<key>``, and its words, ``\badge{<key>}``."""
    return "".join(
        f"\\definecolor{{verdict-{key}}}{{HTML}}{{{COLOURS[key][1:]}}}\n"
        f"\\defconsequence{{{key}}}{{{words}}}\n"
        for key, words in CONSEQUENCES.items()
    )


def letters(papers: Iterable[Paper]) -> str:
    r"""One ``\defletters{prefix}{letter}`` per paper, for ``\cl{id}`` in the report."""
    return "".join(rf"\defletters{{{paper.prefix}}}{{{paper.letter}}}" + "\n" for paper in papers)


def _heading(group: str) -> str:
    return rf"\multicolumn{{3}}{{@{{}}l}}{{\emph{{{escape(group)}}}}}\\*\addlinespace" + "\n"


def _claim_row(claim: Mapping) -> str:
    said = (
        rf"\textbf{{{escape(claim['title'])}.}} {claim['statement']} "
        rf"{{\footnotesize\color{{black!60}}{escape(place_of(claim))}{_words(claim)}."
        rf"{_sentence('', claim['hedges'])}}}"
    )
    verdicts = verdicts_of(claim)
    found = (
        rf"{_badge(claim)} {{\footnotesize {escape(verdicts[0].upper() + verdicts[1:])}.}}\par "
        rf"{_setting(claim)}{prose(claim['summary'])}{_sentence('', claim['matters'])} "
        rf"{_limits(claim)}{_evidence(claim)}"
    )
    return f"{short_id(claim['id'])} & {said} & {found} \\\\\\addlinespace\n"


def _sentence(head: str, text: str) -> str:
    return f" {head}{prose(text)}" if text else ""


def _setting(claim: Mapping) -> str:
    """What becomes of the claim in the setting of its paper, before what does in general."""
    setting = claim["setting"]
    if not setting:
        return ""
    return (
        rf"\emph{{In its setting}} ({prose(setting['of'])}): {prose(setting['summary'])} "
        r"\emph{In general}: "
    )


def _words(claim: Mapping) -> str:
    """The decisive words of the source, where it prints any."""
    return rf": ``{escape(claim['words'])}''" if claim["words"] else ""


def _limits(claim: Mapping) -> str:
    """The intervals, where there are few; the audit file has them all."""
    if not 0 < len(claim["limits"]) <= SHOWN_LIMITS:
        return ""
    shown = [
        f"{escape(limit['name'])}: {number(limit['estimate'])} "
        f"[{number(limit['low'])}, {number(limit['high'])}]"
        for limit in claim["limits"]
    ]
    return rf"{{\footnotesize {'; '.join(shown)}.}} "


def _evidence(claim: Mapping) -> str:
    label = claim["evidence"]
    if label == "rows":
        return rf"{{\footnotesize Data: \texttt{{claims.json}}, \texttt{{{claim['id']}}}.}}"
    return rf"{{\footnotesize {place(label)}~\ref{{{label}}}.}}"


def place(label: str) -> str:
    """What a label of the report names, from its prefix; raises ValueError for unknown prefixes."""
    prefix = label.split(":")[0]
    if not re.fullmatch(r"[a-z]+:[A-Za-z0-9-]+", label) or prefix not in PLACES:
        raise ValueError(f"evidence {label!r}: labels begin with one of {', '.join(PLACES)}.")
    return PLACES[prefix]


def evidence_labels(claims: Sequence[Mapping]) -> set[str]:
    """Labels of the report that verdicts point at."""
    return {claim["evidence"] for claim in claims} - {"rows"}
