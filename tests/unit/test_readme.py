"""The generated part of the README."""

import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from shapaudit.estimators import create
from shapaudit.games import AdditiveGame
from shapaudit.readme import END, START, replace_findings, verdict_list

ROOT = Path(__file__).parents[2]
AUDIT = {
    "claims": [
        {
            "id": "gt20-01",
            "paper": "a-paper",
            "title": "One",
            "where": "Eq. 1",
            "source": "paper",
            "status": "proved",
            "summary": "Fine.",
        },
        {
            "id": "gt20-02",
            "paper": "a-paper",
            "title": "Two",
            "where": "Eq. 2",
            "source": "paper",
            "status": "refuted",
            "summary": "Not so.",
        },
        {
            "id": "gt20-03",
            "paper": "a-paper",
            "title": "Own",
            "where": "",
            "source": "this project",
            "status": "refuted",
            "summary": "No.",
        },
    ]
}


def test_claims_that_do_not_stand_are_listed():
    text = verdict_list(AUDIT)
    assert "1 proved, 2 refuted" in text
    assert "Own" not in text
    assert text.endswith("Not standing as printed: Two (refuted).")
    assert "**a-paper**" in text


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
