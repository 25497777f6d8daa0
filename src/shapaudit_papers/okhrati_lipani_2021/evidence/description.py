"""Evidence on claims 10 and 11: who sampled the extension first, and the rows of the data."""

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence

from .. import PAPER

DATA = "credit"
FILTERS = ("marital status 3", "education 5 or 6", "both")  # what the public code leaves out
PUBLISHED = 2021

# What this project has read of sampling the extension: source, year, whether it draws coalitions by
# a probability q that runs over [0, 1], whether it credits the paper with that, and in what words.
SOURCES = (
    ("Owen 1972", 1972, False, False, "the extension and its integral; no sampling"),
    ("Leech 2003", 2003, False, False, "description: normal approximation and enumeration"),
    (
        "Fatima et al. 2008",
        2008,
        False,
        False,
        "abstract: a method for voting games, set against "
        "the extension, which it names as the fastest approximation",
    ),
    ("Castro, Gomez and Tejada 2009", 2009, False, False, "random orders, no q"),
    ("Strumbelj and Kononenko 2014", 2014, False, False, "random orders, no q"),
    ("Chen et al. 2023", 2023, True, True, "Section 5.2.1: introduced by the paper"),
    ("preprint 202601.0530", 2026, True, True, "Section 5.3: introduced by the paper"),
)
# Keywords by which stored web pages and documentation were searched for an earlier one.
SEARCHED = (
    "sampling multilinear extension Shapley value Monte Carlo q uniform",
    "multilinear extension approximation large voting games",
    "Monte Carlo sampling of multilinear extension random probability voting power",
    "computing power indices for large voting games multilinear extension",
    "linear approximation method for the Shapley value weighted voting",
)


def gather_first(context: Context, sources: tuple[tuple, ...] = SOURCES) -> Evidence:
    """What is known to this project of samplings of the extension, before and after the paper."""
    keys = ("source", "year", "samples_q", "credits_the_paper", "how")
    rows = [dict(zip(keys, row, strict=True)) for row in sources]
    return {"sources": rows, "year": PUBLISHED, "searched": list(SEARCHED)}


def gather_rows(context: Context) -> Evidence:
    """Printed rows of the data, rows of the file, and rows that the public code leaves out."""
    counts = {
        (row["quantity"], row["method"]): int(row["value"])
        for row in context.printed(PAPER.key)
        if row["data"] == DATA and row["quantity"].startswith("rows")
    }
    first, other, both = (counts["rows-left-out", name] for name in FILTERS)
    in_file = counts["rows-of-file", ""]
    return {
        "printed": counts["rows", ""],
        "in_file": in_file,
        "left_out": dict(zip(FILTERS, (first, other, both), strict=True)),
        "remaining": in_file - (first + other - both),
    }
