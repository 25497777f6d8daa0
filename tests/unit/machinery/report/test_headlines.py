"""The sentences that end a run."""

from types import SimpleNamespace

from small_site import own_comparison
from synthetic import small_audit

from shapaudit_audit.report import headlines


def overview(cells=4):
    regret = [{"estimator": "Auto", "near": 3}, {"estimator": "Other", "near": 0}]
    best = [
        {"task": "Flats", "evaluations": 1200, "estimator": "Auto", "others": 2},
        {"task": "Cars", "evaluations": 300, "estimator": "Other", "others": 0},
    ]
    return {"margin": 1.1, "estimators": 5, "cells": cells, "regret": regret, "best": best}


def told(monkeypatch, audit=None, cells=4, elsewhere=None):
    monkeypatch.setattr(headlines, "overview", lambda _: overview(cells))
    monkeypatch.setattr(headlines, "evaluations_saved", lambda _: [])
    monkeypatch.setattr(headlines, "further", lambda *_: elsewhere)
    return headlines.findings([None], audit)


def test_a_study_without_audit_says_who_is_best_on_its_tasks(monkeypatch):
    assert told(monkeypatch) == [
        "Of 5 estimators, Auto has the least regret: its error is within 10% of the smallest in 3 "
        "of 4 combinations of task and budget.",
        "Flats, 1,200 evaluations: Auto has the smallest error, and 2 others are within 10% of it.",
        "Cars, 300 evaluations: Other has the smallest error.",
    ]
    assert told(monkeypatch, cells=1)[0].startswith("Flats")


def test_an_exact_estimator_is_told_as_exact(monkeypatch):
    numbers = overview(1)
    for task in numbers["best"]:
        task["exact"] = True
    monkeypatch.setattr(headlines, "overview", lambda _: numbers)
    monkeypatch.setattr(headlines, "evaluations_saved", lambda _: [])
    assert headlines.findings([None], None) == [
        "Flats, 1,200 evaluations: Auto is exact, and 2 others are exact on most explicands.",
        "Cars, 300 evaluations: Other is exact.",
    ]


def test_nobody_has_the_smallest_error_where_another_is_exact():
    """The study of a reader: equal shares with few evaluations, all coalitions with many."""
    errors = {("paired-kernel-shap", 2): 1.0, ("a", 2): 90.0, ("b", 2): 1.05}
    errors |= {("paired-kernel-shap", 4): 1.0, ("a", 4): 0.0, ("b", 4): 2.0}
    first, second = headlines.findings([own_comparison(errors)], None)
    assert first == (
        "Of 3 estimators, A has the least regret: its error is within 10% of the smallest in 1 of "
        "2 combinations of task and budget."
    )
    assert second == "The task, 4 evaluations: A is exact."


def test_what_the_best_errs_on_further_tasks_follows(monkeypatch):
    elsewhere = SimpleNamespace(told="On 2 further tasks, it is better.")
    sentence = told(monkeypatch, elsewhere=elsewhere)[0]
    assert sentence.endswith("of task and budget. On 2 further tasks, it is better.")


def test_a_study_in_which_nobody_differs_says_so(monkeypatch):
    nothing = overview(0) | {"regret": [], "best": []}
    monkeypatch.setattr(headlines, "overview", lambda _: nothing)
    monkeypatch.setattr(headlines, "evaluations_saved", lambda _: [])
    assert headlines.findings([None], None) == [headlines.NOTHING]


def test_published_claims_are_counted_once_each(monkeypatch):
    kinds = ["stands", "loosely", "setting", "wrong", "stands"]
    claims = [
        {"id": f"gt20-0{k}", "paper": "grah_thouvenot_2020", "consequence": kind, "source": "paper"}
        for k, kind in enumerate(kinds)
    ]
    claims[-1]["source"] = "this project"
    sentence = told(monkeypatch, small_audit(*claims))[1]
    assert sentence == "Of 4 published claims, 2 hold, 1 holds only in its setting and 1 is wrong."
