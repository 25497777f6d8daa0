"""Samples instead of evaluations, standard deviations, kept estimates, exact errors, the report."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from drawn import shown
from matplotlib import pyplot as plt
from places import ROOT
from small_site import own_study

import recorded
from shapaudit.estimators import create
from shapaudit.games import CountedGame, TabularGame
from shapaudit.statistics.simultaneous import Ratio
from shapaudit.statistics.typical import joint_ratios
from shapaudit.truth import Truth, shapley_from_table
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.latex import escape, number, ratio_cell
from shapaudit_audit.study.blocks.games import GameBlock, TruthBlock
from shapaudit_audit.study.blocks.runs import EstimatorBlock, ExperimentBlock, PathBlock
from shapaudit_audit.study.collection import GameCollection
from shapaudit_audit.study.experiments import run_spec
from shapaudit_audit.study.reading import MissingExperiment
from shapaudit_audit.study.samples import deviations, kept_estimates, sample_budgets, with_samples
from shapaudit_papers.okhrati_lipani_2021 import originals, tables
from shapaudit_papers.okhrati_lipani_2021.figures import samples
from shapaudit_papers.okhrati_lipani_2021.findings import load, trial
from shapaudit_papers.okhrati_lipani_2021.findings.maps import MAP_ROLES, Maps
from shapaudit_papers.okhrati_lipani_2021.findings.replication import CONTRASTS, OkhratiReplication
from shapaudit_papers.okhrati_lipani_2021.findings.trial import (
    METHODS,
    TableExperiment,
    exact_error,
)
from shapaudit_papers.theory.multilinear import size_moments

D, EXPLICANDS = 9, 12
SPECS = {
    "optimised-mc": EstimatorBlock(estimator="optimised-monte-carlo", label="Walks"),
    "owen": EstimatorBlock(estimator="multilinear", params={"grid": "printed"}, label="Owen"),
    "halved-owen": EstimatorBlock(
        estimator="multilinear", params={"grid": "printed", "halved": True}, label="Halved"
    ),
    "me-gauss": EstimatorBlock(
        estimator="multilinear", params={"grid": "gauss-legendre"}, label="Gauss–Legendre"
    ),
    "antithetic-mc": EstimatorBlock(estimator="antithetic-monte-carlo", label="Antithetic"),
    "kernel-shap": EstimatorBlock(estimator="kernel-shap", label="KernelSHAP"),
}
ESTIMATORS = {name: create(spec.estimator, spec.params) for name, spec in SPECS.items()}
GAME = GameBlock(
    label="Few",
    model="m",
    reward="prediction",
    players=D,
    explicands=EXPLICANDS,
    truth=TruthBlock(method="enumeration"),
)
TABLES = np.random.default_rng(0).normal(size=(EXPLICANDS, 1 << D))
SAMPLES = (4, 20)
BUDGETS = sample_budgets([ESTIMATORS[m] for m in METHODS], SAMPLES, D)


@pytest.fixture(scope="module")
def collection():
    rows = np.zeros((EXPLICANDS, D))
    return GameCollection("g", None, EXPLICANDS, TABLES, "prediction", rows, rows)


def experiment(budgets, repetitions=1, keep=None):
    return ExperimentBlock(
        game="g", budgets=budgets, repetitions=repetitions, estimators=[*SPECS], keep=keep
    )


def run(collection, names, budgets, repetitions=2):
    block = experiment(budgets, repetitions)
    truths = [Truth(shapley_from_table(table), "exact", "enumeration") for table in TABLES]
    frames = [
        pd.DataFrame(run_spec(SPECS[n], block, collection, truths, 1, ("e", n))[0]).assign(
            estimator=n, squared_error=lambda f: f["squared_error"] / D
        )
        for n in names
    ]
    frame = pd.concat(frames)
    return frame.groupby(["estimator", "budget", "explicand"], sort=False)["squared_error"].mean()


@pytest.fixture(scope="module")
def replication(collection):
    same = {"players": D, "provenance": "generated", "accuracy": 0.5}
    means = run(collection, METHODS, BUDGETS).unstack("explicand")
    wide = run(collection, SPECS, BUDGETS[-1:]).unstack("explicand")
    common = {"repetitions": 2, "difference": 1e-15, "tables": TABLES}
    own = {m: ESTIMATORS[m] for m in METHODS}
    trial = TableExperiment(
        "okhrati-samples", "Few, d = 9", **same, **common, estimators=own, means=means
    )
    suite = TableExperiment(
        "okhrati-suite", "Suite", **same, **common, estimators=ESTIMATORS, means=wide
    )
    setting = experiment(map_budgets(), keep=4)
    kept = pd.DataFrame(kept_estimates(SPECS, setting, collection, 1, "e"))
    reference = shapley_from_table(TABLES)
    maps = Maps(
        **same,
        name="okhrati-maps",
        label="Maps",
        images=np.ones((EXPLICANDS, D)),
        reference=reference,
        standard_errors=np.zeros_like(reference),
        kept=kept.pivot(
            index=["estimator", "budget", "explicand"], columns="player", values="value"
        ),
        means=run(collection, SPECS, map_budgets()).unstack("explicand"),
        estimators=ESTIMATORS,
    )
    path = PathBlock(
        game="p", estimators=[*METHODS], explicands=2, samples=12, step=4, replicates=3
    )
    spread = pd.DataFrame(deviations(SPECS, path, collection, 1, "p"))
    published = pd.read_csv(ROOT / "config/published/okhrati_lipani_2021.csv")
    return OkhratiReplication(
        {"okhrati-samples": trial},
        {"okhrati-suite": suite},
        {"okhrati-maps": maps},
        {"p": spread},
        {"p": GAME},
        {},
        SPECS,
        published,
        0.05,
    )


def map_budgets():
    return sample_budgets([ESTIMATORS[m] for m in METHODS], [12], D)


@pytest.mark.parametrize("samples", [2, 4, 12, 2000])
@pytest.mark.parametrize("name", METHODS)
def test_samples_cost_what_the_algorithms_spend(name, samples):
    sized, budget = with_samples(ESTIMATORS[name], samples, D)
    q = samples // 2
    wanted = {
        "optimised-mc": samples * D + 1,
        "owen": 2 * (q + 1) * (D + 1),
        "halved-owen": 2 * 2 * (q // 2 + 1) * (D + 1),
    }[name]
    counted = CountedGame(TabularGame(TABLES[0]), budget)
    spent = sized.estimate(counted, budget, np.random.default_rng(0)).evaluations
    assert budget == wanted == spent == counted.evaluations


def test_least_squares_have_no_samples():
    with pytest.raises(ValueError, match="kernel-shap has no samples"):
        with_samples(ESTIMATORS["kernel-shap"], 10, D)


def test_kept_estimates_are_those_whose_errors_are_recorded(collection):
    budgets = [80, 200]
    recorded = run(collection, SPECS, budgets, repetitions=1)
    setting = experiment(budgets, keep=3)
    kept = pd.DataFrame(kept_estimates(SPECS, setting, collection, 1, "e"))
    for (name, budget, explicand), own in kept.groupby(["estimator", "budget", "explicand"]):
        truth = shapley_from_table(TABLES[explicand])
        error = np.square(own["value"].to_numpy() - truth).mean()
        assert error == pytest.approx(recorded[name, budget, explicand], rel=1e-12)
    assert kept["explicand"].max() == 2


def test_deviations_over_replicates_are_the_exact_ones(collection):
    path = PathBlock(
        game="p", estimators=["owen"], explicands=1, samples=40, step=20, replicates=400
    )
    frame = pd.DataFrame(deviations(SPECS, path, collection, 3, "p"))
    moments = [size_moments(TABLES[0], paired) for paired in (False, True)]
    for row in frame[frame["kind"] == "replicates"].itertuples():
        sized, budget = with_samples(ESTIMATORS["owen"], row.samples, D)
        _, variance = exact_error(sized, budget, moments)
        assert row.evaluations == budget
        assert row.deviation == pytest.approx(np.sqrt(variance), rel=0.15)
    assert (frame.loc[(frame["kind"] == "path") & (frame["samples"] == 20), "deviation"] == 0).all()


@pytest.mark.parametrize(
    "name", ["optimised-mc", "antithetic-mc", "owen", "halved-owen", "me-gauss"]
)
def test_exact_errors_are_those_of_runs(name):
    game, truth = TabularGame(TABLES[1]), shapley_from_table(TABLES[1])
    moments = [size_moments(TABLES[1], paired) for paired in (False, True)]
    rng = np.random.default_rng(5)
    runs = [ESTIMATORS[name].estimate(game, 150, rng).values for _ in range(500)]
    errors = np.square(np.array(runs) - truth).mean(axis=1)
    exact = exact_error(ESTIMATORS[name], 150, moments)
    assert abs(errors.mean() - sum(exact)) < 4 * errors.std() / np.sqrt(len(errors))


def test_exact_errors_of_other_estimators_are_not_known(replication):
    suite = replication.suites["okhrati-suite"]
    assert suite.exact("kernel-shap", BUDGETS[-1]) is None
    bias, _ = suite.exact("me-gauss", (D + 1) * 2 * ((D + 1) // 2))
    assert bias < 1e-28


def test_a_trial_finds_its_samples(replication):
    trial = replication.trials["okhrati-samples"]
    assert trial.samples == list(SAMPLES)
    assert trial.at_samples(20).shape == (EXPLICANDS, 3)
    estimate = replication.ratios["okhrati-samples", "samples"][0].estimate
    errors = trial.at_samples(20)
    assert estimate == pytest.approx((errors["optimised-mc"] / errors["owen"]).median())


def test_the_best_estimator_is_chosen_on_other_images(replication):
    maps = replication.maps["okhrati-maps"]
    assert maps.shown == 4
    means = maps.means.xs(maps.budget, level="budget")
    assert maps.best == means.iloc[:, 4:].mean(axis=1).idxmin()
    names, budgets = zip(*maps.rows, strict=True)
    assert names == ("optimised-mc", "halved-owen", maps.best)
    assert budgets[0] == 12 * D + 1
    assert budgets[1] == budgets[2] == maps.budget


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


def test_few_explicands_have_ratios_without_limits(replication):
    trial = replication.trials["okhrati-samples"]
    units = {"few": trial.at_samples(20).iloc[:3]}
    (first, *_), errors = joint_ratios(units, CONTRASTS, 0.05)["few"], units["few"]
    assert first.estimate == pytest.approx((errors["optimised-mc"] / errors["owen"]).median())
    assert np.isnan(first.low)


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
    for place, picture in enumerate(drawn):
        parts = shown(picture).items()
        recorded.compare("notebooks", {f"okhrati_lipani_2021/{place}/{k}": p for k, p in parts})
        picture.canvas.draw()
        plt.close(picture)


def test_values_and_tables_are_those_on_record(replication):
    texts = {"values/okhrati": list(tables.values(replication).items())}
    texts |= {f"tables/{k}": t.splitlines() for k, t in tables.tables(replication).items()}
    recorded.compare("papers", texts)


def test_missing_experiments_are_named(tmp_path):
    findings = Findings(tmp_path, own_study("a"), "config/published")
    with pytest.raises(MissingExperiment, match="okhrati_lipani_2021 and role: samples"):
        load(findings)
