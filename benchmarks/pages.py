"""Tables in Markdown, and what they were measured with."""

import platform
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]], names: int = 1) -> str:
    """A table whose first columns hold ``names``, the others numbers."""
    lines = [header, [":---"] * names + ["---:"] * (len(header) - names), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def machine(pythons: Sequence[str] = (platform.python_version(),)) -> str:
    """Date, processor architecture and versions of interpreters and of NumPy, a sentence."""
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d} with Python {' and '.join(pythons)}, "
        f"NumPy {np.__version__}, one thread, {platform.machine()}."
    )
