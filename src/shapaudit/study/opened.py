"""Files that one's own code reads while it runs, held against those that the configuration names.

Import statements lead to modules; what is opened or imported in another way has to be named, or a
change of it would go unseen.
"""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import source_from_cache
from pathlib import Path

from ..models import ModelError
from .dependencies import PACKAGE, source_files
from .own import own_sources
from .own_modules import is_installed

SYSTEM = ("/bin", "/dev", "/etc", "/lib", "/lib64", "/opt", "/proc", "/run", "/sys", "/usr", "/var")
ELSEWHERE = tuple(
    Path(place).resolve() for place in (*SYSTEM, sys.prefix, sys.base_prefix, tempfile.gettempdir())
)
SHOWN = 5


@contextmanager
def opened_files() -> Iterator[set[str]]:
    """The paths, in a set that fills, of files that this process opens to read them.

    Those that a library opens without Python, as XGBoost does, are not seen.
    """
    opened: set[str] = set()
    listening = True

    def listen(event: str, arguments: tuple) -> None:
        if listening and event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
            path, mode, flags = arguments
            writes = flags & (os.O_WRONLY | os.O_RDWR) if mode is None else {*mode} & {*"wax+"}
            if not writes:
                opened.add(os.path.abspath(os.fsdecode(path)))

    sys.addaudithook(listen)  # which Python never takes away again
    try:
        yield opened
    finally:
        listening = False


def require_named(where: str, block: Mapping, opened: set[str]) -> None:
    """Raise `ModelError` for files that a model has opened and that its block does not name.

    ``where`` is the place of the block in the configuration. The modules that its function imports
    by import statements count as named; files of installed packages, of the system, in hidden
    folders and in the folder for temporary files are passed over.
    """
    named = {path.resolve() for path in source_files(*own_sources(block))}
    unnamed = sorted({path for path in map(_own, opened) if path} - named)
    if unnamed:
        shown = ", ".join(os.path.relpath(path) for path in unnamed[:SHOWN])
        more = f", and {len(unnamed) - SHOWN} more" if len(unnamed) > SHOWN else ""
        raise ModelError(
            f"{where}: its code reads files that the configuration does not name, so that a change "
            f"of them would go unseen; add files: [{shown}]{more} to {where}"
        )


def _own(opened: str) -> Path | None:
    """The file, of one's own, that an opened one is or was compiled from; None for others."""
    path = Path(opened)
    if path.suffix == ".pyc":
        path = Path(source_from_cache(path)) if path.parent.name == "__pycache__" else path
    path, here = path.resolve(), Path.cwd().resolve()
    inside = path.is_relative_to(here)
    parts = path.relative_to(here).parts if inside else path.parts
    passed_over = (
        not path.is_file()
        or any(part.startswith(".") or part == "__pycache__" for part in parts)
        or path.is_relative_to(PACKAGE.resolve())
        or is_installed(path)
        or (not inside and any(map(path.is_relative_to, ELSEWHERE)))
    )
    return None if passed_over else path
