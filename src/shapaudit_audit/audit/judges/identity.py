"""Identities, case by case in exact arithmetic."""

from collections.abc import Callable, Iterable
from typing import Any

from ..evidence import Case, Evidence
from ..verdict import Verdict, is_proof


def first_mismatch(cases: Iterable[Case]) -> Case | None:
    """The first case whose sides differ, or None."""
    return next((case for case in cases if case.left != case.right), None)


def against(
    case: Case, summary: str, status: str = "refuted", consequence: str | None = None, **details
) -> Verdict:
    """The verdict against a claim by one case with different sides, which is its only row."""
    row: Evidence = {"case": case.label, "left": case.left, "right": case.right}
    return Verdict(status, summary, consequence, rows=(row,), **details)


def told(case: Case) -> str:
    """A sentence on a case with different sides."""
    return f"{case.label}: {case.left}, not {case.right}."


def by_identity(
    cases: Iterable[Case],
    holds: str,
    fails: Callable[[Case], str] = told,
    *,
    standing: str | None = None,
    shown_by: str = "rows",
    consequence: str | None = "wrong",
    numbers: dict | None = None,
    sample: dict | None = None,
    **details,
) -> Verdict:
    """Proved or exact when no case has different sides; refuted by the first that has.

    ``holds`` and ``fails`` are the summaries of the two verdicts, ``consequence`` is used for a
    refutation only, ``numbers`` and ``sample`` in both verdicts, ``details`` (rows, reach) only
    where the claim holds. ``standing`` is the status of a claim that holds, by default "proved"
    where ``shown_by`` is the label of a proof in the report, and "exact" otherwise.
    """
    either: dict[str, Any] = {"numbers": numbers or {}, "sample": sample or {}}
    if wrong := first_mismatch(cases):
        return against(wrong, fails(wrong), consequence=consequence, **either)
    standing = standing or ("proved" if is_proof(shown_by) else "exact")
    return Verdict(standing, holds, shown_by=shown_by, **either, **details)
