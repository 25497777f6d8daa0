"""Sums in kernels are right, and the same bits whatever compiled or loaded the kernel."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import TypingError
from places import ROOT

from shapaudit.sums import dot, sum_of, sum_where


@pytest.mark.parametrize("n", [0, 1, 3, 4, 7, 15, 16, 17, 20, 35, 64, 1003])
def test_sums_are_right_at_every_length(n):
    rng = np.random.default_rng(n)
    x, y = rng.integers(-1000, 1000, (2, n)).astype(float)
    mask = rng.random(n) < 0.5
    assert (dot(x, y), sum_of(x), sum_where(mask, x)) == (x @ y, x.sum(), x[mask].sum())
    assert dot(x[1:], y[1:]) == x[1:] @ y[1:]  # at an address that is not aligned


def test_the_order_of_additions_is_the_one_that_is_written_down():
    x = np.random.default_rng(0).normal(size=39)
    parts = np.zeros(16)
    for start in (0, 16):
        parts += x[start : start + 16]
    for half in (8, 4):
        parts = parts[:half] + parts[half:]
    parts += x[32:36]
    for half in (2, 1):
        parts = parts[:half] + parts[half:]
    expected = ((parts[0] + x[36]) + x[37]) + x[38]
    assert sum_of(x) == dot(x, np.ones(39)) == sum_where(np.ones(39, dtype=bool), x) == expected
    assert expected != math.fsum(x), "the order does not show"


def test_what_is_not_chosen_may_be_anything_and_nan_is_passed_on():
    x = np.array([1.0, math.nan, 2.0] * 9)
    assert sum_where(np.isfinite(x), x) == 27
    assert np.isnan([sum_of(x), dot(x, x)]).all()


def test_vectors_with_gaps_are_refused():
    with pytest.raises(TypingError, match="contiguous"):
        dot(np.zeros(8)[::2], np.zeros(4))


def digests(cache, *arguments, **variables):
    """Digests of the kernels' results, by a process with its own cache of kernels."""
    script = Path(__file__).with_name("kernel_bytes.py")
    done = subprocess.run(
        [sys.executable, str(script), *arguments],
        env=os.environ
        | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT / "src")}
        | variables,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_kernels_give_the_same_bytes_compiled_loaded_and_for_another_processor(tmp_path):
    compiled = digests(tmp_path / "cache")
    assert list((tmp_path / "cache").rglob("*.nbc")), "nothing was kept to be loaded"
    assert digests(tmp_path / "cache") == compiled
    # Another processor, and no optimisation, so that nothing is regrouped; that is also quicker.
    other = {"NUMBA_CPU_NAME": "generic", "NUMBA_OPT": "0"}
    plain = digests(tmp_path / "plain", "reversed", **other)
    assert plain == compiled
