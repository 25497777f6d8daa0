"""Comparisons that take as long as they take, however busy the machine is."""

import math

import pytest

from shapaudit.comparison import run


@pytest.fixture(autouse=True)
def without_a_deadline(monkeypatch):
    """A test that is about the deadline sets its own."""
    monkeypatch.setattr(run, "OVERTIME", math.inf)
