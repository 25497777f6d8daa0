"""Where the project is; importable from all unit tests."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
