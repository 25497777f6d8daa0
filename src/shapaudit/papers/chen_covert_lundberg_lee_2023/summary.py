"""What README.md and docs/findings.md say of the protocol and the tasks of this paper."""

from collections.abc import Mapping

from shapaudit.report.findings import Findings
from shapaudit.report.overview import best_table, overview, steadiest
from shapaudit.report.record import Summary

from .findings import load


def _of(found: Findings) -> dict:
    """Agreement with the published tables, and who is best over tasks and budgets."""
    own = found.once(load)
    cells = own.protocol.comparison
    agreement = {"agreeing": int(cells["agrees"].sum()), "published": len(cells)}
    return agreement | overview(own.tasks)


def _headline(part: Mapping) -> str:
    return (
        f"{part['estimators']} estimators compared. {part['agreeing']} of {part['published']} "
        "errors that Chen et al. print for the diabetes data agree with ours, with the ten trees "
        "of their code instead of the hundred of their caption."
    )


def _overview(part: Mapping) -> list[str]:
    return [best_table(part), steadiest(part)]


def _section(part: Mapping) -> list[str]:
    return [
        "## Which estimator",
        "![Mean error over that of paired KernelSHAP, by task](figures/many_pairs.svg)",
        *_overview(part),
    ]


SUMMARY = Summary(
    key="benchmark",
    of=_of,
    picture="chen_covert_lundberg_lee_2023/many_pairs.svg",
    section=_section,
    headline=_headline,
    overview=_overview,
)
