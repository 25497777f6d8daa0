"""Table 1 of this paper as a page of the site has it."""

from collections.abc import Mapping

from shapaudit_audit.report.site.text import number
from shapaudit_audit.report.surveys import Survey, SurveyLine, cell_of

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
    "The data come from a distribution of {features} features with three levels, whose marginal "
    "and conditional values are known exactly. Each method is fitted {fits} times to {rows} fresh "
    "rows, with {evaluations} evaluations if their number can be chosen. Squared bias and variance "
    "are in per cent of the squared norm of the population's values, with simultaneous limits for "
    "all {count} numbers. Relative to its own game, that of the given rows, a method is judged as "
    "an estimator; relative to the population's values, as a way to estimate what a user may want "
    "to know. A negative value is the noise of an unbiased estimate of a squared bias. "
    "Milliseconds are processor times on one machine and accurate to a factor of two."
)


def survey(audit: Mapping) -> Survey:
    """The table with the verdicts of an audit."""
    claims = {claim["id"]: claim for claim in audit["claims"]}
    measures = measured(claims, PAPER.prefix)
    lines = [
        SurveyLine(
            row.method,
            tuple(
                cell_of(printed, claims[claim_of(PAPER.prefix, row, k)])
                for k, printed in enumerate(row.printed)
            ),
            row.runs,
            _measures(own),
        )
        for row, own in zip(ROWS, measures, strict=True)
    ]
    judged = claims[f"{PAPER.prefix}-{CLAIM}"]
    return Survey(
        key=PAPER.key,
        title=f"Table 1 of {PAPER.name}, audited",
        lead="Methods for estimating Shapley values of features. Each cell is shown as printed, "
        "with the consequence of the claim by which it was judged.",
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
