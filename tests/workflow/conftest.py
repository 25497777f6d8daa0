"""Copies of the project, one per module; `workspace` is importable from these tests."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from workspace import copy_project


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project."""
    return copy_project(tmp_path_factory.mktemp("copy") / "project")
