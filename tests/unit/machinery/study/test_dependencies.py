"""Import statements are followed to the files of the package, and to nothing else."""

import json

import pytest
from followed import forget, names, settle
from places import ROOT

from shapaudit_audit.houses import SOURCE
from shapaudit_audit.papers import PAPERS, folder_of, sources
from shapaudit_audit.study.dependencies import outside_files, package_files

GATHER = ROOT / "workflow" / "scripts" / "gather_evidence.py"


@pytest.mark.parametrize(
    "line", ["from shapaudit.samplers import sample_sizes", "import shapaudit.samplers.sizes"]
)
def test_packages_and_what_they_import_are_found(tmp_path, line):
    script = tmp_path / "script.py"
    script.write_text(f"import numpy\n{line}\n", encoding="utf-8")
    assert names(script) == {
        "shapaudit/__init__.py",
        "shapaudit/samplers/__init__.py",
        "shapaudit/samplers/coalitions.py",
        "shapaudit/samplers/permutations.py",
        "shapaudit/samplers/sizes.py",
    }


def test_imports_are_followed_through_packages(tmp_path):
    script = tmp_path / "script.py"
    text = "def f():\n    from shapaudit.estimators import ProjectedSGD\n"
    script.write_text(text, encoding="utf-8")
    imported = names(script)
    assert {
        "shapaudit/estimators/sgd.py",
        "shapaudit/games/base.py",
        "shapaudit/samplers/gradients.py",
        "shapaudit/statistics/moments.py",
    } <= imported
    assert not {name for name in imported if not name.startswith("shapaudit/")}


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
    assert names(script) == {"shapaudit/__init__.py", "shapaudit/seeding.py"}


@pytest.mark.parametrize("paper", PAPERS)
def test_evidence_is_gathered_without_claims_and_without_what_is_made_of_them(paper):
    imported = names(GATHER, sources(paper, "evidence"))
    own = (folder_of(paper) / "evidence").rglob("*.py")
    assert {path.relative_to(SOURCE).as_posix() for path in own} <= imported
    inside = [name.split("/")[1:] for name in imported if name.startswith("shapaudit_papers/")]
    assert {parts[1] for parts in inside if len(parts) > 2 and parts[0] != "theory"} == {"evidence"}
    assert not [name for name in imported if "/report/" in name]


def test_evidence_is_gathered_without_that_of_other_papers():
    imported = names(GATHER, "shapaudit_papers/grah_thouvenot_2020/evidence")
    assert {name.split("/")[1] for name in imported if name.startswith("shapaudit_papers/")} == {
        "__init__.py",
        "grah_thouvenot_2020",
        "theory",
    }


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("from package import One", {"one.py"}),
        ("from package.one import One", {"one.py"}),
        ("from package import value, two", {"two.py"}),
        ("from package import here", set()),
        ("from package import REGISTRY", {"one.py", "two.py"}),
        ("from package import *", {"one.py", "two.py"}),
        ("import package", {"one.py", "two.py"}),
        ("import package.one", {"one.py"}),
    ],
)
def test_names_that_a_package_looks_for_are_followed(tmp_path, monkeypatch, line, files):
    package = tmp_path / "package"
    package.mkdir()
    settle(monkeypatch, tmp_path, ["package"])
    init = "def __getattr__(name): ...\ndef here(): ...\n"
    for name, text in (("__init__", init), ("one", "class One: ...\n"), ("two", "value = 1\n")):
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    script = tmp_path / "script.py"
    script.write_text(line, encoding="utf-8")
    forget()
    assert {path.name for path in package_files(script)} == {"__init__.py", *files}


def test_what_the_front_door_offers_leads_to_where_it_is(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from shapaudit import shapley_exact\n", encoding="utf-8")
    assert "shapaudit/truth/enumeration.py" in names(script)
    assert not [name for name in names(script) if name.startswith("shapaudit/estimators/")]
    script.write_text("from shapaudit import datasets\n", encoding="utf-8")
    forget()
    assert not [name for name in names(script) if name.startswith("shapaudit/truth/")]
    script.write_text("import shapaudit\n", encoding="utf-8")
    forget()
    assert {"shapaudit/truth/enumeration.py", "shapaudit/estimators/auto.py"} <= names(script)


def test_functions_of_registers_belong_to_the_package_that_finds_them(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from shapaudit.datasets import load\n", encoding="utf-8")
    loaders = {f"shapaudit/datasets/{name}.py" for name in ("toy", "mnist", "laws/loaders")}
    assert loaders <= names(script)
    assert "shapaudit/datasets/inventory.py" not in names(script)


def test_templates_belong_to_their_package(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from shapaudit_audit.report.site.page import x\n", encoding="utf-8")
    folder = "shapaudit_audit/report/site"
    assert {f"{folder}/page.py", f"{folder}/templates/index.html"} <= names(script)


def test_notebooks_are_read(tmp_path):
    cells = [
        {"cell_type": "markdown", "source": ["from shapaudit import audit"]},
        {"cell_type": "code", "source": ["import json\n", "from shapaudit import seeding"]},
    ]
    notebook = tmp_path / "n.ipynb"
    notebook.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert names(notebook) == {"shapaudit/__init__.py", "shapaudit/seeding.py"}


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
