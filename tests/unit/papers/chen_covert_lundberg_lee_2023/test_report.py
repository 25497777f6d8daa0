"""What the report shows of the comparison over many explicands and of the published protocol."""

import dataclasses
import re

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from msgspec.structs import replace
from synthetic import SCALES, study, task

from shapaudit.statistics.agreement import PUBLISHED
from shapaudit_audit.report import latex
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.style import WIDTH
from shapaudit_audit.report.tasks import TaskComparison
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_audit.study.reading import MissingExperiment
from shapaudit_papers.chen_covert_lundberg_lee_2023.figures import protocol as figures
from shapaudit_papers.chen_covert_lundberg_lee_2023.figures.protocol import PANELS
from shapaudit_papers.chen_covert_lundberg_lee_2023.figures.ratios import (
    FAMILIES,
    SHOWN,
    ratios_figure,
)
from shapaudit_papers.chen_covert_lundberg_lee_2023.findings import (
    ChenReplication,
    load,
    published_methods,
)
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables import comparison as tables
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables import values
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables.best import best_values


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture
def replicate(made_up):
    """A function: what the report reads, with other tasks, and with protocols beside ours."""

    def made(compared, **protocols):
        return ChenReplication(made_up["chen"].protocols | protocols, compared, compared)

    return made


def test_protocols_and_tasks_are_told_by_their_roles(made_up):
    replication = made_up["chen"]
    assert set(replication.protocols) == {"chen-published", "chen-published-hundred"}
    assert replication.protocol.name == "chen-published"
    chen = {f"chen-{name}" for name in ("diabetes", "zeros", "survey", "counts")}
    assert set(replication.tasks.tasks) == chen | {"many-cancer", "many-digits"}
    assert set(replication.best.tasks) == {"best-classification", "best-regression", "best-cancer"}
    assert set(replication.protocol.cells["method"]) == set(PUBLISHED)


def test_published_methods_are_named_by_the_cards():
    specs = study("config").estimators
    named = published_methods({key: specs[key] for key in ("me-anti", "psgd-sqrt", "me")})
    assert named == {"me-anti": "ME_ANTI", "psgd-sqrt": "LS_SGD", "me": "ME"}
    others = {"gauss": specs["me-gauss"], "mine": EstimatorBlock(estimator="stratified-sampling")}
    assert published_methods(others) == {}


def test_two_estimators_of_one_published_method_are_refused():
    specs = study("config").estimators
    twice = {"psgd-sqrt": specs["psgd-sqrt"], "mine": specs["psgd-sqrt"]}
    with pytest.raises(ValueError, match="psgd-sqrt and mine are both LS_SGD"):
        published_methods(twice)
    others = {key: specs[key] for key in ("psgd-constant", "psgd-sqrt", "psgd-sqrt-small")}
    assert published_methods(others) == {"psgd-sqrt": "LS_SGD"}


def test_the_name_of_an_experiment_does_not_matter_but_its_data_do(made_up):
    study = made_up["study"]
    unknown = replace(study.experiments["chen-published"], data="blog")
    (made_up["results"] / "estimates" / "other").symlink_to(
        made_up["results"] / "estimates" / "chen-published"
    )
    study = replace(study, experiments=study.experiments | {"other": unknown})
    replication = load(Findings(made_up["results"], study, made_up["findings"].published))
    assert list(replication.protocols) == ["chen-published", "chen-published-hundred", "other"]
    assert replication.protocols["other"].published.empty
    assert len(replication.protocol.published)


def test_a_study_without_the_protocol_is_told_so(made_up):
    study = made_up["study"]
    study = replace(study, experiments={"regression": study.experiments["regression"]})
    with pytest.raises(MissingExperiment, match=r"chen_covert\w+ and role: protocol"):
        load(Findings(made_up["results"], study, made_up["findings"].published))


def test_families_are_those_of_the_cards(made_up):
    families = made_up["chen"].tasks.estimators
    assert set(families) <= set(FAMILIES)
    assert "leverage-shap" in families["least squares"]
    assert "sobol-walks" in families["random order"]


def test_panels_hold_every_published_method_once():
    assert sorted(m for methods in PANELS.values() for m in methods) == sorted(PUBLISHED)


