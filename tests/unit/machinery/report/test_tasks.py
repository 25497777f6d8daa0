"""Comparisons of estimators over the explicands of tasks."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from msgspec.structs import replace
from synthetic import estimates, task

from shapaudit.statistics.limits import UNBOUNDED
from shapaudit.statistics.summaries import explicand_means
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.left_out import left_out
from shapaudit_audit.report.tasks import (
    ERROR_ROUNDING,
    Task,
    TaskComparison,
    compare_tasks,
    compare_typically,
)
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_audit.study.reading import load_truth
from shapaudit_audit.study.results import write_table


def at(frame, **keys):
    for key, value in keys.items():
        frame = frame[frame[key] == value]
    (row,) = frame.to_dict("records")
    return row


def test_the_reference_is_the_first_estimator_unless_an_experiment_names_one(made_up):
    study, findings = made_up["study"], made_up["findings"]
    name, block = next(iter(study.compared().items()))
    first, other, *_ = block.estimators
    for named, reference in ((None, first), (other, other)):
        experiment = replace(block, reference=named)
        tasks = compare_tasks(findings, {name: experiment})
        assert tasks.reference == reference
        assert set(tasks.ratios["b"]) == {reference}
        assert reference not in set(tasks.ratios["a"])
        assert tasks.ranking[reference] == 1.0


def test_a_task_is_what_its_tables_say(made_up, tmp_path):
    """With one value that is 0 on two explicands of six, and nine of ten on the others."""
    study, truth = made_up["study"], load_truth(made_up["results"], "chen-diabetes")
    zero = (
        (truth["explicand"] < 2)
        | (truth["player"] == 0)
        | (truth["player"] + truth["explicand"] == 6)
    )
    values = truth["value"].to_numpy() * np.where(zero & (truth["player"] < 9), 0.0, 1.0)
    (tmp_path / "truth").mkdir()
    write_table(truth.assign(value=values), tmp_path / "truth" / "chen-diabetes.parquet", "truth")
    (tmp_path / "estimates").symlink_to(made_up["results"] / "estimates")
    findings = Findings(tmp_path, study, made_up["findings"].published)
    tasks = compare_tasks(findings, {"chen-diabetes": study.experiments["chen-diabetes"]})
    made, rows = tasks.tasks["chen-diabetes"], values.reshape(6, 10)
    assert made.active == np.median((rows != 0).sum(axis=1)) == 8
    assert made.scale == pytest.approx(np.linalg.norm(rows, axis=1).mean())
    assert (made.players, made.label) == (10, study.games["chen-diabetes"].label)
    assert list(made.means.columns) == [1, 2, 3, 4, 5]  # the first explicand was picked by hand


def test_tasks_with_several_references_have_no_common_one():
    tasks = {name: task(name, reference=name) for name in ("me", "svarm")}
    comparison = TaskComparison(tasks, {}, 0.05)
    assert comparison.ratios.groupby("task")["b"].unique().explode().to_dict() == {
        "me": "me",
        "svarm": "svarm",
    }
    with pytest.raises(ValueError, match="several references: me, svarm"):
        comparison.ranking.sum()


def test_ratios_are_those_of_a_typical_explicand_within_their_limits(small):
    row = at(small.ratios, task="chen-zeros", budget=1000, a="leverage-shap")
    units = small.tasks["chen-zeros"].units(1000)
    ratios = units["leverage-shap"] / units["paired-kernel-shap"]
    assert row["ratio"] == pytest.approx(ratios.median())
    assert row["low"] < row["ratio"] < row["high"] < 1
    undecided = at(small.ratios, task="chen-zeros", budget=1000, a="me")
    assert undecided["low"] < 1 < undecided["high"]


def test_limits_of_all_ratios_are_wider_than_those_of_one(small):
    alone = compare_typically(
        small.tasks, {("chen-zeros", 1000): [("me", "paired-kernel-shap")]}, 0.05
    ).iloc[0]
    together = at(small.ratios, task="chen-zeros", budget=1000, a="me")
    assert together["low"] < alone["low"] < alone["high"] < together["high"]


def test_few_explicands_have_ratios_without_limits(small):
    few = TaskComparison({"chen-zeros": task("chen-zeros", explicands=5)}, small.specs, 0.05)
    assert few.ratios["ratio"].notna().all()
    assert few.ratios["low"].isna().all()
    assert few.regret_ranking.loc["leverage-shap", "sure"] == 0
    assert few.regret_ranking["high"].isna().all()


def test_the_best_is_chosen_and_what_errs_more_than_the_margin_is_not_near(small):
    for row in small.choices.itertuples():
        assert row.best == "leverage-shap"
        assert row.others == ()
    assert small.near.to_dict() == {"leverage-shap": len(small.choices)}


def test_two_estimators_are_compared_with_each_other_not_by_way_of_the_reference():
    rng = np.random.default_rng(0)
    hard, other = rng.lognormal(sigma=1.5, size=(2, 16))  # difficulties of the explicands
    errors = {"paired-kernel-shap": other, "me": hard, "svarm": 1.3 * hard}
    index = pd.MultiIndex.from_product([errors, [100]], names=["estimator", "budget"])
    frame = pd.DataFrame(rng.uniform(0.99, 1.01, (3, 16)) * [*errors.values()], index=index)
    same = {"name": "t", "label": "t", "players": 10, "repetitions": 2, "active": 4.0}
    same["reference"] = "paired-kernel-shap"
    comparison = TaskComparison({"t": Task(**same, means=frame)}, {}, 0.05)
    assert at(comparison.ratios, a="svarm")["low"] < at(comparison.ratios, a="me")["high"]
    (row,) = comparison.regrets.query("a == 'svarm'").to_dict("records")
    assert row["b"] == "me"
    assert 1 < row["low"] < 1.3 < row["high"] * 1.02


def test_every_estimator_of_a_cell_has_one_regret(small):
    regrets = small.regrets
    assert regrets.index.is_unique
    for (name, budget), cell in regrets.groupby(["task", "budget"]):
        units = small.tasks[name].units(budget)
        assert sorted(cell["a"]) == sorted(units.columns)
        (best,) = cell["b"].unique()
        for row in cell.itertuples():
            expected = (units[row.a] / units[best]).median()
            assert row.ratio == pytest.approx(expected)
            assert row.low <= row.ratio <= row.high
        assert (cell["ratio"] >= 1).all()


def test_the_reference_can_be_the_best():
    scales = {"paired-kernel-shap": 1.0, "me": 1.001, "svarm": 6.0}
    tasks = {"chen-zeros": task("chen-zeros", scales)}
    comparison = TaskComparison(tasks, {}, 0.05)
    row = comparison.choices.iloc[-1]
    assert {row["best"], *row["others"]} == {"paired-kernel-shap", "me"}
    assert comparison.ranking["paired-kernel-shap"] == 1.0


def test_ranking_is_over_the_tasks_that_all_ran(small):
    tasks = {**small.tasks, "chen-survey": task("chen-survey", {"paired-kernel-shap": 1, "me": 2})}
    comparison = TaskComparison(tasks, small.specs, 0.05)
    assert set(comparison.ranking.index) == {"paired-kernel-shap", "me"}
    assert small.ranking.idxmin() == "leverage-shap"
    assert small.ranking.is_monotonic_increasing


def test_an_estimator_that_does_not_err_has_no_ratio():
    frame = estimates({"paired-kernel-shap": 1.0, "leverage-shap": 0.0}, explicands=12)
    same = {"name": "t", "label": "t", "players": 10, "repetitions": 2, "active": 1.0}
    same["reference"] = "paired-kernel-shap"
    exact = Task(**same, means=explicand_means(frame))
    assert TaskComparison({"t": exact}, {}, 0.05).ratios.empty


EXACT = {"paired-kernel-shap": 1.0, "me": 2.0, "leverage-shap": 0.0, "svarm": 1e-14}


def test_an_exact_estimator_is_the_best_and_its_equals_are_as_good():
    some = dataclasses.replace(task("some", EXACT), scale=1.0)
    comparison = TaskComparison({"some": some}, {}, 0.05)
    assert set(some.exact(1000)) == {"leverage-shap", "svarm"}
    regrets = comparison.regrets.query("budget == 1000").set_index("a")
    assert set(regrets["b"]) == {"leverage-shap"}
    assert (regrets.loc[["leverage-shap", "svarm"], ["ratio", "low", "high"]] == 1).all(axis=None)
    errors = some.units(1000) / ERROR_ROUNDING
    for name in ("paired-kernel-shap", "me"):
        assert regrets.loc[name, "ratio"] == pytest.approx(errors[name].median())
        assert regrets.loc[name, "low"] > 1e6
    choice = at(comparison.choices, budget=1000)
    assert (choice["best"], choice["others"]) == ("leverage-shap", ("svarm",))
    turned = 1 / regrets.loc["paired-kernel-shap", ["ratio", "high", "low"]].to_numpy(dtype=float)
    assert [choice[key] for key in ("ratio", "low", "high")] == pytest.approx([*turned])
    assert comparison.near.to_dict() == {"leverage-shap": 2, "svarm": 2}
    assert {*comparison.regret_ranking.index[:2]} == {"leverage-shap", "svarm"}


def test_an_exact_reference_is_the_best_and_hides_nobody():
    some = task("some", {"paired-kernel-shap": 0.0, "me": 2.0}, explicands=5)
    comparison = TaskComparison({"some": some}, {}, 0.05)
    choice = at(comparison.choices, budget=1000)
    assert (choice["best"], choice["ratio"]) == ("paired-kernel-shap", 1.0)
    worse = at(comparison.regrets, budget=1000, a="me")
    assert worse["ratio"] > 1e6
    assert np.isnan(worse["low"])
    assert comparison.near.to_dict() == {"paired-kernel-shap": 2}


def test_an_exact_best_among_few_explicands_has_no_limits():
    some = task("some", {"paired-kernel-shap": 1.0, "me": 0.0}, explicands=11)
    rest = {f"task-{k}": task(f"task-{k}", explicands=11, seed=k) for k in range(20)}
    comparison = TaskComparison({"some": some} | rest, {}, 0.05)
    choice = at(comparison.choices, task="some", budget=1000)
    assert (choice["low"], choice["high"]) == (0.0, UNBOUNDED)
    assert choice["ratio"] < 1e-100


def test_an_estimator_without_estimates_did_not_run_and_is_not_exact():
    some = task("some", {"paired-kernel-shap": 1.0, "me": 2.0})
    some.means.loc[("me", 1000)] = np.nan
    assert some.exact(1000) == []
    assert list(some.errors(1000)) == ["paired-kernel-shap"]
    of = {"paired-kernel-shap": "paired-kernel-shap", "me": "random-order"}
    specs = {name: EstimatorBlock(label=name, estimator=key) for name, key in of.items()}
    missing = left_out(TaskComparison({"some": some}, specs, 0.05))
    assert missing[["budget", "estimator"]].to_numpy().tolist() == [[1000, "me"]]


def test_what_errs_by_rounding_only_is_not_compared():
    exact = task(scales={"paired-kernel-shap": 1e-13, "leverage-shap": 1.0})
    assert set(exact.units(1000).columns) == {"paired-kernel-shap", "leverage-shap"}
    scaled = dataclasses.replace(exact, scale=10.0)
    assert set(scaled.units(1000).columns) == {"leverage-shap"}
    means = exact.means.copy()
    means.loc["leverage-shap", 1000] = [0.0, 1e-13, *np.arange(1.0, 15.0)]
    errors = dataclasses.replace(scaled, means=means).units(1000)["leverage-shap"]
    rounding = 10.0 * ERROR_ROUNDING
    assert errors.tolist() == [rounding, rounding, *np.arange(1.0, 15.0)]
