"""Evaluations to a relative error, beside a computation of its own, and the figure of them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from shapaudit_audit.report.advice import NETWORK, TREE
from shapaudit_audit.report.reach import reaches, relative_errors, sampled
from shapaudit_audit.report.tasks import Task, TaskComparison
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_papers.chen_covert_lundberg_lee_2023.figures.evaluations import (
    ACCENT,
    evaluations_figure,
)

BUDGETS = (50, 200, 800)
SPECS = {
    name: EstimatorBlock(label=label, estimator=estimator)
    for name, label, estimator in (
        ("auto", "Auto", "auto"),
        ("paired-kernel-shap", "Paired KernelSHAP", "paired-kernel-shap"),
        ("antithetic-mc", "Antithetic", "antithetic-monte-carlo"),
    )
}


def task(factors, name="t", games=21, seed=0, kind=NETWORK):
    """Relative errors factor * noise / sqrt(evaluations), on games of very different scales."""
    rng = np.random.default_rng(seed)
    noise, norms = np.exp(0.3 * rng.normal(size=games)), np.exp(3 * rng.normal(size=games))
    rows = {
        (method, n): factor * noise * norms / n**0.5
        for method, factor in factors.items()
        for n in BUDGETS
    }
    index = pd.MultiIndex.from_tuples(rows, names=["estimator", "budget"])
    means = pd.DataFrame(list(rows.values()), index=index).sort_index()
    # The truth is known for more games than an experiment plays.
    same = {"norms": pd.Series([*norms, 1.0, 2.0]), "kind": kind}
    return Task(name, name, 20, 1, "paired-kernel-shap", 1.0, means, **same), noise


def compared(*tasks):
    return [TaskComparison({each.name: each for each in tasks}, SPECS, 0.05)]


def test_the_number_is_where_the_relative_error_is_reached():
    one, noise = task({"auto": 0.5, "paired-kernel-shap": 1.0})
    first, second = reaches(compared(one), [one])
    assert [first.estimator, second.estimator] == ["auto", "paired-kernel-shap"]
    assert first.games == len(noise)
    # factor * noise / sqrt(n) = 0.05, and no less than the first budget counts.
    assert first.median == pytest.approx(np.median(np.maximum((0.5 * noise / 0.05) ** 2, 50)))
    assert second.median == pytest.approx(np.median((1.0 * noise / 0.05) ** 2))
    assert first.low < first.median < first.high < second.high


def test_bounds_are_told_as_such():
    one, _ = task({"auto": 0.01, "paired-kernel-shap": 50.0})
    first, last = reaches(compared(one), [one])
    assert (first.told, last.told) == ("under 50", "over 800")


def test_methods_that_miss_a_game_are_left_out_and_slow_ones_count_up_to_their_last_budget():
    one, _ = task({"auto": 0.5, "paired-kernel-shap": 1.0, "antithetic-mc": 50.0})
    gaps = one.means.copy()
    gaps.loc[("auto", 800), 3] = np.nan
    gaps = gaps.drop(("antithetic-mc", 800))
    first, second = reaches(compared(one), [replace(one, means=gaps)])
    assert [first.estimator, second.estimator] == ["paired-kernel-shap", "antithetic-mc"]
    assert second.told == "over 200"


def test_a_task_without_norms_is_named():
    blank = replace(task({"auto": 0.5}, "blank")[0], norms=None)
    with pytest.raises(ValueError, match="task 'blank' are not known"):
        relative_errors(blank, "auto")


def test_trees_and_games_without_norms_are_no_sampled_tasks():
    network, _ = task({"auto": 0.5}, "network")
    trees, _ = task({"auto": 0.5}, "trees", kind=TREE)
    blank = replace(task({"auto": 0.5}, "blank")[0], norms=None)
    assert sampled(compared(network, trees, blank)) == [network]


def test_the_figure_has_a_dot_per_method_and_ours_in_colour():
    one, _ = task({"auto": 0.5, "paired-kernel-shap": 1.0, "antithetic-mc": 50.0})
    (ax,) = evaluations_figure(compared(one)).axes
    names = [tick.get_text() for tick in ax.get_yticklabels()]
    assert names == ["Auto (ours)", "Paired KernelSHAP", "PermutationExplainer of shap"]
    coloured = [line.get_color() == ACCENT for line in ax.lines]
    assert coloured == [True, True, False, False, False, False]
    rows = reaches(compared(one), [one])
    assert [text.get_text() for text in ax.texts] == [row.told for row in rows]
    assert ax.lines[1].get_xdata()[0] == pytest.approx(rows[0].median)
    assert ax.lines[-1].get_marker() == ">"


def test_a_study_of_trees_alone_has_a_figure_that_says_so():
    trees, _ = task({"auto": 0.5}, "trees", kind=TREE)
    (ax,) = evaluations_figure(compared(trees)).axes
    assert "No method" in ax.texts[0].get_text()
