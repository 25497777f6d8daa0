"""The audit as LaTeX: a long table of claims with their verdicts."""

import re
from collections.abc import Iterable, Mapping, Sequence

from ..audit.changes import short_id
from ..audit.paper import Paper
from .latex import escape, number, prose
from .style import STATUSES

SHOWN_LIMITS = 3
REASON_WORDS = {
    "sound": "as printed",
    "loose": "true, and loose",
    "slip": "a slip",
    "convention": "a matter of convention",
    "hypothesis": "a hypothesis is missing",
    "false": "false as printed",
    "literature": "earlier work",
    "sample": "on this study's games",
}
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
    """One line per claim of a paper, by group: number, title, verdict, and the reason of it."""
    lines = []
    for group, members in by_group(claims).items():
        lines.append(
            rf"\addlinespace[2pt]\multicolumn{{4}}{{@{{}}l}}{{\emph{{{escape(group)}}}}}\\"
        )
        lines += [
            f"{short_id(claim['id'])} & {escape(claim['title'])} & {_badge(claim)} & "
            f"{_comment(claim)} \\\\"
            for claim in members
        ]
    head = "\\begin{tabular}{@{}llll@{}}\n\\toprule\n & Claim & Verdict & Reason \\\\\n\\midrule\n"
    return head + "\n".join(lines) + "\n\\bottomrule\n\\end{tabular}\n"


def by_group(claims: Sequence[Mapping]) -> dict[str, list[Mapping]]:
    """Claims under the heading they share, in the order of the headings' first claims."""
    groups: dict[str, list[Mapping]] = {}
    for claim in claims:
        groups.setdefault(claim["heading"], []).append(claim)
    return groups


def badges(claims: Sequence[Mapping]) -> str:
    """Verdicts, each with the numbers of its claims: "proved 2a, 2c"."""
    statuses = dict.fromkeys(claim["status"] for claim in claims)
    return r" \quad ".join(
        rf"\mbox{{\badge{{{status}}}}} "
        + ", ".join(short_id(claim["id"]) for claim in claims if claim["status"] == status)
        for status in statuses
    )


def _badge(claim: Mapping) -> str:
    return rf"\badge{{{claim['status']}}}"


def place_of(claim: Mapping) -> str:
    """Where a claim is made, or what of the source a claim of this project is on."""
    return claim["where"] if claim["source"] == "paper" else f"{claim['where']} (ours)"


def reason_of(claim: Mapping) -> str:
    """The reason of a verdict, in words; claims of this project are not printed anywhere."""
    words = REASON_WORDS[claim["reason"]]
    return words if claim["source"] == "paper" else words.replace("printed", "stated")


def _comment(claim: Mapping) -> str:
    """Empty where a proof of the claim as printed needs no comment."""
    return "" if claim["status"] == "proved" and claim["reason"] == "sound" else reason_of(claim)


def verdict_colours() -> str:
    """One colour per status, ``verdict-<status>``, those of the figures."""
    lines = (f"\\definecolor{{verdict-{s}}}{{HTML}}{{{c[1:]}}}\n" for s, c in STATUSES.items())
    return "".join(lines)


def letters(papers: Iterable[Paper]) -> str:
    r"""One ``\defletters{prefix}{letter}`` per paper, for ``\cl{id}`` in the report."""
    return "".join(rf"\defletters{{{paper.prefix}}}{{{paper.letter}}}" + "\n" for paper in papers)


def _heading(group: str) -> str:
    return rf"\multicolumn{{3}}{{@{{}}l}}{{\emph{{{escape(group)}}}}}\\*\addlinespace" + "\n"


def _claim_row(claim: Mapping) -> str:
    said = (
        rf"\textbf{{{escape(claim['title'])}.}} {claim['statement']} "
        rf"{{\footnotesize\color{{black!60}}{escape(place_of(claim))}{_words(claim)}.}}"
    )
    badge = rf"{_badge(claim)} {{\footnotesize {_comment(claim)}}}"
    found = rf"{badge}\par {prose(claim['summary'])} {_limits(claim)}{_evidence(claim)}"
    return f"{short_id(claim['id'])} & {said} & {found} \\\\\\addlinespace\n"


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
