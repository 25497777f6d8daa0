"""Removals: how the value of a coalition comes about when features are absent.

A removal is a class with an id in a module of this package: it is found by being there.
``REGISTRY`` holds all of them by id; a user's class is named by its dotted path.
"""

from pathlib import Path
from typing import Any

from ..discovery import Kind, attribute_of, attributes_of
from ..models import Predicts
from .base import (
    FittedRemoval,
    Removal,
    RemovalCard,
    RemovalError,
    RemovalGame,
    TrainingData,
    read_saved,
)
from .columns import Columns, TableModel

_KIND = Kind(__name__, Removal, "removal", RemovalError)


def __getattr__(name: str) -> Any:
    """The registry, or a removal by the name of its class."""
    return attribute_of(__name__, name)


def __dir__() -> list[str]:
    return attributes_of(__name__)


def resolve(name: str) -> type[Removal]:
    """Class of an id or of a dotted path "package.module.Class".

    Raises `RemovalError` naming what is close and the known ids, or what is wrong with the path.
    """
    return _KIND.find(name)[0]


def create(name: str, params: dict[str, Any] | None = None) -> Removal:
    """Removal of an id or a dotted path, with the given parameters; lists are read as tuples.

    Raises `RemovalError`, also for parameters that the removal has not.
    """
    read = {key: tuple(v) if isinstance(v, list) else v for key, v in _KIND.read(params).items()}
    return _KIND.create(name, read)


def load_removal(directory: str | Path, model: Predicts) -> FittedRemoval:
    """Read what `FittedRemoval.save` wrote, for the model that it was fitted with.

    Raises `RemovalError` for a folder that holds no removal.
    """
    manifest, arrays = read_saved(directory)
    removal = create(manifest["removal"], manifest["params"])
    names, columns = tuple(manifest["names"]), None
    if manifest.get("table"):
        columns = Columns(names, {})
        model = TableModel(model, columns)
    return FittedRemoval(removal, model, names, arrays, manifest["fit_rows"], columns)


__all__ = [
    "FittedRemoval",
    "Removal",
    "RemovalCard",
    "RemovalError",
    "RemovalGame",
    "TrainingData",
    "create",
    "load_removal",
    "resolve",
]
