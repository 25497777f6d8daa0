"""Which files a script or notebook runs, of the project and of one's own, by import statements.

Their digest is a parameter of the script's rule, so that editing a module reruns what depends on it
and nothing else. As inputs of the rule they would be hundreds of files for each job, which the
workflow would look at again and again; and it looks at times, which say nothing where a file is
replaced by an older one.

Libraries with a graph of imports, as grimp, have an edge to the module that is named and none to
the packages around it, which are run too, or to the module in which a package finds a name.
"""

import ast
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from os.path import normpath, relpath
from pathlib import Path

from ..houses import SOURCE, house_of, houses
from .own_modules import own_files, relative_files

# Beside the bytecode of this package: what files import, so that no plan parses them again.
BYTECODE = SOURCE / "shapaudit_audit" / "__pycache__"
KEPT = "imports.json"
DIGITS = 12  # hexadecimal, of a digest
KERNEL = re.compile(rb"^\s*@njit", re.MULTILINE)


def package_files(script: str | Path, *sources: str) -> list[Path]:
    """Files that a script (.py) or notebook (.ipynb) imports, directly or not.

    Those of the `houses` and those of one's own, not those of other installed packages. ``sources``
    are what it runs or reads without an import statement, by their paths from the folder of the
    source on: folders and files of the houses, as "shapaudit_papers/field/evidence" or
    "shapaudit/estimators/kernel.py", and files of one's own, as "my_estimator.py" or
    "../data/weights.txt". Of a folder of one's own, all files but bytecode; what does not exist is
    left out.
    """
    return _followed([*_imports(Path(script)), *_given(sources)])


def source_files(*sources: str) -> list[Path]:
    """The same of ``sources`` alone."""
    return _followed(_given(sources))


def _given(sources: Iterable[str]) -> list[Path]:
    files: list[Path] = []
    for source in sources:
        path = Path(normpath(SOURCE / source))
        own = house_of(path) is None
        for file in path.rglob("*" if own else "*.py") if path.is_dir() else [path]:
            if not own:
                files += _files_of(_module_of(file))
            elif file.is_file() and file.suffix != ".pyc":
                files.append(file)
    return files


def _followed(waiting: list[Path]) -> list[Path]:
    """Files, and all that they import."""
    followed: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in followed:
            followed.add(path)
            waiting += _imports(path)
    return sorted(followed, key=str)


@cache  # many jobs run the same code
def code_of(script: str | Path, *sources: str) -> dict[str, str]:
    """Digests of what `package_files` finds, by names of modules, or paths of other files.

    Snakemake compares them with those of the last run, and can say which module has changed.
    """
    known = _kept(BYTECODE)
    before = len(known)
    files = package_files(script, *sources)
    if len(known) > before:
        _keep(BYTECODE, known)
    return {_name_of(path): _file_digest(path)[:DIGITS] for path in files}


@cache
def _name_of(path: Path) -> str:
    """Dotted name of a module of a house; of another file its path from the project."""
    if path.suffix == ".py" and house_of(path) is not None:
        return ".".join(_module_of(path))
    return Path(relpath(path, SOURCE.parent)).as_posix()


