"""What benchmarks/wider_summary.py makes of runs: regrets by kind, who is ahead, ShaplEIG."""

import sys

import pandas as pd
import pytest
from places import ROOT

NAMES = ["game", "part", "kind", "players", "budget", "seed", "package", "method"]
NAMES += ["error", "evaluations", "seconds", "note", "version", "python"]


@pytest.fixture
def summary(monkeypatch):
    """The module benchmarks/wider_summary.py."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import wider_summary

    return wider_summary


def runs_of(budgets, *methods):
    """Runs of two games of one kind and one of another; a method has a factor for each game."""
    rows = []
    for place, (game, kind) in enumerate((("a", "rows"), ("b", "rows"), ("c", "words"))):
        for budget in budgets:
            for package, method, seconds, factors in methods:
                named = (game, "wider", kind, 10, budget, 0, package, method)
                error = factors[place] / budget
                rows.append((*named, error, budget, seconds * budget, "", "1", "3.12.1"))
    return pd.DataFrame(rows, columns=NAMES)


def kept():
    """Auto is the best on two games, and errs twice as much as SVARM on the third."""
    return runs_of(
        (60, 200),
        ("shapaudit", "Auto", 0.01, (1, 2, 1)),
        ("shapaudit", "Leverage SHAP", 0.001, (2, 2, 4)),
        ("shapaudit", "Stratified SVARM", 0.001, (4, 1, 8)),
    )


def slow():
    return runs_of(
        (30, 60), ("shapaudit", "Auto", 0.01, (1, 4, 1)), ("shapiq", "ShaplEIG", 1, (2, 2, 2))
    )


def test_regrets_of_auto_are_spread_over_the_tasks_of_a_kind(summary):
    table = summary.regrets_by_kind(kept()).set_index("kind")
    assert table.loc["rows", ["games", "tasks", "median", "worst"]].tolist() == [
        *("2", "4", "1.50", "2.00"),
    ]
    assert table.loc["words", ["worst", "within 1.05"]].tolist() == ["1.00", "100 %"]
    assert table.loc["all", "within 1.5"] == "67 %"
    # of 1/2 and 1; of 1/4 and 2
    assert table.loc["rows", ["over Leverage SHAP", "over SVARM"]].tolist() == ["0.71", "0.71"]


def test_errors_below_the_floor_are_as_good(summary):
    table = summary.regrets_by_kind(kept().assign(error=lambda runs: runs["error"] * 1e-6))
    assert set(table["worst"]) == {"1.00"}
    assert set(table["over SVARM"]) == {"1.00"}


def test_tasks_on_which_another_is_ahead_are_named(summary):
    table = summary.ahead(kept())
    assert sorted(table.to_numpy().tolist()) == [
        ["rows", f"b at {budget}", "shapaudit Stratified SVARM", "2.00"] for budget in (200, 60)
    ]
    better = kept()
    better.loc[(better["method"] == "Auto") & (better["game"] == "b"), "error"] *= 0.54
    assert summary.ahead(better).empty


def more():
    """Three samples of the tasks on which SVARM errs half as much as `auto`."""
    runs = kept()
    runs = runs[(runs["game"] == "b") & (runs["method"] != "Leverage SHAP")]
    return pd.concat([runs.assign(seed=seed) for seed in range(3)])


def test_ratios_of_more_samples_say_how_many(summary):
    assert summary.again(more()).to_numpy().tolist() == [
        [f"b at {budget}", "shapaudit Stratified SVARM", "3", "2.00"] for budget in (60, 200)
    ]


def test_shapleig_has_its_ratios_and_its_seconds(summary):
    table = summary.beside_slow(slow()).set_index("kind")
    assert table.loc["words"].tolist() == ["0.50", "0.50"]
    assert table.loc["rows"].tolist() == ["1.25", "1.25"]  # the median of 1/2 and 2
    assert table.loc["seconds of shapiq ShaplEIG"].tolist() == ["30", "60"]
    assert table.loc["seconds of shapaudit Auto"].tolist() == ["0.3", "0.6"]


def test_the_page_has_all_tables_and_the_file_all_runs_once(summary, monkeypatch, tmp_path):
    files = [tmp_path / "runs.csv", tmp_path / "slow.csv", tmp_path / "more.csv"]
    more().to_csv(files[2], index=False)
    kept().to_csv(files[0], index=False)
    both = slow()
    again = kept()[lambda runs: (runs["method"] == "Auto") & (runs["budget"] == 60)]
    again = pd.concat([again, again.assign(seed=1)])
    pd.concat([both[both["budget"] != 60], both[both["method"] != "Auto"], again]).to_csv(
        files[1], index=False
    )
    given = [
        "wider_summary.py",
        tmp_path,
        files[0],
        "--slow",
        files[1],
        "--more",
        files[2],
        "--note",
        "Made up.",
    ]
    monkeypatch.setattr(sys, "argv", list(map(str, given)))
    summary.main()
    text = (tmp_path / "suite_wider.md").read_text(encoding="utf-8")
    assert text.startswith("# Regret on the wider suite of games\n")
    assert "Made up." in text
    assert "## Wider, 8 to 16 players" in text
    assert "| rows | b at 200 | shapaudit Stratified SVARM | 2.00 |" in text
    assert "| b at 200 | shapaudit Stratified SVARM | 3 | 2.00 |" in text
    assert "## ShaplEIG beside `auto`" in text
    assert "2 of `auto` and 1 of ShaplEIG, so that" in text
    assert f"rest on {kept()['seed'].nunique()} of each." in text
    assert "nan" not in text
    runs = pd.read_csv(tmp_path / "suite_wider.csv")
    assert not runs.duplicated(["game", "budget", "seed", "package", "method"]).any()
    assert set(runs["method"]) == {"Auto", "Leverage SHAP", "Stratified SVARM", "ShaplEIG"}
    assert set(runs[runs["method"] == "ShaplEIG"]["budget"]) == {30, 60}
    monkeypatch.setattr(sys, "argv", [*map(str, given[: given.index("--more")])])
    summary.main()
    first = (tmp_path / "suite_wider.md").read_text(encoding="utf-8")
    assert "| rows | b at 200 | shapaudit Stratified SVARM | 2.00 |" in first
    assert "with more samples" not in first


def test_the_page_on_auto_has_the_kinds_of_the_committed_runs(summary):
    runs = pd.read_csv(ROOT / "benchmarks" / "results" / "suite_wider.csv")
    asked = runs["budget"].isin([60, 200, 500, 1000]) & (runs["seed"] < 3) & (runs["players"] <= 16)
    table = summary.told(summary.regrets_by_kind(runs[asked & (runs["method"] != "ShaplEIG")]))
    assert table in (ROOT / "docs" / "auto_compared.md").read_text(encoding="utf-8")
