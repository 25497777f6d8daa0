"""`shapaudit explain`: its tables and page, what it refuses, and what it continues."""

import numpy as np
import pandas as pd
import pytest

from shapaudit import Explainer
from shapaudit.command import main
from shapaudit.explanations.page import WRITTEN

MODEL = """
import numpy as np

def rent(rows):
    old = (rows["city"] == "Kiel").to_numpy()
    return rows["size"].to_numpy() * (10.0 + 2.0 * old) + rows["floor"].fillna(0.0).to_numpy() ** 2

def both(rows):
    return np.stack([rent(rows), 2.0 * rent(rows)], axis=1)
"""
ARGUMENTS = ["explain", "--data", "flats.csv", "--target", "rent"]
FUNCTION = ["--function", "own_model.py:rent"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A table of flats and a function of it, in the working folder."""
    rng = np.random.default_rng(0)
    flats = pd.DataFrame({"size": rng.normal(60, 20, 40), "floor": rng.choice([0, 1, np.nan], 40)})
    flats = flats.assign(city=rng.choice(["Bonn", "Kiel"], 40), rent=0.0)
    flats.to_csv(tmp_path / "flats.csv", index=False)
    (tmp_path / "own_model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_rows_are_explained_in_tables_and_on_a_page(folder, capsys):
    assert main([*ARGUMENTS, *FUNCTION, "--rows", "25", "--unit", "EUR"]) == 0
    told = capsys.readouterr().out
    assert "Shapley values of 25 rows and 3 features" in told
    assert all(f"explanation/{name}" in told for name in WRITTEN)
    values = pd.read_csv("explanation/values.csv")
    assert len(values) == 75
    table = pd.read_csv("flats.csv").drop(columns="rent")
    space: dict = {}
    exec(MODEL, space)
    expected = Explainer(space["rent"], table)(table.head(25))
    np.testing.assert_allclose(values["value"], expected.values.ravel(), rtol=1e-12)
    importance = pd.read_csv("explanation/importance.csv")
    assert importance["mean_abs"].is_monotonic_decreasing
    page = (folder / "explanation" / "page.html").read_text()
    assert page.count("<svg") == 2 + 3 + 5
    for words in ("Shapley values of rent (EUR)", "25 rows explained", "Row 4", "Values of size"):
        assert words in page


def test_several_outputs_have_a_section_each(folder):
    command = [*ARGUMENTS, "--function", "own_model.py:both", "--rows", "2", "-o", "out"]
    assert main(command) == 0
    page = (folder / "out" / "page.html").read_text()
    assert page.count("<section>") == 2
    assert set(pd.read_csv("out/values.csv")["output"]) == {0, 1}
    assert main([*command[:-1], "one", "--output", "1"]) == 0
    assert "output" not in pd.read_csv("one/values.csv")


def test_one_row_has_its_waterfall_alone(folder):
    assert main([*ARGUMENTS, *FUNCTION, "--rows", "1"]) == 0
    assert (folder / "explanation" / "page.html").read_text().count("<svg") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--function", "own_model.py:rend"], "has no function 'rend'"),
        ([*FUNCTION, "--drop", "citty"], "has no column 'citty'"),
        ([*FUNCTION, "--tolerance", "0"], "tolerance must be a positive number"),
        ([*FUNCTION, "--removal", "gausian"], "gaussian"),
        ([*FUNCTION, "--group", "place"], "not of the form name=column,column"),
        ([*FUNCTION, "--rows", "0"], "--rows must be at least 1; got 0"),
        ([*FUNCTION, "--rows", "-2"], "--rows must be at least 1; got -2"),
        ([*FUNCTION, "-o", "flats.csv"], "cannot be written to"),
    ],
)
def test_what_does_not_do_is_refused_in_a_sentence(folder, capsys, options, message):
    assert main([*ARGUMENTS, *options]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.startswith("shapaudit: ")
    assert told.count("\n") == 1


def test_nothing_of_the_user_is_overwritten_and_the_same_command_runs_again(folder, capsys):
    (folder / "explanation").mkdir()
    (folder / "explanation" / "values.csv").write_text("mine")
    assert main([*ARGUMENTS, *FUNCTION, "--rows", "2"]) == 2
    assert "values.csv was not written by shapaudit" in capsys.readouterr().err
    assert (folder / "explanation" / "values.csv").read_text() == "mine"
    (folder / "explanation" / "values.csv").unlink()
    for _ in range(2):
        assert main([*ARGUMENTS, *FUNCTION, "--rows", "2"]) == 0


def test_a_command_that_was_stopped_says_what_is_kept(folder, capsys, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Explainer, "__call__", stopped)
    with pytest.raises(SystemExit) as ended:
        main([*ARGUMENTS, *FUNCTION])
    assert ended.value.code == 130
    assert "kept in explanation/kept; the same command continues" in capsys.readouterr().err
