"""Import statements are followed to the files of the package, and to nothing else."""

import json

import pytest

from shapaudit.study.dependencies import PACKAGE, outside_files, package_files


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
