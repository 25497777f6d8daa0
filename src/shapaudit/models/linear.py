"""Linear models: an intercept and a coefficient for each feature."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..registers import reader
from .base import ModelError, checked_rows, regression_scores, write_manifest
from .least_squares import LeastSquares
from .polynomial import Polynomial


@dataclass(frozen=True, eq=False)
class LinearModel:
    """f(x) = intercept + coefficients'x.

    Parameters
    ----------
    coefficients : (d,) finite
    intercept : float

    Raises `ModelError` for coefficients of another shape, or numbers that are not finite.
    """

    coefficients: np.ndarray
    intercept: float = 0.0

    def __post_init__(self) -> None:
        coefficients = np.array(self.coefficients, dtype=np.float64)
        if coefficients.ndim != 1 or not coefficients.size:
            raise ModelError(
                f"a linear model has one coefficient per feature, (d,), not {coefficients.shape}"
            )
        if not (np.isfinite(coefficients).all() and np.isfinite(self.intercept)):
            raise ModelError("a linear model's coefficients and intercept must be finite numbers")
        object.__setattr__(self, "coefficients", coefficients)
        object.__setattr__(self, "intercept", float(self.intercept))

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return len(self.coefficients)

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        return checked_rows(rows, self.n_features) @ self.coefficients + self.intercept

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """R^2 and RMSE on rows (m, d) with target (m,)."""
        return regression_scores(target, self.predict(rows))

    def save(self, directory: str | Path) -> None:
        """Write the numbers into the manifest, without loss."""
        coefficients = self.coefficients.tolist()
        write_manifest(directory, "linear", coefficients=coefficients, intercept=self.intercept)


@reader("linear")
def read_linear(directory: Path, manifest: dict[str, Any]) -> LinearModel:
    """The model that `LinearModel.save` wrote."""
    return LinearModel(manifest["coefficients"], manifest["intercept"])


def as_linear(model: Any) -> LinearModel:
    """A linear model from this package, or an object with `coef_` and `intercept_`.

    scikit-learn's linear and logistic regressions have these; of a classifier of two classes they
    give the log-odds of the second. Raises `ModelError` for several outputs and other models.
    """
    if isinstance(model, LinearModel):
        return model
    if isinstance(model, LeastSquares):
        return _of_least_squares(model)
    if isinstance(model, Polynomial):
        if model.quadratic.any():
            raise ModelError("a polynomial of degree 2 is no linear model; train one of degree 1")
        return LinearModel(model.linear, model.intercept)
    if not (hasattr(model, "coef_") and hasattr(model, "intercept_")):
        raise ModelError(
            f"{type(model).__name__} is no linear model; give a LinearModel, a LeastSquares, or a "
            "fitted object with coef_ and intercept_"
        )
    coefficients = np.asarray(model.coef_, dtype=np.float64)
    if coefficients.ndim == 2 and len(coefficients) == 1:
        coefficients = coefficients[0]
    intercept = np.asarray(model.intercept_, dtype=np.float64)
    if coefficients.ndim != 1 or intercept.size != 1:
        raise ModelError(
            f"{type(model).__name__} has {np.shape(model.coef_)} coefficients, several outputs; "
            "explain one of them, as LinearModel(model.coef_[k], model.intercept_[k])"
        )
    return LinearModel(coefficients, intercept.item())


def _of_least_squares(model: LeastSquares) -> LinearModel:
    """The first fold of the first regression, which is what predicts."""
    problem = model.regressions[0][0]
    coefficients = problem.coefficients()
    return LinearModel(coefficients, problem.means[-1] - problem.means[:-1] @ coefficients)
