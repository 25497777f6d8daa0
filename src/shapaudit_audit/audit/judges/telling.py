"""A decision in words."""

from collections.abc import Callable, Mapping

from ..verdict import Verdict

Text = str | Callable[[], str]


def tell(
    status: str,
    texts: Mapping[str, Text],
    consequence: str | None = None,
    evidence: str | Mapping[str, str] = "rows",
    reach: str = "",
    **details,
) -> Verdict:
    """The verdict of a status, with the text that a claim has for it.

    ``texts`` are summaries by status; one that is a function is called only if it is needed, so
    that it may speak of what only that decision has. ``details`` are the other fields of a verdict;
    ``consequence`` is that of this decision where it differs from those of the claim, ``evidence``
    where it shows, for every status or by status; in the rows of the verdict where it names none.
    ``reach`` belongs to a verdict that is proved or exact, and no other has it.

    Raises KeyError for a status without a text.
    """
    text = texts[status]
    shown = evidence if isinstance(evidence, str) else evidence.get(status, "rows")
    summary = text() if callable(text) else text
    within = reach if status in ("proved", "exact") else ""
    return Verdict(status, summary, consequence, evidence=shown, reach=within, **details)
