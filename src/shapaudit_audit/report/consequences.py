"""Published claims that do not stand as printed, each with the consequence for a reader."""

from collections.abc import Mapping, Sequence

from ..audit.tally import MISLEADING, with_consequences
from .latex import escape, prose, with_formulas

TITLE, CHANGE = r"p{5.2cm}", r"p{8.6cm}"
LEFT = r">{\raggedright\arraybackslash}"


def consequence_tables(claims: Sequence[Mapping]) -> dict[str, str]:
    """Tables by file name: wrong or without a hypothesis, in their setting alone, and slips.

    They may run over pages, so that no page is left half empty; a caption stands before each.
    """
    return {
        "claims_fallen": _longtable(with_consequences(claims, *MISLEADING), _lack),
        "claims_setting": _longtable(with_consequences(claims, "setting")),
        "claims_slips": _longtable(with_consequences(claims, "slip")),
    }


def _lack(claim: Mapping) -> str:
    """The missing hypothesis of a claim, or that it is wrong, for the start of its last cell."""
    if claim["consequence"] == "hypothesis":
        return rf"\emph{{Missing: {with_formulas(claim['lacks'])}.}} "
    return r"\emph{Wrong.} "


def _row(claim: Mapping, before: str = "") -> str:
    return (
        rf"\cl{{{claim['id']}}} & {escape(claim['title'])} & {before}{prose(claim['matters'])} \\"
    )


def _longtable(claims: Sequence[Mapping], before=lambda claim: "") -> str:
    rows = [_row(claim, before(claim)) for claim in claims] or [r" & none & \\"]
    titles = r"& published claim & consequence for a reader \\"
    return "\n".join(
        [
            rf"\begin{{longtable*}}{{@{{}}l{LEFT}{TITLE}{LEFT}{CHANGE}@{{}}}}",
            r"\toprule",
            titles,
            r"\midrule",
            r"\endfirsthead",
            r"\toprule",
            titles,
            r"\midrule",
            r"\endhead",
            *rows,
            r"\bottomrule",
            r"\end{longtable*}",
            "",
        ]
    )
