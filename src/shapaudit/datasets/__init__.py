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
    mixed,
    mnist,
    nhanes,
    table,
    toy,
)
from .base import Dataset, DatasetError
from .laws import loaders as laws
from .laws.dataset import LawDataset
from .linear import LinearMechanism

__all__ = [
    "GENERATED",
    "LOADERS",
    "Dataset",
    "DatasetError",
    "LawDataset",
    "LinearMechanism",
    "load",
    "read",
]

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
    "mixed": mixed.load,
    "mnist": mnist.load,
    "nhanes": nhanes.load,
    "toy": toy.load,
    "gaussian-law": laws.load_gaussian,
    "mixture-law": laws.load_mixture,
    "copula-law": laws.load_copula,
    "discrete-law": laws.load_discrete,
    "chain-law": laws.load_chain,
}
# Loaders whose rows are drawn from the seed; the data of all others are the same in every study.
GENERATED = frozenset({"gaussian", "generated", "linear"}) | {
    name for name in LOADERS if name.endswith("-law")
}
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
        raise DatasetError(
            f"unknown dataset loader {loader!r}; the known ones are {listed(LOADERS)}"
        )
    check_parameters(f"dataset loader {loader!r}", LOADERS[loader], params, DatasetError)
    return LOADERS[loader](rng, **params)


def read(path: str | Path) -> Dataset | LinearMechanism:
    """A saved dataset: a table, with its law if it has one, or a mechanism that generates rows.

    Raises `DatasetError` when the file is neither.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            kind = file["kind"].item() if "kind" in file.files else None
    except (ValueError, EOFError, zipfile.BadZipFile):
        kind = None  # not readable, which the table's reader explains
    return _KINDS.get(kind, Dataset).load(path)
