"""What benchmarks/suite_summary.py makes of runs: regrets, situations, evaluations saved."""

import numpy as np
import pandas as pd
import pytest
from places import ROOT


@pytest.fixture
def summary(monkeypatch):
    """The module benchmarks/suite_summary.py."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import suite_summary

    return suite_summary


def kept():
    """Auto errs as 10 / n, a peer three times as much, and half as much on one game of many."""
    rows = []
    for game, kind, players in (("a", "booster", 10), ("b", "kernel", 12), ("c", "forest", 50)):
        for budget in (200, 500, 1000, 2000):
            for seed in range(2):
                factor = 0.5 if game == "c" else 3.0
                for package, method, size in (
                    ("shapaudit", "Auto", 1.0),
                    ("shapaudit", "Leverage SHAP", 4.0),
                    ("shap", "PermutationExplainer", factor),
                ):
                    labels = (game, "held out", kind, players, budget, seed, package, method)
                    rows.append((*labels, 10 * size / budget, budget, 1e-4 * budget, "1", "3.12"))
    names = ["game", "part", "kind", "players", "budget", "seed", "package", "method"]
    return pd.DataFrame(rows, columns=[*names, "error", "evaluations", "seconds", "v", "python"])


def test_regrets_are_over_the_best_of_each_task(summary):
    table = summary.overall(summary.compared(kept())).set_index("method")
    assert table.loc["shapaudit Auto", "median"] == 1.0
    assert table.loc["shapaudit Auto", "worst"] == pytest.approx(2.0)
    assert table.loc["shapaudit Auto", "where"].startswith("c at ")
    assert table.loc["shap PermutationExplainer", "worst"] == pytest.approx(3.0)


def test_situations_are_few_and_many_players_by_model_and_budget(summary):
    runs = kept()
    hot = summary.heat(summary.compared(runs), runs)
    assert hot.loc["shapaudit Auto", "many, forest"] == pytest.approx(2.0)
    assert hot.loc["shap PermutationExplainer", "few, booster"] == pytest.approx(3.0)
    assert "few, 500" in hot


def test_a_situation_without_a_run_is_a_dash(summary):
    runs = kept()
    runs = runs[(runs["method"] != "Leverage SHAP") | (runs["game"] != "a")]
    page = summary.page(runs, "Measured once.")
    situations = page.split("Median regret by situation:")[1]
    row = next(line for line in situations.splitlines() if "Leverage SHAP" in line)
    assert row.split(" | ")[1] == "–"  # boosters
    assert "nan" not in page


def test_evaluations_saved_follow_from_the_errors(summary):
    table = summary.saved(kept()).set_index("method")
    row = table.loc["shap PermutationExplainer"]
    # Three times the error of 2,000 takes a third of them; half the error more than there are.
    np.testing.assert_allclose(row[["quarter", "median"]].astype(float), 2000 / 3)
    assert (row["games"], row["bounds"]) == (3, 1)


def test_times_are_by_evaluations(summary):
    table = summary.times(kept())
    assert table.columns.tolist() == [200, 500, 1000, 2000]
    np.testing.assert_allclose(table, 100.0)


def test_auto_is_compared_with_least_squares_on_the_same_coalitions(summary):
    assert "0.25 times that of Leverage SHAP (median), at most 0.25" in summary.over_plain(kept())


def test_who_is_ahead_of_auto_is_named_with_the_task(summary):
    runs = kept()
    ahead = summary.others_ahead(runs)
    assert ahead.drop(columns="where").to_numpy().tolist() == [
        ["shap PermutationExplainer", 4, 12, 2.0]
    ]
    assert ahead["where"].iloc[0].startswith("c at ")
    assert not len(summary.others_ahead(runs[runs["game"] != "c"]))
    assert "by more than a tenth" in summary.page(runs, "Measured once.")


def test_estimators_of_this_project_share_their_generator(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from draws import generator_of

    def drawn(*key):
        return generator_of("a game", 60, 0, *key).random()

    assert drawn("shapaudit", "Auto") == drawn("shapaudit", "Leverage SHAP")
    assert drawn("shapiq", "OddSHAP") != drawn("shapiq", "LeverageSHAP")
    assert drawn("shapaudit", "Auto") != generator_of("a game", 60, 1, "shapaudit", "Auto").random()


def test_coverage_is_counted_where_standard_errors_are_finite(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import intervals

    runs = pd.DataFrame(
        [
            (True, "forest", 60, True, 0.9, 1.0),
            (True, "forest", 60, False, 1.0, np.inf),
            (True, "kernel", 200, True, 0.8, 2.0),
        ],
        columns=["few", "kind", "budget", "finite", "held", "length"],
    )
    page = intervals.page(runs, "held out")
    assert "| forest | 90 |  | 90 |" in page
    assert "| all | 90 | 80 | 85 |" in page
    assert "infinite in 33 % of the runs" in page
    assert "30 to 300" not in page


def test_the_page_has_a_section_for_few_and_for_many(summary):
    page = summary.page(kept(), "Measured once.")
    assert "## Held out, 8 to 16 players" in page
    assert "## Held out, 30 to 300 players" in page
    assert "| shapaudit Auto | 1 |" in page


def test_runs_larger_than_a_slow_one_are_not_begun(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from patience import LONGEST, Patience

    patience, key = Patience(), ("shapiq", "PolySHAP, order 2")
    patience.learn(key, 50, 2000, LONGEST - 1, "")
    patience.learn(key, 100, 2000, LONGEST + 13, "")
    why = "too slow: 73 s at 100 players, 2000 evaluations"
    assert patience.lost(key, 100, 2000) == patience.lost(key, 120, 8000) == why
    assert patience.lost(key, 99, 8000) == patience.lost(key, 300, 500) == ""
    assert patience.lost(("shapiq", "OddSHAP"), 300, 8000) == ""
    patience.learn(("shapiq", "OddSHAP"), 64, 500, 0.1, "too large: 618 GiB")
    assert patience.lost(("shapiq", "OddSHAP"), 64, 500) == "too large: 618 GiB"


def test_runs_without_an_error_are_told_by_their_reason(summary):
    refused = pd.DataFrame(
        [
            ("shapiq", "PolySHAP, order 2", "too slow: 73 s at 100 players, 2000 evaluations"),
            ("shapiq", "PolySHAP, order 3", "too large: Unable to allocate 618. GiB"),
            ("shapiq", "PolySHAP, order 3", "too large: Unable to allocate 618. GiB"),
            ("shap", "PermutationExplainer", "max_evals is too low"),
        ],
        columns=["package", "method", "note"],
    )
    slow, large, small = (line for line in summary.left_out(refused) if line)
    assert slow.endswith("(number of runs): shapiq PolySHAP, order 2 1.")
    assert "more than 8 GiB" in large
    assert large.endswith("shapiq PolySHAP, order 3 2.")
    assert small.startswith("Refused by an estimator")
    assert small.endswith("shap PermutationExplainer 1.")


def test_two_versions_are_compared_game_by_game(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import versions

    rows = [
        (f"game {game}", 200, label, error * (1 + game), micro)
        for game in range(12)
        for label, error, micro in ((versions.HERE, 0.02, 30.0), (versions.BEFORE, 0.01, 60.0))
        for _ in range(2)
    ]
    runs = pd.DataFrame(rows, columns=["game", "budget", "version", "error", "micro"])
    page = versions.page(runs, "auto", 2, "")
    assert "| 200 | 12 | 30 | 60 | 0.50 (0.50 to 0.50) | 2.00 (2.00 to 2.00) |" in page
    alone = versions.page(runs[runs["version"] == versions.HERE], "auto", 2, "")
    assert "| 200 | 12 | 30 |" in alone
    assert "Ratio" not in alone


def test_a_version_is_asked_in_its_own_process(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import versions
    from solved_games import entries

    name = next(listed.name for listed in entries() if listed.kind == "synthetic" and listed.few)
    version = versions.Version(ROOT)
    first, second = (version.run("Leverage SHAP", name, 60, 0) for _ in range(2))
    version.stop()
    assert first[0] == second[0] > 0
    assert first[1] > 0


def test_parts_of_auto_are_left_out_and_compared_on_the_same_coalitions(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import auto_parts

    shown = ["diabetes-forest-marginal", "wine-kernel-baseline"]
    monkeypatch.setattr(auto_parts.bank, "names", lambda: shown)
    for part in auto_parts.PARTS:
        changed = []
        for *_, game, truth in auto_parts.games(None):
            given = game, truth, part.budgets[1]
            first, again = (auto_parts.once(*given, np.random.default_rng(1)) for _ in range(2))
            assert first[:2] == again[:2]
            with part.without():
                left_out = auto_parts.once(*given, np.random.default_rng(1))
            changed.append(left_out[0] != first[0])
        assert any(changed), part.key
    monkeypatch.setattr(auto_parts.bank, "names", lambda: shown[:1])
    few = next(part for part in auto_parts.PARTS if 10 in part.budgets)
    part = few._replace(budgets=(10, 1000))  # the second is none of this part
    lines = pd.DataFrame(auto_parts.measure(part, None, 2), columns=auto_parts.COLUMNS)
    assert lines["budget"].unique().tolist() == [10]
    assert lines.groupby("seed")["used"].apply(list).tolist() == [[False, True], [True, False]]


def test_the_page_of_the_parts_of_auto_has_means_over_games_and_the_worst_cell(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import auto_parts

    factors = {("a", 10): 0.5, ("a", 20): 0.5, ("b", 10): 1.0, ("b", 20): 4.0}
    rows = [
        ("trees", "kind", game, budget, seed, used, 0.1 * (factor if used else 1.0), 0.5, 1 + used)
        for (game, budget), factor in factors.items()
        for seed in range(2)
        for used in (True, False)
    ]
    told = auto_parts.page(pd.DataFrame(rows, columns=auto_parts.COLUMNS))
    assert "| kind | 2 | 1.00 | 4.00 | 50.0 % | 50.0 % |" in told
    assert "| all, 10 evaluations | 2 | 0.71 | 1.00 | 50.0 % | 50.0 % |" in told
    assert "take 2.00 times as long" in told
    assert told.count("## With") == told.count("## With boosted trees of the values") == 1
