"""A slow model: asked for few rows, each once; stopped, and gone on with; what is kept of it."""

import time
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from mixed_table import mixed_table, rents
from shapaudit.command import main
from shapaudit.comparison import TableError, compare, prepared, run
from shapaudit.estimators.base import Estimate
from shapaudit.explanations.asking import (
    CALL,
    FEW,
    MOST_ROWS,
    PATIENCE,
    TRIED,
    Asked,
    Outputs,
    SpeedTrial,
)

SECONDS = 1e-3  # per row
MINUTES = 0.05
TABLE = mixed_table(400).drop(columns="rent")


class Slow:
    """A model that counts its rows, takes its time, and may be stopped by Ctrl-C at some row."""

    def __init__(self, stop=np.inf, seconds=SECONDS, scale=1.0):
        self.stop, self.seconds, self.scale = stop, seconds, scale
        self.asked, self.rows = 0, []

    def __call__(self, table):
        if self.asked + len(table) > self.stop:
            raise KeyboardInterrupt
        self.asked += len(table)
        self.rows.append(table)
        time.sleep(self.seconds * len(table))
        return self.scale * rents(table)


CHEAP = ("leverage-shap", "paired-kernel-shap", "antithetic-monte-carlo")


def compared(model, **settings):
    given = {"minutes": MINUTES, "seed": 2, "estimators": CHEAP} | settings
    return compare(model, TABLE, **given)


@pytest.fixture
def like_clockwork(monkeypatch):
    """The speed that is measured does not depend on the machine."""
    timed = SpeedTrial._timed

    def by_the_clock(trial, count, turned=False):
        return timed(trial, count, turned)[0], SECONDS * count

    monkeypatch.setattr(SpeedTrial, "_timed", by_the_clock)
    monkeypatch.setattr(SpeedTrial, "_speed", lambda *_: SECONDS)
    monkeypatch.setattr(prepared, "within", lambda planned, *_: planned)


@pytest.mark.usefixtures("like_clockwork")
def test_no_row_is_asked_for_twice_and_the_price_is_kept():
    model = Slow()
    comparison = compared(model)
    assert comparison.plan.truth == "reference"
    assert comparison.plan.rows * SECONDS <= 60 * MINUTES
    trial = 1 + TRIED + TRIED // 2
    assert model.asked == comparison.rows + trial
    assert comparison.rows <= comparison.plan.rows
    mixed = pd.concat(model.rows[3:], ignore_index=True)
    distinct = mixed.astype(str).drop_duplicates()
    assert len(mixed) == len(distinct) == comparison.rows


@pytest.mark.usefixtures("like_clockwork")
def test_remembered_rows_change_no_number(monkeypatch):
    remembered = compared(Slow())
    monkeypatch.setattr(run, "SLOW", np.inf)
    asked = Slow(seconds=0.0)
    again = compared(asked)
    pd.testing.assert_frame_equal(remembered.values, again.values)
    columns = ["estimator", "budget", "row", "evaluations", "error"]
    pd.testing.assert_frame_equal(remembered.errors[columns], again.errors[columns])
    assert again.rows > remembered.rows


@pytest.mark.usefixtures("like_clockwork")
@pytest.mark.parametrize("stop", [30, 700, 1200])
def test_a_stopped_comparison_goes_on_and_finds_the_same(tmp_path, stop):
    whole = Slow()
    expected = compared(whole)
    first, second = Slow(stop), Slow()
    with pytest.raises(KeyboardInterrupt):
        compared(first, keep=tmp_path)
    comparison = compared(second, keep=tmp_path)
    pd.testing.assert_frame_equal(comparison.values, expected.values)
    pd.testing.assert_frame_equal(comparison.errors[["error"]], expected.errors[["error"]])
    assert comparison.plan == expected.plan
    assert first.asked + second.asked == whole.asked + TRIED  # by which it is recognised


