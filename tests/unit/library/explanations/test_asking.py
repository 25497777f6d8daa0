"""How fast a model is, how far a comparison is, and rows that are asked for once."""

import time

import numpy as np
import pandas as pd
import pytest

from shapaudit.datasets.mixed import TableError
from shapaudit.explanations import asking
from shapaudit.explanations.asking import Asked, Outputs, SpeedTrial, busy

TABLE = pd.DataFrame({"a": np.arange(6.0)})


class Timed:
    """A model whose calls take seconds that depend on their number of rows alone."""

    def __init__(self, monkeypatch, seconds):
        self.seconds, self.sizes, self.passed = seconds, [], 0.0
        monkeypatch.setattr(time, "perf_counter", self.clock)

    def clock(self):
        passed, self.passed = self.passed, 0.0
        return passed

    def __call__(self, table):
        self.sizes.append(len(table))
        self.passed = self.seconds[len(table)]
        return table["a"].to_numpy()


@pytest.mark.parametrize(
    ("first", "half", "all_", "more"),
    [
        # Twice the rows pay where they take less than the root of 2 times as long,
        (0.001, 0.4, 0.56, True),
        (0.001, 0.4, 0.57, False),
        # and six rows where they take less than the root of 6 times as long as one.
        (0.4, 0.01, 0.97, True),
        (0.4, 0.01, 0.985, False),
        # A call of less than 0.2 s says nothing yet.
        (0.05, 0.1, 0.2, False),
        (0.05, 0.1, 0.199, True),
    ],
)
def test_more_rows_are_tried_where_they_pay(monkeypatch, first, half, all_, more):
    model = Timed(monkeypatch, {1: first, 3: half, 6: all_, 24: 30.0})
    trial = SpeedTrial(model, TABLE)
    assert model.sizes == [1, 6, 3, *[24] * more]
    assert trial.row_seconds == pytest.approx(min(half / 3, all_ / 6))


@pytest.mark.parametrize(("several", "more"), [(0.73, True), (0.74, False)])
def test_a_second_look_compares_a_row_with_all(monkeypatch, several, more):
    model = Timed(monkeypatch, {1: 0.3, 3: 0.9, 6: 1.8})
    trial = SpeedTrial(model, TABLE)
    assert trial.row_seconds == pytest.approx(0.3)
    model.sizes, model.seconds = [], {1: 0.3, 6: several, 24: 30.0}
    trial.measure_again()
    assert model.sizes == [1, 1, 6, *[24] * more]
    assert trial.row_seconds == pytest.approx(several / 6)
    model.seconds = {1: 9.0, 6: 54.0}
    trial.measure_again()
    assert trial.row_seconds == pytest.approx(several / 6)


def test_calls_of_a_size_end_with_half_a_second(monkeypatch):
    model = Timed(monkeypatch, {1: 0.01, 3: 0.12, 6: 0.15, 24: 0.25, 96: 0.125, 384: 20.0})
    SpeedTrial(model, TABLE)
    assert model.sizes == [1, 6, 3, 24, 24, *[96] * 3, 384]


def test_a_batch_pays_where_it_takes_less_than_half_as_long_per_row(monkeypatch):
    seconds = {1: 0.25, 3: 0.5, 6: 0.5, 24: 1.0, 96: 30.0}
    model = Timed(monkeypatch, seconds)
    SpeedTrial(model, TABLE)
    assert model.sizes == [1, 6, 3, 24]
    model = Timed(monkeypatch, seconds | {24: 0.999})
    SpeedTrial(model, TABLE)
    assert model.sizes == [1, 6, 3, 24, 96]


def test_a_fast_model_of_a_small_table_is_asked_for_4096_rows(monkeypatch):
    model = Timed(monkeypatch, dict.fromkeys((1, 2, *(4**k for k in range(9))), 0.0))
    SpeedTrial(model, TABLE.iloc[:4])
    assert model.sizes[-1] == 4096


@pytest.mark.parametrize(("first", "tried"), [(0.499, 6), (0.5, 2)])
def test_a_model_of_half_a_second_per_row_is_tried_on_two(monkeypatch, first, tried):
    model = Timed(monkeypatch, {1: first, 2: 9.0, 3: 9.0, 6: 9.0, 24: 90.0})
    assert len(SpeedTrial(model, TABLE).outputs) == tried


