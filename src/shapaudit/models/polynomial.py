"""Linear and quadratic functions of a row, by least squares."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.base import Dataset
from ..parameters import check_count
from ..registers import reader, trainer
from .base import ModelError, checked_rows, regression_scores, training_rows, write_manifest

DEGREES = (1, 2)


@dataclass(frozen=True, eq=False)
class Polynomial:
    """f(x) = intercept + linear'x + x' quadratic x.

    Parameters
    ----------
    intercept : float
    linear : (d,)
    quadratic : (d, d), symmetric; zero for a linear function
    """

    intercept: float
    linear: np.ndarray
    quadratic: np.ndarray

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return len(self.linear)

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        rows = checked_rows(rows, self.n_features)
        curved = np.einsum("ij,ij->i", rows @ self.quadratic, rows)
        return self.intercept + rows @ self.linear + curved

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """R^2 and RMSE on rows (m, d) with target (m,)."""
        return regression_scores(target, self.predict(rows))

    def save(self, directory: str | Path) -> None:
        """Write the coefficients; equal models give equal bytes."""
        write_manifest(
            directory,
            "polynomial",
            intercept=float(self.intercept),
            linear=self.linear.tolist(),
            quadratic=self.quadratic.tolist(),
        )


@reader("polynomial")
def read_polynomial(directory: Path, manifest: dict[str, Any]) -> Polynomial:
    """The polynomial of a manifest."""
    arrays = (np.array(manifest[name]) for name in ("linear", "quadratic"))
    return Polynomial(float(manifest["intercept"]), *arrays)


@trainer("polynomial")
def train_polynomial(dataset: Dataset, seed: int, *, degree: int = 1) -> Polynomial:
    """Least squares on the training rows, the shortest solution where several are; not random.

    Raises `ModelError` for another degree than 1 or 2, or without a target.
    """
    check_count("trainer 'polynomial': degree", degree, 1, ModelError)
    if degree not in DEGREES:
        raise ModelError(f"trainer 'polynomial': degree must be 1 or 2, got {degree}")
    rows, target = training_rows("polynomial", dataset)
    d = rows.shape[1]
    first, second = np.triu_indices(d)
    products = rows[:, first] * rows[:, second] if degree == 2 else np.empty((len(rows), 0))
    design = np.column_stack([np.ones(len(rows)), rows, products])
    solution = np.linalg.lstsq(design, target, rcond=None)[0]
    quadratic = np.zeros((d, d))
    if degree == 2:
        quadratic[first, second] = solution[1 + d :] / 2
        quadratic += quadratic.T
    return Polynomial(float(solution[0]), solution[1 : 1 + d], quadratic)
