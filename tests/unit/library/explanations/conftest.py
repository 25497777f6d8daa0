"""What the tests of explanations share."""

from types import SimpleNamespace

import pytest

from shapaudit.explanations import evaluating


@pytest.fixture
def slow(monkeypatch):
    """Every model counts as slow, so that its outputs are remembered, and is asked in parts."""
    trial = SimpleNamespace(row_seconds=1.0)
    monkeypatch.setattr(evaluating, "SpeedTrial", lambda predict, table: trial)
    monkeypatch.setattr(evaluating, "CALL", 40.0)  # rows
