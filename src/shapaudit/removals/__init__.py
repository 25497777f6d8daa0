"""Removals: how the value of a coalition comes about when features are absent.

A removal is a class with an id in a module of this package: it is found by being there.
``REGISTRY`` holds all of them by id; a class of one's own is named by its dotted path.
"""

from dataclasses import fields
from pathlib import Path
from typing import Any

from ..discovery import attribute_of, attributes_of, find_name, imported_class
from ..models import Model
from ..parameters import listed
from .base import (
    Background,
    FittedRemoval,
    Removal,
    RemovalCard,
    RemovalError,
    RemovalGame,
    read_saved,
)


def __getattr__(name: str) -> Any:
    """The registry, or a removal by the name of its class."""
    return attribute_of(__name__, name)


def __dir__() -> list[str]:
    return attributes_of(__name__)


def resolve(name: str) -> type[Removal]:
    """Class of an id or of a dotted path "package.module.Class".

    Raises `RemovalError` naming what is close and the known ids, or what is wrong with the path.
    """
    if found := find_name(name, __name__):
        return found[0].load()
    return imported_class(name, Removal, __name__, "removal", RemovalError)


def create(name: str, params: dict | None = None) -> Removal:
    """Removal of an id or a dotted path, with the given parameters; lists are read as tuples.

    Raises `RemovalError`, also for parameters that the removal has not.
    """
    cls, params = resolve(name), params or {}
    known = [field.name for field in fields(cls)]
    if unknown := sorted(set(params) - set(known)):
        raise RemovalError(
            f"removal {name!r} has no parameter {listed(unknown)}; it has {listed(known)}."
        )
    read = {key: tuple(v) if isinstance(v, list) else v for key, v in params.items()}
    return cls(**read)


def load_removal(directory: str | Path, model: Model) -> FittedRemoval:
    """Read what `FittedRemoval.save` wrote, for the model that it was fitted with.

    Raises `RemovalError` for a folder that holds no removal.
    """
    manifest, arrays = read_saved(directory)
    removal = create(manifest["removal"], manifest["params"])
    return FittedRemoval(removal, model, tuple(manifest["names"]), arrays, manifest["fit_rows"])


__all__ = [
    "Background",
    "FittedRemoval",
    "Removal",
    "RemovalCard",
    "RemovalError",
    "RemovalGame",
    "create",
    "load_removal",
    "resolve",
]
