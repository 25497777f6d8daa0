"""What maintainers of a package run: a case and an adapter of their own, in files."""

import os
from pathlib import Path

import pytest

from shapaudit_audit.conformance.__main__ import main
from shapaudit_audit.conformance.case import FOLDER, load, recipes
from shapaudit_audit.conformance.run import read

CASES = """
from sklearn.tree import DecisionTreeRegressor

from shapaudit_audit.conformance.case import Case
from shapaudit_audit.conformance.data import NUMBERS, TARGET

FAMILY, LIBRARY = "mine", "scikit-learn"


def stump():
    model = DecisionTreeRegressor(max_depth=1).fit(NUMBERS, TARGET)
    return Case(model, NUMBERS[:5], NUMBERS[20:23], raw=lambda model, rows: model.predict(rows))


CASES = {"stump": stump}
"""
ADAPTER = """
import numpy as np

LABEL, PACKAGE, QUESTION, OFFERS = "zeros", "numpy", "interventional", ("scikit-learn",)


def explain(case):
    return np.zeros(case.rows.shape)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The present folder, with a file of cases and an adapter."""
    (tmp_path / "mine.py").write_text(CASES)
    (tmp_path / "zeros.py").write_text(ADAPTER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_case_in_a_file_is_put_to_adapters(folder):
    adapters = ["shapaudit_tree_interventional", "zeros.py"]
    main(["run", *adapters, "--to", "to", "--cases", "mine.py"])
    found = {row["adapter"]: row["verdict"] for row in read(folder / "to" / "conformance.csv")}
    assert found == {"shapaudit_tree_interventional": "right", "zeros": "wrong"}
    page = (folder / "to" / "conformance.md").read_text()
    assert "### Interventional values" in page
    assert "### Path-dependent values" not in page  # which nobody was asked for


def test_a_cell_is_shown_beside_the_exact_values(folder, capsys):
    main(["see", "zeros.py", "mine/stump", "--cases", "mine.py"])
    assert "zeros\n[[0. 0. 0. 0.]" in (shown := capsys.readouterr().out)
    assert "exact\n[[" in shown


def test_a_file_that_is_not_there_is_named(folder, capsys):
    with pytest.raises(SystemExit):
        main(["run", "zeros.py", "--to", "to", "--cases", "other.py"])
    assert "argument --cases: there is no file 'other.py'" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="there is no adapter 'other'; there are captum_shapley"):
        main(["run", "other", "--to", "to"])


def test_a_package_that_is_not_installed_is_named(folder):
    """Cases that were asked for are not left out in silence."""
    (folder / "mine.py").write_text("import absent_package\n")
    with pytest.raises(SystemExit, match="No module named 'absent_package'"):
        main(["run", "zeros.py", "--to", "to", "--cases", "mine.py"])


def test_files_of_the_suite_may_be_named_from_any_folder(folder):
    path = Path(os.path.relpath(FOLDER / "cases" / "games.py"))
    assert not path.is_absolute()
    assert {recipe.library for recipe in recipes([path])} == {"game"}
    assert load(path).__name__ == "shapaudit_audit.conformance.cases.games"