@pytest.mark.parametrize(("gap", "refused"), [(1.0, False), (1.01, True)])
def test_outputs_of_a_row_alone_may_differ_by_rounding(gap, refused):
    """Of the largest output, 100,000, by a part in as many."""

    def predict(table):
        return table["a"].to_numpy() + 1e5 - 5 - (gap if len(table) == 1 else 0.0)

    if refused:
        with pytest.raises(TableError, match=r"same rows alone .*differ by 1\)"):
            SpeedTrial(predict, TABLE)
    else:
        SpeedTrial(predict, TABLE)


def test_where_nothing_is_known_of_the_load_a_machine_is_not_busy(monkeypatch):
    monkeypatch.setattr(asking, "_LOAD", False)
    monkeypatch.delattr(asking.os, "getloadavg", raising=False)
    assert busy() == ""


@pytest.fixture
def told(monkeypatch, caplog):
    """A model that takes seconds that are set, and what is said."""
    caplog.set_level("INFO", "shapaudit.progress")
    now = [7.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def predict(table):
        now[0] += predict.seconds
        return np.zeros((len(table), 1))

    predict.seconds = 6.0
    return predict, caplog


def test_time_left_counts_from_the_first_row_on(told):
    predict, said = told
    asked = Asked(predict, 1.0)
    asked(TABLE)  # before the first row nothing is said
    assert said.messages == []
    asked.begin(0, 4, 30, 0)
    asked(TABLE)  # 6 s for a fifth of a row
    asked.begin(1, 4, 30, 0)
    asked(TABLE.iloc[:3])  # 12 s for a row and a tenth
    asked(pd.concat([TABLE] * 20))  # more rows than were planned: 18 s for two rows
    left = ["1 min 54 s", "32 s", "18 s"]
    assert [message.rpartition(", ")[2] for message in said.messages] == [
        f"{span} left" for span in left
    ]


def test_rows_that_were_explained_before_have_taken_no_time(told):
    predict, said = told
    asked = Asked(predict, 1.0)
    asked.begin(3, 5, 12, 2)
    asked(TABLE)  # 6 s for one row and a half of three
    assert said.messages == [
        "comparison: 3 of 5 rows explained, 6 rows of the model, 6 s left",
    ]


@pytest.mark.parametrize("planned", [0, 1])
def test_a_row_that_needs_nothing_of_the_model_is_half_of_two_at_once(told, planned):
    predict, said = told
    asked = Asked(predict, 1.0)
    asked.begin(0, 2, planned, 0)
    asked(TABLE.iloc[:1])
    assert said.messages[0].endswith(" 6 s left")


def test_messages_are_five_seconds_apart_across_rows(told):
    predict, said = told
    predict.seconds = 2.5
    asked = Asked(predict, 1.0)
    for number in range(4):
        asked.begin(number, 4, 6, 0)
        asked(TABLE)
    assert len(said.messages) == 2


def test_no_rows_have_no_outputs():
    answers = Outputs(3, 2).of(np.zeros((0, 3), dtype=int), lambda _: pytest.fail("asked"), 5)
    assert answers.shape == (0, 2)


def test_a_first_row_that_was_cut_is_written_anew(tmp_path):
    path = tmp_path / "outputs.bin"
    path.write_bytes(b"\x01\x00\x01")
    rows = np.array([[1, 2], [3, 4]])
    Outputs(2, 1, path).of(rows, lambda new: rows[new, :1].astype(float), 9)
    answers = Outputs(2, 1, path).of(rows, lambda _: pytest.fail("asked again"), 9)
    assert answers[:, 0].tolist() == [1.0, 3.0]


@pytest.mark.parametrize(("largest", "size"), [(65535, 2), (65536, 4)])
def test_rows_of_a_large_table_are_not_taken_for_each_other(tmp_path, largest, size):
    rows = np.array([[0, 1], [largest, 1], [largest - 1, 1]])
    path = tmp_path / "outputs.bin"
    for _ in range(2):
        outputs = Outputs(2, 1, path, largest)
        answers = outputs.of(rows, lambda new: rows[new, :1].astype(float), 9)
        assert answers[:, 0].tolist() == rows[:, 0].tolist()
    assert path.stat().st_size == 3 * (2 * size + 8)


def test_a_file_of_outputs_is_as_long_as_they_are(tmp_path):
    path = tmp_path / "outputs.bin"
    rows = np.array([[1, 2, 3], [65535, 0, 1]])
    for _ in range(2):
        Outputs(3, 2, path).of(rows, lambda new: np.ones((len(new), 2)), 1)
        assert path.stat().st_size == 2 * (3 * 2 + 2 * 8)
