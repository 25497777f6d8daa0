"""A study of one's own, by the letter of config/my_study.yaml and the README."""

import re

import pytest
import xgboost
from browser import browser
from site_visit import Visit
from sklearn.datasets import load_wine
from workspace import ROOT, run

CONFIG = ("--configfile", "config/my_study.yaml")
MODEL = """
from pathlib import Path

import numpy as np

WEIGHTS = np.loadtxt(Path(__file__).parents[1] / "data" / "weights.txt")


def predict(rows):
    return np.sin(rows @ WEIGHTS)
"""


@pytest.fixture(scope="module")
def mine(project):
    """The project with the files that the example names; no other study has the wine data."""
    table = load_wine(as_frame=True).frame.rename(columns={"target": "y"})
    data = project / "data"
    data.mkdir(exist_ok=True)
    table.to_csv(data / "my_data.csv", index=False)
    booster = xgboost.XGBRegressor(n_estimators=20, max_depth=3, n_jobs=1)
    booster.fit(table.drop(columns="y").to_numpy(), table["y"])
    booster.get_booster().save_model(data / "my_model.json")
    weights = 1 / table.drop(columns="y").std()
    (data / "weights.txt").write_text("\n".join(map(str, weights)), encoding="utf-8")
    (project / "src" / "my_model.py").write_text(MODEL, encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", readme, re.S)
    (own,) = [block for block in blocks if "class EqualSplit" in block]
    (project / "src" / "my_estimator.py").write_text(own, encoding="utf-8")
    return project


def test_it_ends_in_a_page_with_a_recommendation(mine):
    outcome = run(mine, "--cores", "2", *CONFIG)
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    page = mine / "results" / "mine" / "site" / "index.html"
    with browser("desktop") as driver:
        visit = Visit(driver, page.as_uri())
        for game in ("trained-here", "saved-booster", "any-function"):
            visit.choose("ratio", "task", game)
            labels = [row.text for row in visit.all(".ratio td:first-child")]
            assert "My estimator" in labels
            assert len(labels) == 5
        choices = [row.text for row in visit.all("#choice tbody tr")]
        assert len(choices) == 3 * 3
        assert visit.complaints() == []
    assert "Nothing to be done" in run(mine, "--cores", "2", *CONFIG).stdout


def test_an_edit_of_the_own_model_reruns_what_depends_on_it(mine):
    path = mine / "src" / "my_model.py"
    path.write_text(MODEL + "# edited\n", encoding="utf-8")
    planned = run(mine, "--dry-run", *CONFIG).stdout
    assert "Training the model any-function" in planned
    assert "Training the model trained-here" not in planned


def table_of(entry, target):
    """A table of thirteen features with an entry in the second one."""
    header = ",".join([*"abcdefghijklm", target])
    return f"{header}\n1,{entry}{',1' * 12}\n{','.join('2' * 14)}\n"


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("data/my_data.csv", table_of("x", "y"), "'b' holds no numbers"),
        ("data/my_data.csv", table_of("", "y"), "'b' has missing or infinite entries"),
        ("data/my_data.csv", table_of("3", "z"), "no column 'y'"),
        ("data/my_data.csv", "a,b,y\n1,3,4\n1,3,4\n", "players is 13, and mine has 2 features"),
    ],
)
def test_a_table_with_a_fault_is_explained(mine, file, content, words):
    path = mine / file
    kept = path.read_text(encoding="utf-8")
    path.write_text(content, encoding="utf-8")
    try:
        outcome = run(mine, "--cores", "1", "--show-failed-logs", *CONFIG)
    finally:
        path.write_text(kept, encoding="utf-8")
    assert outcome.returncode != 0
    assert words in outcome.stdout
