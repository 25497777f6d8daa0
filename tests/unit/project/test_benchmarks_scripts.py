"""What the scripts in benchmarks/ compute from their measurements; needs none of the peers."""

import numpy as np
import pandas as pd
import pytest
from places import ROOT

SCRIPTS = ROOT / "benchmarks"


@pytest.fixture
def summary(monkeypatch):
    """The module benchmarks/peers_summary.py."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import peers_summary

    return peers_summary


def kept(pairs=20, few=20):
    """Runs of two estimators and a peer, whose errors are 1, 2 and 3 times those of the pair."""
    rows = []
    for tuning, count in ((False, pairs), (True, 5)):
        for pair in range(count):
            hard = 0.1 * (1 + pair)
            for package, method, factor in (
                ("shapaudit", "a", 2.0 if tuning else 1.0),
                ("shapaudit", "b", 1.0 if tuning else 2.0),
                ("peer", "c", 3.0),
            ):
                if package == "peer" and (tuning or pair >= few):
                    continue
                rows.append(("g", pair, tuning, 100, package, method, factor * hard, 98, 0.5))
    names = ["game", "pair", "tuning", "budget", "package", "method"]
    return pd.DataFrame(rows, columns=[*names, "error", "evaluations", "seconds"])


def test_the_reference_is_chosen_on_other_pairs(summary):
    assert summary.references(kept()).to_dict() == {("g", 100): "b"}
    table = summary.summarise(kept())
    assert set(table["reference"]) == {"b"}
    assert table["method"].tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(table["ratio"], [0.5, 1.0, 1.5])
    # What makes a pair hard cancels: ratios of proportional errors are certain.
    np.testing.assert_allclose(table["low"], table["ratio"])
    np.testing.assert_allclose(table["high"], table["ratio"])


def test_the_reference_ran_on_all_tuning_pairs(summary):
    runs = kept()
    missing = runs["tuning"] & (runs["method"] == "b") & (runs["pair"] == 4)
    assert summary.references(runs[~missing]).to_dict() == {("g", 100): "a"}


def test_limits_widen_where_pairs_disagree(summary):
    runs = kept()
    noise = np.random.default_rng(0).uniform(0.5, 1.5, size=len(runs))
    table = summary.summarise(runs.assign(error=runs["error"] * noise))
    others = table[table["method"] != "b"]
    assert (others["low"] < others["ratio"]).all()
    assert (others["ratio"] < others["high"]).all()


def test_a_peer_with_fewer_pairs_is_compared_on_these_and_marked(summary):
    table = summary.summarise(kept(few=12))
    peer = table.set_index("method").loc["c"]
    assert peer["pairs"] == 12
    assert peer["ratio"] == pytest.approx(1.5)
    page = summary.page(table, "Measured once.")
    assert "| peer | c † | " in page
    assert "12 pairs only" in page
    assert "pairs only" not in summary.page(summary.summarise(kept()), "Measured once.")
    assert np.isnan(summary.summarise(kept(few=9)).set_index("method").loc["c", "low"])


def test_markdown_aligns_names_left_and_numbers_right(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    from pages import markdown

    expected = "| a | b |\n| :--- | ---: |\n| x | 1 |"
    assert markdown(["a", "b"], [["x", "1"]]) == expected
