"""What the jobs of a traced run have opened, beside what their rules declare."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

TRACE = Path(__file__).parent / "trace"
# Snakemake's own, the environment of the interpreter, and what is made anew from sources.
# pyproject.toml names the packages of papers, which rules have among their inputs.
ELSEWHERE = (".snakemake/", ".venv/", "logs/", "pyproject.toml")
# Where names are looked for in the text of modules: a job depends on those that it imports.
FOUND = ("datasets", "estimators", "explainers", "games", "models", "removals", "truth")
LOOKED_THROUGH = tuple(f"src/shapaudit/{folder}/" for folder in FOUND)


class Job(NamedTuple):
    """A job of a traced run: its rule, and paths; ``code`` are those of its digested code."""

    rule: str
    code: set[str]
    declared: set[str]
    opened: set[str]
    imported: set[str]


def jobs_of(folder: Path) -> Iterator[Job]:
    """Jobs whose scripts have left notes, with what the kernels that they started have opened."""
    paths, parents, facts, modules = {}, {}, {}, {}
    for file in folder.glob("*.paths"):
        process, parent = file.stem.split("-")
        paths[process] = set(file.read_text(encoding="utf-8").split("\n")) - {""}
        parents[process] = parent
        left = file.with_suffix(".modules")
        modules[process] = set(left.read_text("utf-8").split("\n")) if left.exists() else set()
        noted = file.with_suffix(".job")
        if noted.exists() and (content := json.loads(noted.read_text(encoding="utf-8"))):
            facts[process] = content
    for process, fact in facts.items():
        opened, imported = set(paths[process]), set(modules[process])
        for child, parent in parents.items():
            if parent == process:
                opened |= paths[child]
                imported |= modules[child]
        declared = {*fact["input"], *fact["output"], *fact["log"]}
        yield Job(fact["rule"], set(files_of(fact["code"])), declared, opened, imported)


def files_of(names: Iterable[str]) -> Iterator[str]:
    """Paths of what is digested by name: dotted ones of modules, paths of other files."""
    for name in names:
        module = f"src/{name.replace('.', '/')}"
        yield from (name, f"{module}.py", f"{module}/__init__.py")


def source_of(path: str) -> str:
    """The source of a file of bytecode, other paths as they are."""
    folder, cached, name = path.rpartition("__pycache__/")
    return f"{folder}{name.split('.')[0]}.py" if cached else path


def undeclared(job: Job) -> set[str]:
    """Paths that a job has opened, neither declared by its rule nor part of its digested code.

    What lies in a folder that is declared is declared, and so is what LaTeX builds beside an
    output; what is only looked through for names is no part of what a job does.
    """
    known = job.declared | job.code
    folders = job.declared | {f"{Path(path).parent}/build" for path in job.declared}
    return {
        path
        for path in map(source_of, job.opened)
        if not path.startswith(ELSEWHERE)
        and f"/{ELSEWHERE[0]}" not in path  # that of a kernel, in the folder of its notebook
        and not path.endswith("__pycache__")
        and path not in known
        and (path in job.imported or not path.startswith(LOOKED_THROUGH))
        and not any(path.startswith(f"{folder}/") for folder in folders)
    }
