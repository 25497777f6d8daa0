"""Models known in closed form: Grah and Thouvenot (2020), Section 5.1."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from ..datasets.base import Dataset
from ..registers import reader, trainer
from .base import ModelError, checked_rows, classification_scores, regression_scores, write_manifest


@dataclass(frozen=True)
class ChiSquareClassifier:
    """1 where the squared norm of a row exceeds a threshold, else 0.

    With the median of the chi-square law as threshold, half of the rows of N(0, I_d) are of either
    class: Hastie, Tibshirani and Friedman (2009), equation 10.2.

    Parameters
    ----------
    threshold : float
        In squared units of the features.
    """

    threshold: float

    @classmethod
    def for_dimension(cls, n_features: int) -> "ChiSquareClassifier":
        """Threshold at the median of the chi-square law with d degrees of freedom."""

        # That law is Gamma(d / 2, scale 2), so its median is a quantile of the regularised gamma.
        return cls(2.0 * float(scipy.special.gammaincinv(n_features / 2.0, 0.5)))

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Labels (m,), 0.0 or 1.0, of rows (m, d).

        Raises
        ------
        ModelError
            When rows are no table or hold NaN, which no comparison would notice.
        """
        rows = checked_rows(rows)
        squared_norms = np.einsum("ij,ij->i", rows, rows)
        if np.isnan(squared_norms).any():
            row = int(np.argmax(np.isnan(squared_norms)))
            raise ModelError(f"row {row} holds NaN; the chi-square classifier needs every feature")
        return (squared_norms > self.threshold).astype(np.float64)

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """Accuracy on rows (m, d) with labels (m,)."""
        return classification_scores(target, self.predict(rows))

    def save(self, directory: str | Path) -> None:
        """Write the threshold."""
        write_manifest(directory, "chi-square", threshold=self.threshold)


@dataclass(frozen=True)
class RadialRegression:
    """f(x) = prod_j sqrt(pi / 2) exp(-x_j^2 / 2), a product of one bump per feature.

    Hastie, Tibshirani and Friedman (2009), pages 339 and 401.

    Parameters
    ----------
    n_features : int
    """

    n_features: int

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d); the product is the exponential of a sum, so that neither
        its large nor its small factors leave the range of floats on the way."""
        rows = checked_rows(rows, self.n_features)
        squared_norms = np.einsum("ij,ij->i", rows, rows)
        return np.exp(0.5 * (self.n_features * math.log(math.pi / 2.0) - squared_norms))

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """R^2 and RMSE on rows (m, d) with target (m,)."""
        return regression_scores(target, self.predict(rows))

    def save(self, directory: str | Path) -> None:
        """Write the dimension."""
        write_manifest(directory, "radial", n_features=self.n_features)


@trainer("chi-square")
def train_chi_square(dataset: Dataset, seed: int) -> ChiSquareClassifier:
    """The classifier for the dataset's dimension; nothing is fitted and nothing is random."""
    return ChiSquareClassifier.for_dimension(dataset.n_features)


@trainer("radial")
def train_radial(dataset: Dataset, seed: int) -> RadialRegression:
    """The regression for the dataset's dimension; nothing is fitted and nothing is random."""
    return RadialRegression(dataset.n_features)


@reader("chi-square")
def read_chi_square(directory: Path, manifest: dict[str, Any]) -> ChiSquareClassifier:
    """The classifier of a manifest."""
    return ChiSquareClassifier(float(manifest["threshold"]))


@reader("radial")
def read_radial(directory: Path, manifest: dict[str, Any]) -> RadialRegression:
    """The regression of a manifest."""
    return RadialRegression(int(manifest["n_features"]))
