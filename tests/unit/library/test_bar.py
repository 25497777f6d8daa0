"""The line that shows how far a long call is."""

import io
import sys

import pytest

from shapaudit import progress
from shapaudit.progress import Bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is moved."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_what_is_done_and_the_time_that_is_left_are_shown(clock, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream := Terminal())
    bar = Bar("rows")
    bar.begin(50, 10)
    clock[0] = 20.0
    bar.advance(10)
    assert stream.getvalue() == "\r20 of 50 rows explained, 1 min 0 s left"
    clock[0] = 20.1
    bar.advance(5)  # too soon to be shown
    assert "25 of 50" not in stream.getvalue()
    clock[0] = 30.0
    bar.tell(", 7 rows of the model")
    assert stream.getvalue().endswith("25 of 50 rows explained, 50 s left, 7 rows of the model")
    bar.end()
    assert stream.getvalue().endswith(
        "\r" + " " * len("25 of 50 rows explained, 50 s left, 7 rows of the model") + "\r"
    )


@pytest.mark.parametrize(("shown", "written"), [(None, False), (True, True), (False, False)])
def test_a_file_shows_nothing_unless_it_is_asked_to(clock, monkeypatch, shown, written):
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    bar = Bar("rows", shown)
    bar.begin(2, 0)
    clock[0] = 1.0
    bar.advance()
    bar.end()
    assert bool(stream.getvalue()) is written
    assert bar.done == "1 of 2 rows"
