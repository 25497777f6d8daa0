"""Identities, case by case in exact arithmetic."""

from collections.abc import Callable, Iterable

from ..base import Verdict
from ..evidence import Case


def first_mismatch(cases: Iterable[Case]) -> Case | None:
    """The first case whose sides differ, or None."""
    return next((case for case in cases if case.left != case.right), None)


def against(
    case: Case, summary: str, status: str = "refuted", reason: str | None = None, **details
) -> Verdict:
    """The verdict that a case with different sides calls for; the case is its table."""
    row = {"case": case.label, "left": case.left, "right": case.right}
    return Verdict(status, summary, reason, rows=(row,), **details)


def told(case: Case) -> str:
    """A case with different sides in words."""
    return f"{case.label}: {case.left}, not {case.right}."


def by_identity(
    cases: Iterable[Case],
    holds: str,
    fails: Callable[[Case], str] = told,
    *,
    standing: str = "proved",
    reason: str | None = "false",
    numbers: dict | None = None,
    sample: dict | None = None,
    **details,
) -> Verdict:
    """Proved when no case has different sides; refuted by the first that has.

    ``standing`` is another status where the cases are not the claim's whole range. ``holds`` and
    ``fails`` are the summaries; ``reason`` is that of a fall, ``numbers`` and ``sample`` stand in
    either verdict, ``details`` (rows, evidence) in that of a claim that holds.
    """
    either = {"numbers": numbers or {}, "sample": sample or {}}
    if wrong := first_mismatch(cases):
        return against(wrong, fails(wrong), reason=reason, **either)
    return Verdict(standing, holds, **either, **details)
