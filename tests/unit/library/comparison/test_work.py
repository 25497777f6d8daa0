"""What a comparison does on its rows: in what time, how far it is, and what it leaves out."""

import math
import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeRegressor

from shapaudit.comparison import TableError, compare, prepared, run
from shapaudit.comparison.drawn import DrawnRows
from shapaudit.comparison.kept import ComparisonStore
from shapaudit.comparison.plan import Plan
from shapaudit.datasets.mixed import players_of
from shapaudit.estimators import BudgetTooSmall
from shapaudit.estimators.base import Estimate
from shapaudit.explanations.asking import SLOW, Asked, Outputs, SpeedTrial
from shapaudit.games import all_coalitions
from shapaudit.models.predictors import Predictor

TABLE = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 4)), columns=list("abcd"))


def product(table):
    return (table["a"] * table["b"] + table["c"]).to_numpy()


class Asking:
    """Notes what it is asked with, and passes it on."""

    def __init__(self, monkeypatch, name):
        module = run if hasattr(run, name) else prepared
        self.original, self.asked = getattr(module, name), []
        monkeypatch.setattr(module, name, self)

    def __call__(self, *arguments, **settings):
        self.asked.append((arguments, settings))
        return self.original(*arguments, **settings)


@pytest.mark.parametrize("trees", [False, True])
def test_the_minutes_are_those_of_the_model_of_the_estimators_and_together_of_the_clock(
    monkeypatch, trees
):
    monkeypatch.setattr(run, "OVERTIME", 2.0)
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)
    steps = {name: Asking(monkeypatch, name) for name in ("best_plan", "within", "_finished")}
    model = DecisionTreeRegressor(max_depth=3).fit(TABLE, product(TABLE)) if trees else product
    compare(model, TABLE, background=2, explicands=2, minutes=3.0, estimators=["auto"])
    ((_, settings),) = steps["best_plan"].asked
    settings.pop("row_seconds")
    expected = {"players": 4, "estimators": 1, "allowed": 180.0, "trees": trees, "outputs": 1}
    assert settings == expected
    ((arguments, _),) = steps["within"].asked
    assert arguments[2:] == (4, 1, 180.0)
    ((arguments, _),) = steps["_finished"].asked
    assert arguments[2] == 1000.0 + 2 * 180.0


def test_settings_are_named():
    """Their order is nobody's business."""
    with pytest.raises(TypeError, match="positional"):
        compare(product, TABLE, {"pair": ["a", "b"]})


def test_of_a_whole_comparison_plan_and_rows_are_kept(tmp_path):
    settings = {"background": 2, "explicands": 2, "estimators": "auto", "keep": tmp_path}
    compare(product, TABLE, **settings)
    kept = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert kept == {"question.json", "plan.json", "finished.jsonl"}


@pytest.mark.parametrize("minutes", [0, -1, np.nan, np.inf])
def test_minutes_are_positive_and_finite(minutes):
    with pytest.raises(TableError, match="minutes must be a positive number; got"):
        compare(product, TABLE, minutes=minutes)


def test_twenty_outputs_are_not_too_many_and_names_may_not_be_repeated():
    prepared._check_outputs(SimpleNamespace(names=[str(k) for k in range(20)]))
    with pytest.raises(TableError, match="named twice"):
        prepared._check_outputs(SimpleNamespace(names=["a", "b", "a"]))


def test_trees_are_used_where_all_outputs_have_them(monkeypatch):
    known = {0: "first", 2: "third", 5: None}
    monkeypatch.setattr(prepared, "trees_of", lambda _, number, *others: known[number])
    trees = []
    for columns in ([0, 2], [0, 5], [5, 0]):
        predict = SimpleNamespace(total=6, columns=columns)
        trees.append(prepared._all_trees(None, predict, None, None, np.zeros((3, 2))))
    assert trees == [["first", "third"], None, None]


def test_the_trees_of_the_only_output_have_no_number(monkeypatch):
    monkeypatch.setattr(prepared, "trees_of", lambda _, number, *others: (number, *others))
    predict = SimpleNamespace(total=1, columns=[0])
    ((number, players, rows, outputs),) = prepared._all_trees(
        None, predict, "players", "rows", np.array([[1.0], [2.0]])
    )
    assert (number, players, rows, outputs.tolist()) == (None, "players", "rows", [1.0, 2.0])


def test_a_model_that_looked_too_slow_is_priced_by_a_second_look(monkeypatch):
    trial = SimpleNamespace(row_seconds=5.0)
    trial.measure_again = lambda: setattr(trial, "row_seconds", 0.5)

    def priced(choices, *, row_seconds, players):
        if row_seconds > 1:
            raise TableError("too dear")
        return choices, row_seconds, players

    monkeypatch.setattr(prepared, "best_plan", priced)
    assert prepared._affordable(trial, [(1, 1)], players=3) == ([(1, 1)], 0.5, 3)


def work_of(row_seconds=1.0, explicands=4, **parts):
    """A comparison of two columns' worth of work: a reference for each of some rows."""
    rows = 1000 * explicands
    plan = Plan("reference", 100, explicands, (10,), 1, rows, rows * row_seconds, 2)
    drawn = DrawnRows(TABLE, 2, explicands, 0)
    predict = Predictor(product)
    given = {"players": players_of(list("abcd"), None), "estimators": {}, "trees": None, "seed": 0}
    given |= {"drawn": drawn, "asked": Asked(predict, 1.0), "known": Outputs(4, 1), "outputs": 1}
    return run._Work(plan=plan, **given | parts)


