"""Regrets by situation, who is left out of a cell and why, and what no conclusion is drawn from."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from synthetic import estimates

from shapaudit.statistics.summaries import explicand_means
from shapaudit_audit.report.further import further
from shapaudit_audit.report.left_out import left_out
from shapaudit_audit.report.overview import best_table, least_regret, overview, slow_sentence
from shapaudit_audit.report.situations import Situations
from shapaudit_audit.report.tasks import Task, TaskComparison
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_papers.chen_covert_lundberg_lee_2023.figures.situations import situations_figure

SCALES = {"paired-kernel-shap": 1.0, "leverage-shap": 0.5, "auto": 0.1}
SPECS = {
    "paired-kernel-shap": EstimatorBlock(label="Paired KernelSHAP", estimator="paired-kernel-shap"),
    "leverage-shap": EstimatorBlock(label="Leverage SHAP", estimator="stratified-least-squares"),
    "auto": EstimatorBlock(label="Auto", estimator="auto"),
    "third-order": EstimatorBlock(label="Third order", estimator="polynomial-least-squares"),
    "adjusted": EstimatorBlock(label="Adjusted trees", estimator="regression-adjusted"),
}
FEWER = 12  # explicands of the costly one


def task(name="many", players=80, scales=SCALES, budgets=(100, 1000), most=None, seed=0):
    frame = estimates(scales, budgets=budgets, explicands=20, seed=seed)
    most = most or {}
    ran = [
        budget <= most.get(estimator, budget) and (estimator not in most or explicand < FEWER)
        for estimator, budget, explicand in frame[["estimator", "budget", "explicand"]].itertuples(
            False
        )
    ]
    same = {"name": name, "label": f"{name}, d = {players}", "players": players, "repetitions": 2}
    means = explicand_means(frame[ran])
    return Task(**same, reference="paired-kernel-shap", active=4.0, means=means, most=most)


def comparison(*tasks):
    return TaskComparison({each.name: each for each in tasks}, SPECS, 0.05)


@pytest.fixture
def incomplete():
    """A task in which the best is too slow for the last budget, and one of few players."""
    few = {**SCALES, "third-order": 0.2, "adjusted": 0.3}
    return comparison(task(most={"auto": 100}), task("few", 12, few, seed=1))


def test_a_ratio_is_over_the_explicands_that_both_ran(incomplete):
    units = incomplete.tasks["many"].units(100)
    rows = incomplete.ratios.set_index(["task", "budget", "a"])
    own = (units["auto"] / units["paired-kernel-shap"]).to_numpy()[:FEWER]
    assert units["auto"].isna().sum() == 20 - FEWER
    assert rows.loc[("many", 100, "auto"), "ratio"] == pytest.approx(np.median(own))
    # The others are over all explicands, with the limits that they had without the costly one.
    alone = comparison(task(scales={k: SCALES[k] for k in list(SCALES)[:2]}))
    other = alone.ratios.set_index(["task", "budget", "a"]).loc[("many", 100, "leverage-shap")]
    assert rows.loc[("many", 100, "leverage-shap"), "ratio"] == pytest.approx(other["ratio"])


def test_no_conclusion_is_drawn_from_a_cell_that_somebody_is_too_slow_for(incomplete):
    many = incomplete.tasks["many"]
    assert [many.complete(budget) for budget in many.budgets] == [True, False]
    assert many.headline == 100
    ranked = incomplete.regret_ranking
    assert ranked.index[0] == "auto"
    assert ranked.loc["auto", "near"] == 3 == len(incomplete.completed(incomplete.choices))
    assert incomplete.near.to_dict() == {"auto": 3}


def test_a_headline_leaves_half_of_the_coalitions_unseen():
    assert task(players=10, budgets=(100, 300, 900)).headline == 300
    assert task(players=12, budgets=(100, 1000)).headline == 1000
    assert task(players=5, budgets=(100, 1000)).headline == 100


def test_who_is_left_out_is_named_with_the_reason(incomplete):
    reasons = left_out(incomplete).set_index(["task", "budget", "estimator"])["reason"]
    assert reasons["many", 1000, "auto"] == "too slow beyond 100 evaluations"
    assert "82160 interactions" in reasons["many", 1000, "third-order"]
    assert reasons["many", 100, "adjusted"] == "needs 318 evaluations"
    assert reasons["many", 1000, "adjusted"] == "not in this study"
    assert set(reasons.index.unique("task")) == {"many"}


def test_one_that_never_runs_is_too_slow_and_spoils_no_conclusion():
    few = task("few", 12, {**SCALES, "third-order": 0.2})
    never = task(players=20, most={"third-order": 0})
    reasons = left_out(comparison(never, few))
    assert set(reasons["reason"]) == {"too slow"}
    assert all(never.complete(budget) for budget in never.budgets)


def test_the_overview_says_which_cells_are_incomplete(incomplete):
    part = overview(incomplete)
    assert part["cells"] == 3
    assert [cell["evaluations"] for cell in part["best"]] == [100, 1000]
    assert slow_sentence(part) == (
        "No conclusion is drawn from many, d = 80 at 1,000 evaluations, because some estimators "
        "are too slow there for this study: Auto."
    )
    assert slow_sentence(overview(comparison(task()))) == ""


def test_situations_are_the_regrets_of_all_comparisons(incomplete):
    situations = Situations([incomplete, comparison(task("third", 30, seed=2))])
    assert situations.columns[0] == ("few", 100)
    assert [name for name, _ in situations.columns[::2]] == ["few", "third", "many"]
    for (name, budget), column in situations.table.items():
        units = next(part.tasks[name] for part in situations.comparisons if name in part.tasks)
        errors = units.units(budget)
        medians = {a: (errors[a] / errors["paired-kernel-shap"]).median() for a in errors}
        best = min(medians, key=medians.get)
        for estimator, regret in column.dropna().items():
            expected = (errors[estimator] / errors[best]).median()
            assert regret == pytest.approx(1.0 if estimator == best else expected)
    assert "adjusted" not in situations.table.index
    assert situations.table.index[0] == "auto"


def test_the_map_shows_every_regret_and_crosses_out_who_is_too_slow(incomplete):
    situations = Situations([incomplete])
    figure = situations_figure(situations)
    axes = figure.axes[0]
    texts = [text.get_text() for text in axes.texts]
    plt.close(figure)
    assert texts.count("×") == 1
    cells = situations.table.size
    assert len([text for text in texts if text]) - len(incomplete.tasks) <= cells
    estimators = [tick.get_text() for tick in axes.get_xticklabels()]
    assert estimators == [SPECS[name].label for name in situations.table.index]
    assert [tick.get_text() for tick in axes.get_yticklabels()][-2:] == ["100", "(1,000)"]
    names = [text for text in axes.texts if "\nd = " in text.get_text()]
    assert [text.get_text() for text in names] == ["few\nd = 12", "many\nd = 80"]
    assert [text.get_position()[1] for text in names] == [0.5, 2.5]


def test_an_unknown_reason_does_not_hide_anybody(incomplete):
    everyone = {name for names in incomplete.estimators.values() for name in names}
    missing = left_out(incomplete)
    for entry in incomplete.tasks.values():
        for budget in entry.budgets:
            ran = set(entry.means.xs(budget, level="budget").index)
            gone = missing[(missing["task"] == entry.name) & (missing["budget"] == budget)]
            assert ran | set(gone["estimator"]) == everyone


def test_fewer_explicands_than_ten_have_no_limits():
    short = task(most={"auto": 1000})
    means = short.means.copy()
    means.loc[("auto", 100), means.columns[5:]] = np.nan
    compared = comparison(dataclasses.replace(short, means=means))
    rows = compared.ratios.set_index(["budget", "a"])
    assert np.isnan(rows.loc[(100, "auto"), "low"])
    assert not pd.isna(rows.loc[(100, "leverage-shap"), "low"])


def test_limits_that_say_nothing_are_told_as_such():
    """Of twelve explicands no limits hold for all comparisons of many cells together."""
    scales = {f"e{k}": 1.0 + k for k in range(12)}
    specs = {name: EstimatorBlock(label=name, estimator="auto") for name in scales}
    many = {
        name: task(name, scales=scales | {"paired-kernel-shap": 3.0}, seed=k)
        for k, name in enumerate("abcdef")
    }
    few = {
        name: dataclasses.replace(entry, means=entry.means.iloc[:, :11])
        for name, entry in many.items()
    }
    compared = TaskComparison(few, SPECS | specs, 0.05)
    text = least_regret(overview(compared))
    assert "(no upper limit)" in text
    assert "(no limits)" in text
    assert "inf" not in text
    assert json.loads(json.dumps(overview(compared), allow_nan=False))


def test_budgets_at_which_all_are_exact_take_no_estimator_from_the_table():
    means = task("some", 12).means
    means.loc[means.index.get_level_values("budget") > 100] = 0.0
    third = means.loc[["auto"]].rename({1000: 2000}, level="budget").iloc[-1:]
    some = dataclasses.replace(task("some", 12), means=pd.concat([means, third]))
    situations = Situations([comparison(some)])
    assert list(situations.table.index) == ["auto", "leverage-shap", "paired-kernel-shap"]
    assert ("auto", "some", 1000) in situations.exact <= situations.ran
    assert ("leverage-shap", "some", 2000) not in situations.ran


def test_where_all_are_exact_there_is_nothing_to_compare_and_nothing_breaks():
    compared = comparison(task("exact", 12, dict.fromkeys(SCALES, 0.0)))
    assert compared.choices.empty
    assert compared.completed(compared.choices).empty
    assert list(compared.at_headline(compared.choices)["best"]) == []
    together = Situations([compared])
    assert together.table.empty
    plt.close(situations_figure(Situations([compared, comparison(task())])))


def test_the_record_names_who_is_exact_and_gives_no_digits_of_rounding_errors():
    some = task("some", 12, {**SCALES, "auto": 0.0})
    part = overview(comparison(some))
    assert [best.get("exact") for best in part["best"]] == [True]
    assert "| Auto (exact) | < 0.001 | 0 |" in best_table(part)
    told = least_regret(part)
    assert "- Auto: median 1, at most 1.00 (1.00 to 1.00)" in told
    assert "Paired KernelSHAP: median > 999, unbounded where another estimator is exact" in told
    assert all("exact" not in best for best in overview(comparison(task()))["best"])


def test_further_tasks_with_an_exact_estimator_have_no_digits_of_rounding_errors():
    elsewhere = task("other", 12, {**SCALES, "leverage-shap": 0.0})
    told = further(comparison(task()), [comparison(elsewhere)]).told
    assert "the median regret of Auto is > 999, and" in told
    assert told.endswith("evaluations, where Leverage SHAP errs least.")
