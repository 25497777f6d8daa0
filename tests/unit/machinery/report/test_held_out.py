"""Regret on games that no estimator was developed on, from the benchmark kept beside the code."""

import pandas as pd
import pytest
from places import ROOT

from shapaudit_audit.report.held_out import SUITE, held_out, held_out_values


def runs(ours, theirs):
    """Errors of two methods on two games, two seeds each."""
    rows = [
        {"game": game, "budget": 60, "seed": seed, "package": package, "method": method}
        | {"error": error, "seconds": 0.5 * (1 + (method == "Auto"))}
        for package, method, errors in (("shapaudit", "Auto", ours), ("other", "Rival", theirs))
        for game, own in zip("ab", errors, strict=True)
        for seed, error in enumerate(own)
    ]
    return pd.DataFrame(rows)


def test_regret_is_over_the_best_by_root_mean_squares():
    found = held_out(runs([(3, 4), (0.2, 0.2)], [(1, 1), (0.4, 0.4)]))
    assert (found["games"], found["tasks"], found["others"]) == (2, 2, 1)
    assert found["worst"] == pytest.approx(12.5**0.5)
    assert found["median"] == pytest.approx((1 + 12.5**0.5) / 2)
    assert found["near"] == 0.5
    assert (found["budget"], found["seconds"]) == (60, 1.0)


def test_methods_are_counted_where_they_ran():
    few = runs([(3, 4), (0.2, 0.2)], [(1, 1), (0.4, 0.4)])
    more = few.assign(game=few["game"] + "-more", method=few["method"].replace("Rival", "Third"))
    assert held_out(pd.concat([few, more]))["others"] == 1
    assert held_out(pd.concat([few, more.assign(game=few["game"])]))["others"] == 2


def test_rounding_errors_are_not_divided_by():
    found = held_out(runs([(1e-9, 1e-9), (0.2, 0.2)], [(1e-14, 1e-14), (0.4, 0.4)]))
    assert found["worst"] == 1


def test_the_suite_beside_the_code_has_what_the_report_states():
    texts = held_out_values(ROOT / SUITE)
    assert set(texts) == {
        f"held-out.{key}"
        for key in ("games", "tasks", "others", "median", "worst", "near", "budget", "seconds")
    }
    assert int(texts["held-out.tasks"]) > int(texts["held-out.games"]) > 1
