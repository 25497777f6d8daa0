"""The log of a job: short, and not silent when the process dies."""

import os
import re
import resource
import subprocess
import sys

import pytest
from places import ROOT

from shapaudit.parameters import MOST, shortened
from shapaudit_audit.study import logs
from shapaudit_audit.study.logs import PEAK, UNCAUGHT

JOB = """
import sys, warnings
from shapaudit_audit.study.logs import log_to

logger = log_to(sys.argv[1])
{does}
"""


def ended(does, log):
    """Outcome of a job that does something, and its log."""
    command = [sys.executable, "-c", JOB.format(does=does), str(log)]
    path = {"PYTHONPATH": str(ROOT / "src")}
    outcome = subprocess.run(command, capture_output=True, text=True, env=os.environ | path)
    return outcome, log.read_text(encoding="utf-8")


@pytest.mark.parametrize("length", [0, MOST, MOST + 1, 200_000])
def test_what_is_long_keeps_its_ends(length):
    text = "".join(chr(97 + k % 26) for k in range(length))
    short = shortened(text)
    if length <= MOST:
        assert short == text
    else:
        half = MOST // 2
        left = f" [... {length - MOST} characters left out ...] "
        assert short == text[:half] + left + text[-half:]


def test_long_messages_fill_no_log(tmp_path):
    outcome, log = ended(
        "warnings.warn('w' * 100_000)\n"
        "try:\n    raise KeyError('k' * 200_000)\n"
        "except KeyError as error:\n    raise ValueError('v' * 200_000 + ' end') from error",
        tmp_path / "job.log",
    )
    assert f"CRITICAL {UNCAUGHT}\nTraceback" in log
    assert "KeyError: 'kkk" in log
    assert "The above exception was the direct cause" in log
    *_, end, peak = log.splitlines()
    assert end.endswith("vvv end")
    assert re.fullmatch(rf"INFO {PEAK}: \d+ MB", peak)
    assert len(log) < 4 * MOST
    assert outcome.returncode == 1
    assert len(outcome.stderr) < 2 * MOST
    assert outcome.stderr.endswith(f"vvv end (details: {tmp_path / 'job.log'})\n")


def test_a_crash_of_compiled_code_is_in_the_log(tmp_path):
    outcome, log = ended("import ctypes\nctypes.string_at(0)", tmp_path / "job.log")
    assert outcome.returncode < 0
    assert "Fatal Python error: Segmentation fault" in log
    assert 'File "<string>", line 7 in <module>' in log


def test_the_last_line_is_the_most_memory_that_the_job_had(tmp_path):
    small, large = (
        int(re.search(rf"INFO {PEAK}: (\d+) MB\n$", ended(does, tmp_path / "job.log")[1])[1])
        for does in ("pass", "held = b'x' * 300_000_000\ndel held")
    )
    assert 250 < large - small < 350


def test_what_a_job_starts_counts_as_well(tmp_path):
    child = "import subprocess; subprocess.run([sys.executable, '-c', 'x = b\"x\" * 400_000_000'])"
    _, log = ended(child, tmp_path / "job.log")
    assert int(re.search(rf"{PEAK}: (\d+) MB", log)[1]) > 380


@pytest.mark.parametrize("told", [None, "Name: python\n"])
def test_without_the_words_of_linux_the_system_s_own_number_counts(tmp_path, monkeypatch, told):
    def read(path, encoding):
        if told is None:
            raise FileNotFoundError(path)
        return told

    usage = {resource.RUSAGE_SELF: 5 << 20, resource.RUSAGE_CHILDREN: 3 << 20}
    monkeypatch.setattr(logs.Path, "read_text", read)
    monkeypatch.setattr(
        resource, "getrusage", lambda who: resource.struct_rusage([0, 0, usage[who], *[0] * 13])
    )
    assert logs.peak_memory() == 5 << 10
    monkeypatch.setattr(sys, "platform", "darwin")
    assert logs.peak_memory() == 5


def test_collections_of_garbage_leave_imported_modules_alone(tmp_path):
    done = "import gc; print(gc.get_freeze_count() > 1000, gc.isenabled())"
    outcome, _ = ended(done, tmp_path / "job.log")
    assert outcome.stdout.split() == ["True", "True"]
