"""The generated part of the README."""

import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from shapaudit.estimators import create
from shapaudit.games import AdditiveGame
from shapaudit.readme import END, START, benchmark_summary, replace_findings, verdict_table

ROOT = Path(__file__).parents[2]
AUDIT = {
    "claims": [
        {
            "id": "gt20-01",
            "paper": "author-2020",
            "title": "One",
            "where": "Eq. 1",
            "source": "paper",
            "status": "proved",
            "summary": "Fine.",
        },
        {
            "id": "gt20-02",
            "paper": "author-2020",
            "title": "Two",
            "where": "Eq. 2",
            "source": "paper",
            "status": "refuted",
            "summary": "Not so.",
        },
        {
            "id": "gt20-03",
            "paper": "author-2020",
            "title": "Own",
            "where": "",
            "source": "this project",
            "status": "refuted",
            "summary": "No.",
        },
    ]
}


def test_verdicts_are_counted_and_claims_that_do_not_stand_are_listed():
    text = verdict_table(AUDIT)
    head, line = (row.split(" | ") for row in text.splitlines()[2:5:2])
    assert dict(zip(head[1:], line[1:], strict=True))["refuted"] == "2"
    assert "Own" not in text
    assert "- Author 2020: Two (refuted)." in text


def test_the_benchmark_is_summed_up(made_up):
    found = made_up["benchmark"]
    text = benchmark_summary(found)
    cells = found.protocols["chen-published"].comparison
    assert f"{int(cells['agrees'].sum())} of {len(cells)} printed errors" in text
    assert f"of {len(found.choices)}," in text
    for task in found.tasks.values():
        assert f"| {task.label} | {task.budgets[-1]:,} |" in text
    assert f"Paired KernelSHAP {found.near.get('paired-kernel-shap', 0)}" in text


def test_only_the_block_between_the_markers_changes():
    text = f"a\n{START}\nold\n{END}\nz\n"
    assert replace_findings(text, f"{START}\nnew\n{END}") == f"a\n{START}\nnew\n{END}\nz\n"
    with pytest.raises(ValueError, match="markers"):
        replace_findings("a", "b")


def test_the_readme_has_its_markers_its_figure_and_filled_findings():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = text.partition(START)[2].partition(END)[0]
    assert "claims audited" in block
    assert (ROOT / "paper" / "figures" / "dimension16.svg").exists()


def test_links_of_the_readme_lead_to_files():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_estimator_of_the_readme_runs(tmp_path, monkeypatch):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code = next(c for c in re.findall(r"```python\n(.*?)```", text, re.S) if "EqualSplit" in c)
    (tmp_path / "my_estimator.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    estimate = create("my_estimator.EqualSplit").estimate(
        AdditiveGame(np.array([1.0, 3.0])), 2, np.random.default_rng(0)
    )
    np.testing.assert_allclose(estimate.values, [2.0, 2.0])


def test_the_estimator_of_the_walk_through_is_the_one_that_runs():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.S)
    source = (ROOT / "src/shapaudit/estimators/monte_carlo.py").read_text(encoding="utf-8")
    assert code in source
    (block,) = re.findall(r"```yaml\n(.*?)```", text, re.S)
    (spec,) = yaml.safe_load(block)["estimators"].values()
    study = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    assert spec in study["estimators"].values()
    assert f"class {type(create(spec['estimator'])).__name__}(" in code
