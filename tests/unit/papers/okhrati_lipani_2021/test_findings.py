"""Words, tables and figures of the report on a small replication."""

import re
from dataclasses import replace
from types import SimpleNamespace

import made_okhrati
import numpy as np
import pandas as pd
import pytest
from drawn import READABLE, shown, smallest_letters
from made_okhrati import SPECS, D
from matplotlib import pyplot as plt
from small_site import own_study

import recorded
from shapaudit.statistics.simultaneous import Ratio
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.latex import escape, number, ratio_cell
from shapaudit_audit.study.reading import MissingExperiment
from shapaudit_papers.okhrati_lipani_2021 import originals, tables
from shapaudit_papers.okhrati_lipani_2021.figures import samples
from shapaudit_papers.okhrati_lipani_2021.findings import load, trial
from shapaudit_papers.okhrati_lipani_2021.findings.maps import MAP_ROLES
from shapaudit_papers.okhrati_lipani_2021.findings.trial import (
    METHODS,
)


@pytest.fixture
def replication():
    return made_okhrati.replication()


def test_tables_show_what_was_found(replication, sources):
    texts = tables.tables(replication)
    text = "\n".join(sources.values())
    assert set(re.findall(r"\\input\{tables/(okhrati_\w+)\}", text)) == set(texts)
    for text in texts.values():
        assert text.count(r"\begin{tabular}") - text.count(r"\stacked") <= 1
        assert "nan" not in text
    printed = texts["okhrati_published"]
    assert "0.557" in printed  # Table I, Castro
    assert "1.75" in printed  # Castro over Owen, as printed
    assert "KernelSHAP" in texts["okhrati_forms"]
    assert "generated" in texts["okhrati_data"]


def test_the_published_table_has_errors_at_the_last_samples_and_budget(replication):
    lines = tables.published_table(replication).splitlines()
    for experiment in replication.trials.values():
        start = next(k for k, line in enumerate(lines) if escape(experiment.label) in line)
        last = experiment.samples[-1]
        equal = {m: experiment.budget_of(m, last) for m in METHODS}
        budgets = [equal, dict.fromkeys(METHODS, max(experiment.budgets))]
        below = [line for line in lines[start + 1 :] if "runs" in line or "expectation" in line]
        for k, by in enumerate(budgets):
            measured, exact = (line.split(" & ") for line in below[2 * k : 2 * k + 2])
            assert measured[1:4] == [
                number(1e6 * experiment.errors(m, by[m]).mean()) for m in METHODS
            ]
            expected = {m: 1e6 * sum(experiment.exact(m, by[m])) for m in METHODS}
            assert exact[1:4] == [number(error) for error in expected.values()]


def test_values_say_what_was_found(replication):
    search = {"s": {"ranking": [{"hidden": [13, 9], "test": {"accuracy": 0.82}}]}}
    texts = tables.values(replace(replication, searches=search))
    told = "A random search over 1 architectures selected hidden layers of 13 and 9,"
    assert texts["okhrati.search"].startswith(told)
    assert tables.values(replication)["okhrati.search"].startswith("We did not repeat")
    assert texts["okhrati.time-ratio"] == "2.88"
    assert all(texts.values())


def test_words_follow_the_limits():
    words = [tables._words(Ratio(1.0, low, high, high)) for low, high in [(1.1, 2), (0.5, 2)]]
    assert words == ["larger", "not significantly different"]
    assert ratio_cell(1.5, np.nan, np.nan) == "1.50"
    assert r"\textbf" in ratio_cell(1.5, 1.1, 2.0)
    assert r"\textbf" not in ratio_cell(1.5, 0.9, 2.0)


def test_maps_are_compared_image_by_image(replication):
    maps = replication.maps["okhrati-maps"]
    ratios = replication.map_ratios["okhrati-maps"]
    errors = {
        role: maps.squared_errors(*row) for role, row in zip(MAP_ROLES, maps.rows, strict=True)
    }
    for (a, b), ratio in ratios.items():
        assert ratio.estimate**2 == pytest.approx(np.median(errors[a] / errors[b]))
        assert np.isnan(ratio.low)  # of four images
    many = replace(maps, kept=ten(maps))
    decided = replace(replication, maps={"okhrati-maps": many})
    limits = decided.map_ratios["okhrati-maps"]
    assert all(ratio.low < ratio.estimate < ratio.high for ratio in limits.values())
    words = tables.values(decided)
    for (a, b), ratio in limits.items():
        assert words[f"okhrati.maps.{a}-{b}.words"] == tables._words(ratio)
        assert "[" in words[f"okhrati.maps.{a}-{b}.ratio"]
    assert limits["castro", "halved"].word == "larger"


def ten(maps):
    """Maps of ten images; those of Castro sampling err ten times as much as the others."""
    rng, parts = np.random.default_rng(2), {}
    for name, budget in maps.means.index:
        for explicand in range(10):
            noise = rng.normal(size=D) * (10.0 if name == trial.CASTRO else 1.0)
            parts[name, budget, explicand] = maps.reference[explicand] + noise
    index = pd.MultiIndex.from_tuples(parts, names=["estimator", "budget", "explicand"])
    return pd.DataFrame(list(parts.values()), index).sort_index()


def test_all_whose_exact_error_is_next_to_the_least_are_named():
    exact = {"a": (0.0, 2.0), "b": (0.5, 0.509), "c": (0.0, 1.0), "d": (0.5, 0.511), "e": None}
    suite = SimpleNamespace(budgets=[5, 9], estimators=exact, exact=lambda k, n: exact[k])
    assert tables._least(suite) == ["b", "c"]


