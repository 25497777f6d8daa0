"""Notebooks: stripped, parametrised as their rules expect, and thin."""

import re

import nbformat
import pytest
from places import ROOT

from shapaudit.papers import PAPERS
from shapaudit.report.figures import declared_figures

RULES = (ROOT / "workflow" / "rules" / "figures.smk").read_text()
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
    given = RULES.partition("notebook={")[2].partition("}")[0]
    assert names == set(re.findall(r'"(\w+)":', given))


def test_figures_saved_are_those_of_the_rule(path, notebook):
    code = "\n".join(cell.source for cell in code_cells(notebook))
    saved = set(re.findall(r'output, "(\w+)"\)', code))
    assert saved == set(FIGURES[path.stem])


def test_findings_are_read_in_one_way(path, notebook):
    code = "\n".join(cell.source for cell in code_cells(notebook))
    assert "Findings(results, load_study(study), published)" in code
    assert ("findings.load(" in code) == (path.stem in PAPERS)


def test_cells_are_thin(notebook):
    for cell in code_cells(notebook):
        assert len(cell.source.splitlines()) <= 12, cell.id
        assert not re.search(r"^\s*(def|class|while|if|try)\b", cell.source, re.MULTILINE), cell.id


def test_default_paths_exist_or_are_results(notebook):
    for value in re.findall(r'= "([^"]+)"', code_cells(notebook)[0].source):
        assert value.startswith("results") or (ROOT / value).exists(), value
