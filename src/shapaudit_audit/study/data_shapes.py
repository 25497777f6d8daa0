"""Approximate size of the data of a configuration, before they are loaded."""

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from shapaudit.datasets import LOADERS

from .blocks.games import DatasetBlock

UNKNOWN = 1000, 20  # assumed rows and features where neither is known
# Approximate rows and features of data whose loaders have no parameters for them.
SHAPES = {
    "blog": (52_397, 280),
    "breast-cancer": (569, 15),
    "communities": (1_994, 102),
    "credit": (30_000, 15),
    "diabetes": (442, 10),
    "digits": (1_797, 64),
    "mnist": (70_000, 784),
    "nhanes": (10_000, 18),
}


def settings_of(function: Callable, params: Mapping | None) -> dict[str, Any]:
    """Keyword parameters of a function: the given values, otherwise the defaults."""
    declared = inspect.signature(function).parameters.values()
    defaults = {p.name: p.default for p in declared if p.default is not p.empty}
    return defaults | dict(params or {})


def shape_of(dataset: DatasetBlock) -> tuple[int, int]:
    """Approximate rows and features of the data of a block of the configuration."""
    settings = settings_of(LOADERS[dataset.loader], dataset.params)
    if dataset.loader == "csv":
        return _shape_of_file(Path(settings["path"]))
    rows, features = SHAPES.get(dataset.loader, UNKNOWN)
    features = settings.get("n_features", features) + settings.get("zero_features", 0)
    return settings.get("n_rows", rows), features


def _shape_of_file(path: Path) -> tuple[int, int]:
    """Lines, and columns without the target; `UNKNOWN` where the file cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            columns = next(file, "").count(",")
            return sum(1 for _ in file), max(columns, 1)
    except OSError:
        return UNKNOWN