@pytest.mark.parametrize(("row_seconds", "again"), [(SLOW, 0), (0.999 * SLOW, 16)])
def test_rows_are_remembered_from_a_millisecond_each_on(row_seconds, again):
    work = work_of(row_seconds)
    assert work.plan.row_seconds == row_seconds
    game, coalitions = work.game(1), all_coalitions(4)
    game(coalitions)
    before = game.rows
    game(coalitions)
    assert (game.rows - before > 0) == (again > 0)


class Recorded:
    """In place of a model that is asked: with what each row was begun."""

    def __init__(self):
        self.begun = []

    def begin(self, *numbers):
        self.begun.append(numbers)


def finished(monkeypatch, caplog, folder, clock, before=0, deadline=math.inf):
    """Rows that are explained, and what is said, where explaining one takes a second."""
    caplog.clear()
    caplog.set_level("INFO", "shapaudit.progress")
    now = [clock]

    def explained(work, number):
        now[0] += 1.0
        return {"row": number}

    monkeypatch.setattr(run, "_explained", explained)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    kept = ComparisonStore(folder, TABLE, ["y"], {})
    for number in range(before):
        kept.finish({"row": number})
    work = work_of(asked=Recorded())
    rows = run._finished(work, kept, deadline)
    return [row["row"] for row in rows], work.asked.begun, caplog.messages


def test_rows_are_explained_after_those_that_were_finished_before(monkeypatch, caplog, tmp_path):
    rows, begun, told = finished(monkeypatch, caplog, tmp_path, 0.0, before=3)
    assert rows == [0, 1, 2, 3]
    assert begun == [(3, 4, 1000, 3)]
    assert told == ["comparison: 3 of 4 rows were explained before"]
    rows, begun, told = finished(monkeypatch, caplog, None, 0.0)
    assert rows == [0, 1, 2, 3]
    assert begun == [(number, 4, 1000, 0) for number in range(4)]
    assert told == []


def test_no_row_is_begun_after_the_deadline(monkeypatch, caplog, tmp_path):
    rows, _, told = finished(monkeypatch, caplog, None, 0.0, deadline=2.0)
    assert rows == [0, 1, 2]  # the third is begun at the deadline, not after it
    assert told == ["comparison: the time is over after 3 of 4 rows"]
    rows, _, told = finished(monkeypatch, caplog, tmp_path, 9.0, deadline=2.0)
    assert rows == [0]
    (said,) = told
    assert said.endswith("1 of 4 rows; the same command goes on from there")
    rows, _, told = finished(monkeypatch, caplog, tmp_path, 9.0, deadline=2.0)
    assert (rows, len(told)) == ([0], 2)  # there is one from before


def test_an_estimator_that_needs_more_evaluations_is_asked_once_for_each_budget():
    asked = []

    class Dear:
        def estimate(self, game, budget, rng):
            asked.append(budget)
            if budget < 40:
                raise BudgetTooSmall("more")
            return Estimate(np.array([1.0, 3.0]), budget)

    plan = SimpleNamespace(background=1, row_seconds=0.5, budgets=(10, 20, 40), repetitions=2)
    work = SimpleNamespace(plan=plan, estimators={"dear": Dear()}, seed=0)
    game = SimpleNamespace(n_players=2, name="made up")
    truth = run.Truth(np.array([1.0, 1.0]), 0.0, (0.0, 2.0))
    runs = run._runs(game, truth, work, 0)
    assert asked == [10, 20, 40, 40]
    assert [(entry["budget"], entry["run"]) for entry in runs] == [(40, 0), (40, 1)]
    assert {(entry["error"], entry["per_player"]) for entry in runs} == {(2.0, 1.0)}
    assert runs[0]["scale"] == pytest.approx(math.sqrt(2))


def test_errors_of_a_reference_are_resolved_to_their_median_over_the_rows():
    """And the rows of the model are those of all explained rows."""
    work = work_of(explicands=3)
    rows = [
        {
            "values": [[k, 0, 0, 0]],
            "noise": [noise],
            "ends": [(0.0, k)],
            "rows": 10 * k,
            "runs": [],
        }
        for k, noise in enumerate((0.3, 0.1, 0.2))
    ]
    comparison = run._comparison(work, rows, 0, run.Quantity())
    assert (comparison.resolution, comparison.rows, len(comparison.errors)) == (0.2, 30, 0)
    assert comparison.values["a"].tolist() == [0, 1, 2]
    assert comparison.ends.to_numpy().tolist() == [[0, 0], [0, 1], [0, 2]]
    assert comparison.values.index.tolist() == work.drawn.places.tolist()


def test_a_trial_takes_a_row_where_the_table_has_no_more():
    assert SpeedTrial(Predictor(product), TABLE.iloc[:1]).outputs.shape == (1, 1)


@pytest.mark.parametrize(("scale", "remedy"), [(1e200, "divide them"), (1e-200, "multiply them")])
def test_outputs_whose_squares_are_no_numbers_are_refused(scale, remedy):
    with pytest.raises(TableError, match=remedy):
        compare(lambda table: product(table) * scale, TABLE, background=2, explicands=2)
