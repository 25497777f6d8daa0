"""The table of estimators and the choices of a site, in made-up comparisons."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from small_site import SPECS, own_comparison, own_pages

from shapaudit.estimators import AntitheticMonteCarlo, OptimisedMonteCarlo
from shapaudit_audit.report.site.comparison import choices, estimators, reference
from shapaudit_audit.report.site.rows import HEAD, rows, table
from shapaudit_audit.report.tasks import TaskComparison


def shown(compared):
    """Estimators with what the table shows of their errors."""
    return [(row["label"], row["shown"]) for row in rows([compared])]


def test_a_task_without_any_error_says_that_all_estimators_are_exact():
    compared = own_comparison({(name, 50): 0.0 for name in SPECS})
    (choice,) = choices(compared)
    assert choice["best"] == "all estimators are exact"
    assert choice["others"] == ["Reference", "A", "B"]
    assert sorted(shown(compared)) == [("A", "exact"), ("B", "exact"), ("Reference", "exact")]
    page = own_pages(compared)["estimators.html"]
    assert page.count("exact on every explicand") == 3
    assert "<strong>all estimators are exact</strong>" in page
    assert 'class="bar"' not in page


def test_an_exact_estimator_is_the_best_and_comes_first():
    compared = own_comparison({("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5, ("b", 50): 0.0})
    (choice,) = choices(compared)
    assert (choice["best"], choice["ratio"], choice["others"]) == ("B (exact)", "0", [])
    assert shown(compared) == [("B", "exact"), ("A", "0.500"), ("Reference", "1")]


def test_rows_have_the_regret_and_what_their_estimators_promise():
    compared = own_comparison({("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5, ("b", 50): 0.25})
    regrets = {row["label"]: row["regret"]["value"] for row in rows([compared])}
    assert regrets == pytest.approx({"B": 1, "A": 2, "Reference": 4})
    promised = {row["label"]: (row["family"], row["unbiased"]) for row in rows([compared])}
    assert promised["A"] == (OptimisedMonteCarlo.card.family, True)
    assert promised["Reference"] == ("least squares", False)
    cards = {
        comparison["label"]: comparison["card"] for comparison in estimators([compared, compared])
    }
    assert list(cards) == ["Reference", "A", "B"]
    assert cards["B"] == AntitheticMonteCarlo.card


def test_error_bars_are_those_that_were_given_on_any_task():
    compared = own_comparison({("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5, ("b", 50): 0.2})
    task = replace(compared.tasks["t"], with_errors=frozenset({"a"}))
    marked = rows([TaskComparison({"t": task}, SPECS, 0.05)])
    assert [row["label"] for row in marked if row["errors"]] == ["A"]


def test_who_did_not_run_is_last_with_the_reason():
    compared = own_comparison({("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5, ("b", 4): 0.5})
    small, large = ([row for row in rows([compared]) if row["budget"] == b] for b in (4, 50))
    assert [row["label"] for row in large] == ["A", "Reference", "B"]
    assert large[-1]["remark"] == "did not run: not in this study"
    assert large[-1]["verdict"] == "absent"
    (alone,) = [row for row in small if row["label"] == "B"]
    assert alone["remark"] == "the reference did not run"


def test_estimators_are_listed_where_their_reference_is_exact():
    compared = own_comparison({("paired-kernel-shap", 50): 0.0, ("a", 50): 0.5, ("b", 50): 0.0})
    (choice,) = choices(compared)
    assert (choice["best"], choice["others"]) == ("Reference (exact)", ["B"])
    assert [row["label"] for row in rows([compared])] == ["Reference", "B", "A"]
    assert own_pages(compared)["estimators.html"].count('<tr class="ratio worse"') == 1


def test_a_budget_that_is_too_small_for_the_reference_is_not_compared():
    errors = {("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5, ("a", 4): 0.9}
    small, large = choices(own_comparison(errors))
    assert small["best"] == "no comparison: Reference needs more evaluations"
    assert large["best"] == "A"


def test_a_task_with_one_estimator_names_it():
    compared = own_comparison({("paired-kernel-shap", 50): 1.0})
    (choice,) = choices(compared)
    assert (choice["best"], choice["ratio"], choice["others"]) == ("Reference", "1", [])
    assert "has the least" not in own_pages(compared)["index.html"]


def test_tasks_may_have_references_of_their_own():
    alone = own_comparison({("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5})
    task = alone.tasks["t"]
    other = replace(task, name="u", label="Other", reference="a")
    compared = TaskComparison({"t": task, "u": other}, SPECS, 0.05)
    told = {(row["task"], row["label"]): row["shown"] for row in rows([compared])}
    assert (told["t", "A"], told["u", "Reference"]) == ("0.500", "2")
    assert reference(compared) == "the reference of its task (Reference on The task; A on Other)"
    assert reference(compared) in own_pages(compared)["estimators.html"]


def test_the_table_to_download_has_six_digits():
    listed = rows([own_comparison({("paired-kernel-shap", 50): 1.0, ("a", 50): 1 / 3})])
    head, *lines = csv.reader(io.StringIO(table(listed)))
    assert tuple(head) == HEAD
    lines = [dict(zip(head, line, strict=True)) for line in lines]
    assert [line["estimator"] for line in lines] == ["A", "Reference"]
    assert lines[0]["ratio"] == "0.333333"
    assert (lines[0]["unbiased"], lines[1]["unbiased"]) == ("yes", "no")
    assert np.isfinite(float(lines[0]["ratio_low"]))
