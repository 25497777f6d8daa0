"""The page of a study: what it says, and how it says it."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from synthetic import ROOT, study, write_results

from shapaudit.estimators import AntitheticMonteCarlo, OptimisedMonteCarlo
from shapaudit.papers import PAPERS, registry
from shapaudit.report.findings import Findings
from shapaudit.report.left_out import left_out
from shapaudit.report.site import content, render
from shapaudit.report.site.comparison import choices, ratios
from shapaudit.report.site.models import WARNING, scored
from shapaudit.report.site.text import mathematics, number
from shapaudit.report.tasks import Comparison, Task, compare_tasks
from shapaudit.study.layout import compared, models_of
from shapaudit.study.reading import load_scores

VOID = {"meta", "input", "img"}


class Balance(HTMLParser):
    """Follows the open elements; closing another one than the last is an error."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def made_up(tmp_path_factory):
    """A study with made-up results, its audit, and its page with one figure."""
    folder = tmp_path_factory.mktemp("site")
    config = study("smoke")
    results = write_results(folder, config)
    found = Findings(results, config, ROOT / "config" / "published")
    figure = folder / "audit" / "verdicts.svg"
    figure.parent.mkdir()
    figure.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    figure.with_suffix(".rst").write_text("Verdicts on the claims.\n", encoding="utf-8")
    tasks = compare_tasks(found, compared(config))
    claims = content.papers(found.audit, PAPERS, registry(), found.verified)
    counts = content.counts(found.audit, PAPERS)
    models = scored(config, load_scores(results, models_of(config, compared(config))))
    page = render(config, found.provenance, tasks, claims, counts, [figure], models)
    return {"study": config, "audit": found.audit, "tasks": tasks, "page": page}


def test_every_claim_is_there_with_its_verdict_and_what_decided_it(made_up):
    for claim in made_up["audit"]["claims"]:
        head = rf'<details class="claim {claim["consequence"]}" id="{claim["id"]}"'
        assert head in made_up["page"]
    for path in re.findall(r"Decided by <code>(.*?)</code>", made_up["page"]):
        assert (ROOT / path).exists()


def test_the_tasks_are_those_of_a_role_or_all_of_ones_own(made_up):
    assert list(made_up["tasks"].tasks) == ["chen-diabetes", "many-cancer"]
    mine = {"a": {"game": "g"}, "b": {"game": "g"}}
    assert compared({"experiments": mine}) == mine


def test_the_models_of_the_tasks_are_there_with_their_scores(made_up):
    section = made_up["page"].partition('<section id="models">')[2].partition("</section>")[0]
    assert section.count("<tr><td>") == 2
    assert "<td>R² 0.500, RMSE 1.50</td>" in section
    assert WARNING not in section


@pytest.mark.parametrize(
    ("content", "shown", "warned"),
    [
        ({"score": {"r2": -0.61}, "remark": ""}, "R² -0.610", True),
        ({"score": {"r2": 0.0}, "remark": ""}, "R² 0", False),
        ({"score": {"accuracy": 0.4, "log_loss": 1.25}}, "accuracy 0.400, log loss 1.25", False),
        ({"score": {}, "remark": "all 9 values are equal"}, "none: all 9 values are equal", False),
    ],
)
def test_a_score_below_zero_is_warned_of_and_none_is_explained(content, shown, warned):
    study = {"models": {"mine": {"dataset": "d", "trainer": "t"}, "other": {}}}
    (one,) = scored(study, {"mine": {"test_rows": 9, **content}})
    assert (one["name"], one["score"], one["rows"]) == ("mine", shown, "9")
    assert bool(one["warning"]) == warned


def test_every_comparison_is_there(made_up):
    page, tasks = made_up["page"], made_up["tasks"]
    assert page.count('<tr class="ratio ') == len(tasks.ratios) > 0
    for task in tasks.tasks.values():
        assert task.label in page


def test_who_did_not_run_in_a_cell_is_named_there(made_up):
    page = made_up["page"].partition("Did not run")[2].partition("</table>")[0]
    assert page.count("<tr><td>") == sum(len(t.budgets) for t in made_up["tasks"].tasks.values())
    told = left_out(made_up["tasks"])
    assert len(told)
    assert all(f"({row.reason})" in page for row in told.itertuples())


def test_the_page_is_balanced_and_needs_nothing_else(made_up):
    parser = Balance()
    parser.feed(made_up["page"])
    assert parser.open == []
    assert not re.search(r'(?:src|href)="(?!#|data:)', made_up["page"])
    assert "$" not in re.sub(r"<script>.*</script>", "", made_up["page"], flags=re.S)


def test_figures_and_captions_are_in_the_page(made_up):
    assert made_up["page"].count('src="data:image/svg+xml;base64,') == 1
    assert "Verdicts on the claims" in made_up["page"]


