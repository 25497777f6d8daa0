"""The packages that a study runs: the library, this one, and those in which papers are found.

A paper is a guest. The package that holds it is named by the entry-point group `GROUP`, of this
distribution or of another one; in a checkout that nobody has installed, pyproject.toml names ours.
"""

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

GROUP = "shapaudit.papers"
SOURCE = Path(__file__).parents[1]  # the folder of this package
OWN = ("shapaudit", "shapaudit_audit")


@cache
def entries() -> tuple[str, ...]:
    """Packages that the entry-point group names: each is a paper, or holds papers."""
    installed = {point.value for point in entry_points(group=GROUP)}
    return tuple(sorted(installed | {*_of_checkout(SOURCE.parent / "pyproject.toml")}))


@cache
def houses() -> dict[str, Path]:
    """Folder of each package by its name: code in these is followed, other code is a user's."""
    guests = dict.fromkeys(entry.partition(".")[0] for entry in entries())
    return {name: _folder(name) for name in (*OWN, *guests)}


def paper_houses() -> list[Path]:
    """Folders of the packages that hold papers."""
    return [folder for name, folder in houses().items() if name not in OWN]


def house_of(path: Path) -> str | None:
    """Name of the package that a file belongs to; None for a file of none of them."""
    return next((name for name, folder in houses().items() if path.is_relative_to(folder)), None)


def _of_checkout(file: Path) -> Iterable[str]:
    """Entries of the group in a pyproject.toml, where there is one."""
    if not file.is_file():
        return ()
    project = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {})
    return project.get("entry-points", {}).get(GROUP, {}).values()


def _folder(name: str) -> Path:
    """Folder of a package; raises ImportError naming an entry point whose package is not there."""
    spec = None if name in OWN else find_spec(name)
    if name in OWN:
        return SOURCE / name
    if spec is None or spec.origin is None:
        raise ImportError(
            f"the entry-point group {GROUP} names the package {name}, which cannot be imported; "
            "install its distribution again, or uninstall it."
        )
    return Path(spec.origin).parent