def test_each_cell_is_a_point_at_its_published_error_and_ours(made_up):
    protocol = made_up["chen"].protocol
    ax = figures.protocol_figure(protocol).axes[0]
    points = {
        line.get_label(): line.get_xydata() for line in ax.lines if line.get_linestyle() == "None"
    }
    assert list(points) == list(PANELS) == [text.get_text() for text in ax.get_legend().get_texts()]
    for family, methods in PANELS.items():
        cells = protocol.comparison[protocol.comparison["method"].isin(methods)]
        np.testing.assert_array_equal(points[family], cells[["published", "ours"]])
    (diagonal,) = (line for line in ax.lines if line.get_linestyle() == "-")
    np.testing.assert_array_equal(diagonal.get_xdata(), diagonal.get_ydata())


def test_the_band_is_as_wide_as_the_limits_and_cells_that_disagree_are_named(made_up):
    protocol = made_up["chen"].protocol
    ax = figures.protocol_figure(protocol).axes[0]
    cells = protocol.comparison
    corners = ax.collections[0].get_paths()[0].vertices
    left = corners[corners[:, 0] == corners[:, 0].min()]
    width = (cells["high"] * cells["published"] / cells["ours"]).median()
    assert left[:, 1].max() / left[0, 0] == pytest.approx(width)
    named = {f"{cell.method}, {cell.samples:,}" for cell in cells[~cells["agrees"]].itertuples()}
    assert {text.get_text() for text in ax.texts} == named
    assert named


def test_rows_of_ratios_have_the_same_room_above_and_below(small):
    figure = ratios_figure(small)
    bottom, top = figure.axes[0].get_ylim()
    ticks = figure.axes[0].get_yticks()
    assert bottom - max(ticks) == pytest.approx(min(ticks) - top)
    assert 0.5 < bottom - max(ticks) < 1
    assert figure.get_figwidth() == WIDTH


def test_filled_markers_are_decided_ratios_and_distant_ones_arrows(small):
    tasks = {"chen-zeros": task("chen-zeros", {**SCALES, "svarm": 99.0})}
    figure = ratios_figure(TaskComparison(tasks, small.specs, 0.05))
    ax = figure.axes[0]
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    filled = [line for line in dots if line.get_markerfacecolor() != "white"]
    assert (len(dots), len(filled)) == (2, 1)
    (arrow,) = (line for line in ax.lines if line.get_marker() == ">")
    assert arrow.get_xdata()[0] == SHOWN[1]
    (value,) = ax.texts  # beside the arrow, inside the axis
    assert value.get_position() == (pytest.approx(SHOWN[1] / 1.25), arrow.get_ydata()[0])
    assert value.get_horizontalalignment() == "right"
    labels = [tick.get_text() for tick in ax.get_yticklabels()]
    assert labels == ["Leverage SHAP", "Multilinear", "SVARM"]


@pytest.mark.parametrize(
    ("error", "shown"),
    [(4e-11, "< 0.001"), (0.0123, "0.012"), (0.00123, "0.0012"), (7.1e6, "> 999")],
)
def test_ratios_of_rounding_errors_are_bounds(small, error, shown):
    tasks = {"chen-zeros": task("chen-zeros", {**SCALES, "svarm": error})}
    (ax,) = ratios_figure(TaskComparison(tasks, small.specs, 0.05)).axes
    (text,) = (text.get_text() for text in ax.texts)
    assert text == shown


@pytest.mark.parametrize(("count", "ticks"), [(2, 5), (6, 3)])
def test_many_tasks_have_fewer_ticks_and_narrow_titles(small, count, ticks):
    tasks = {f"chen-{k}": task(f"chen-{k}", seed=k) for k in range(count)}
    figure = ratios_figure(TaskComparison(tasks, small.specs, 0.05))
    for ax in figure.axes:
        assert len(ax.get_xticks()) == ticks
        widest = max(len(line) for line in ax.get_title().splitlines())
        assert (widest > 11) == (count == 2)


def test_a_bias_beyond_chance_is_filled_and_named(made_up):
    protocol = made_up["chen"].protocol
    figure = figures.bias_figure(protocol)
    flagged = set(protocol.comparison.loc[protocol.comparison["biased"], "method"])
    assert {text.get_text() for text in figure.axes[0].texts} == flagged


@pytest.mark.parametrize(("low", "high", "decided"), [(1.5, 3, 1), (0.2, 0.9, 1), (0.9, 3, 0)])
def test_tables_bold_what_is_decided(low, high, decided):
    cell = latex.ratio_cell((low + high) / 2, low, high)
    assert cell.count(r"\textbf") == decided


def test_every_estimator_of_the_benchmark_shows_its_card(made_up):
    tasks = made_up["chen"].tasks
    text = tables.estimators_table(tasks)
    for names in tasks.estimators.values():
        for name in names:
            assert f"{latex.escape(tasks.label_of(name))} & " in text
    plain = re.findall(r"Plain Monte Carlo & .*", text)[0]
    assert "IME, ROF" in plain
    assert "& none & no &" in plain
    assert "$O(d)$" in plain


