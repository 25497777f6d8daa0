"""Additive functions of a row: a curve of each feature, by least squares."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.base import Dataset
from ..registers import reader, trainer
from .base import checked_rows, regression_scores, training_rows, write_manifest

BASIS = (np.positive, np.square, np.tanh)  # of which each curve is a combination


@dataclass(frozen=True, eq=False)
class Additive:
    """f(x) = intercept + sum_j (c_j1 x_j + c_j2 x_j^2 + c_j3 tanh x_j).

    Parameters
    ----------
    intercept : float
    coefficients : (d, 3)
    """

    intercept: float
    coefficients: np.ndarray

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return len(self.coefficients)

    def terms(self, values: np.ndarray, feature: int) -> np.ndarray:
        """The curve of a feature at values of any shape."""
        parts = zip(self.coefficients[feature], BASIS, strict=True)
        curves = (coefficient * function(values) for coefficient, function in parts)
        return sum(curves, start=np.zeros(()))

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        rows = checked_rows(rows, self.n_features)
        curves = (self.terms(rows[:, j], j) for j in range(self.n_features))
        return self.intercept + sum(curves, start=np.zeros(()))

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """R^2 and RMSE on rows (m, d) with target (m,)."""
        return regression_scores(target, self.predict(rows))

    def save(self, directory: str | Path) -> None:
        """Write the coefficients; equal models give equal bytes."""
        coefficients = self.coefficients.tolist()
        write_manifest(
            directory, "additive", intercept=float(self.intercept), coefficients=coefficients
        )


@reader("additive")
def read_additive(directory: Path, manifest: dict[str, Any]) -> Additive:
    """The function of a manifest."""
    return Additive(float(manifest["intercept"]), np.array(manifest["coefficients"]))


@trainer("additive")
def train_additive(dataset: Dataset, seed: int) -> Additive:
    """Least squares on the training rows, the shortest solution where several are; not random.

    Raises `ModelError` without a target.
    """
    rows, target = training_rows("additive", dataset)
    curves = np.stack([function(rows) for function in BASIS], axis=-1)  # (n, d, 3)
    design = np.column_stack([np.ones(len(rows)), curves.reshape(len(rows), -1)])
    solution = np.linalg.lstsq(design, target, rcond=None)[0]
    return Additive(float(solution[0]), solution[1:].reshape(-1, len(BASIS)))
