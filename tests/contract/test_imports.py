"""What the packages may know of each other."""

import ast
from pathlib import Path

import pytest

import shapaudit
from shapaudit_audit.papers import PAPERS

SOURCE = Path(shapaudit.__file__).parent
KNOWN = {"collections", "dataclasses", "math", "numpy", "pandas", "scipy", "sys", "typing"}
KNOWN |= {"warnings", "itertools", "functools"}
FILES = {"open", "read_csv", "read_parquet", "read_text", "read_bytes", "load", "loadtxt"}


def imports(path):
    """Pairs (module, names) of a file's imports, in absolute terms."""
    package = ("shapaudit", *path.relative_to(SOURCE).parent.parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join((*base, *filter(None, [node.module])))
            yield module, tuple(alias.name for alias in node.names)


def foreign(path, paper):
    """Imports of a file from the packages of other papers."""
    for module, names in imports(path):
        parts = module.split(".")
        if parts[:2] == ["shapaudit", "papers"] and parts[2:3] not in ([], [paper]):
            yield parts[3:], names


@pytest.mark.parametrize("path", sorted((SOURCE / "statistics").glob("*.py")), ids=lambda p: p.stem)
def test_statistics_know_no_stage_and_no_file(path):
    for module, _ in imports(path):
        assert module.split(".")[0] in KNOWN or module.startswith("shapaudit.statistics")
    called = {
        getattr(node.func, "attr", getattr(node.func, "id", None))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    }
    assert not called & FILES


@pytest.mark.parametrize("paper", PAPERS)
def test_evidence_and_claims_share_nothing_with_other_papers_but_cited_evidence(paper):
    folder = SOURCE / "papers" / paper
    for path in sorted((folder / "evidence").rglob("*.py")):
        assert not list(foreign(path, paper)), path
    for path in sorted((folder / "claims").rglob("*.py")):
        for module, names in foreign(path, paper):
            assert module[0] == "evidence", path
            assert any(name.startswith("gather") for name in names), path
