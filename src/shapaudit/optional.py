"""Packages that only some tasks need: they are extras of the installation."""

from importlib import import_module
from typing import Any


class MissingPackage(ImportError):
    """A task needs a package that is not installed; the message says how to install it."""


def needed(package: str, what: str, extra: str = "") -> Any:
    """The module of a package, for ``what`` needs it.

    Raises `MissingPackage` with the command that installs the ``extra`` of this distribution, or
    the package itself where it is in none.
    """
    try:
        return import_module(package)
    except ImportError as error:
        name = package.partition(".")[0]
        install = f"'shapaudit[{extra}]'" if extra else name
        raise MissingPackage(
            f"{what} needs the package {name}: pip install {install} ({error})"
        ) from error