def test_the_best_and_the_worst_task_of_an_estimator_are_named(small):
    scales = {"paired-kernel-shap": 1.0, "leverage-shap": 2.0, "me": 3.0}
    other = task("chen-survey", scales)
    comparison = TaskComparison({**small.tasks, "chen-survey": other}, small.specs, 0.05)
    ends = tables.extreme_tasks(comparison)
    assert re.fullmatch(
        r"chen-(diabetes|zeros) \(0\..*\), \\newline chen-survey \([12]\..*\)",
        ends["leverage-shap"],
    )
    assert ends["svarm"] in tables.estimators_table(comparison)
    alone = TaskComparison({"chen-survey": other}, small.specs, 0.05)
    assert "newline" not in tables.extreme_tasks(alone)["leverage-shap"]


def test_protocols_beyond_those_of_the_text_have_sentences(small, replicate, made_up):
    silent = values.values(replicate(small))["benchmark.further-protocols"]
    assert silent == "No other data of the paper was run in this study."
    blog = {"chen-published-blog": made_up["chen"].protocol}
    texts = values.values(replicate(small, **blog))
    assert "published cells agree" in texts["benchmark.further-protocols"]


def test_long_lists_of_choices_are_cut(small):
    names = tuple(made for made in small.specs if made.startswith("me"))
    shown = tables._named(small, names)
    assert shown.endswith(f"{len(names) - tables.NAMED} more")
    assert tables._named(small, ()) == "none"


def test_values_speak_of_what_ran_and_say_what_did_not(small, replicate):
    texts = values.values(replicate(small))
    assert texts["benchmark.chen-zeros.leverage-shap.paired-kernel-shap.words"] == "smaller"
    assert texts["benchmark.chen-counts.best"] == latex.NOT_RUN
    assert texts["benchmark.steady"] == "Leverage SHAP"
    assert texts["benchmark.reference-cells"] == "0"
    assert texts["benchmark.chen-zeros.mef-adapt.mef.ratio"] == latex.NOT_RUN


def test_all_that_are_best_equally_often_are_named(small, replicate):
    scales = {"paired-kernel-shap": 1.0, "leverage-shap": 0.01, "me": 0.01}
    tied = {name: task(name, scales) for name in small.tasks}
    texts = values.values(replicate(TaskComparison(tied, small.specs, 0.05)))
    assert texts["benchmark.steady"] == "Leverage SHAP and Multilinear"
    assert texts["benchmark.steady-cells"] == texts["benchmark.choice-cells"] != "0"


def test_what_the_calibration_rests_on_is_said(small, replicate):
    texts = values.values(replicate(small))
    assert texts["benchmark.calibration-few-runs"] == "150"
    assert texts["benchmark.calibration-resamples"] == "199"
    assert texts["benchmark.calibration-error"] == "1.8"
    assert texts["benchmark.calibration-family"] == latex.percent(0.05 / len(small.ratios))


def test_a_winner_of_several_cells_is_named_once(small):
    scales = {"paired-kernel-shap": 1.0, "leverage-shap": 0.5, "me": 2.0}
    won = {name: task(name, scales) for name in small.tasks}
    winners = best_values(TaskComparison(won, small.specs, 0.05))["best.winners"]
    cells = len(TaskComparison(won, small.specs, 0.05).choices)
    where = f"{cells} of {cells} combinations of game and budget (0."
    assert winners.startswith(f"Leverage SHAP in {where}")
    too_few = TaskComparison(won, small.specs, 0.05)
    vars(too_few)["choices"] = pd.DataFrame([])  # as of a study that compares nothing there
    assert best_values(too_few)["best.winners"] == latex.NOT_RUN


def test_disagreements_are_named_with_their_ratio(made_up):
    cells = pd.DataFrame(
        {
            "method": ["RO", "LS"],
            "samples": [500, 1000],
            "ratio": [2.0, 1.0],
            "agrees": [False, True],
            "noticed": [1.25, 1.75],
        }
    )
    protocol = made_up["chen"].protocol
    changed = dataclasses.replace(protocol)
    changed.__dict__["comparison"] = cells
    texts = values._protocol_values(changed)
    assert texts["differing"] == " Those that do not: RO at 500 (2)."
    assert texts["noticed"] == "1.50 (1.25 to 1.75)"
    changed.__dict__["comparison"] = cells.assign(agrees=True)
    assert values._protocol_values(changed)["differing"] == ""
    assert (texts["agreeing"], texts["cells"]) == ("1", "2")
