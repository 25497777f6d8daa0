"""Adapters that are right, wrong, unable, dead and late are found to be so."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from shapaudit_audit.conformance.run import ask, enumerate_cases, rows_of
from shapaudit_audit.conformance.worker import about

CASES = """
from shapaudit_audit.conformance.case import game

FAMILY, LIBRARY = "made up", "game"
CASES = {str(d): lambda d=d: game(lambda members: len(members) ** 2, d) for d in range(1, 9)}
"""
ADAPTER = """
import os
import signal
import time
from functools import partial

import numpy as np

LABEL, PACKAGE, QUESTION, OFFERS = "made up", "numpy", "interventional", ("game",)
PLAYERS = 7


def refuse():
    raise ValueError("three players are too many")


MISCHIEF = {
    3: refuse,
    4: lambda: {}["four"],
    5: lambda: os.kill(os.getpid(), signal.SIGSEGV),
    6: lambda: time.sleep(60),
}


def explain(case):
    players = case.background.shape[1]
    MISCHIEF.get(players, int)()
    return np.full((1, players), float(players)) + 0.01 * (players == 2)
"""

STOPPED = """

def explain(case):
    players = case.background.shape[1]
    if players == 4:
        time.sleep(1)  # so that the watcher sees that the case began
        os.kill(os.getppid(), signal.SIGSTOP)
        time.sleep(12)
        os.kill(os.getppid(), signal.SIGCONT)
        time.sleep(1)
    return np.full((1, players), float(players))
"""
WATCH = """
import sys
from pathlib import Path

from shapaudit_audit.conformance.run import ask

adapter, known, cases = map(Path, sys.argv[1:])
lines = ask(adapter, sys.executable, known, [cases], limit=8)
print(*(line["verdict"] for line in lines if "case" in line))
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Rows of an adapter that behaves differently for each number of players."""
    folder = tmp_path_factory.mktemp("made_up")
    cases, adapter, enumerated = (folder / name for name in ("cases.py", "adapter.py", "known"))
    cases.write_text(CASES)
    adapter.write_text(ADAPTER)
    enumerate_cases(sys.executable, enumerated, [cases])
    lines = ask(adapter, sys.executable, enumerated, [cases], limit=8)
    return {int(row["case"]): row for row in rows_of(adapter, lines)}


def test_each_adapter_gets_the_verdict_that_it_deserves(rows):
    assert {players: row["verdict"] for players, row in rows.items()} == {
        **{1: "right", 2: "wrong", 3: "refused", 4: "crashed", 5: "crashed", 6: "crashed"},
        **{7: "right", 8: "not offered"},
    }


def test_what_happened_is_told(rows):
    assert rows[2]["error"] == pytest.approx(0.005)
    assert rows[3]["message"] == "ValueError: three players are too many"
    assert rows[4]["message"] == "KeyError: 'four'"
    assert rows[5]["message"] == "the process died (signal 11)"
    assert rows[6]["message"] == "no answer within 8 seconds"
    assert rows[7]["digits"] == 15
    assert rows[8]["message"] == "exact for at most 7 players"
    assert {row["package"] for row in rows.values()} == {"numpy"}


def test_a_recipe_that_fails_is_no_fault_of_a_package(tmp_path):
    cases = tmp_path / "cases.py"
    cases.write_text(CASES.replace("len(members) ** 2", "len(members) / 0"))
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        enumerate_cases(sys.executable, tmp_path / "known", [cases])


def test_time_in_which_the_machine_stood_still_is_not_counted(tmp_path):
    """The watcher is stopped with its worker for longer than a case may last."""
    cases, adapter = tmp_path / "cases.py", tmp_path / "adapter.py"
    cases.write_text(CASES)
    adapter.write_text(ADAPTER + STOPPED)
    enumerate_cases(sys.executable, tmp_path / "known", [cases])
    command = [sys.executable, "-c", WATCH, *map(str, (adapter, tmp_path / "known", cases))]
    watcher = subprocess.run(command, capture_output=True, text=True, check=True)
    assert watcher.stdout.split() == ["right"] * 7 + ["not", "offered"]


def test_a_package_that_runs_from_its_source_has_no_version():
    adapter = SimpleNamespace(LABEL="a", QUESTION="interventional", PACKAGE="numpy")
    assert about(adapter)["version"] == np.__version__
    assert about(SimpleNamespace(**vars(adapter) | {"PACKAGE": "not-installed"}))["version"] == ""
