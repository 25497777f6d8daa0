"""LinearSHAP: exact baseline and marginal Shapley values of linear models."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..models.linear import LinearModel
from ..models.read_linear import ReadLinear, read_linear
from .base import Background, ExplainerCard, ExplainerMethod, FittedExplainer, Names
from .reading import Reading


def of_linear(linear: ReadLinear) -> Reading:
    """A linear model as it is read, checked against the model's own output."""
    return Reading(linear.model, linear.names, linear.numbers, linear.check)


@dataclass(frozen=True, eq=False)
class FittedLinear(FittedExplainer):
    """LinearSHAP of one model."""

    explainer: "Linear"
    background: Background
    model: LinearModel

    def output(self, rows: np.ndarray) -> np.ndarray:
        """The linear model's outputs (m,)."""
        return self.model.predict(rows)

    def _explained(
        self, explicands: np.ndarray, baselines: np.ndarray
    ) -> tuple[np.ndarray, float, int]:
        mean = baselines.mean(axis=0)
        values = (explicands - mean) * self.model.coefficients
        return values, float(self.model.predict(mean[None])[0]), 0


@dataclass(frozen=True)
class Linear(ExplainerMethod):
    """beta_i (x_i - mean_i): the marginal Shapley values of a linear model.

    They are those of the background's mean as the only baseline too. `fit` takes a `LinearModel`,
    a `LeastSquares` model, a fitted object with `coef_` and `intercept_`, as those of scikit-learn,
    a pipeline of scalers and such a model, a linear booster of XGBoost, and networks without
    activations. Its score before the link function is explained, of a logistic regression the
    log-odds; it is compared with the model's own at the background and at each explained row.

    Parameters
    ----------
    output : class or output that is explained; by default the second of two classes

    Examples
    --------
    >>> model = LinearModel([2.0, -1.0], intercept=0.5)
    >>> fitted = create("linear").fit(model, [[0.0, 0.0], [2.0, 2.0]])  # background (n, d)
    >>> fitted.explain([3.0, 3.0]).values  # (d,), in units of the model's output
    array([ 4., -2.])
    """

    output: int | None = None

    id: ClassVar[str] = "linear"
    names: ClassVar[Names] = {"LinearSHAP": {}, "LinearExplainer": {}}
    card: ClassVar[ExplainerCard] = ExplainerCard(
        models="linear",
        target="marginal",
        definition="Coefficient times deviation from the mean of the background.",
        cost="O(d)",
        source="Chen et al. 2023, Equation 10; Štrumbelj & Kononenko 2014",
        exact_for="every linear model and every background",
    )

    def _read(self, model: Any) -> Reading:
        return of_linear(read_linear(model, self.output))

    def _fitted(
        self, model: Any, background: Background, rng: np.random.Generator
    ) -> FittedExplainer:
        self.check_features(background, model.n_features)
        return FittedLinear(self, background, model)