@cache
def _kept(place: Path) -> dict[str, list]:
    """Names that files import and define, by the digest of their code, as far as they are known.

    What another version of this module has found does not count.
    """
    try:
        kept = json.loads((place / KEPT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept["names"] if kept["found_by"] == _file_digest(Path(__file__)) else {}


def _keep(place: Path, known: dict[str, list]) -> None:
    """Write down what is known for later processes; several may do so at once."""
    new = place / f"imports.{os.getpid()}"
    with suppress(OSError):  # of a package that nobody may write to
        place.mkdir(exist_ok=True)
        content = {"found_by": _file_digest(Path(__file__)), "names": known}
        new.write_text(json.dumps(content), encoding="utf-8")
        new.replace(place / KEPT)


@cache
def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def forget_stale_kernels(packages: Sequence[Path] | None = None, place: Path = BYTECODE) -> None:
    """Delete numba's caches where a file with kernels has changed since the last call.

    Of some packages, by their folders, or of all `houses`; ``place`` is where the digest of these
    files is kept. numba looks at the file of a kernel, not at those of the kernels that it calls:
    it would go on with what these were.
    """
    folders = list(houses().values()) if packages is None else packages
    texts = (path.read_bytes() for folder in folders for path in sorted(folder.rglob("*.py")))
    digest = hashlib.sha256(b"\0".join(filter(KERNEL.search, texts))).hexdigest()
    stamp = place / "kernels.sha256"
    if stamp.exists() and stamp.read_text(encoding="ascii") == digest:
        return
    with suppress(OSError):  # of a package that nobody may write to, which has no caches either
        for cached in (path for folder in folders for path in folder.rglob("__pycache__/*.nb[ci]")):
            cached.unlink(missing_ok=True)
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(digest, encoding="ascii")


def outside_files(dotted: str) -> list[Path]:
    """Files that importing "package.module.Class" runs when it is not of a house; else []."""
    return own_files(dotted.split(".")[:-1])


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """Files that one file names in its imports, with their packages' own files."""
    if path.suffix not in (".py", ".ipynb"):
        return ()
    outside, files = house_of(path) is None, set()
    for level, names in _names_in(path)[0]:
        if outside and level:
            files.update(relative_files(path, level, names))
            continue
        module = (*_package_of(path, level), *names)
        files.update(_files_of(module), _found_by_name(module))
        files.update(own_files(module, path) if outside else ())
    return tuple(files)


def _names_in(path: Path) -> list:
    """What a file imports, dots and names; names that it defines; what it imports for types alone.

    A file is parsed once per content. A user's file that Python cannot read has none of these.
    """
    source = _source(path)
    digest = hashlib.sha256(source.encode()).hexdigest()
    known = _kept(BYTECODE)
    if digest not in known:
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            if house_of(path):
                raise
            return [[], [], []]
        for_types = [
            name for node in tree.body if _for_types(node) for name in _imported_names(node)
        ]
        known[digest] = [list(_imported_names(tree)), sorted(_defined(tree)), for_types]
    return known[digest]


def _source(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def _package_of(path: Path, level: int) -> tuple[str, ...]:
    """Dotted package from which a file of a house imports with ``level`` dots."""
    if not level:
        return ()
    parts = _inside(path.parent)
    return parts[: len(parts) - level + 1]


def _imported_names(tree: ast.AST) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Dots and names of what the import statements of a file name."""
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            yield from ((0, tuple(alias.name.split("."))) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = tuple(node.module.split(".")) if node.module else ()
            yield from ((node.level, (*base, alias.name)) for alias in node.names)


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Statements at any depth; unlike `ast.walk`, without the expressions, which import nothing."""
    waiting = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
                waiting += [] if _for_types(node) else [node]
                yield node


def _for_types(node: ast.AST) -> bool:
    """Whether a statement is for checkers of types alone, and not run."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _module_of(path: Path) -> tuple[str, ...]:
    """Dotted name of a file of a house."""
    return tuple(part for part in _inside(path.with_suffix("")) if part != "__init__")


def _inside(path: Path) -> tuple[str, ...]:
    """Name of the house of a file or folder, and the parts of its path from there on."""
    house = house_of(path)
    assert house is not None
    return (house, *path.relative_to(houses()[house]).parts)


def _place(module: tuple[str, ...]) -> Path | None:
    """Path of a module or package of a house, without suffix; None for others."""
    house = houses().get(module[0]) if module else None
    return house and house.joinpath(*module[1:])


@cache
def _files_of(module: tuple[str, ...]) -> tuple[Path, ...]:
    """Files run by importing a dotted name: each package on the way, its templates, the module."""
    path = _place(module)
    if path is None:
        return ()
    around = _files_of(module[:-1])
    if (path / "__init__.py").exists():
        own = (path / "__init__.py", *_registered(path), *(path / "templates").glob("*"))
        return (*around, *own)
    module_file = path.with_suffix(".py")
    return (*around, module_file) if module_file.exists() else around


def _registered(folder: Path) -> list[Path]:
    """Files of a package with functions for its registers, which it imports by name when asked."""
    if not _uses(folder / "__init__.py", "Register"):
        return []
    return [file for file in sorted(folder.rglob("*.py")) if _uses(file, "registers")]


def _uses(path: Path, name: str) -> bool:
    """Whether an import statement of a file has a name in it."""
    return any(name in names for _, names in _names_in(path)[0])


@cache
def _found_by_name(module: tuple[str, ...]) -> list[Path]:
    """Files that define a name that its package looks for in its modules, by ``__getattr__``.

    All of them for the package itself, whose names may be any, and for a name that none defines. A
    package that says for types where its names are from leads there.
    """
    path = _place(module)
    if path is None:
        return []
    if _looks_for_names(path):
        offered = [file for origin in _offered(path) for file in _behind(origin)]
        return sorted({*path.glob("*.py"), *offered})
    if not _looks_for_names(path.parent) or path.with_suffix(".py").exists() or path.is_dir():
        return []
    if named := [origin for origin in _offered(path.parent) if origin[-1] == path.name]:
        return _behind(named[0])
    files = sorted(path.parent.glob("*.py"))
    return [file for file in files if path.name in _defined_names(file)] or files


def _offered(folder: Path) -> list[tuple[str, ...]]:
    """Dotted names that a package imports for types, and in fact when they are asked for."""
    init = folder / "__init__.py"
    return [(*_package_of(init, level), *names) for level, names in _names_in(init)[2]]


def _behind(name: tuple[str, ...]) -> list[Path]:
    """Files run by importing a dotted name."""
    return [*_files_of(name), *_found_by_name(name)]


def _looks_for_names(folder: Path) -> bool:
    init = folder / "__init__.py"
    return init.exists() and "__getattr__" in _defined_names(init)


@cache
def _defined_names(path: Path) -> frozenset[str]:
    return frozenset(_names_in(path)[1])


def _defined(tree: ast.Module) -> Iterator[str]:
    """Functions, classes and variables that a file defines."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        yield from (target.id for target in targets if isinstance(target, ast.Name))
