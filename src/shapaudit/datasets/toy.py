"""The toy example of Bell, Devanathan & Boyd (2024), Section 2.5: the authors' own rows."""

from pathlib import Path

import numpy as np

from ..registers import loader
from . import download
from .base import Dataset

FEATURES = ("x1", "x2", "x3")
SOURCE = download.Source(
    name="toy",
    url=(
        "https://raw.githubusercontent.com/cvxgrp/ls-spa/"
        "02b6e6219b832e86e645aa7e1c49098279e38ad9/data/toy_data.npz"
    ),
    size=4202,
    sha256="cb5f6d0bacfa63bd0c5c24f8818d48ef18b82a434ea4c114fc2111777a552875",
    filename="toy_data.npz",
    licence="Apache-2.0",
    mirrors=(download.ARCHIVE,),
    # The same rows as two tables.
    instead=(
        ("toy_train.csv", "87f70484c2a8d78f891bc71fc5e8c4963e5cb45489b4fc270eedde80d27a5cc9"),
        ("toy_test.csv", "9612f68b6db13d4df34a42f36665c5c1b9fa685420f0d2e98cdc977ab4ac62b8"),
    ),
)


@loader("toy")
def load(rng: np.random.Generator) -> Dataset:
    """50 training and 50 test rows, three features.

    Raises `DownloadError` when they are neither on disk nor can be downloaded.
    """
    tables = download.instead_of(SOURCE, download.DIRECTORY)
    parts = [np.loadtxt(path, delimiter=",", skiprows=1) for path in tables] or _archive(
        download.fetch(SOURCE, download.DIRECTORY)
    )
    table = np.concatenate(parts)
    n = len(parts[0])
    return Dataset(
        name="toy",
        features=table[:, :-1],
        target=table[:, -1],
        feature_names=FEATURES,
        split={"train": np.arange(n), "test": np.arange(n, len(table))},
        provenance="repository of the LS-SPA authors, toy data",
    )


def _archive(path: Path) -> list[np.ndarray]:
    with np.load(path, allow_pickle=False) as file:
        return [
            np.column_stack([file[f"X_{part}"], file[f"y_{part}"].ravel()])
            for part in ("train", "test")
        ]
