"""Datasets: one file per dataset, one loader contract.

A loader is a function `load(rng, *, ...) -> Dataset`; its keyword-only parameters are what a
configuration may set. Given the same generator state it returns the same dataset.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import blog, communities, diabetes, gaussian, generated, nhanes
from .base import Dataset, DatasetError
from .parameters import check_parameters, listed

__all__ = ["LOADERS", "Dataset", "DatasetError", "load"]

LOADERS: dict[str, Callable[..., Dataset]] = {
    "gaussian": gaussian.load,
    "diabetes": diabetes.load,
    "blog": blog.load,
    "communities": communities.load,
    "generated": generated.load,
    "nhanes": nhanes.load,
}


def load(loader: str, params: Mapping[str, Any], rng: np.random.Generator) -> Dataset:
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
