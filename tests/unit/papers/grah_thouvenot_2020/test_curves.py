"""Figures of the experiments of the first paper: what they show."""

import pytest
from matplotlib import pyplot as plt
from msgspec.structs import replace
from small_site import own_study

from shapaudit_audit.audit import reading
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.study.reading import MissingExperiment
from shapaudit_papers.grah_thouvenot_2020 import findings
from shapaudit_papers.grah_thouvenot_2020.figures import curves, looseness, rates


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def panel(made_up, name="classification", **settings):
    return curves.Panel.of(made_up["experiments"][name], **settings)


def written(ax):
    return [text.get_text() for text in ax.texts]


def test_every_compared_estimator_has_a_curve_and_the_named_ones_their_names(made_up):
    experiment = made_up["experiments"]["classification"]
    figure = curves.error_figure([panel(made_up), panel(made_up)], experiment.specs)
    drawn = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 4]
    assert len(drawn) == len(experiment.compared)
    named = [name for name in experiment.compared if name in curves.NAMED]
    coloured = {line.get_color() for line in drawn} - {"0.72"}
    assert coloured == {curves.NAMED[name]["color"] for name in named}
    own = {curves.OWN: " (ours)"}
    labels = {f"{experiment.label_of(name)}{own.get(name, '')}" for name in named}
    assert labels <= set(written(figure.axes[1]))
    assert not labels & set(written(figure.axes[0]))
    assert not figure.legends


def test_panels_have_one_scale(made_up):
    experiment = made_up["experiments"]["classification"]
    table = experiment.curves.assign(mean=100 * experiment.curves["mean"])
    high = curves.Panel("", table, ["optimised-mc"], start=100.0)
    figure = curves.error_figure([panel(made_up), high], experiment.specs)
    assert figure.axes[0].get_ylim() == figure.axes[1].get_ylim()
    assert figure.axes[0].get_ylim()[1] == 250.0


def test_an_estimator_of_ones_own_is_compared_without_further_settings(made_up):
    compared = made_up["experiments"]["classification"].compared
    assert "optimised-mc" in compared
    assert "psgd-dykstra" not in compared


def test_published_readings_are_open_markers(made_up):
    experiment = made_up["experiments"]["classification"]
    figure = curves.error_figure([panel(made_up)], experiment.specs)
    open_markers = [line for line in figure.axes[0].lines if line.get_linestyle() == "None"]
    assert len(open_markers) == experiment.readings["method"].nunique() > 0
    assert all(line.get_markerfacecolor() == "white" for line in open_markers)
    assert curves.READ in written(figure.axes[0])
    without = curves.error_figure([panel(made_up, readings=False)], experiment.specs)
    assert curves.READ not in written(without.axes[0])


def test_curves_above_the_panel_are_named_not_drawn(made_up):
    experiment = made_up["experiments"]["classification"]
    table = experiment.curves.copy()
    table.loc[table["estimator"] == "plain-mc", ["mean", "low", "high"]] = 1e9
    high = curves.Panel("", table, ["plain-mc", "optimised-mc"], start=1.0)
    figure = curves.error_figure([high], experiment.specs)
    notes = " ".join(text for text in written(figure.axes[0]) if "off the scale" in text)
    assert "↑ Plain Monte Carlo" in notes
    assert "Optimised" not in notes
    assert figure.axes[0].get_ylim()[1] < 10


def test_panels_without_variants_are_left_out(made_up):
    specs = made_up["study"].estimators
    panels = [
        panel(made_up, names=(*names, *findings.BACKGROUND), title=title)
        for title, names in {**findings.VARIANTS, "None of them": ("absent",)}.items()
    ]
    figure = curves.variants_figure(panels, findings.BACKGROUND, specs)
    titles = {ax.get_title() for ax in figure.axes if ax.get_visible()}
    assert titles == set(findings.VARIANTS)


def test_looseness_shows_every_game_of_the_claim(made_up):
    rows = reading.find_claim(made_up["audit"], "gt20-04b")["rows"]
    rows = [row for row in rows if row["drawn"] == "importance"]
    figure = looseness.looseness_figure(rows, made_up["study"].games, [10, 16, 300])
    labels = {tick.get_text().replace("\n", ", ") for tick in figure.axes[0].get_yticklabels()}
    games = made_up["study"].games
    assert labels == {games[row["game"]].label for row in rows}


def test_a_study_without_an_experiment_of_the_report_is_told_so(made_up):
    study = replace(made_up["study"], experiments=own_study("mine").experiments)
    without = Findings(made_up["results"], study, made_up["findings"].published)
    with pytest.raises(MissingExperiment, match=r"grah_thouvenot_2020 and role: comparison"):
        findings.load(without)


def test_published_steps_for_many_players_take_the_names_of_those_for_few(made_up):
    large = made_up["experiments"]["classification-large"]
    assert "psgd-constant" in large.last.index
    assert large.settings["psgd-constant"]["params"]["scale"] == 0.0005
    assert "psgd-constant" in set(large.published["method"]) or large.published.empty
    assert not any(name.endswith("-small") for name in large.estimators)


def test_rates_draw_the_median_of_every_game_and_the_limit_of_validity(made_up):
    rows = reading.find_claim(made_up["audit"], "gt20-06b")["rows"]
    rows = [row for row in rows if row["radius"] == "public"]
    figure = rates.rates_figure({"a": rows}, made_up["study"].games)
    drawn = {line.get_label(): line for line in figure.axes[0].lines}
    for game in {row["game"] for row in rows}:
        medians = sorted((row["steps"], row["median_ratio"]) for row in rows if row["game"] == game)
        line = drawn[made_up["study"].games[game].label]
        assert list(zip(line.get_xdata(), line.get_ydata(), strict=True)) == medians
    assert any(set(line.get_ydata()) == {1} for line in figure.axes[0].lines)