@pytest.mark.usefixtures("like_clockwork")
def test_a_finished_comparison_asks_only_for_the_rows_by_which_the_model_is_recognised(tmp_path):
    first, again, other = Slow(), Slow(), Slow()
    comparison = compared(first, keep=tmp_path)
    same = compared(again, keep=tmp_path)
    assert again.asked == TRIED
    pd.testing.assert_frame_equal(same.values, comparison.values)
    pd.testing.assert_frame_equal(same.errors, comparison.errors)
    assert (same.plan, same.rows) == (comparison.plan, comparison.rows)
    assert str(same) == str(comparison)
    compared(other, keep=tmp_path, seed=3)
    assert other.asked > 10 * TRIED


@pytest.mark.usefixtures("like_clockwork")
def test_rows_are_left_out_when_the_time_is_over_and_can_be_had_later(
    tmp_path, monkeypatch, caplog
):
    expected = compared(Slow())
    with monkeypatch.context() as patched, caplog.at_level("INFO", "shapaudit.progress"):
        patched.setattr(run, "OVERTIME", 0.0)
        short = compared(Slow(), keep=tmp_path)
    assert len(list(tmp_path.rglob("finished.jsonl"))) == 1
    total = expected.plan.explicands
    assert f"over after 1 of {total} rows; the same command goes on" in caplog.text
    assert short.plan.explicands == len(short.values) == 1
    assert short.plan.rows * total == expected.plan.rows
    pd.testing.assert_frame_equal(short.values, expected.values[:1])
    pd.testing.assert_frame_equal(compared(Slow(), keep=tmp_path).values, expected.values)


@pytest.mark.usefixtures("like_clockwork")
def test_what_was_computed_serves_a_comparison_of_other_estimators(tmp_path):
    first, second = Slow(), Slow()
    compared(first, keep=tmp_path)
    compared(second, keep=tmp_path, estimators=["leverage-shap", "kernel-shap"])
    alone = Slow()
    compared(alone, estimators=["leverage-shap", "kernel-shap"])
    assert second.asked < 0.8 * alone.asked  # which has larger budgets than the first


@pytest.mark.usefixtures("like_clockwork")
def test_of_a_model_that_has_changed_nothing_is_used(tmp_path, caplog):
    caplog.set_level("INFO", "shapaudit.progress")
    compared(Slow(), keep=tmp_path)
    changed = compared(Slow(scale=2.0), keep=tmp_path)
    assert "the model has changed" in caplog.text
    pd.testing.assert_frame_equal(changed.values, compared(Slow(scale=2.0)).values)


@pytest.mark.usefixtures("like_clockwork")
def test_the_price_is_said_before_the_work_and_the_time_left_on_the_way(monkeypatch, caplog):
    caplog.set_level("INFO", "shapaudit.progress")
    monkeypatch.setattr("shapaudit.explanations.asking.INTERVAL", 0.2)
    compared(Slow())
    trying, price, *progress = caplog.messages
    assert trying == "comparison: trying the model on 6 rows"
    assert "rows of the model, about" in price
    assert len(progress) > 5
    assert all(line.endswith(" left") for line in progress)


def test_how_far_it_is_is_said_at_most_every_five_seconds(monkeypatch, caplog):
    caplog.set_level("INFO", "shapaudit.progress")
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def predict(table):
        now[0] += 2.0
        return np.zeros((len(table), 1))

    asked = Asked(predict, 1.0)
    asked(TABLE.iloc[:1])  # a trial: nothing to be said
    asked.begin(1, 4, 10, 0)
    for _ in range(6):
        asked(TABLE.iloc[:1])
    assert caplog.messages == [
        "comparison: 1 of 4 rows explained, 4 rows of the model, 12 s left",
        "comparison: 1 of 4 rows explained, 7 rows of the model, 18 s left",
    ]


