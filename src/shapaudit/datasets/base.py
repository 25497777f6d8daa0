"""The dataset contract: a table, its target, its split, and where it comes from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from ..archives import UNREADABLE
from ..parameters import listed

TEST_FRACTION = 0.25

_SPLIT = "split_"


class DatasetError(ValueError):
    """A dataset that cannot be loaded, is malformed, or is asked for wrongly."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table of real features with an optional target.

    Parameters
    ----------
    name : str
        What reports call it.
    features : ndarray (n, d) of float64
        Rows are observations. Missing values are NaN.
    target : ndarray (n,) of float64, or None
        None when the target is the business of the model.
    feature_names : tuple of d distinct str
    split : dict of str to ndarray of int
        Row indices of "train" and "test" (further parts may follow); disjoint, covering all rows.
    provenance : str
        Where the rows come from: "generated", a library that bundles them, an address.

    Raises
    ------
    DatasetError
        When the parts do not fit together.
    """

    name: str
    features: np.ndarray
    target: np.ndarray | None
    feature_names: tuple[str, ...]
    split: dict[str, np.ndarray]
    provenance: str

    def __post_init__(self) -> None:
        features = np.ascontiguousarray(self.features, dtype=np.float64)
        object.__setattr__(self, "features", features)
        if self.target is not None:
            target = np.ascontiguousarray(self.target, dtype=np.float64)
            object.__setattr__(self, "target", target)
        object.__setattr__(self, "feature_names", tuple(str(name) for name in self.feature_names))
        split = {part: np.asarray(rows, dtype=np.int64) for part, rows in self.split.items()}
        object.__setattr__(self, "split", split)
        self._check_shapes()
        self._check_split()

    @property
    def n_rows(self) -> int:
        """Number of observations."""
        return self.features.shape[0]

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.features.shape[1]

    def rows(self, part: str) -> tuple[np.ndarray, np.ndarray | None]:
        """Features (m, d) and target (m,), or None, of one part of the split.

        Raises
        ------
        DatasetError
            When the split has no such part.
        """
        if part not in self.split:
            raise DatasetError(
                f"dataset {self.name!r} has no part {part!r}; it has {listed(self.split)}"
            )
        chosen = self.split[part]
        return self.features[chosen], None if self.target is None else self.target[chosen]

    def save(self, path: str | Path) -> None:
        """Write an uncompressed .npz without pickled objects; equal datasets give equal bytes."""
        save_arrays(path, self.arrays())

    def arrays(self) -> dict[str, np.ndarray]:
        """What the dataset consists of, as `from_arrays` takes it."""
        arrays = {
            "name": np.array(self.name),
            "features": self.features,
            "feature_names": np.array(self.feature_names),
            "provenance": np.array(self.provenance),
        }
        if self.target is not None:
            arrays["target"] = self.target
        return arrays | {_SPLIT + part: rows for part, rows in self.split.items()}

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        DatasetError
            When the file is not such a file.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                return cls.from_arrays({key: file[key] for key in file.files})
        except FileNotFoundError:
            raise
        except UNREADABLE as error:
            raise DatasetError(
                f"{path} is not a saved dataset ({error}); delete it and generate it again"
            ) from error

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray], **further: Any) -> Self:
        """The dataset of some arrays, with what else a kind of its own needs."""
        return cls(
            name=str(arrays.pop("name")),
            features=arrays.pop("features"),
            target=arrays.pop("target", None),
            feature_names=tuple(arrays.pop("feature_names").tolist()),
            provenance=str(arrays.pop("provenance")),
            split={key.removeprefix(_SPLIT): rows for key, rows in arrays.items()},
            **further,
        )

    def _check_shapes(self) -> None:
        if self.features.ndim != 2 or 0 in self.features.shape:
            raise DatasetError(
                f"dataset {self.name!r}: features must be a table with rows and columns, "
                f"got shape {self.features.shape}"
            )
        if self.target is not None and self.target.shape != (self.n_rows,):
            raise DatasetError(
                f"dataset {self.name!r}: target must have shape ({self.n_rows},), "
                f"one per row of features, got {self.target.shape}"
            )
        names = self.feature_names
        if len(names) != self.n_features or len(set(names)) != len(names):
            raise DatasetError(
                f"dataset {self.name!r}: {self.n_features} features need as many distinct names, "
                f"got {names}"
            )

    def _check_split(self) -> None:
        for part in ("train", "test"):
            if part not in self.split:
                raise DatasetError(
                    f"dataset {self.name!r}: split lacks {part!r}; it has {listed(self.split)}"
                )
        chosen = np.concatenate(list(self.split.values()))
        if not np.array_equal(np.sort(chosen), np.arange(self.n_rows)):
            raise DatasetError(
                f"dataset {self.name!r}: the parts {listed(self.split)} must hold each of the "
                f"{self.n_rows} rows exactly once"
            )


def save_arrays(path: str | Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write an uncompressed .npz without pickled objects; equal arrays give equal bytes."""
    savez: Callable[..., None] = np.savez  # by its stub an array might be the option allow_pickle
    with Path(path).open("wb") as file:
        savez(file, **arrays)


def random_split(
    n_rows: int, rng: np.random.Generator, test_fraction: float = TEST_FRACTION
) -> dict[str, np.ndarray]:
    """Uniformly random "train" and "test" rows, each part sorted and never empty.

    Raises
    ------
    DatasetError
        When there are fewer than two rows.
    """
    if n_rows < 2:
        raise DatasetError(f"a train/test split needs at least 2 rows, got {n_rows}")
    n_test = min(max(round(test_fraction * n_rows), 1), n_rows - 1)
    order = rng.permutation(n_rows)
    return {"train": np.sort(order[n_test:]), "test": np.sort(order[:n_test])}


def three_parts(n_rows: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Uniformly random "train", "validation" and "test" rows, 64, 16 and 20 % of them, sorted.

    Okhrati & Lipani 2021, Section V.B. Raises `DatasetError` below five rows.
    """
    if n_rows < 5:
        raise DatasetError(f"three parts need at least 5 rows, got {n_rows}")
    order = rng.permutation(n_rows)
    parts = np.split(order, [n_rows - n_rows // 5 - n_rows * 4 // 25, n_rows - n_rows // 5])
    return dict(zip(("train", "validation", "test"), map(np.sort, parts), strict=True))


def standardised(features: np.ndarray, train: np.ndarray) -> np.ndarray:
    """Columns (n, d) less their mean, over their standard deviation, both of the training rows.

    Columns that are constant there are only shifted.
    """
    spread = features[train].std(axis=0)
    return (features - features[train].mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def with_bias_input(dataset: Dataset) -> Dataset:
    """The dataset with an input "bias" before the others, 1 in all rows."""
    return replace(
        dataset,
        features=np.insert(dataset.features, 0, 1.0, axis=1),
        feature_names=("bias", *dataset.feature_names),
    )


def fill_with_medians(features: np.ndarray) -> np.ndarray:
    """A copy (n, d) in which the missing (NaN) entries of a column are the median of the others.

    Of all rows, so that a row does not depend on the split; baseline games need complete rows.
    """
    return np.where(np.isnan(features), np.nanmedian(features, axis=0), features)
