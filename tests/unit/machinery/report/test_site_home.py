"""The first page: the answer in a sentence, the helper's knowledge, the map of regrets."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from places import ROOT
from small_site import SPECS, own_comparison, own_pages

from shapaudit_audit.papers import PAPERS, registry
from shapaudit_audit.report.advice import LINEAR, NETWORK, OTHER, TREE, Advice, kind_of
from shapaudit_audit.report.contributions import advice
from shapaudit_audit.report.saved import evaluations_saved
from shapaudit_audit.report.site import home
from shapaudit_audit.report.site.curves import curves, median_with_limits
from shapaudit_audit.report.tasks import TaskComparison
from shapaudit_audit.study.blocks.games import ModelBlock
from shapaudit_audit.study.blocks.runs import EstimatorBlock

ERRORS = {
    **{("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5, ("b", 50): 2000.0},
    **{("paired-kernel-shap", 100): 1.0, ("a", 100): 2.0, ("b", 100): 1.05},
}


def test_the_answer_is_that_of_the_regrets():
    compared = own_comparison(ERRORS)
    told = home.answer(compared, [])
    ranked = compared.regret_ranking
    assert told["label"] == compared.label_of(ranked.index[0])
    assert (told["cells"], told["estimators"], told["always"]) == ("2", "3", False)
    page = own_pages(compared)["index.html"]
    assert f"#card-{told['name']}" in page
    assert f"{told['typical']} times" in page


def test_who_errs_least_everywhere_is_told_without_a_factor():
    page = own_pages(own_comparison({**ERRORS, ("a", 100): 0.1}))["index.html"]
    assert (
        "On the tasks on which all of them ran, it has the smallest error in all 2 combinations"
        in " ".join(page.split())
    )


def test_further_tasks_of_fewer_estimators_are_told(monkeypatch):
    compared = own_comparison({**ERRORS, ("a", 100): 0.1})
    further = own_comparison({("paired-kernel-shap", 50): 1.0, ("a", 50): 1.5}).tasks["t"]
    other = TaskComparison({"u": replace(further, name="u")}, SPECS, 0.05)
    told = home.answer(compared, [], [other])["further"]
    assert told.startswith(
        "On 1 further task, on which 2 estimators ran, the median regret of A is 1.5"
    )
    assert home.answer(compared, [])["further"] == ""
    page = own_pages(compared, earlier=other)["index.html"]
    assert told in " ".join(page.split())


def test_the_page_counts_the_games_and_those_of_models_that_are_sampled():
    compared = own_comparison(ERRORS)
    task = compared.tasks["t"]
    several = TaskComparison({"t": task, "n": replace(task, kind=NETWORK)}, SPECS, 0.05)
    told = {"tasks": "3", "rows": "36", "sampled": "12"}
    assert home.rests([compared, several]) == told
    page = " ".join(own_pages(compared)["index.html"].split())
    assert "rests on 12 rows of 1 task, 0 of them" in page
    assert "heavy tails" not in page  # what the default study does not show


def test_the_map_has_a_cell_for_every_situation():
    compared = own_comparison({**ERRORS, ("b", 50): 2000.0})
    drawn = home.regret_map([compared])
    assert [column["shown"] for column in drawn["columns"]] == ["50", "100"]
    cells = {row["label"]: [cell["shown"] for cell in row["cells"]] for row in drawn["rows"]}
    assert cells == {"Reference": ["2.0", "1.0"], "A": ["1.0", "2.0"], "B": [">999", "1.1"]}
    near = {row["label"]: [cell["near"] for cell in row["cells"]] for row in drawn["rows"]}
    assert near["B"] == [False, True]
    assert home.regret_map([own_comparison({("paired-kernel-shap", 50): 1.0})]) is None


def test_the_map_tells_who_is_too_slow_from_who_did_not_run():
    errors = {key: value for key, value in ERRORS.items() if key not in {("a", 100), ("b", 100)}}
    errors |= {("c", 50): 1.0, ("c", 100): 1.0}
    specs = SPECS | {"c": EstimatorBlock(label="C", estimator="plain-monte-carlo")}
    compared = own_comparison(errors, specs=specs)
    task = replace(compared.tasks["t"], most={"a": 50})
    drawn = home.regret_map([TaskComparison({"t": task}, specs, 0.05)])
    cells = {row["label"]: row["cells"][1]["shown"] for row in drawn["rows"]}
    assert (cells["A"], cells["B"]) == ("×", "–")
    assert [column["complete"] for column in drawn["columns"]] == [True, False]


def cells_of(page):
    """Texts of the cells of the map by label."""
    rows = re.findall(r'#card-[^"]*">([^<]*)</a></th>\s*((?:<td.*</td>\s*)+)</tr>', page)
    return {label: re.findall(r">([^<\s]+)<", cells) for label, cells in rows}


def test_the_map_says_who_is_exact_and_that_others_are_without_bound():
    page = own_pages(own_comparison({**ERRORS, ("b", 100): 0.0}))["index.html"]
    assert cells_of(page) == {
        "A": ["1.0", "&gt;999"],
        "B": ["&gt;999", "exact"],
        "Reference": ["2.0", "&gt;999"],
    }
    assert "“Exact” means without an error on any explicand" in page
    assert "smallest error in all" not in page
    assert "“Exact”" not in own_pages(own_comparison(ERRORS))["index.html"]


def test_an_exact_reference_and_budgets_at_which_all_are_exact_are_in_the_map():
    errors = {**ERRORS, ("paired-kernel-shap", 100): 0.0}
    errors |= dict.fromkeys([(name, 200) for name in SPECS], 0.0)
    cells = cells_of(own_pages(own_comparison(errors))["index.html"])
    assert cells["Reference"] == ["2.0", "exact", "exact"]
    assert cells["A"] == ["1.0", "&gt;999", "exact"]


def test_the_map_says_where_nothing_could_be_compared():
    errors = {key: value for key, value in ERRORS.items() if key != ("paired-kernel-shap", 100)}
    page = own_pages(own_comparison({**errors, ("paired-kernel-shap", 70): 1.0}))["index.html"]
    assert cells_of(page)["A"] == ["1.0", "–", "ran"]
    assert "“Ran” means that nothing is compared there" in page
    assert "“Ran”" not in own_pages(own_comparison(ERRORS))["index.html"]


def test_who_is_unbounded_beside_an_exact_one_is_not_given_a_factor():
    errors = {(name, budget): 1.0 for name in SPECS for budget in (50, 60, 70)}
    errors |= {("a", 50): 0.0, ("b", 60): 0.0}
    compared = own_comparison(errors)
    assert home.answer(compared, [])["unbounded"]
    pages = own_pages(compared)
    assert (
        "1 times that of the best estimator in the median; its regret is unbounded where another "
        "estimator is exact. It is within 10% of the best in 2 combinations"
    ) in " ".join(pages["index.html"].split())
    assert (
        "1 in the median and unbounded where another estimator is exact."
        in pages["estimators.html"]
    )


def test_the_helper_knows_every_situation_with_its_evidence():
    compared = own_comparison(ERRORS)
    known = home.helper([compared], [], [], {})
    assert [(situation["budget"], situation["best"]) for situation in known["situations"]] == [
        (50, "A"),
        (100, "Reference"),
    ]
    first, second = known["situations"]
    assert (first["kind"], first["players"], first["explicands"]) == (TREE, 3, 12)
    assert (first["ratio"], second["others"], second["more"]) == ("0.500", ["B"], 1)
    assert known["start"] == {"players": 3, "budget": 100, "kind": TREE}


def test_the_helper_says_where_somebody_is_exact():
    compared = own_comparison({("paired-kernel-shap", 50): 1.0, ("a", 50): 0.0, ("b", 50): 0.0})
    (situation,) = home.helper([compared], [], [], {})["situations"]
    assert (situation["best"], situation["exact"], situation["others"]) == ("A", True, ["B"])


def test_the_helper_links_the_claims_that_the_site_has():
    compared = own_comparison(ERRORS)
    tip = Advice(TREE, "take this", "Because.", ("xx-1", "xx-2"))
    known = home.helper([compared], [], [tip], {"xx-2": "A title"})
    assert known["advice"][TREE]["claims"] == [{"id": "xx-2", "title": "A title"}]


def test_evaluations_saved_are_told_on_the_first_page():
    errors = {(name, budget): 1000 / budget for name in ("paired-kernel-shap", "auto")
              for budget in (500, 1000, 2000)}  # fmt: skip
    errors |= {("auto", budget): 500 / budget for budget in (500, 1000, 2000)}
    specs = SPECS | {"auto": EstimatorBlock(label="Automatic", estimator="auto")}
    compared = own_comparison(errors, specs=specs)
    told = home.answer(compared, evaluations_saved([compared]))
    assert [row["rival"] for row in told["saved"]] == ["paired KernelSHAP"]
    assert told["saved"][0]["told"] == "1,000"
    assert "<strong>1,000</strong> of 2,000" in own_pages(compared)["index.html"]


def test_evaluations_for_an_error_are_on_the_first_page_of_a_study_that_samples():
    errors = {(name, budget): factor / budget**0.5
              for name, factor in (("paired-kernel-shap", 2.0), ("auto", 1.0))
              for budget in (100, 1000, 10_000)}  # fmt: skip
    specs = SPECS | {"auto": EstimatorBlock(label="Automatic", estimator="auto")}
    trees = own_comparison(errors, specs=specs)
    assert home.reached([trees]) is None
    norms = pd.Series(1.0, index=range(12))
    task = replace(trees.tasks["t"], kind=NETWORK, norms=norms)
    compared = TaskComparison({"t": task}, specs, 0.05)
    told = home.reached([compared])
    assert told["targets"] == ["10%", "5%", "1%"]
    assert [row["label"] for row in told["rows"]] == ["Automatic", "Reference"]
    assert told["rows"][0]["cells"][2] == "over 10,000"
    assert 400 < int(told["rows"][0]["cells"][1]) < 500  # (1.055 / 0.05)^2, the sixth row of twelve
    page = own_pages(compared)["index.html"]
    assert "Automatic (ours)" in page
    assert f"{told['rows'][0]['cells'][1]} evaluations" in page.replace("\n", " ")


def test_curves_have_medians_with_limits_of_order_statistics():
    compared = own_comparison({("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5})
    assert curves([compared], {})["tasks"] == []
    task = replace(compared.tasks["t"], norms=pd.Series(2.0, index=range(12)))
    times = {("t", 3, 50, "a"): 0.25, ("t", 3, 51, "b"): 1.0, ("t", 4, 50, "b"): 1.0}
    (shown,) = curves([TaskComparison({"t": task}, SPECS, 0.05)], times)["tasks"]
    points = {one["label"]: one["points"] for one in shown["estimators"]}
    # 0.5 * (1 + k / 100) / 2 for k = 0, ..., 11: the median, and the third from both ends.
    assert points["A"] == [pytest.approx([50, 0.26375, 0.255, 0.2725, 0.25], abs=6e-4)]
    assert points["Reference"][0][-1] is None  # no time of so many players and evaluations
    assert median_with_limits(pd.Series([1.0, 2.0, 3.0])) == [2.0, None, None]
    made = np.random.default_rng(0).normal(size=(2000, 20))
    covered = [low <= 0 <= high for _, low, high in map(median_with_limits, map(pd.Series, made))]
    assert 0.94 < np.mean(covered) < 0.98


def test_kinds_of_models_are_those_of_their_trainers():
    trainers = {"xgboost-file": TREE, "least-squares": LINEAR, "perceptron": NETWORK}
    for trainer, kind in (trainers | {"function": OTHER}).items():
        assert kind_of(ModelBlock(dataset="d", trainer=trainer)) == kind
    with pytest.raises(ValueError, match="situation 'forest' is none of tree, linear"):
        Advice("forest", "", "", ())


def test_advice_of_papers_rests_on_claims_that_there_are():
    advised = advice()
    assert len(advised) == len({item.situation for item in advised}) > 2
    assert all(item.claims and {*item.claims} <= {*registry()} for item in advised)


def test_papers_say_where_they_are_printed_as_the_bibliography_does():
    bibliography = (ROOT / "paper/references.bib").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    plain = " ".join(bibliography.replace("{", "").replace("}", "").split())
    sections = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "paper/report").glob("*.tex")
    )
    with_title = [paper for paper in PAPERS.values() if paper.title]
    assert len(with_title) == 4
    for paper in with_title:
        assert paper.title in plain
        assert paper.link.partition("doi.org/")[2] in bibliography
        assert paper.link in readme
        assert rf"\label{{{paper.section}}}" in sections