def test_seconds_of_a_run_are_the_estimators_own_and_those_of_its_rows(monkeypatch):
    now = [3.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def game(coalitions):
        now[0] += 5.0
        return np.zeros(len(coalitions))

    class Estimator:
        def estimate(self, game, budget, rng):
            game(np.ones((4, 3), dtype=bool))
            now[0] += 2.0
            return Estimate(np.zeros(3), 4)

    game.n_players, game.name = 3, "made up"
    plan = SimpleNamespace(background=2, row_seconds=0.75, budgets=(10,), repetitions=1)
    work = SimpleNamespace(plan=plan, estimators={"one": Estimator()}, seed=0)
    truth = run.Truth(np.ones(3), 0.0, (0.0, 0.0))
    (entry,) = run._runs(game, truth, work, 7)
    assert entry["seconds"] == 2.0 + 4 * 2 * 0.75
    assert (entry["row"], entry["budget"], entry["evaluations"]) == (7, 10, 4)


def test_a_refusal_tells_that_the_machine_is_busy(monkeypatch):
    def refused(choices, **settings):
        raise TableError("too dear")

    trial = SpeedTrial(rents, TABLE)
    monkeypatch.setattr(prepared, "best_plan", refused)
    monkeypatch.setattr(prepared, "busy", lambda: ". Wait")
    with pytest.raises(TableError, match=r"^too dear\. Wait$"):
        prepared._affordable(trial, [(1, 1)])


def test_batches_have_a_row_at_least():
    assert [Asked(rents, seconds).batch for seconds in (1e6, CALL / 7.5, 0.0)] == [1, 7, MOST_ROWS]


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_rounding_that_depends_on_the_batch_is_judged_by_the_size_of_the_outputs(scale):
    def predict(error):
        return lambda table: scale * (rents(table) + error * len(table))

    largest = float(np.abs(rents(TABLE)[:TRIED]).max())
    SpeedTrial(predict(1e-7 * largest), TABLE)
    with pytest.raises(TableError, match="different numbers for the same rows"):
        SpeedTrial(predict(1e-4 * largest), TABLE)


def test_a_model_that_takes_seconds_is_tried_on_four_rows(monkeypatch):
    now, asked = [0.0], []
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def predict(table):
        now[0] += PATIENCE * len(table)
        asked.append(len(table))
        return rents(table)

    assert SpeedTrial(predict, TABLE).row_seconds == pytest.approx(PATIENCE)
    assert asked == [1, FEW, 1]


def test_a_call_that_costs_as_much_for_many_rows_is_not_taken_for_a_slow_row(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def predict(table):
        now[0] += 0.3 + 1e-4 * len(table)
        return rents(table)

    assert SpeedTrial(predict, TABLE).row_seconds < 4e-4


def test_outputs_on_disk_survive_a_write_that_was_cut(tmp_path):
    path = tmp_path / "outputs.bin"
    rows = np.arange(12).reshape(4, 3)

    def both(new):
        return np.stack([new.sum(axis=1), new.prod(axis=1)], axis=1).astype(float)

    Outputs(3, 2, path).of(rows, lambda new: both(rows[new]), 2)
    path.write_bytes(path.read_bytes()[:-3])
    asked = []

    def ask(new):
        asked.extend(new.tolist())
        return both(rows[::-1][new])

    values = Outputs(3, 2, path).of(rows[::-1], ask, 10)
    np.testing.assert_array_equal(values, both(rows[::-1]))
    assert asked == [0]  # the last of those that were written
    again = Outputs(3, 2, path).of(rows, lambda _: pytest.fail("asked again"), 1)
    np.testing.assert_array_equal(again, both(rows))


MODEL = """
import time

from mixed_table import rents

asked = 0


def predict(table):
    global asked
    asked += len(table)
    if asked > {stop}:
        raise KeyboardInterrupt
    time.sleep({seconds} * len(table))
    return rents(table)
"""


def test_ctrl_c_on_the_command_line_says_how_to_go_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    mixed_table(300).to_csv("flats.csv", index=False)
    command = ["compare", "--data", "flats.csv", "--target", "rent", "--minutes", str(MINUTES)]
    for stop, name in ((500, "stopping"), (10**9, "going")):
        text = MODEL.format(stop=stop, seconds=SECONDS)
        (tmp_path / f"{name}_slow.py").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        main([*command, "--function", "stopping_slow.py:predict"])
    assert stopped.value.code == 130
    told = capsys.readouterr().err
    assert "the same command continues from there" in told
    assert main([*command, "--function", "going_slow.py:predict"]) == 0
    assert (tmp_path / "comparison" / "page.html").exists()
