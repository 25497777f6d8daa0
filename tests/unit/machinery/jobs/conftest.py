"""The small study as a plan, with what a test changes in it."""

from collections.abc import Mapping
from copy import deepcopy

import pytest
from places import ROOT

from shapaudit_audit.jobs import Plan
from shapaudit_audit.study.overlays import load_study, merged

SMOKE = load_study(ROOT / "config" / "smoke.yaml")


@pytest.fixture
def plan():
    """A function: the plan of the small study with some blocks laid over it."""

    def made(above: Mapping | None = None) -> Plan:
        return Plan(merged(deepcopy(SMOKE), above or {}), ROOT)

    return made
