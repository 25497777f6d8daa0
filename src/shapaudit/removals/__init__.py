"""Removals: how the value of a coalition comes about when features are absent.

A removal is a class with an id in a module of this package: it is found by being there.
``REGISTRY`` holds all of them by id; a class of one's own is named by its dotted path.
"""

from dataclasses import fields
from pathlib import Path
from typing import Any

from ..discovery import by_name, compared, definitions, find_class, find_name, imported_class
from ..models import Model
from ..parameters import hint, listed
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
    if name == "REGISTRY":
        value = {one.id: one.load() for one in definitions(__name__)}
    elif name.startswith("_") or (one := find_class(name, __name__)) is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        value = one.load()
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), "REGISTRY", *(one.cls for one in definitions(__name__))})


def resolve(name: str) -> type[Removal]:
    """Class of an id or of a dotted path "package.module.Class".

    Raises `RemovalError` naming what is close and the known ids, or what is wrong with the path.
    """
    if found := find_name(name, __name__):
        return found[0].load()
    return imported_class(name, Removal, "removal", lambda: _told_of_names(name), RemovalError)


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
    """Read what `FittedRemoval.save` wrote, for the model that it was fitted with."""
    manifest, arrays = read_saved(directory)
    removal = create(manifest["removal"], manifest["params"])
    return FittedRemoval(removal, model, tuple(manifest["names"]), arrays, manifest["fit_rows"])


def _told_of_names(name: str) -> str:
    found = definitions(__name__)
    return (
        f"unknown removal {name!r}{hint(compared(name), by_name(found))}; known: "
        f"{', '.join(sorted(one.id for one in found))}; or give a dotted path "
        "package.module.Class."
    )


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
