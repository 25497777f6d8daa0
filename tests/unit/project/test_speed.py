"""What is said of how long the tests take, and that a slow machine fails none of them."""

import re

import pytest
from places import ROOT

import speed


def test_a_slow_machine_is_told_how_much_longer_the_tests_take():
    slow = speed.slowness([4 * speed.REFERENCE, 6 * speed.REFERENCE])
    assert slow == pytest.approx(5)
    assert f"about {5 * speed.MINUTES} minutes" in speed.told(slow)
    assert "5.0 times" in speed.told(slow)


def test_a_fast_machine_is_promised_no_less_than_the_reference():
    assert speed.slowness([speed.REFERENCE / 10]) == 1


def test_the_minutes_are_those_of_the_readme():
    row = re.search(r"`make test`[^|]* \| (\d+) to (\d+) minutes", (ROOT / "README.md").read_text())
    assert int(row[1]) <= speed.MINUTES <= int(row[2])


def test_the_line_is_printed_with_what_was_measured(capsys, monkeypatch):
    monkeypatch.setattr(speed, "work", int)  # of no seconds
    monkeypatch.setattr(speed, "PROCESSES", 1)
    monkeypatch.setattr(speed, "TIMES", 1)
    speed.main()
    assert capsys.readouterr().out == f"{speed.told(1.0)}\n"


def test_programs_that_tests_start_have_no_limit_of_time_that_a_busy_machine_exceeds():
    files = [
        *(ROOT / "tests" / "workflow").glob("*.py"),
        *(ROOT / "tests/unit/project").glob("*.py"),
    ]
    limits = {
        (path.name, limit)
        for path in files
        for limit in re.findall(r"timeout=([\w.]+)", path.read_text(encoding="utf-8"))
    }
    assert limits == {("on_slurm.py", "LONGEST")}
