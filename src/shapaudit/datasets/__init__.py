"""Datasets: one file per dataset, one loader contract.

A loader is a function (rng, *, ...) -> `Dataset` in a module of this package, named there by
``@loader("name")``: `LOADERS` finds it. Its keyword-only parameters are what a configuration may
set. Given the same generator state it returns the same dataset.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..archives import UNREADABLE
from ..parameters import check_parameters
from ..registers import Register, unknown
from .base import Dataset, DatasetError
from .laws.dataset import LawDataset
from .linear import LinearMechanism

__all__ = [
    "LOADERS",
    "Dataset",
    "DatasetError",
    "LawDataset",
    "LinearMechanism",
    "is_generated",
    "load",
    "read",
]

LOADERS = Register(__name__, "loader")
_KINDS = {kind.kind: kind for kind in (LawDataset, LinearMechanism)}  # a table has none


def load(
    loader: str, params: Mapping[str, Any], rng: np.random.Generator
) -> Dataset | LinearMechanism:
    """Load or generate a dataset.

    Parameters
    ----------
    loader : str
        A key of `LOADERS`.
    params : mapping
        Keyword parameters of that loader.
    rng : numpy.random.Generator
        Draws what is random: generated rows, the split.

    Raises
    ------
    DatasetError
        For an unknown loader, an unknown or missing parameter, or a value out of range.
    """
    if loader not in LOADERS:
        raise DatasetError(unknown("dataset loader", loader, LOADERS))
    check_parameters(f"dataset loader {loader!r}", LOADERS[loader], params, DatasetError)
    return LOADERS[loader](rng, **params)


def is_generated(loader: str) -> bool:
    """Whether a loader draws its rows from the seed; the data of others are always the same."""
    return bool(LOADERS.places[loader].facts.get("generated"))


def read(path: str | Path) -> Dataset | LinearMechanism:
    """A saved dataset: a table, with its law if it has one, or a mechanism that generates rows.

    Raises `DatasetError` when the file is neither.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            kind = file["kind"].item() if "kind" in file.files else None
    except UNREADABLE:
        kind = None  # not readable, which the table's reader explains
    reading: type[Dataset | LinearMechanism] = _KINDS.get(str(kind), Dataset)
    return reading.load(path)
