"""Evaluations saved, beside a computation of its own."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from shapaudit_audit.report.advice import TREE
from shapaudit_audit.report.overview import saved, saved_table
from shapaudit_audit.report.saved import RIVALS, TARGET, evaluations_saved, told
from shapaudit_audit.report.tasks import Task, TaskComparison
from shapaudit_audit.study.blocks.runs import EstimatorBlock

BUDGETS = (100, 500, 2000)
EXPLICANDS = 15


def task(name, factors, rates=(0.5, 0.5), players=20, seed=0):
    """Errors factor / evaluations^rate for ``auto`` and its rivals, the same for every rival."""
    rng = np.random.default_rng(seed)
    level = np.exp(rng.normal(size=EXPLICANDS))
    noise = np.exp(0.3 * rng.normal(size=EXPLICANDS))
    rows = {("auto", n): factors * noise * level / n ** rates[0] for n in BUDGETS}
    rows |= {(rival, n): level / n ** rates[1] for rival in RIVALS for n in BUDGETS}
    index = pd.MultiIndex.from_tuples(rows, names=["estimator", "budget"])
    means = pd.DataFrame(list(rows.values()), index=index).sort_index()
    return Task(name, name, players, 1, "paired-kernel-shap", 1.0, means), noise


def made(*tasks):
    specs = {"auto": EstimatorBlock(label="Auto", estimator="auto")}
    return [TaskComparison({each.name: each for each in tasks}, specs, 0.05)]


def test_the_number_is_where_the_curves_cross():
    crossing, noise = task("t", 0.4)
    rows = [row for row in evaluations_saved(made(crossing)) if row.task == "t"]
    # factor / n^0.5 = 1 / 2000^0.5; no less than the first budget counts.
    expected = np.median(np.maximum(TARGET * (0.4 * noise) ** 2, BUDGETS[0]))
    assert [row.rival for row in rows] == [*RIVALS]
    for row in rows:
        assert row.games == EXPLICANDS
        assert row.median == pytest.approx(expected)
        assert row.low < row.median < row.high


def test_bounds_are_told_as_such():
    easy, hard = task("easy", 0.01)[0], task("hard", 100.0)[0]
    (first, *_), (last, *_) = (evaluations_saved(made(side)) for side in (easy, hard))
    assert told(first) == "≤ 100"
    assert told(last) == "over 2,000"


def test_numbers_up_to_a_bound_of_any_task_are_bounds():
    """Half of the games err less at their smallest budget, which for one task is 500."""
    easy, other = task("easy", 0.01)[0], task("other", 0.45, seed=1)[0]
    late = Task("late", "late", 20, 1, "paired-kernel-shap", 1.0, easy.means.drop(100, level=1))
    rows = evaluations_saved(made(late, other))
    alone = next(row for row in rows if row.task == "other")
    together = next(row for row in rows if row.task == "")
    assert told(alone)[0] != "≤"
    assert 100 < together.median <= 500 == together.least
    assert told(together).startswith(f"≤ {together.median:,.0f}")


def test_limits_cover_the_median_of_many_games():
    """Of samples from a law whose median is known, about 95 % have limits around it."""
    covered = []
    for seed in range(120):
        single, _ = task("t", 0.5, seed=seed)
        row = evaluations_saved(made(single))[0]
        covered.append(row.low <= TARGET * 0.25 <= row.high)
    assert 0.88 <= np.mean(covered) <= 0.995


def test_numbers_do_not_depend_on_the_order_of_the_tasks():
    """The README, the report and the site give the tasks in different orders."""
    tasks = [task(f"t{k}", 0.3 + 0.1 * k, seed=k)[0] for k in range(4)]
    first, other = (set(evaluations_saved(made(*order))) for order in (tasks, tasks[::-1]))
    assert first == other
    assert any(row.low < row.median < row.high for row in first if row.task == "")


def test_all_tasks_together_are_the_last_row_of_the_table():
    first, other = task("one", 0.4)[0], task("other", 0.6, seed=1)[0]
    rows = evaluations_saved(made(first, other))
    together = next(row for row in rows if row.task == "")
    assert together.games == 2 * EXPLICANDS
    lines = saved_table(saved(made(first, other))).splitlines()
    assert len(lines) == 5
    assert lines[0].startswith("| Evaluations that Auto needs to reach the error, with 2,000")
    assert lines[-1].startswith(f"| **models other than trees** ({2 * EXPLICANDS} explicands) | ")
    assert told(together) in lines[-1]
    record = saved(made(first, other))
    for row in record["rows"]:
        row["task"] = row["task"].replace("models other than trees", "")
    assert saved_table(record).splitlines()[-1] == lines[-1].replace(
        "models other than trees", "all together"
    )


def test_trees_need_no_sampling_and_are_not_counted_together():
    tasks = [task(name, share)[0] for name, share in (("one", 0.4), ("other", 0.6), ("trees", 0.2))]
    tasks[2] = replace(tasks[2], kind=TREE)
    rows = evaluations_saved(made(*tasks))
    without = evaluations_saved(made(*tasks[:2]))
    together, expected = ({row for row in some if row.task == ""} for some in (rows, without))
    assert together == expected != set()
    assert {row.task for row in rows} == {"", "one", "other", "trees"}
    alone = evaluations_saved(made(*(replace(each, kind=TREE) for each in tasks[:2])))
    assert {row.task for row in alone} == {"one", "other"}


def test_tasks_without_the_target_or_the_estimator_are_not_there():
    single, _ = task("t", 0.4)
    gone = single.means.drop(("auto", TARGET))
    assert not evaluations_saved(made(Task("t", "t", 20, 1, "paired-kernel-shap", 1.0, gone)))
