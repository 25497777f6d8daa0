"""Import statements are followed to the files of the package, and to nothing else."""

import json

import pytest

from shapaudit.study import dependencies
from shapaudit.study.dependencies import (
    PACKAGE,
    code_digest,
    forget_stale_kernels,
    outside_files,
    package_files,
)


def names(path):
    return {file.relative_to(PACKAGE).as_posix() for file in package_files(path)}


@pytest.mark.parametrize(
    "line", ["from shapaudit.samplers import sample_sizes", "import shapaudit.samplers.sizes"]
)
def test_packages_and_what_they_import_are_found(tmp_path, line):
    script = tmp_path / "script.py"
    script.write_text(f"import numpy\n{line}\n", encoding="utf-8")
    assert names(script) == {
        "__init__.py",
        "samplers/__init__.py",
        "samplers/coalitions.py",
        "samplers/permutations.py",
        "samplers/sizes.py",
    }


def test_imports_are_followed_through_packages(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("def f():\n    from shapaudit.estimators import create\n", encoding="utf-8")
    found = names(script)
    assert {
        "estimators/sgd.py",
        "theory/constants.py",
        "games/base.py",
        "statistics/moments.py",
    } <= found
    assert not {name for name in found if name.startswith(("claims/", "study/"))}


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    import x\nexcept ImportError:\n    {}",
        "match 1:\n    case 1:\n        {}",
        "if a:\n    pass\nelse:\n    {}",
        "with a as b:\n    for c in b:\n        {}",
        "async def f():\n    try:\n        pass\n    finally:\n        {}",
    ],
)
def test_imports_are_found_at_any_depth(tmp_path, text):
    script = tmp_path / "script.py"
    script.write_text(text.format("from shapaudit import seeding") + "\n", encoding="utf-8")
    assert names(script) == {"__init__.py", "seeding.py"}


def test_the_digest_follows_what_is_run_and_nothing_else(tmp_path, monkeypatch):
    package = tmp_path / "package"
    package.mkdir()
    monkeypatch.setattr(dependencies, "PACKAGE", package)
    script = tmp_path / "script.py"
    script.write_text("from package.used import x\n", encoding="utf-8")

    def digest(**contents):
        """Digest of the script with modules of these contents."""
        for name in ("__init__", "used", "unused"):
            (package / f"{name}.py").write_text(contents.get(name, ""), encoding="utf-8")
        for remembered in (
            dependencies._imports,
            dependencies._files_of,
            dependencies._file_digest,
        ):
            remembered.cache_clear()
        return code_digest(script)

    before = digest()
    assert digest() == digest(unused="x = 1\n") == before
    assert len({before, digest(used="x = 1\n"), digest(__init__="x = 1\n")}) == 3


def test_templates_belong_to_their_package(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from shapaudit import site\n", encoding="utf-8")
    assert {"site/page.py", "site/templates/index.html"} <= names(script)


def test_notebooks_are_read(tmp_path):
    cells = [
        {"cell_type": "markdown", "source": ["from shapaudit import claims"]},
        {"cell_type": "code", "source": ["import json\n", "from shapaudit import seeding"]},
    ]
    notebook = tmp_path / "n.ipynb"
    notebook.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert names(notebook) == {"__init__.py", "seeding.py"}


def test_a_script_without_the_package_needs_none_of_it(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from shapauditor import x\nfrom . import y\n", encoding="utf-8")
    assert package_files(script) == []


def test_an_estimator_from_outside_has_a_file_of_its_own(tmp_path, monkeypatch):
    (tmp_path / "outsider.py").write_text("class Mine: ...\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert outside_files("outsider.Mine") == [tmp_path / "outsider.py"]
    assert outside_files("kernel-shap") == []
    assert outside_files("shapaudit.estimators.kernel.KernelSHAP") == []


def test_caches_go_when_a_kernel_changes_that_another_file_calls(tmp_path):
    package = tmp_path / "package"
    caches = package / "part" / "__pycache__"
    caches.mkdir(parents=True)
    (package / "part" / "inner.py").write_text("@njit\ndef inner(x): return x\n", "utf-8")
    (package / "plain.py").write_text("x = 1\n", "utf-8")
    kept = caches / "outer.1.nbi"

    def survives():
        kept.write_bytes(b"compiled")
        forget_stale_kernels(package)
        return kept.exists()

    assert not survives()  # nobody knows what it was compiled from
    assert survives()
    (package / "plain.py").write_text("x = 2\n", "utf-8")
    assert survives()
    (package / "part" / "inner.py").write_text("@njit\ndef inner(x): return -x\n", "utf-8")
    assert not survives()
