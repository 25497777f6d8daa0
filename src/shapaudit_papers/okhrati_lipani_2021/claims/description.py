"""Claims 10 and 11: the word "first", and the number of rows of the credit card data."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.description import gather_first, gather_rows
from .common import claim


def check_first(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by an earlier source that samples the extension; undecided if none is known.

    That no source is known to a few readers is no proof that there is none.
    """
    rows, year = evidence["sources"], evidence["year"]
    before = [row["source"] for row in rows if row["year"] < year and row["samples_q"]]
    crediting = [row["source"] for row in rows if row["credits_the_paper"]]
    return tell(
        "refuted" if before else "inconclusive",
        {
            "refuted": f"The extension is sampled before {year} by {'; '.join(before)}.",
            "inconclusive": f"No source examined here from before {year} draws coalitions by a "
            f"probability $q$ that varies over the unit interval, and {len(crediting)} later ones "
            f"credit the paper with it: {'; '.join(crediting)}. A search of web pages and "
            f"documentation by {len(evidence['searched'])} sets of keywords found no other. One "
            "earlier source would refute the sentence, and no search can prove it. The sampling "
            "distribution was not new: with a uniform $q$, a player meets the coalitions of a "
            "random order with the same probabilities.",
        },
        numbers={"sources": len(rows), "before": len(before), "crediting": len(crediting)},
        rows=rows,
    )


def check_rows(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the file has another number; the filter of the public code may explain it."""
    printed, in_file, remaining = (evidence[key] for key in ("printed", "in_file", "remaining"))
    rows = [{"what": "rows of the file", "rows": in_file}]
    rows += [{"what": f"left out: {name}", "rows": n} for name, n in evidence["left_out"].items()]
    rows += [{"what": "rows that remain", "rows": remaining}, {"what": "printed", "rows": printed}]
    left = (
        "Without the clients whose marital status is 3 or whose education is 5 or 6, whom the "
        f"public code leaves out, {remaining:,} rows remain"
    )
    explained = "which is the printed number" if remaining == printed else "another number still"
    return tell(
        "exact" if in_file == printed else "refuted",
        {
            "exact": f"The file has {in_file:,} rows.",
            "refuted": f"The public file of these data has {in_file:,} rows, {in_file - printed:,} "
            f"more than printed. {left}, {explained}.",
        },
        reach="one file, counted",
        numbers={"printed": printed, "in_file": in_file, "remaining": remaining},
        rows=tuple(rows),
    )


CLAIMS = (
    claim(
        id="ol21-10",
        title="The first sampling of the multilinear extension",
        heading="Data and earlier work",
        topic="identities",
        where="Section I, fourth paragraph",
        words="to the best of our knowledge, this is the first time that a sampling type algorithm",
        statement=r"To the best of the authors' knowledge, this is the first time that a sampling "
        r"algorithm is extracted from the multilinear extension.",
        hedges="“to the best of our knowledge”; closed forms obtained earlier from the extension "
        "are named and cited.",
        gather=gather_first,
        check=check_first,
        falls="slip",
        matters="It concerns priority only; no result of the paper rests on it.",
    ),
    claim(
        id="ol21-11",
        title="Rows of the credit card data",
        heading="Data and earlier work",
        topic="identities",
        where="Section V.A, Credit Card Dataset",
        words="a total number of 29,351 observations",
        statement=r"The collection of credit card data used by Yeh and Lien has a total of 29,351 "
        r"observations, each of 23 features and a binary target.",
        hedges="Printed without a reservation; that some clients are left out is visible only in "
        "the public code.",
        gather=gather_rows,
        check=check_rows,
        falls="slip",
        matters="The public file has more rows; to repeat the experiments, the same clients have "
        "to be left out.",
    ),
)
