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
    """The verdict that a case with different sides calls for; the case is its table."""
    row: Evidence = {"case": case.label, "left": case.left, "right": case.right}
    return Verdict(status, summary, consequence, rows=(row,), **details)


def told(case: Case) -> str:
    """A case with different sides in words."""
    return f"{case.label}: {case.left}, not {case.right}."


def by_identity(
    cases: Iterable[Case],
    holds: str,
    fails: Callable[[Case], str] = told,
    *,
    standing: str | None = None,
    evidence: str = "rows",
    consequence: str | None = "wrong",
    numbers: dict | None = None,
    sample: dict | None = None,
    **details,
) -> Verdict:
    """Proved or exact when no case has different sides; refuted by the first that has.

    ``standing`` is the status of a claim that holds: "proved" where ``evidence`` is a proof of the
    report, "exact" otherwise, unless it is given. ``holds`` and
    ``fails`` are the summaries; ``consequence`` is that of a fall, ``numbers`` and ``sample`` stand
    in either verdict, ``details`` (rows, reach) in that of a claim that holds.
    """
    either: dict[str, Any] = {"numbers": numbers or {}, "sample": sample or {}}
    if wrong := first_mismatch(cases):
        return against(wrong, fails(wrong), consequence=consequence, **either)
    standing = standing or ("proved" if is_proof(evidence) else "exact")
    return Verdict(standing, holds, evidence=evidence, **either, **details)
