"""What the packages may know of each other."""

import ast

import pytest

from shapaudit_audit.houses import SOURCE
from shapaudit_audit.papers import PAPERS, folder_of

KNOWN = {"collections", "dataclasses", "math", "numpy", "pandas", "scipy", "sys", "typing"}
KNOWN |= {"warnings", "itertools", "functools"}
FILES = {"open", "read_csv", "read_parquet", "read_text", "read_bytes", "load", "loadtxt"}


def imports(path):
    """Pairs (module, names) of a file's imports, in absolute terms."""
    package = path.relative_to(SOURCE).parent.parts
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
        if parts[0] == "shapaudit_papers" and parts[1:2] not in ([], ["theory"], [paper]):
            yield parts[2:], names


STATISTICS = sorted((SOURCE / "shapaudit" / "statistics").glob("*.py"))


@pytest.mark.parametrize("path", STATISTICS, ids=lambda p: p.stem)
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
    folder = folder_of(paper)
    for path in sorted((folder / "evidence").rglob("*.py")):
        assert not list(foreign(path, paper)), path
    for path in sorted((folder / "claims").rglob("*.py")):
        for module, names in foreign(path, paper):
            assert module[0] == "evidence", path
            assert any(name.startswith("gather") for name in names), path
