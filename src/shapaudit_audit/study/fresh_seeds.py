"""Base seeds of the repetitions: given ones, and one that follows from the code of the checks.

A check that was revised after its results were known should be applied to new data. So a seed of
a repetition is a digest of the code that gathers evidence and judges it: of its logic and numbers,
not of its words and imports, so that another wording or place of a function changes nothing.
"""

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ..houses import houses, paper_houses
from .blocks.study import Study

SHOWN = {"figures", "originals", "summary", "tables"}  # of a paper: modules that judge nothing
KEPT = Path(".snakemake", "shapaudit", "seeds")
DIGITS = 8  # hexadecimal, of the digest that is the seed


def repetition_seeds(study: Study) -> list[int]:
    """The base seeds of a study's repetitions, in the order of its configuration."""
    seeds = study.repetition.seeds if study.repetition else []
    return [seed_of_checks() if isinstance(seed, str) else seed for seed in seeds]


@cache
def seed_of_checks(folders: tuple[Path, ...] | None = None, kept: Path = KEPT) -> int:
    """The seed that follows from the checks in some folders; files are parsed once per content.

    The folders are those of the audit, of the papers and of the statistics unless they are given.
    ``kept`` is the folder of the seeds of files that were parsed before.
    """
    files = [
        path
        for folder in (checks() if folders is None else folders)
        for path in sorted(folder.rglob("*.py"))
        if SHOWN.isdisjoint(path.relative_to(folder).with_suffix("").parts)
    ]
    contents = [path.read_bytes() for path in files]
    place = kept / _digest(contents)
    if place.is_file():
        return int(place.read_text(encoding="utf-8"))
    seed = int(_digest(logic_of(text.decode("utf-8")).encode() for text in contents)[:DIGITS], 16)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"{seed}\n", encoding="utf-8")
    return seed


def checks() -> tuple[Path, ...]:
    """Folders of the code that gathers evidence and judges."""
    library, machinery = houses()["shapaudit"], houses()["shapaudit_audit"]
    return (machinery / "audit", *paper_houses(), library / "statistics")


def logic_of(source: str) -> str:
    """Python code without its imports, texts, comments and layout, for comparison."""
    tree = _WithoutImports().visit(ast.parse(source))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


class _WithoutImports(ast.NodeTransformer):
    """Where a name comes from is no logic: a module may move."""

    def visit_Import(self, node: ast.Import) -> ast.Pass:
        """Nothing in the place of an import."""
        return ast.Pass()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.Pass:
        """The same."""
        return ast.Pass()


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()
