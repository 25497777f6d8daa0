"""The model contract, its scores, and the manifest that says how to read a saved model."""

import json
import logging
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ..datasets.base import Dataset
from ..own_files import check_manifest
from ..parameters import numbers_of

MANIFEST = "model.json"

logger = logging.getLogger("shapaudit.models")


class ModelError(ValueError):
    """A model that cannot be trained, saved, read or evaluated as asked."""


class UndefinedScore(ModelError):
    """Rows that do not determine a figure of merit."""


class Predicts(Protocol):
    """What a removal asks of a model."""

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) float64 for rows (m, d)."""
        ...


@runtime_checkable
class Model(Predicts, Protocol):
    """A fitted function of one row of features.

    Saved without pickle: a directory with a `model.json` whose "kind" names the reader.
    """

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) float64 for rows (m, d)."""
        ...

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """Named figures of merit on rows (m, d) with known target (m,)."""
        ...

    def save(self, directory: str | Path) -> None:
        """Write the model; `models.load_model` reads it."""
        ...


def checked_rows(rows: np.ndarray, n_features: int | None = None) -> np.ndarray:
    """Rows as a contiguous float64 table.

    Raises
    ------
    ModelError
        When they are no table (m, d), or d is not `n_features`.
    """
    rows = numbers_of("rows", rows, ModelError)
    if rows.ndim != 2 or (n_features is not None and rows.shape[1] != n_features):
        columns = "d" if n_features is None else n_features
        raise ModelError(f"rows must have shape (m, {columns}), got {rows.shape}")
    return rows


def training_rows(
    trainer: str, dataset: Dataset, part: str = "train"
) -> tuple[np.ndarray, np.ndarray]:
    """Rows (n, d) and target (n,) to train on, of the split or (``part`` "all") of the dataset.

    Raises `ModelError` without a target, and for entries that are not finite, by feature.
    """
    rows, target = (dataset.features, dataset.target) if part == "all" else dataset.rows("train")
    if target is None:
        raise ModelError(
            f"trainer {trainer!r}: dataset {dataset.name!r} has no target; choose a loader with one"
        )
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=0))
    names = [f"the training rows of {dataset.feature_names[j]!r}" for j in bad]
    if not np.isfinite(target).all():
        names.append("the training target")
    if names:
        raise ModelError(
            f"trainer {trainer!r}: dataset {dataset.name!r} has NaN or infinity in "
            f"{', '.join(names)}; impute or drop them in the loader"
        )
    return rows, target


def regression_scores(target: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    """Coefficient of determination "r2" and root mean squared error "rmse" (target's units).

    Raises
    ------
    ModelError
        When the shapes differ.
    UndefinedScore
        When the target is constant: r2 divides by its variance.
    """
    target = _checked_target(target, predicted)
    total = float(np.sum((target - target.mean()) ** 2))
    if total == 0.0:
        raise UndefinedScore(f"r2 needs a target that varies; all {len(target)} values are equal")
    residual = float(np.sum((target - predicted) ** 2))
    return {"r2": 1.0 - residual / total, "rmse": float(np.sqrt(residual / len(target)))}


def classification_scores(target: np.ndarray, predicted: np.ndarray) -> dict[str, float]:
    """Share "accuracy" of rows whose predicted label equals the target.

    Raises
    ------
    ModelError
        When the shapes differ.
    """
    target = _checked_target(target, predicted)
    return {"accuracy": float(np.mean(target == predicted))}


def held_out_score(
    model: Model, rows: np.ndarray, target: np.ndarray | None
) -> tuple[dict[str, float], str]:
    """Figures of merit on test rows (m, d), and in words why there are none.

    There are none without a target, nor where the rows do not determine them: one row, or equal
    targets. The words are empty where there are some.
    """
    if target is None:
        return {}, "the data have no target"
    try:
        return model.score(rows, target), ""
    except UndefinedScore as error:
        logger.warning("no score on the test rows: %s", error)
        return {}, str(error)


def write_manifest(directory: str | Path, kind: str, *files: str, **content: Any) -> Path:
    """Create the directory with its `model.json`; return the directory.

    ``files`` are those that follow. Raises `FolderError` rather than overwrite one that was not
    written here.
    """
    directory = Path(directory)
    check_manifest(directory, MANIFEST, ["kind"], files)
    directory.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"kind": kind, **content}, indent=2, sort_keys=True)
    (directory / MANIFEST).write_text(text + "\n", encoding="utf-8")
    return directory


def read_manifest(directory: str | Path) -> dict[str, Any]:
    """The content of `model.json`.

    Raises
    ------
    ModelError
        When it is missing, not JSON, or names no kind.
    """
    path = Path(directory) / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ModelError(f"{directory} holds no saved model: {MANIFEST} is missing") from error
    except ValueError as error:
        raise ModelError(f"{path} is not JSON ({error}); train the model again") from error
    if not isinstance(manifest, dict) or "kind" not in manifest:
        raise ModelError(f"{path} does not name a kind of model; train the model again")
    return manifest


def _checked_target(target: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    target = np.asarray(target, dtype=np.float64)
    if target.shape != predicted.shape or target.size == 0:
        raise ModelError(f"a score needs one target per row, got {target.shape}")
    return target