def test_rivals_of_the_best_are_those_within_the_limits(replication):
    suite = replication.suites["okhrati-suite"]
    names = [name for name in suite.estimators if name != trial.CASTRO]
    best = tables._best(suite)

    def rivals(limits):
        ratios = {name: Ratio(*limits.get(name, (3.0, 2.0, 4.0, 4.0))) for name in names}
        changed = replace(replication)
        vars(changed)["suite_ratios"] = {suite.name: ratios}  # in the place of the computed ones
        return tables._rivals(changed, suite)

    clear = {best: (0.1, 0.05, 0.2, 0.2)}
    assert rivals(clear) == "no other estimator is statistically tied with it"
    # Castro sampling is the unit: one whose upper limit is beyond 1 is tied with it.
    assert rivals({best: (0.95, 0.9, 1.2, 1.2)}) == (
        f"{replication.label_of(trial.CASTRO)} is statistically tied with it"
    )
    near = next(name for name in names if name != best)
    assert rivals(clear | {near: (0.2, 0.15, 0.3, 0.3)}) == (
        f"{replication.label_of(near)} is statistically tied with it"
    )


def test_sentences_on_castro_sampling_follow_the_ratios(replication):
    larger, same = Ratio(2.0, 1.5, 3.0, 3.0), Ratio(1.0, 0.5, 2.0, 2.0)
    ratios = {("t", "samples"): [larger, larger, same], ("t", "evaluations"): [larger, same, same]}
    assert tables._of_castro(ratios, "t") == (
        "larger than that of Owen sampling and halved Owen sampling at equal samples, and larger "
        "than that of Owen sampling and not significantly different from that of halved Owen "
        "sampling at equal evaluations"
    )


def test_published_ratios_within_our_limits_are_counted(replication):
    table = tables.holds_table(replication)
    for name, experiment in replication.trials.items():
        row = next(line for line in table.split("\n") if line.startswith(experiment.label))
        cells = row.removesuffix(r" \\").split(" & ")
        above = sum(ratio.word == "larger" for ratio in replication.ratios[name, "samples"])
        assert cells[1] == f"{above} of {len(trial.METHODS)}"
        assert len(cells) == 5


def test_printed_errors_stand_beside_ours(replication):
    findings = SimpleNamespace(once=lambda load: replication)
    rows = originals.table_one(findings)
    assert [row["algorithm"] for row in rows] == ["Castro", "Owen", "Halved"]
    assert [row["Table I"] for row in rows] == pytest.approx([0.5575, 0.3184, 0.1207])
    ours = [key for key in rows[0] if key.startswith("here")]
    assert len(ours) == len(replication.trials)


def test_figures_are_drawn_as_on_record(replication):
    suite, maps = replication.suites["okhrati-suite"], replication.maps["okhrati-maps"]
    figure = samples.endpoints_figure(suite)
    bars = figure.axes[0].patches
    outside = [bar for bar in bars if bar.get_x() < 0 or bar.get_x() + bar.get_width() > 1 + 1e-9]
    assert len(outside) == 2
    for ax in figure.axes[1:3]:
        assert all(bar.get_x() > -1e-9 for bar in ax.patches)
        total = sum(bar.get_width() for bar in ax.patches)
        assert total == pytest.approx(1)
    drawn = [
        figure,
        samples.equal_samples_figure(replication),
        samples.deviations_figure(replication),
    ]
    labels = {name: replication.label_of(name) for name in SPECS}
    drawn.append(samples.saliency_figure(maps, labels))
    images = [image for ax in drawn[-1].axes for image in ax.images]
    scales = {image.get_clim() for image in images if image.cmap.name == "bwr"}
    assert len(scales) == 1
    names = ("endpoints", "equal_samples", "deviations", "saliency")
    for place, (name, picture) in enumerate(zip(names, drawn, strict=True)):
        assert smallest_letters(picture, name) > READABLE, name
        parts = shown(picture).items()
        recorded.compare("notebooks", {f"okhrati_lipani_2021/{place}/{k}": p for k, p in parts})
        picture.canvas.draw()
        plt.close(picture)


def test_three_games_have_panels_in_two_columns(replication):
    (trial,), (path,), (game,) = (
        part.values() for part in (replication.trials, replication.deviations, replication.games)
    )
    more = replace(
        replication,
        trials={name: replace(trial, name=name) for name in "pqr"},
        deviations=dict.fromkeys("pqr", path),
        games=dict.fromkeys("pqr", game),
    )
    for figure in (samples.equal_samples_figure(more), samples.deviations_figure(more)):
        assert figure.axes[0].get_gridspec().get_geometry() == (2, 2)
        assert [ax.axison for ax in figure.axes] == [True, True, True, False]
        assert [bool(ax.lines) for ax in figure.axes] == [True, True, True, False]
        plt.close(figure)


def test_values_and_tables_are_those_on_record(replication):
    texts = {"values/okhrati": list(tables.values(replication).items())}
    texts |= {f"tables/{k}": t.splitlines() for k, t in tables.tables(replication).items()}
    recorded.compare("papers", texts)


def test_missing_experiments_are_named(tmp_path):
    findings = Findings(tmp_path, own_study("a"), "config/published")
    with pytest.raises(MissingExperiment, match="okhrati_lipani_2021 and role: samples"):
        load(findings)
