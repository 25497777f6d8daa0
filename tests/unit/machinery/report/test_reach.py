"""Evaluations to a relative error, beside a computation of its own, and the figure of them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from shapaudit_audit.report.advice import NETWORK, TREE
from shapaudit_audit.report.palette import ACCENT
from shapaudit_audit.report.reach import reaches, relative_errors, sampled
from shapaudit_audit.report.tasks import Task, TaskComparison
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_papers.chen_covert_lundberg_lee_2023.figures.by_task import (
    LOWEST,
    NAMED,
    tasks_figure,
)
from shapaudit_papers.chen_covert_lundberg_lee_2023.figures.evaluations import evaluations_figure

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


def lines_of(ax):
    return {line.get_color(): line.get_xydata() for line in ax.lines}


def test_the_curves_are_medians_of_relative_errors_by_task_trees_last():
    trees, _ = task({"auto": 0.5}, "trees", kind=TREE)
    one, noise = task({"auto": 1e-9, "antithetic-mc": 0.5, "mine": 1.0})
    blank = replace(one, name="blank", norms=None)
    figure = tasks_figure(compared(trees, one, blank))
    panels = [ax for ax in figure.axes if ax.get_visible()]
    assert [ax.get_title() for ax in panels] == ["t", "trees"]
    drawn = lines_of(panels[0])
    assert len(drawn) == 3
    expected = [100 * 0.5 * np.median(noise) / n**0.5 for n in BUDGETS]
    np.testing.assert_allclose(
        drawn[NAMED["antithetic-mc"]["color"]], np.column_stack([BUDGETS, expected])
    )
    # What is smaller than the axis shows stands at its end; others than the named are grey.
    assert (drawn[ACCENT][:, 1] == LOWEST).all()
    assert "0.8" in drawn


def test_curves_are_named_at_the_end_of_a_row_and_slow_ranges_are_hatched():
    one, _ = task({"auto": 0.5, "antithetic-mc": 0.7, "mine": 1.0})
    slow = replace(one, most={"auto": 200})
    (ax, *_) = tasks_figure(compared(slow)).axes
    assert [text.get_text() for text in ax.texts] == [
        "Auto too slow",
        "Auto (ours)",
        "PermutationExplainer of shap",
    ]
    (span,) = ax.patches
    assert (span.get_x(), span.get_x() + span.get_width()) == (200, 800)
    (ax, *_) = tasks_figure(compared(replace(one, most={"auto": 800}))).axes
    assert not ax.patches
