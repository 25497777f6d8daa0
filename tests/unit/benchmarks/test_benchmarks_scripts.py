"""What the scripts in benchmarks/ compute from their measurements; needs none of the peers."""

from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
import pytest
import yaml
from made_explanations import write_explanations
from msgspec import to_builtins
from msgspec.structs import replace
from places import ROOT

from shapaudit.estimators import create
from shapaudit.games import AirportGame
from shapaudit_audit.papers import ROLES
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.config import validate
from shapaudit_audit.study.reading import read_study

SCRIPTS = ROOT / "benchmarks"


@pytest.fixture
def summary(monkeypatch):
    """The module benchmarks/peers_summary.py."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import peers_summary

    return peers_summary


def kept(explicands=20, few=20):
    """Runs of two estimators and a peer, with errors 1, 2 and 3 times those of the explicand."""
    rows = []
    for tuning, count in ((False, explicands), (True, 5)):
        for explicand in range(count):
            hard = 0.1 * (1 + explicand)
            for package, method, factor in (
                ("shapaudit", "a", 2.0 if tuning else 1.0),
                ("shapaudit", "b", 1.0 if tuning else 2.0),
                ("peer", "c", 3.0),
            ):
                if package == "peer" and (tuning or explicand >= few):
                    continue
                rows.append(("g", explicand, tuning, 100, package, method, factor * hard, 98, 0.5))
    names = ["game", "explicand", "tuning", "budget", "package", "method"]
    return pd.DataFrame(rows, columns=[*names, "error", "evaluations", "seconds"])


def test_the_reference_is_chosen_on_other_explicands(summary):
    assert summary.references(kept()).to_dict() == {("g", 100): "b"}
    table = summary.summarise(kept())
    assert set(table["reference"]) == {"b"}
    assert table["method"].tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(table["ratio"], [0.5, 1.0, 1.5])
    # What makes an explicand hard cancels: ratios of proportional errors are certain.
    np.testing.assert_allclose(table["low"], table["ratio"])
    np.testing.assert_allclose(table["high"], table["ratio"])


def test_the_reference_ran_on_all_tuning_explicands(summary):
    runs = kept()
    missing = runs["tuning"] & (runs["method"] == "b") & (runs["explicand"] == 4)
    assert summary.references(runs[~missing]).to_dict() == {("g", 100): "a"}


def test_limits_widen_where_explicands_disagree(summary):
    runs = kept()
    noise = np.random.default_rng(0).uniform(0.5, 1.5, size=len(runs))
    table = summary.summarise(runs.assign(error=runs["error"] * noise))
    others = table[table["method"] != "b"]
    assert (others["low"] < others["ratio"]).all()
    assert (others["ratio"] < others["high"]).all()


def test_a_peer_with_fewer_explicands_is_compared_on_these_and_marked(summary):
    table = summary.summarise(kept(few=12))
    peer = table.set_index("method").loc["c"]
    assert peer["explicands"] == 12
    assert peer["ratio"] == pytest.approx(1.5)
    page = summary.page(table, "Measured once.")
    assert "| peer | c † | " in page
    assert "12 explicands only" in page
    assert "explicands only" not in summary.page(summary.summarise(kept()), "Measured once.")
    assert np.isnan(summary.summarise(kept(few=9)).set_index("method").loc["c", "low"])


def test_unbounded_limits_are_none(summary):
    runs = kept()
    exact = (runs["method"] == "b") & (runs["explicand"] > 0) & ~runs["tuning"]
    table = summary.summarise(runs.assign(error=runs["error"].where(~exact, 1e-12)))
    peer = table.set_index("method").loc["c"]
    assert np.isnan([peer["low"], peer["high"]]).all()
    assert f"| {peer['ratio']:.0f} |" in summary.page(table, "Measured once.")


def test_a_peer_that_is_ahead_is_named(summary):
    table = summary.summarise(kept())
    assert "ahead of all of this project: none." in summary.page(table, "Measured once.")
    better = table.assign(error=table["error"].where(table["package"] != "peer", 1e-3))
    page = summary.page(better, "Measured once.")
    assert "ahead of all of this project: peer c." in page
    assert "Explicands: 20." in page


def test_markdown_aligns_names_left_and_numbers_right(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from pages import markdown

    expected = "| a | b |\n| :--- | ---: |\n| x | 1 |"
    assert markdown(["a", "b"], [["x", "1"]]) == expected


def test_a_fit_pays_by_what_it_costs_more_over_what_an_explanation_saves(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from amortised import Price, told

    trained = Price(fit_rows=1000, fit_seconds=2.0, rows=2, seconds=0.001)
    each = Price(fit_rows=0, fit_seconds=0.0, rows=22, seconds=0.002)
    assert trained.pays(each) == pytest.approx((50, 2000, 12.0 / (0.001 + 0.2)))
    surrogate = Price(fit_rows=1000, fit_seconds=1.0, rows=2, seconds=0.0005)
    rows, seconds, slow = trained.pays(surrogate)
    assert (rows, seconds, slow) == (0, np.inf, np.inf)
    assert told([0.0, np.inf, 3.2]) == "3.2 (0 to never)"


def test_the_record_of_explanation_studies_is_that_of_their_tables(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import explanation_studies

    whole = read_study(ROOT / "config" / "config.yaml")
    own = {"digits": whole.explanation_studies["digits"]}
    config = replace(whole, explanation_studies=own, results="results")
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(to_builtins(config)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    write_explanations(Path("results"), config, {"rescale": 2.0, "dasp-four": 1e-15})
    logs = tmp_path / "logs" / "study_explainers" / "digits"
    logs.mkdir(parents=True)
    text = "WARNING only the 10 test images are used: no connection\n"
    (logs / "perceptron.log").write_text(text, encoding="utf-8")
    target = tmp_path / "page.md"
    explanation_studies.main(str(tmp_path / "own.yaml"), str(target))
    page = target.read_text(encoding="utf-8")
    assert "## Digits, d = 64\n\n12 units; only the 10 test images are used. Standard" in page
    assert f"python benchmarks/explanation_studies.py {tmp_path / 'own.yaml'} {target}" in page
    rows = {line.split(" | ")[0][2:]: line.split(" | ") for line in page.splitlines()[12:]}
    assert rows["DASP (four sizes)"][2] == "exact"
    error, ratio = (float(cell.split()[0]) for cell in rows["DeepLIFT (Rescale)"][2:])
    assert 1.5 < error < 2.5
    assert ratio > error  # the reference errs less than 1 at 10 rows or more


@pytest.mark.parametrize("n_jobs", [100, 10_000])
def test_a_synthetic_study_is_valid_and_has_about_so_many_jobs(monkeypatch, n_jobs):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from planning import synthetic

    study = synthetic(n_jobs)
    validate(study, ROLES)
    made = sum(len(study[block]) for block in ("datasets", "models", "games", "games"))
    planned = record(Study, study)
    estimates = sum(len(experiment.batches()) for experiment in planned.experiments.values())
    assert abs(estimates + made - n_jobs) <= 52 / 2
    assert not planned.reported


@pytest.fixture
def overhead(monkeypatch):
    """The module benchmarks/overhead.py."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import overhead

    return overhead


