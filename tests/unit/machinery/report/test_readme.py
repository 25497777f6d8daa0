"""The generated part of the README, and whether it is that of the code and configuration."""

import json
import re
import shutil
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import yaml
from msgspec import structs, to_builtins
from places import ROOT

from shapaudit.estimators import create
from shapaudit.games import AdditiveGame
from shapaudit_audit.audit.verdict import CONSEQUENCES
from shapaudit_audit.papers import PAPERS, registry
from shapaudit_audit.report import record
from shapaudit_audit.report.contributions import originals, summaries
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.full_record import FullPages
from shapaudit_audit.report.overview import least_regret
from shapaudit_audit.report.readme import END, START, Pages, replace_findings
from shapaudit_audit.study.reading import read_study
from shapaudit_papers.grah_thouvenot_2020.summary import SHOWN, error_table

FIGURES = ROOT / "docs" / "figures"
PAGES = Pages(PAPERS, registry(), summaries())
RENEW = "run `make reproduce` and `make readme`"


@pytest.fixture(scope="module")
def committed():
    """The record in docs/, as it is."""
    return json.loads((ROOT / "docs" / "findings.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def default():
    """The default study."""
    return read_study(ROOT / "config" / "config.yaml")


@pytest.fixture(scope="module")
def results(made_up, tmp_path_factory):
    """The folder of made-up results, with the figures that docs/ shows."""
    folder = tmp_path_factory.mktemp("record")
    for part in ("estimates", "truth", "claims"):
        (folder / part).symlink_to(made_up["results"] / part)
    for picture in (name for summary in summaries() for name in summary.pictures):
        path = folder / "figures" / picture
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def generated(results, made_up, tmp_path_factory):
    """The record of made-up results, and the folder of its figures."""
    whole = Findings(results, made_up["study"], made_up["findings"].published)
    figures = tmp_path_factory.mktemp("figures")
    for path in record.pictures(whole, summaries()):
        (figures / path.name).write_bytes(path.read_bytes())
    return record.record(whole, summaries()), figures


def test_the_record_is_that_of_this_configuration_and_these_claims(committed, default):
    assert record.outdated(committed, default, FIGURES, registry()) == [], RENEW


def test_readme_and_page_follow_from_the_records(committed):
    full = json.loads((ROOT / "docs" / "findings-full.json").read_text(encoding="utf-8"))
    more = [FullPages(PAGES, originals()).sentence(full, committed)]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert replace_findings(text, PAGES.block(committed, more)) == text, RENEW
    page = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    assert page == PAGES.page(committed), RENEW


def test_a_record_of_now_is_current_and_survives_json(generated, made_up):
    made, figures = generated
    assert json.loads(json.dumps(made)) == made
    assert record.outdated(made, made_up["study"], figures, registry()) == []


def test_another_configuration_claim_statement_or_figure_is_noticed(generated, made_up, tmp_path):
    made, kept = generated
    figures = shutil.copytree(kept, tmp_path / "figures")
    study, claims = made_up["study"], registry()

    def reasons(changed=study, known=claims):
        return " ".join(record.outdated(made, changed, figures, known))

    assert "configuration" in reasons(structs.replace(study, seed=study.seed + 1))
    first, *others = claims
    assert "have been added: new-01" in reasons(known=claims | {"new-01": claims[first]})
    fewer = {name: claims[name] for name in others}
    assert f"have been removed: {first}" in reasons(known=fewer)
    reworded = replace(claims[first], statement="Another one.")
    told = reasons(known=claims | {first: reworded})
    assert f"have been reworded: {reworded.paper}" in told
    (figures / "dimension16.svg").write_text("another", encoding="utf-8")
    assert "dimension16.svg" in reasons()


def test_verdicts_are_counted_and_claims_that_do_not_stand_are_listed(generated):
    made, _ = generated
    lines = [line.strip("| ").split(" | ") for line in PAGES.verdict_table(made).splitlines()[2:]]
    counts = [[int(cell or 0) for cell in cells[1:]] for cells in lines]
    consequences = [verdict["consequence"] for verdict in made["claims"].values()]
    assert list(np.sum(counts, axis=0)) == [consequences.count(key) for key in CONSEQUENCES]
    ours = sum(claim.source != "paper" for claim in registry().values())
    assert sum(counts[-1]) == ours > 0
    page = PAGES.page(made)
    for name, claim in registry().items():
        falls = made["claims"][name]["consequence"] in ("setting", "slip", "hypothesis", "wrong")
        assert (f"| {name} |" in page) == (falls and claim.source == "paper"), name


def test_claims_that_mislead_a_reader_are_told_with_their_consequence(generated):
    made, _ = generated
    page, readme = PAGES.page(made), PAGES.block(made)
    anchor = re.search(r"\(docs/findings\.md#([^)]*)\)", readme)[1]
    heads = re.findall("^#+ (.*)$", page, re.MULTILINE)
    (head,) = (one for one in heads if one.lower().replace(" ", "-") == anchor)
    told = page.partition(f"# {head}\n")[2].partition("\n#")[0]
    misled = [
        name
        for wanted in ("wrong", "hypothesis")
        for name, claim in registry().items()
        if claim.source == "paper" and made["claims"][name]["consequence"] == wanted
    ]
    assert re.findall(r", ([a-z0-9-]*)\): \*\*", told) == misled != []
    assert all(registry()[name].matters in told for name in misled)


def test_the_protocol_and_the_tasks_are_summed_up(generated, made_up):
    made, _ = generated
    chen = made_up["chen"]
    cells = chen.protocol.comparison
    text = PAGES.page(made)
    assert f"{int(cells['agrees'].sum())} of {len(cells)} errors" in text
    assert f"Over {len(chen.tasks.completed(chen.tasks.choices))} combinations" in text
    for task in chen.tasks.tasks.values():
        assert f"| {task.label} | {task.headline:,} |" in text


def test_the_readme_counts_published_claims_and_ours_apart(generated):
    made, _ = generated
    text = PAGES.block(made)
    printed = [name for name, claim in registry().items() if claim.source == "paper"]
    counts = Counter(made["claims"][name]["consequence"] for name in printed)
    upheld = counts["stands"] + counts["loosely"] + counts["setting"]
    assert f"Of {len(printed)} published claims, {upheld} hold" in text
    assert f"{counts['wrong']} are wrong" in text
    assert f"{len(registry()) - len(printed)} further claims" in text
    assert f"{made['benchmark']['estimators']} estimators" in text


def test_papers_bring_their_summaries_the_newest_first():
    keys = [summary.pictures[0].partition("/")[0] for summary in summaries()]
    years = [PAPERS[key].year for key in keys]
    assert len(keys) > 1
    assert years == sorted(years, reverse=True)


def test_the_least_regrets_are_told_with_their_limits():
    least = {"typical": 1.03, "worst": 2.5, "low": 1.2, "high": 4.0, "near": 8, "sure": 4}
    rest = least | {"typical": 1.5, "low": None, "near": 0, "sure": 0}
    regret = [{"estimator": "A"} | least, {"estimator": "R"} | rest]
    text = least_regret({"cells": 12, "margin": 1.1, "regret": regret})
    assert (
        "- A: median 1.03, at most 2.50 (1.20 to 4.00); within the margin in 8 combinations "
        "(significantly in 4)" in text
    )
    assert "- R: median 1.5, at most 2.50 (no limits); within the margin in 0" in text
    exact = least_regret({"cells": 12, "margin": 1.1, "regret": [regret[0] | {"worst": 1e9}]})
    assert "A: median 1.03, unbounded where another estimator is exact; within" in exact


def test_errors_have_a_row_per_estimator_and_a_column_per_experiment(generated, made_up):
    made, _ = generated
    head, _, budgets, _, *rows = error_table(made["errors"]).splitlines()
    for experiment in made_up["experiments"].values():
        assert experiment.label in head
        assert f"{experiment.budget:,}" in budgets
    assert len(rows) == len(made["errors"]["cells"]) == len(SHOWN)


def test_record_and_texts_are_written_together(generated, tmp_path):
    made, _ = generated
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text(f"a\n{START}\nold\n{END}\nz\n", encoding="utf-8")
    PAGES.write(tmp_path, made)
    assert json.loads((tmp_path / "docs/findings.json").read_text(encoding="utf-8")) == made
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert text == f"a\n{PAGES.block(made)}\nz\n"
    assert (tmp_path / "docs/findings.md").read_text(encoding="utf-8") == PAGES.page(made)


def test_only_the_block_between_the_markers_changes():
    text = f"a\n{START}\nold\n{END}\nz\n"
    assert replace_findings(text, f"{START}\nnew\n{END}") == f"a\n{START}\nnew\n{END}\nz\n"
    with pytest.raises(ValueError, match="markers"):
        replace_findings("a", "b")


def test_the_estimator_of_ones_own_runs(tmp_path, monkeypatch):
    text = (ROOT / "docs" / "own_study.md").read_text(encoding="utf-8")
    code = next(c for c in re.findall(r"```python\n(.*?)```", text, re.S) if "EqualSplit" in c)
    (tmp_path / "my_estimator.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    estimate = create("my_estimator.EqualSplit").estimate(
        AdditiveGame(np.array([1.0, 3.0])), 2, np.random.default_rng(0)
    )
    np.testing.assert_allclose(estimate.values, [2.0, 2.0])
    del sys.modules["my_estimator"]  # no other test is to find it


@pytest.fixture
def updater(monkeypatch):
    """The module workflow/setup/update_readme.py."""
    monkeypatch.syspath_prepend(str(ROOT / "workflow" / "setup"))
    import update_readme

    return update_readme


def test_results_that_are_missing_or_of_another_study_are_refused(tmp_path, default, updater):
    with pytest.raises(SystemExit, match="no finished study"):
        updater.main([str(tmp_path)])
    changed = yaml.safe_dump(to_builtins(structs.replace(default, seed=default.seed + 1)))
    (tmp_path / "study.yaml").write_text(changed, encoding="utf-8")
    with pytest.raises(SystemExit, match="another configuration"):
        updater.main([str(tmp_path)])


def test_a_finished_study_is_summed_up(results, made_up, updater, tmp_path, monkeypatch):
    monkeypatch.setattr(updater, "ROOT", tmp_path)
    for folder in ("config", "docs/figures"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "config" / "published").symlink_to(ROOT / "config" / "published")
    text = yaml.safe_dump(to_builtins(made_up["study"]))
    for path in (tmp_path / "config" / "config.yaml", results / "study.yaml"):
        path.write_text(text, encoding="utf-8")
    (tmp_path / "README.md").write_text(f"{START}\n{END}\n", encoding="utf-8")
    kept = []
    monkeypatch.setattr(updater.minutes, "keep", lambda plan, *paths: kept.append(paths))
    updater.main([str(results)])
    assert kept == [(tmp_path / "logs/benchmarks", tmp_path / "benchmarks/results/minutes.csv")]
    written = json.loads((tmp_path / "docs" / "findings.json").read_text(encoding="utf-8"))
    assert record.outdated(written, made_up["study"], tmp_path / "docs/figures", registry()) == []
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == f"{PAGES.block(written)}\n"