def test_formulas_become_mathematics_and_the_rest_is_escaped():
    text = mathematics(r"if $a<\frac{1}{2}$ & <b>")
    assert "<mfrac>" in text
    assert text.endswith("&amp; &lt;b&gt;")
    assert "$" not in text
    assert mathematics("below 1e-06 & 9.93e+23") == (
        "below 10<sup>−6</sup> &amp; 9.93 × 10<sup>23</sup>"
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1234567, "1,234,567"),
        (0.123456, "0.123"),
        (12.0, "12"),
        (123.4, "123"),
        (5.6e-7, "5.60e-07"),
        (1e15 - 1, "999,999,999,999,999"),
        (1e15, "1.00e+15"),
        (10**15, "1,000,000,000,000,000"),
        (float("nan"), "–"),
        (None, "–"),
        ("1/3", "1/3"),
    ],
)
def test_numbers_have_few_digits(value, shown):
    assert number(value) == shown


SPECS = {
    "paired-kernel-shap": {"label": "Reference", "estimator": "paired-kernel-shap"},
    "a": {"label": "A", "estimator": "optimised-monte-carlo"},
    "b": {"label": "B", "estimator": "antithetic-monte-carlo"},
}


def own_study(errors):
    """A comparison over one task with mean errors by (estimator, budget), the same for 12 pairs."""
    index = pd.MultiIndex.from_tuples(errors, names=["estimator", "budget"])
    spread = 1 + np.arange(12) / 100
    means = pd.DataFrame([value * spread for value in errors.values()], index=index)
    task = Task("t", "The task", 3, 2, "paired-kernel-shap", 3.0, means)
    return Comparison({"t": task}, SPECS, 0.05)


def page_of(compared):
    """The page of a study of one's own."""
    config = {"study": "mine", "seed": 1, "results": "results/mine", "claims": {"alpha": 0.05}}
    return render(config, {"git": {"commit": None}}, compared)


def test_a_task_without_any_error_says_that_all_estimators_are_exact():
    found = own_study({(name, 50): 0.0 for name in SPECS})
    (choice,) = choices(found)
    assert choice["best"] == "all estimators are exact here"
    assert choice["others"] == ["Reference", "A", "B"]
    assert [(row["label"], row["shown"]) for row in ratios(found)] == [
        ("Reference", "exact"),
        ("A", "exact"),
        ("B", "exact"),
    ]
    page = page_of(found)
    assert page.count("no error on any pair") == 3
    assert "<strong>all estimators are exact here</strong>" in page
    assert 'class="bar"' not in page


def test_an_exact_estimator_is_the_best_and_comes_first():
    found = own_study({("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5, ("b", 50): 0.0})
    (choice,) = choices(found)
    assert (choice["best"], choice["ratio"], choice["others"]) == ("B (exact)", "0", [])
    assert [(row["label"], row["shown"]) for row in ratios(found)] == [
        ("B", "exact"),
        ("A", "0.500"),
    ]


def test_rows_of_ratios_define_their_estimators_by_the_cards():
    found = own_study({("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5, ("b", 50): 0.0})
    rows = {row["label"]: (row["family"], row["definition"]) for row in ratios(found)}
    cards = {"A": OptimisedMonteCarlo.card, "B": AntitheticMonteCarlo.card}
    assert rows == {label: (card.family, card.definition) for label, card in cards.items()}


def test_estimators_are_listed_where_their_reference_is_exact():
    found = own_study({("paired-kernel-shap", 50): 0.0, ("a", 50): 0.5, ("b", 50): 0.0})
    (choice,) = choices(found)
    assert (choice["best"], choice["others"]) == ("Reference (exact)", ["B"])
    assert [row["label"] for row in ratios(found)] == ["Reference", "B", "A"]
    assert page_of(found).count('<tr class="ratio worse"') == 1


def test_a_budget_that_is_too_small_for_the_reference_is_not_compared():
    errors = {("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5, ("a", 4): 0.9}
    small, large = choices(own_study(errors))
    assert small["best"] == "not compared: Reference needs more evaluations"
    assert large["best"] == "A"


def test_a_task_with_one_estimator_names_it():
    (choice,) = choices(own_study({("paired-kernel-shap", 50): 1.0}))
    assert (choice["best"], choice["ratio"], choice["others"]) == ("Reference", "1", [])


def test_tasks_may_have_references_of_their_own():
    one = own_study({("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5})
    task = one.tasks["t"]
    other = replace(task, name="u", label="Other", reference="a")
    found = Comparison({"t": task, "u": other}, SPECS, 0.05)
    shown = {(row["task"], row["label"]): row["shown"] for row in ratios(found)}
    assert shown == {("t", "A"): "0.500", ("u", "Reference"): "2"}
    page = page_of(found)
    assert "the reference of its task (Reference on The task; A on Other)" in page