def test_seconds_in_a_game_are_no_seconds_beside_it(overhead):
    class Slow(AirportGame):
        def __call__(self, coalitions):
            start = process_time()
            while process_time() < start + 0.2:
                pass
            return super().__call__(coalitions)

    game, estimator = Slow(np.arange(5.0)), create("paired-kernel-shap")
    overhead.one_run(estimator, game, 20, np.random.default_rng(0))  # compiles
    assert 0 < overhead.one_run(estimator, game, 20, np.random.default_rng(0)) < 0.1


def test_the_page_on_time_shows_the_largest_budget_of_each_task(overhead):
    rows = [
        ("t", 5, 100, "a", 1e-4, 1e-4, 2e-4),
        ("t", 5, 200, "a", 1e-3, 1e-3, 2e-3),
        ("u", 9, 1000, "a", 0.25, 0.2, 0.3),
        ("u", 9, 1000, "b", 1e-3, 1e-3, 2e-3),
    ]
    frame = pd.DataFrame(rows, columns=overhead.COLUMNS)
    page = overhead.page(frame, {"a": "Method A", "b": "Method B"}, 3)
    assert "| Estimator | t, d = 5 | u, d = 9 |" in page
    assert "| Method A | 5 | 250 |" in page
    assert "| Method B |  | 1 |" in page
    assert "some number of evaluations: Method A." in page
    assert "takes 2 times as long" in page
