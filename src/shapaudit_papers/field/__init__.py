"""the field beyond the source papers, each with the paper that states it."""

from shapaudit_audit.audit.paper import Paper

PAPER = Paper(
    key="field",
    name="Recurring claims",
    year=2026,
    prefix="field26",
    letter="F",
)
