"""Files that the user's code reads while it runs, compared with those that a configuration names.

Modules are found by import statements. A file that is opened or imported in another way has to be
named, or its changes would go unnoticed.
"""

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import source_from_cache
from pathlib import Path

from ..houses import houses
from .dependencies import source_files
from .own_modules import is_installed

SYSTEM = ("/bin", "/dev", "/etc", "/lib", "/lib64", "/opt", "/proc", "/run", "/sys", "/usr", "/var")
ELSEWHERE = tuple(
    Path(place).resolve() for place in (*SYSTEM, sys.prefix, sys.base_prefix, tempfile.gettempdir())
)
SHOWN = 5


class UnnamedFiles(RuntimeError):
    """The user's code reads files that the configuration does not name."""


_listening: list[set[str]] = []


@contextmanager
def opened_files() -> Iterator[set[str]]:
    """Paths of the files that this process opens for reading, in a set that grows meanwhile.

    Files that a library opens without Python, as XGBoost does, are missing.
    """
    _hook()
    houses()  # which reads what names the papers, once
    opened: set[str] = set()
    _listening.append(opened)
    try:
        yield opened
    finally:
        _listening[:] = [other for other in _listening if other is not opened]


@cache
def _hook() -> None:
    sys.addaudithook(_listen)  # only once, because Python cannot remove it


def _listen(event: str, arguments: tuple) -> None:
    if _listening and event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        path, mode, flags = arguments
        writes = flags & (os.O_WRONLY | os.O_RDWR) if mode is None else {*mode} & {*"wax+"}
        if not writes:
            for opened in _listening:
                opened.add(os.path.abspath(os.fsdecode(path)))


def require_named(where: str, sources: Iterable[str], opened: set[str]) -> None:
    """Raise `UnnamedFiles` for files that a model or estimator has opened without naming them.

    ``where`` is the place of its block in the configuration, and ``sources`` are the files that the
    block names, relative to the folder of the source. Modules that these import by import
    statements count as named. Files of installed packages, of the system, in hidden folders and in
    the folder for temporary files are ignored.
    """
    named = {path.resolve() for path in source_files(*sources)}
    unnamed = sorted({path for path in map(_own, opened) if path} - named)
    if unnamed:
        shown = ", ".join(os.path.relpath(path) for path in unnamed[:SHOWN])
        more = f", and {len(unnamed) - SHOWN} more" if len(unnamed) > SHOWN else ""
        raise UnnamedFiles(
            f"{where}: its code reads files that the configuration does not name, so that changes "
            f"to them would go unnoticed; add files: [{shown}]{more} to {where}"
        )


def _own(opened: str) -> Path | None:
    """The user's file that was opened, or whose compiled form was; None for other files."""
    path = Path(opened)
    if path.suffix == ".pyc":
        path = Path(source_from_cache(path)) if path.parent.name == "__pycache__" else path
    path, here = path.resolve(), Path.cwd().resolve()
    inside = path.is_relative_to(here)
    parts = path.relative_to(here).parts if inside else path.parts
    passed_over = (
        not path.is_file()
        or any(part.startswith(".") or part == "__pycache__" for part in parts)
        or any(path.is_relative_to(house.resolve()) for house in houses().values())
        or is_installed(path)
        or (not inside and any(map(path.is_relative_to, ELSEWHERE)))
    )
    return None if passed_over else path
