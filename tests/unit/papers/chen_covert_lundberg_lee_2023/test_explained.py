"""What the report shows of explainers: sentences, a table and figures from made-up studies."""

import re

import numpy as np
import pytest
from made_explanations import write_explanations
from matplotlib import pyplot as plt
from msgspec.structs import replace
from synthetic import ROOT, study

from shapaudit.statistics.limits import UNBOUNDED
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.latex import NOT_RUN
from shapaudit_papers.chen_covert_lundberg_lee_2023 import explained
from shapaudit_papers.chen_covert_lundberg_lee_2023.figures import explained as figures
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables import explained as tables

SCALES = {"rescale": 0.9, "reveal-cancel": 2.0, "dasp-four": 0.01, "interventional-tree": 1e-15}
SCALES |= {"shallow-shapnet": 1e-16}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def config():
    return study("config")


@pytest.fixture(scope="module")
def loaded(tmp_path_factory, config):
    """A function: the studies of a configuration, with these errors."""

    def load(changed=config):
        folder = tmp_path_factory.mktemp("explained")
        write_explanations(folder, changed, SCALES)
        return explained.load(Findings(folder, changed, ROOT / "config" / "published"))

    return load


@pytest.fixture(scope="module")
def explanations(loaded):
    return loaded()


def test_studies_are_told_by_what_is_in_them(explanations):
    assert explained.by_depth(explanations).name == "depth-10"
    passes = [studied.name for studied in explained.by_passes(explanations)]
    assert passes == ["networks-10", "networks-20", "networks-64", "digits"]
    assert explained.with_pictures(explanations).name == "digits"
    layers = explained.depths(explanations.studies["depth-10"])
    assert layers["tanh"] == {f"tanh-{k}": k for k in range(1, 6)}


def test_errors_and_ratios_are_medians_over_units(explanations):
    study = explanations.studies["networks-10"]
    cell, other = ("relu-3", "dasp-four", 0), ("relu-3", "paired-kernel-shap", 80)
    assert study.budget_above(cell) == 80
    frame = study.frame.set_index(["method", "budget", "unit"])["error"].sort_index()
    own, theirs = frame.loc["dasp-four", 0], frame.loc[other[1:]]
    error, ratio = explanations.typical[study.name, cell], explanations.ratios[study.name, cell]
    assert error.estimate == pytest.approx(own.median())
    assert ratio.estimate == pytest.approx((own / theirs).median())
    ends = own.min() * (1 - 1e-9), own.max() * (1 + 1e-9)
    assert ends[0] <= error.low < error.estimate < error.high <= ends[1]
    assert (own / theirs).min() <= ratio.low * (1 + 1e-9) < ratio.high < 1


def test_an_explainer_that_asks_for_no_row_has_no_ratio(explanations):
    assert ("trees-10", ("forest", "path-dependent-tree", 0)) not in explanations.ratios
    assert (
        explanations.studies["trees-10"].budget_above(("forest", "path-dependent-tree", 0)) is None
    )
    assert explanations.studies["networks-10"].budget_above(("relu-3", "rescale", 0)) == 40


def test_rows_to_the_same_error_are_found_on_the_curve_or_beyond_it(explanations):
    study = explanations.studies["networks-10"]
    cells = [("relu-3", name, 0) for name in ("rescale", "dasp-four", "dasp")]
    first, last, middle = (study.reached(cell, "paired-kernel-shap") for cell in cells)
    assert first == (40.0, "<")
    assert last == (200.0, ">")
    assert middle[1] == "<"  # the error 1 is that of the estimator with one row
    assert np.isnan(study.reached(("relu-3", "rescale", 0), "plain-mc")[0])
    trees = explanations.studies["trees-10"]
    assert np.isnan(trees.reached(("forest", "interventional-tree", 0), "paired-kernel-shap")[0])


def test_few_units_have_no_limits(config, loaded):
    few = {
        name: replace(block, units=3, keep=min(block.keep, 2))
        for name, block in config.explanation_studies.items()
    }
    explanations = loaded(replace(config, explanation_studies=few))
    assert all(
        np.isnan(ratio.low)
        for ratio in (*explanations.typical.values(), *explanations.ratios.values())
    )
    for draw in (figures.depth_figure, figures.passes_figure, figures.maps_figure):
        assert draw(explanations).axes


def test_the_pictures_are_named(explanations):
    assert tables.values(explanations) == {"explanations.pictures": "Digits, d = 64"}


def test_the_table_has_every_explainer_of_every_model(explanations):
    text = tables.explainers_table(explanations)
    rows = [line for line in text.splitlines() if line.startswith(r"\quad")]
    cells = [c for s in explanations.studies.values() for c in s.shown() if c.budget == 0]
    assert len(rows) == len(cells) - 4 * 10  # without those by depth
    assert sum("& exact & --" in row for row in rows) == 7
    row = next(row for row in rows if "RevealCancel" in row)
    assert r"\textbf" in next(row for row in rows if "DASP (four sizes)" in row)
    assert re.search(r"& 3 & ", row)


def test_what_did_not_run_is_said(config, loaded):
    explanations = loaded(replace(config, explanation_studies={}))
    assert tables.values(explanations) == {"explanations.pictures": NOT_RUN}
    assert tables.explainers_table(explanations) == f"{NOT_RUN}\n"
    for draw in (figures.depth_figure, figures.passes_figure, figures.maps_figure):
        (ax,) = draw(explanations).axes
        assert ax.texts[0].get_text() == NOT_RUN


def test_figures_draw_what_was_found(explanations):
    left, right = figures.depth_figure(explanations).axes
    assert (left.get_title(), right.get_title()) == ("ReLU", "tanh")
    lines = {line.get_label(): line for line in left.get_lines()}
    expected = [
        explanations.typical["depth-10", (f"relu-{k}", "rescale", 0)].estimate for k in range(1, 6)
    ]
    np.testing.assert_allclose(lines["DeepLIFT (Rescale)"].get_ydata(), expected)
    assert "Paired KernelSHAP, 40 rows" in lines
    panels = figures.passes_figure(explanations).axes
    assert [ax.get_title() for ax in panels] == [
        studied.block.label for studied in explained.by_passes(explanations)
    ]
    pictures = figures.maps_figure(explanations).axes
    assert len(pictures) == 4 * (2 + 3 + 2)


def test_limits_that_say_nothing_are_left_out():
    ratio = explained.Ratio(0.5, 0.0, UNBOUNDED, UNBOUNDED)
    assert tables._cell(ratio) == "0.50"
