"""What the report's recommendations say of the tasks, by key."""

from shapaudit_audit.report.latex import NOT_RUN, escape, listing, number
from shapaudit_audit.report.situation_table import steady
from shapaudit_audit.report.tasks import TaskComparison


def values(compared: TaskComparison) -> dict[str, str]:
    """Text of each value by key, with few and with many players; words where nothing ran.

    Keys begin with ``recommend.``.
    """
    texts = {**_steady(compared, "few"), **_steady(compared, "many")}
    return {f"recommend.{key}": text for key, text in texts.items()}


def _steady(compared: TaskComparison, key: str) -> dict[str, str]:
    """Who is within the margin of the best in most complete cells, and in how many."""
    steadiest = steady(compared, few=key == "few")
    sizes = steadiest.players
    span = NOT_RUN if not sizes else number(sizes[0])
    if len(set(sizes)) > 1:
        span = f"{span} to {number(sizes[-1])}"
    return {
        f"{key}.told": escape(steadiest.told) if steadiest.labels else NOT_RUN,
        f"{key}.players": span,
        f"{key}.steady": escape(listing(steadiest.labels, NOT_RUN)),
    }
