"""The generated part of the README, and whether it is that of the code and configuration."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from shapaudit.audit.base import STATUSES
from shapaudit.estimators import create
from shapaudit.games import AdditiveGame
from shapaudit.papers import registry
from shapaudit.report import record
from shapaudit.report.readme import (
    END,
    START,
    error_table,
    findings_page,
    readme_block,
    replace_findings,
    steadiest,
    verdict_table,
    write,
)
from shapaudit.study.overlays import load_study

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "docs" / "figures"
RENEW = "run `make reproduce` and `make readme`"


@pytest.fixture(scope="module")
def committed():
    """The record in docs/, as it is."""
    return json.loads((ROOT / "docs" / "findings.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def default():
    """The default study."""
    return load_study(ROOT / "config" / "config.yaml")


@pytest.fixture(scope="module")
def found(made_up, tmp_path_factory):
    """The record of made-up results, and the folder of its figures."""
    figures = tmp_path_factory.mktemp("figures")
    paths = [figures / Path(name).name for name in record.PICTURES]
    for path in paths:
        path.write_text(path.name, encoding="utf-8")
    parts = (made_up[key] for key in ("study", "experiments", "audit", "benchmark"))
    return record.record(*parts, paths), figures


def test_the_record_is_that_of_this_configuration_and_these_claims(committed, default):
    assert record.outdated(committed, default, FIGURES) == [], RENEW


def test_readme_and_page_follow_from_the_record(committed):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert replace_findings(text, readme_block(committed)) == text, RENEW
    page = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    assert page == findings_page(committed), RENEW


def test_a_record_of_now_is_current_and_survives_json(found, made_up):
    made, figures = found
    assert json.loads(json.dumps(made)) == made
    assert record.outdated(made, made_up["study"], figures) == []


def test_another_configuration_claim_statement_or_figure_is_noticed(found, made_up, monkeypatch):
    made, figures = found
    study = made_up["study"]

    def reasons(changed=study):
        return " ".join(record.outdated(made, changed, figures))

    assert "configuration" in reasons({**study, "seed": study["seed"] + 1})
    first, *others = registry()
    with monkeypatch.context() as patch:
        patch.setattr(record, "registry()", {**registry(), "new-01": registry()[first]})
        assert "lacks the claims new-01" in reasons()
        patch.setattr(record, "registry()", {name: registry()[name] for name in others})
        assert f"not registered: {first}" in reasons()
        reworded = replace(registry()[first], statement="Another one.")
        patch.setattr(record, "registry()", {**registry(), first: reworded})
        assert f"changed what they say: {reworded.paper}" in reasons()
    (figures / "dimension16.svg").write_text("another", encoding="utf-8")
    assert "dimension16.svg" in reasons()


def test_verdicts_are_counted_and_claims_that_do_not_stand_are_listed(found):
    made, _ = found
    lines = [line.strip("| ").split(" | ") for line in verdict_table(made).splitlines()[2:]]
    counts = [[int(cell or 0) for cell in cells[1:]] for cells in lines]
    by_status = dict(zip(STATUSES, np.sum(counts, axis=0), strict=True))
    assert by_status["refuted"] == list(made["claims"].values()).count("refuted") > 0
    assert sum(by_status.values()) == len(registry())
    ours = sum(claim.source != "paper" for claim in registry().values())
    assert sum(counts[-1]) == ours > 0
    page = findings_page(made)
    for name, claim in registry().items():
        falls = made["claims"][name] in ("refuted", "inconsistent", "vacuous")
        assert (f"| {name} |" in page) == (falls and claim.source == "paper"), name


def test_the_benchmark_is_summed_up(found, made_up):
    made, _ = found
    benchmark = made_up["benchmark"]
    cells = benchmark.protocols["chen-published"].comparison
    text = readme_block(made)
    assert f"{int(cells['agrees'].sum())} of {len(cells)} errors" in text
    assert f"of {len(benchmark.choices)} cells" in text
    for task in benchmark.tasks.values():
        assert f"| {task.label} | {task.budgets[-1]:,} |" in text


def test_everybody_who_ties_for_the_last_place_is_named():
    near = {"A": 3, "B": 5, "C": 2, "D": 3, "E": 3, "R": 0}
    text = steadiest({"benchmark": {"cells": 6, "reference": "R", "near": near}})
    assert text.endswith("B 5, A 3, D 3, E 3, R 0.")
    assert "C 2" not in text


def test_errors_have_a_row_per_estimator_and_a_column_per_experiment(found, made_up):
    made, _ = found
    head, _, budgets, _, *rows = error_table(made).splitlines()
    for experiment in made_up["experiments"].values():
        assert experiment.label in head
        assert f"{experiment.budget:,}" in budgets
    assert len(rows) == len(made["errors"]["cells"]) == len(record.SHOWN)


def test_record_and_texts_are_written_together(found, tmp_path):
    made, _ = found
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text(f"a\n{START}\nold\n{END}\nz\n", encoding="utf-8")
    write(tmp_path, made)
    assert json.loads((tmp_path / "docs/findings.json").read_text(encoding="utf-8")) == made
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert text == f"a\n{readme_block(made)}\nz\n"
    assert (tmp_path / "docs/findings.md").read_text(encoding="utf-8") == findings_page(made)


def test_only_the_block_between_the_markers_changes():
    text = f"a\n{START}\nold\n{END}\nz\n"
    assert replace_findings(text, f"{START}\nnew\n{END}") == f"a\n{START}\nnew\n{END}\nz\n"
    with pytest.raises(ValueError, match="markers"):
        replace_findings("a", "b")


def test_the_estimator_of_the_readme_runs(tmp_path, monkeypatch):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code = next(c for c in re.findall(r"```python\n(.*?)```", text, re.S) if "EqualSplit" in c)
    (tmp_path / "my_estimator.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    estimate = create("my_estimator.EqualSplit").estimate(
        AdditiveGame(np.array([1.0, 3.0])), 2, np.random.default_rng(0)
    )
    np.testing.assert_allclose(estimate.values, [2.0, 2.0])
    del sys.modules["my_estimator"]  # no other test is to find it


def test_results_that_are_missing_or_of_another_study_are_refused(tmp_path, default, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "workflow" / "setup"))
    import update_readme

    with pytest.raises(SystemExit, match="no finished study"):
        update_readme.main([str(tmp_path)])
    changed = yaml.safe_dump({**default, "seed": default["seed"] + 1})
    (tmp_path / "study.yaml").write_text(changed, encoding="utf-8")
    with pytest.raises(SystemExit, match="another configuration"):
        update_readme.main([str(tmp_path)])
