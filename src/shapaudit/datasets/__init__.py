"""Datasets: one file per dataset, one loader contract.

A loader is a function `load(rng, *, ...) -> Dataset`; its keyword-only parameters are what a
configuration may set. Given the same generator state it returns the same dataset.
"""

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..parameters import check_parameters, listed
from . import (
    blog,
    bundled,
    communities,
    credit,
    diabetes,
    gaussian,
    generated,
    linear,
    mnist,
    nhanes,
    table,
    toy,
)
from .base import Dataset, DatasetError
from .linear import LinearMechanism

__all__ = ["GENERATED", "LOADERS", "Dataset", "DatasetError", "LinearMechanism", "load", "read"]

LOADERS: dict[str, Callable[..., Dataset | LinearMechanism]] = {
    "gaussian": gaussian.load,
    "diabetes": diabetes.load,
    "blog": blog.load,
    "breast-cancer": bundled.load_breast_cancer,
    "communities": communities.load,
    "credit": credit.load,
    "csv": table.load,
    "digits": bundled.load_digits,
    "generated": generated.load,
    "linear": linear.load,
    "mnist": mnist.load,
    "nhanes": nhanes.load,
    "toy": toy.load,
}
# Loaders whose rows are drawn from the seed; the data of all others are the same in every study.
GENERATED = frozenset({"gaussian", "generated", "linear"})


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
        raise DatasetError(
            f"unknown dataset loader {loader!r}; the known ones are {listed(LOADERS)}"
        )
    check_parameters(f"dataset loader {loader!r}", LOADERS[loader], params, DatasetError)
    return LOADERS[loader](rng, **params)


def read(path: str | Path) -> Dataset | LinearMechanism:
    """A saved dataset: a table, or a mechanism that generates its rows.

    Raises `DatasetError` when the file is neither.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            mechanism = "kind" in file.files and file["kind"].item() == LinearMechanism.kind
    except (ValueError, EOFError, zipfile.BadZipFile):
        mechanism = False  # not readable, which the table's reader explains
    return (LinearMechanism if mechanism else Dataset).load(path)
