"""Files of modules of one's own: found where Python would find them, without importing anything.

A module is one's own when it is neither of this project nor of Python or an installed package.
"""

import sys
import sysconfig
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path

from ..houses import houses

INSTALLED = {"site-packages", "dist-packages"}
LIBRARIES = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib"))


def own_files(module: Sequence[str], beside: Path | None = None) -> list[Path]:
    """Files run by importing a dotted name: each package on the way, and the module.

    Names at the end that are no modules are attributes. A module that Python does not find is
    looked for ``beside`` the file that imports it, which may have put its folder on Python's path.
    Empty for what is not one's own.
    """
    top = _top_level(module[0]) if module else None
    if top is None and module and beside is not None:
        top = PathFinder.find_spec(module[0], [str(beside.parent)])
    return _along(top, module[1:]) if is_own(top) else []


def relative_files(path: Path, level: int, names: Sequence[str]) -> list[Path]:
    """Files run by a relative import of ``level`` dots in a file of one's own."""
    folder = path.parents[level - 1] if level <= len(path.parents) else path.parent
    package = ModuleSpec(folder.name, None, is_package=True)
    package.submodule_search_locations = [str(folder)]
    init = folder / "__init__.py"
    return [*([init] if init.exists() else []), *_along(package, names)]


def is_own(spec: ModuleSpec | None) -> bool:
    """Whether a module is one's own."""
    if spec is None or spec.name in houses():
        return False
    places = list(spec.submodule_search_locations or [])
    if spec.has_location and spec.origin is not None:
        places = [spec.origin]
    return bool(places) and not any(map(is_installed, places))


def is_installed(place: str | Path) -> bool:
    """Whether a file or folder is a part of Python or of an installed package."""
    path = Path(place).resolve()
    return bool(INSTALLED & {*path.parts}) or any(map(path.is_relative_to, LIBRARIES))


def _top_level(name: str) -> ModuleSpec | None:
    """Where a job finds a module, whatever this process has imported; None where it does not."""
    if name in sys.builtin_module_names:
        return None
    try:
        return PathFinder.find_spec(name) or find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return None


def _along(spec: ModuleSpec | None, names: Iterable[str]) -> list[Path]:
    files, waiting = _file_of(spec), list(names)
    while waiting and spec is not None and spec.submodule_search_locations is not None:
        name = f"{spec.name}.{waiting.pop(0)}"
        spec = PathFinder.find_spec(name, list(spec.submodule_search_locations))
        files += _file_of(spec)
    return files


def _file_of(spec: ModuleSpec | None) -> list[Path]:
    if spec is None or spec.origin is None or not spec.has_location:
        return []
    return [Path(spec.origin)]
