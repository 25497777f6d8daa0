"""A study of one's own, by the letter of config/my_study.yaml and the README."""

import os
import re
from contextlib import contextmanager

import pytest
import xgboost
from browser import browser
from site_visit import Visit
from sklearn.datasets import load_wine
from workspace import ROOT, run

from shapaudit_audit.study.reading import read_study

pytestmark = pytest.mark.studies

CONFIG = ("--configfile", "config/my_study.yaml")
MODEL = """
from pathlib import Path

import numpy as np
from my_parts.shapes import wave

WEIGHTS = np.loadtxt(Path(__file__).parents[1] / "data" / "weights.txt")


def predict(rows):
    return wave(rows @ WEIGHTS)
"""
PARTS = {
    "__init__": "",
    "shapes": "from .inner import sine as wave\n",
    "inner": "import numpy as np\n\n\ndef sine(sums):\n    return np.sin(sums)\n",
}


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
    (project / "src" / "my_parts").mkdir()
    for name, text in PARTS.items():
        (project / "src" / "my_parts" / f"{name}.py").write_text(text, encoding="utf-8")
    page = (ROOT / "docs" / "own_study.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.S)
    (own,) = [block for block in blocks if "class EqualSplit" in block]
    (project / "src" / "my_estimator.py").write_text(own, encoding="utf-8")
    return project


def test_it_ends_in_a_page_with_a_recommendation(mine):
    outcome = run(mine, "--cores", "2", *CONFIG)
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    site = mine / "results" / "mine" / "site"
    pages = {path.name for path in site.iterdir()}
    scripts = {"chart.js", "site.js"}
    assert pages == {"index.html", "estimators.html", "estimators.csv", "style.css"} | scripts
    with browser("desktop") as driver:
        visit = Visit(driver, (site / "index.html").as_uri())
        visit.choose("[data-helper]", "kind", "other")
        visit.write("[data-helper]", players="13", budget="1000")
        assert "Any function" in visit.text(".advice")
        assert "My estimator" in [row.text for row in visit.all(".map tbody th")]
        visit = Visit(driver, (site / "estimators.html").as_uri())
        for game in ("trained-here", "saved-booster", "any-function"):
            visit.choose("[data-filters=ratio]", "task", game)
            labels = [row.text for row in visit.all(".ratio > th")]
            assert "My estimator" in labels
            assert len(labels) == 6
        choices = [row.text for row in visit.all("#choice tbody tr")]
        study = read_study(mine / "results" / "mine" / "study.yaml")
        budgets = [len(block.budgets) for block in study.experiments.values()]
        assert len(choices) == sum(budgets) > 3 * 3
        scores = [row.text for row in visit.all("#models tbody tr")]
        assert len(scores) == 3
        assert "R²" in scores[0]
        assert visit.complaints() == []
    assert "Nothing to be done" in run(mine, "--cores", "2", *CONFIG).stdout


@contextmanager
def replaced(path, content):
    """A file with another content and a time of long ago."""
    before, times = path.read_bytes(), path.stat()
    path.write_bytes(content)
    os.utime(path, (1e9, 1e9))
    try:
        yield
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.parametrize("file", ["src/my_model.py", "src/my_parts/inner.py", "data/weights.txt"])
def test_another_own_model_reruns_what_depends_on_it(mine, file):
    path = mine / file
    ending = b"\n" if path.suffix == ".txt" else b"# edited\n"
    with replaced(path, path.read_bytes() + ending):
        planned = run(mine, "--dry-run", *CONFIG).stdout
    for job in (
        "Training the model any-function",
        "tabulating the game any-function",
        "Shapley values of the game any-function",
        "Running mine on any-function",
        "Building the site",
    ):
        assert job in planned
    assert "trained-here" not in planned
    assert "saved-booster" not in planned


def test_games_of_a_model_that_was_replaced_unseen_are_refused(mine):
    """Where Snakemake is told to look at times only, and weights are older than what they made."""
    weights = mine / "data" / "weights.txt"
    other = "\n".join(["0.5"] * 13).encode()
    wanted = "results/mine/estimates/any-function/mine.parquet"
    with replaced(weights, other):
        outcome = run(
            mine,
            *(wanted, "--forcerun", "run_estimators", "--rerun-triggers", "mtime"),
            *("--cores", "1", "--show-failed-logs", *CONFIG),
        )
    assert outcome.returncode != 0
    assert "the model of the games any-function differs from the one" in outcome.stdout
    assert "under files: of the model" in outcome.stdout


def test_a_file_that_the_model_reads_has_to_be_named(mine):
    study = (mine / "config" / "my_study.yaml").read_text(encoding="utf-8")
    path = mine / "config" / "unnamed.yaml"
    unnamed = study.replace("    files: [data/weights.txt]\n", "")
    assert unnamed != study
    path.write_text(unnamed.replace("results/mine", "results/unnamed"), encoding="utf-8")
    outcome = run(
        mine,
        *("results/unnamed/models/any-function", "--cores", "1", "--show-failed-logs"),
        *("--configfile", "config/unnamed.yaml"),
    )
    assert outcome.returncode != 0
    assert "models.any-function: its code reads files" in outcome.stdout
    assert "add files: [data/weights.txt]" in outcome.stdout


def table_of(entry, target):
    """A table of thirteen features with an entry in the second one."""
    header = ",".join([*"abcdefghijklm", target])
    return f"{header}\n1,{entry}{',1' * 12}\n{','.join('2' * 14)}\n"


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("data/my_data.csv", table_of("x", "y"), "'b' is not numeric"),
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
