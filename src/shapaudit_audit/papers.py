"""The papers that are audited: a package each, found through entry points (`houses`).

What knows a paper by name is in its package: ``PAPER``, and where it has them ``evidence``,
``claims``, ``findings``, ``tables``, ``figures``, ``summary``, ``advice``. All but ``PAPER`` is
imported when it is asked for: a workflow that only wants the papers is not to wait.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from os.path import relpath
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from .audit.paper import Paper
from .houses import SOURCE, entries

if TYPE_CHECKING:
    from .audit.base import Claim


@cache
def _found() -> dict[str, tuple[Paper, str]]:
    """Papers by key in the order of their years, each with the dotted name of its package."""
    pairs = [(import_module(name).PAPER, name) for entry in entries() for name in _packages(entry)]
    known: dict[str, tuple[Paper, str]] = {}
    for paper, name in sorted(pairs, key=lambda pair: (pair[0].year, pair[0].key)):
        other = known.setdefault(paper.key, (paper, name))[1]
        if other != name:
            raise ImportError(f"{other} and {name} are both the paper {paper.key!r}; rename one.")
    return known


def _packages(entry: str) -> Iterator[str]:
    """The package of an entry where it is a paper, or else those of the papers in it."""
    package = import_module(entry)
    if hasattr(package, "PAPER"):
        yield entry
        return
    for module in iter_modules(package.__path__):
        if module.ispkg and (Path(package.__path__[0]) / module.name / "claims").is_dir():
            yield f"{entry}.{module.name}"


def __getattr__(name: str):
    """``PAPERS`` by key, or their ``ROLES`` by key and name; imported when one is asked for."""
    if name == "PAPERS":
        return {key: paper for key, (paper, _) in _found().items()}
    if name == "ROLES":
        return {
            key: {role.name: role for role in paper.roles} for key, (paper, _) in _found().items()
        }
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def package_of(paper: str) -> str:
    """Dotted name of the package of a paper, by its key."""
    return _found()[paper][1]


def folder_of(paper: str) -> Path:
    """Folder of the package of a paper, by its key."""
    return Path(import_module(package_of(paper)).__path__[0])


def sources(paper: str, part: str) -> str:
    """A file or folder of a paper's package, as seen from the folder of the source."""
    return Path(relpath(folder_of(paper) / part, SOURCE)).as_posix()


def file_of(paper: str, path: str) -> Path:
    """A file of a paper: where the project has it, or else in the paper's own package.

    ``path`` is that in the project, as "notebooks/<key>.ipynb"; a package repeats its folders.
    """
    return Path(path) if Path(path).exists() else folder_of(paper) / path


def sections() -> dict[str, Path]:
    """Sections of the report that papers bring along, by key: ``paper/<key>.tex`` of a package."""
    files = {paper: folder_of(paper) / "paper" / f"{paper}.tex" for paper in _found()}
    return {paper: file for paper, file in files.items() if file.exists()}


@cache
def claims_of(paper: str) -> tuple[Claim, ...]:
    """Claims of a paper by its key, in the order of their ids."""
    from .audit.discovery import claims_in

    record, package = _found()[paper]
    return tuple(claims_in(package, record))


@cache
def registry() -> dict[str, Claim]:
    """All claims by id, papers in the order of their years."""
    return {claim.id: claim for paper in _found() for claim in claims_of(paper)}


def select(names: Sequence[str] | None = None) -> list[Claim]:
    """Claims by paper key or id, in the order of the registry; all of them by default.

    Raises `ClaimError` naming what is unknown and the papers there are.
    """
    from .audit.verdict import ClaimError

    known = registry()
    if names is None:
        return list(known.values())
    if unknown := [name for name in names if name not in _found() and name not in known]:
        raise ClaimError(
            f"unknown claims {', '.join(unknown)}; the papers are {', '.join(_found())}, and a "
            f"claim is named like {next(iter(known))}."
        )
    return [claim for claim in known.values() if claim.paper in names or claim.id in names]
