"""From a status to the verdict with its summary."""

from collections.abc import Callable, Mapping

from ..verdict import Verdict

Text = str | Callable[[], str]


def tell(
    status: str,
    texts: Mapping[str, Text],
    consequence: str | None = None,
    shown_by: str | Mapping[str, str] = "rows",
    reach: str = "",
    **details,
) -> Verdict:
    """Build the verdict of a status with its summary.

    ``texts`` are the summaries by status; a function among them is called for its own status only,
    and may use what only that status provides. ``consequence`` overrides the consequence that the
    claim has for the status. ``shown_by`` is the field of `Verdict` for every status, or a mapping
    by status, whose default is "rows". ``reach`` is kept where the status is proved or exact, and
    dropped otherwise. ``details`` are the other fields of the verdict.

    Raises KeyError for a status without a text.
    """
    text = texts[status]
    label = shown_by if isinstance(shown_by, str) else shown_by.get(status, "rows")
    summary = text() if callable(text) else text
    within = reach if status in ("proved", "exact") else ""
    return Verdict(status, summary, consequence, shown_by=label, reach=within, **details)
