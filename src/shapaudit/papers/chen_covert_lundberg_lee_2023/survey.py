"""Table 1 of this paper as a page of the site has it."""

from collections.abc import Mapping

from shapaudit.report.site.text import number
from shapaudit.report.surveys import Line, Survey, cell_of

from . import PAPER
from .tables.measured import CLAIM, MODELS, PARTS, Measures, measured, settled, share_of
from .tables.methods import COLUMNS, ROWS, claim_of

MEASURES = (
    "Model",
    "Own game: bias",
    "Own game: variance",
    "Population: bias",
    "Population: variance",
    "Rows of data",
    "Rows of the model to fit",
    "Rows of the model per explanation",
    "Milliseconds to fit",
    "Milliseconds per explanation",
)

MEASURED = (
    "On a law of {features} features of three levels, whose marginal and conditional values are "
    "known exactly, over {fits} fits to {rows} rows of their own, with {evaluations} evaluations "
    "where a method takes a number of them. Squared bias and variance are in per cent of the "
    "squared size of the population's values, with limits that hold for all {count} numbers "
    "together. Against its own game, that of the rows it was given, a method "
    "is judged as an estimator; against the population's values, as a way to estimate what a user "
    "may want to know. Bias below zero is the noise of an unbiased estimate of a square. "
    "Milliseconds are of processor time, on one machine, and good to a factor of two."
)


def survey(audit: Mapping) -> Survey:
    """The table with the verdicts of an audit."""
    claims = {claim["id"]: claim for claim in audit["claims"]}
    found = measured(claims, PAPER.prefix)
    lines = [
        Line(
            row.method,
            tuple(
                cell_of(printed, claims[claim_of(PAPER.prefix, row, k)])
                for k, printed in enumerate(row.printed)
            ),
            row.runs,
            _measures(own),
        )
        for row, own in zip(ROWS, found, strict=True)
    ]
    judged = claims[f"{PAPER.prefix}-{CLAIM}"]
    return Survey(
        key=PAPER.key,
        title=f"Table 1 of {PAPER.name}, audited",
        lead="Methods to estimate Shapley values of features, each cell as it is printed with what "
        "became of the claim that it was judged by.",
        columns=COLUMNS,
        lines=lines,
        measures=MEASURES,
        measured=MEASURED.format(count=len(judged["limits"]), **judged["sample"]),
        claim=judged["id"],
    )


def _measures(row: Measures) -> tuple[str, ...]:
    rows = (number(round(row[key])) for key in ("data_rows", "fit_rows", "rows"))
    times = (f"{row[key]:.2g}" for key in ("fit_ms", "ms"))
    return (MODELS[row["model"]], *(_part(row, part) for part in PARTS), *rows, *times)


def _part(row: Measures, part: str) -> str:
    value, low, high = (f"{x:.1f}".replace("-", "−") for x in share_of(row, part))
    if settled(row, part):
        return value if row[part] else "0"
    return f"{value} ({low} to {high})"
