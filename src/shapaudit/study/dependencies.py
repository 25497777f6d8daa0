"""Which files of the package a script or notebook runs, read from its import statements.

Their digest is a parameter of the script's rule, so that editing a module reruns what depends on it
and nothing else. As inputs of the rule they would be hundreds of files for each job, which the
workflow would look at again and again.
"""

import ast
import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from os.path import normpath
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def package_files(script: str | Path, *sources: str) -> list[Path]:
    """Files of this package that a script (.py) or notebook (.ipynb) imports, directly or not.

    ``sources`` are what it imports without an import statement: folders of the package, as
    "papers/field/evidence", and files, as "estimators/kernel.py" or "../my_estimator.py".
    """
    found: set[Path] = set()
    waiting = list(_imports(Path(script)))
    for source in sources:
        path = Path(normpath(PACKAGE / source))
        for file in path.rglob("*.py") if path.is_dir() else [path]:
            own = file.is_relative_to(PACKAGE)
            waiting += _files_of(_module_of(file)) if own else _imports(file)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imports(path)
    return sorted(found)


def code_digest(script: str | Path, *sources: str) -> str:
    """SHA-256 of what `package_files` finds, names and contents."""
    lines = [
        f"{_file_digest(path)} {path.relative_to(PACKAGE).as_posix()}"
        for path in package_files(script, *sources)
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@cache
def _file_digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def forget_stale_kernels(package: Path = PACKAGE) -> None:
    """Delete numba's caches of a package where a file with kernels has changed since the last call.

    numba looks at the file of a kernel, not at those of the kernels that it calls: it would go on
    with what these were.
    """
    texts = (path.read_bytes() for path in sorted(package.rglob("*.py")))
    digest = hashlib.sha256(b"\0".join(text for text in texts if b"njit" in text)).hexdigest()
    stamp = package / "__pycache__" / "kernels.sha256"
    if stamp.exists() and stamp.read_text(encoding="ascii") == digest:
        return
    with suppress(OSError):  # of a package that nobody may write to, which has no caches either
        for cached in package.rglob("__pycache__/*.nb[ci]"):
            cached.unlink(missing_ok=True)
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(digest, encoding="ascii")


def outside_files(dotted: str) -> list[Path]:
    """The file that defines "package.module.Class" when it is not one of this package; else []."""
    module = dotted.rpartition(".")[0]
    if not module or module.split(".")[0] == PACKAGE.name:
        return []
    found = find_spec(module)
    return [Path(found.origin)] if found is not None and found.origin else []


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """Files of the package that one file names in its imports, with their packages' own files."""
    if path.suffix not in (".py", ".ipynb"):
        return ()
    files = set()
    for module in map(tuple, _imported_names(ast.parse(_source(path)), _package_of(path))):
        files.update(_files_of(module), _found_by_name(module))
    return tuple(files)


def _source(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def _package_of(path: Path) -> list[str]:
    """Dotted package in which a file's relative imports are resolved; [] outside this package."""
    if not path.is_relative_to(PACKAGE):
        return []
    return [PACKAGE.name, *path.relative_to(PACKAGE).parent.parts]


def _imported_names(tree: ast.AST, package: list[str]) -> Iterator[list[str]]:
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            yield from ([*base, alias.name] for alias in node.names)


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Statements at any depth; unlike `ast.walk`, without the expressions, which import nothing."""
    waiting = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
                waiting.append(node)
                yield node


def _module_of(path: Path) -> tuple[str, ...]:
    """Dotted name of a file of this package."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return (PACKAGE.name, *(part for part in parts if part != "__init__"))


@cache
def _files_of(module: tuple[str, ...]) -> tuple[Path, ...]:
    """Files run by importing a dotted name: each package on the way, its templates, the module."""
    if module[:1] != (PACKAGE.name,):
        return ()
    path = PACKAGE.joinpath(*module[1:])
    around = _files_of(module[:-1])
    if (path / "__init__.py").exists():
        return (*around, path / "__init__.py", *(path / "templates").glob("*"))
    own = path.with_suffix(".py")
    return (*around, own) if own.exists() else around


def _found_by_name(module: tuple[str, ...]) -> list[Path]:
    """Files that define a name that its package looks for in its modules, by ``__getattr__``.

    All of them for the package itself, whose names may be any, and for a name that none defines.
    """
    if module[:1] != (PACKAGE.name,):
        return []
    path = PACKAGE.joinpath(*module[1:])
    if _looks_for_names(path):
        return sorted(path.glob("*.py"))
    if not _looks_for_names(path.parent) or path.with_suffix(".py").exists():
        return []
    files = sorted(path.parent.glob("*.py"))
    return [file for file in files if path.name in _defined_names(file)] or files


def _looks_for_names(folder: Path) -> bool:
    init = folder / "__init__.py"
    return init.exists() and "__getattr__" in _defined_names(init)


@cache
def _defined_names(path: Path) -> frozenset[str]:
    """Functions, classes and variables that a file defines."""
    names = set()
    for node in ast.parse(_source(path)).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        names.update(target.id for target in targets if isinstance(target, ast.Name))
    return frozenset(names)
