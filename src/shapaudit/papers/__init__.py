"""The papers that are audited, a package each.

What knows a paper by name is in its package. A paper is found by being there: its package holds
``PAPER``, and where it has them ``evidence``, ``claims``, ``findings``, ``tables``, ``figures``,
``summary``, ``advice``. All but ``PAPER`` is imported when it is asked for: a workflow that only
wants the papers is not to wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from ..audit.paper import Paper

if TYPE_CHECKING:
    from ..audit.base import Claim


@cache
def _papers() -> dict[str, Paper]:
    names = [found.name for found in iter_modules(__path__) if found.ispkg]
    papers = [import_module(f"{__name__}.{name}").PAPER for name in names]
    return {paper.key: paper for paper in sorted(papers, key=lambda one: (one.year, one.key))}


def __getattr__(name: str):
    """``PAPERS`` by key, or their ``ROLES`` by key and name; imported when one is asked for."""
    if name == "PAPERS":
        return _papers()
    if name == "ROLES":
        return {key: {role.name: role for role in paper.roles} for key, paper in _papers().items()}
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def claims_of(paper: str) -> tuple[Claim, ...]:
    """Claims of a paper by its key, in the order of their ids."""
    from ..audit.discovery import claims_in

    return tuple(claims_in(f"{__name__}.{paper}", _papers()[paper]))


@cache
def registry() -> dict[str, Claim]:
    """All claims by id, papers in the order of their years."""
    return {claim.id: claim for paper in _papers() for claim in claims_of(paper)}


def select(names: Sequence[str] | None = None) -> list[Claim]:
    """Claims by paper key or id, in the order of the registry; all of them by default.

    Raises `ClaimError` naming what is unknown and the papers there are.
    """
    from ..audit.verdict import ClaimError

    known = registry()
    if names is None:
        return list(known.values())
    if unknown := [name for name in names if name not in _papers() and name not in known]:
        raise ClaimError(
            f"unknown claims {', '.join(unknown)}; the papers are {', '.join(_papers())}, and a "
            f"claim is named like {next(iter(known))}."
        )
    return [claim for claim in known.values() if claim.paper in names or claim.id in names]


__all__ = ["PAPERS", "ROLES", "claims_of", "registry", "select"]
