"""Notebooks: stripped, parametrised as their rules expect, and thin."""

import re

import nbformat
import numpy as np
import pytest
from matplotlib import pyplot as plt
from places import ROOT

from shapaudit_audit.jobs import Plan, RenderNotebook
from shapaudit_audit.papers import PAPERS
from shapaudit_audit.report.figures import declared_figures
from shapaudit_audit.report.notebooks import NoResults
from shapaudit_audit.study.overlays import load_study

FIGURES = declared_figures()
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return nbformat.read(path, as_version=nbformat.NO_CONVERT)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_is_one_per_paper_with_figures_and_one_for_the_audit():
    assert {path.stem for path in NOTEBOOKS} == set(FIGURES)
    assert set(FIGURES) - {"audit"} <= set(PAPERS)


def test_format_is_current_and_valid(notebook):
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    nbformat.validate(notebook)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


def test_outputs_are_stripped(notebook):
    for cell in code_cells(notebook):
        assert cell.outputs == []
        assert cell.execution_count is None


def test_the_first_code_cell_holds_the_parameters_that_the_rule_gives(notebook):
    tagged = [c for c in notebook.cells if "parameters" in c.metadata.get("tags", [])]
    assert tagged == code_cells(notebook)[:1]
    names = set(re.findall(r"^(\w+) = ", tagged[0].source, flags=re.MULTILINE))
    plan = Plan(load_study(ROOT / "config" / "config.yaml"), ROOT)
    given = RenderNotebook(plan, {"notebook": "audit"}).asked()["notebook"]
    assert names == set(given)


def test_figures_saved_are_those_of_the_rule(path, notebook):
    code = "\n".join(cell.source for cell in code_cells(notebook))
    saved = set(re.findall(r'output, "(\w+)"\)', code))
    assert saved == set(FIGURES[path.stem])


def test_findings_are_read_in_one_way(path, notebook):
    code = "\n".join(cell.source for cell in code_cells(notebook))
    assert "finished(results, published)" in code
    assert ("findings.load" in code) == (path.stem in PAPERS)


def test_cells_are_thin(notebook):
    for cell in code_cells(notebook):
        assert len(cell.source.splitlines()) <= 12, cell.id
        assert not re.search(r"^\s*(def|class|while|if|try)\b", cell.source, re.MULTILINE), cell.id


def test_default_paths_are_those_of_the_project_as_seen_from_the_folder(path, notebook):
    defaults = re.findall(r'^(\w+) = "([^"]+)"', code_cells(notebook)[0].source, re.MULTILINE)
    places = {name: (path.parent / value).resolve() for name, value in defaults}
    assert places["results"] == ROOT / "results"
    assert places["published"] == ROOT / "config" / "published"
    # A notebook that is changed and run again leaves the figures of the study alone.
    assert places["output"] == ROOT / "results" / "notebooks" / "figures" / path.stem


def own_cells(notebook):
    """Cells of code that need no results, so that a reader can change and run them at once."""
    return [cell for cell in code_cells(notebook) if cell.id.startswith("own-")]


# What the text below the picture says of it, by notebook.
SEEN = {
    "audit": lambda names: names["ratios"]["a majority"] > 1 > names["ratios"]["a network"],
    "bell_devanathan_boyd_2024": lambda names: np.allclose(
        names["exact"].sum(), names["scores"][-1] - names["scores"][0]
    ),
    "chen_covert_lundberg_lee_2023": lambda names: all(
        means[-1] < means[0] / 2 for means in names["errors"].values()
    ),
    "grah_thouvenot_2020": lambda names: (
        [errors[-1] > errors[0] for errors in names["curves"].values()] == [False] * 3 + [True]
    ),
    "okhrati_lipani_2021": lambda names: np.allclose(
        np.divide(*np.abs(np.array(names["found"])[[-1, -2]] - names["exact"])),
        [1 / 2, 1 / 2, 1 / 4, 1 / 4],
        rtol=0.02,
    ),
}


def test_each_has_a_section_of_arrays_with_a_picture_that_shows_what_the_text_says(path, notebook):
    names = {}
    for cell in own_cells(notebook):
        exec(cell.source, names)
    assert SEEN[path.stem](names)
    assert names["ax"].get_xlabel()
    plt.close(names["figure"])


def test_one_runs_estimators_by_name_on_a_game_from_nothing():
    books = [nbformat.read(path, as_version=nbformat.NO_CONVERT) for path in NOTEBOOKS]
    own = ["\n".join(cell.source for cell in own_cells(book)) for book in books]
    assert any("shapaudit.create(" in code and "exact" in code for code in own)


def test_each_goes_from_a_question_to_a_conclusion(notebook):
    told = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert "**Question.**" in told[0]
    assert "**Experiment.**" in told[0]
    assert any(text.startswith("## Conclusion") for text in told[-2:])
    assert re.match(r"(conclusion|comparisons_told)\(", notebook.cells[-1].source.splitlines()[-1])


def test_without_results_the_reader_is_told_what_to_run(notebook, tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    code = "\n".join(cell.source for cell in code_cells(notebook))
    with pytest.raises(NoResults, match="make reproduce"):
        exec(code, {})
