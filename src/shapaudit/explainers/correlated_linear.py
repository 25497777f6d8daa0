"""Correlated LinearSHAP: conditional Shapley values of linear models under a Gaussian law.

With g = Sigma beta, the conditional expectation of beta'x given x_S is, apart from a constant,
c_S'x_S with c_S the solution of Sigma_SS c_S = g_S: the regression of beta'x on x_S. So all values
are phi = B (x - mean) with one matrix B for all explicands (`explainers.gaussian_matrix`).
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..models.linear import LinearModel
from ..models.read_linear import read_linear
from .base import Background, ExplainerCard, ExplainerError, ExplainerMethod, FittedExplainer, Names
from .covariance import checked_covariance, estimated_covariance
from .gaussian_matrix import exact_matrix, sampled_matrix
from .linear import of_linear
from .reading import Reading

MOST_EXACT = 20


@dataclass(frozen=True, eq=False)
class FittedCorrelatedLinear(FittedExplainer):
    """Correlated LinearSHAP of one model and one law: ``matrix`` (d, d) is B."""

    explainer: "CorrelatedLinear"
    background: Background
    model: LinearModel
    mean: np.ndarray
    matrix: np.ndarray

    def output(self, rows: np.ndarray) -> np.ndarray:
        """The linear model's outputs (m,)."""
        return self.model.predict(rows)

    def _explained(
        self, explicands: np.ndarray, baselines: np.ndarray
    ) -> tuple[np.ndarray, float, int]:
        values = (explicands - self.mean) @ self.matrix.T
        return values, float(self.model.predict(self.mean[None])[0]), 0


@dataclass(frozen=True, eq=False)
class CorrelatedLinear(ExplainerMethod):
    """Conditional Shapley values of a linear model whose features are jointly Gaussian.

    They need no more of the law than that regressions of features on each other are linear. All
    explicands share one matrix, from all coalitions up to d = 20 or from random orders, in
    antithetic pairs; `fit` takes the models that `Linear` takes.

    Parameters
    ----------
    covariance : (d, d) of the features; None for that of the background
    mean : (d,) of the features; None for that of the background
    permutations : random orders, an even number, 1000 for instance; 0 for all coalitions
    output : class or output that is explained; by default the second of two classes

    Examples
    --------
    >>> model = LinearModel([2.0, 0.0])
    >>> law = {"mean": [0.0, 0.0], "covariance": [[1.0, 0.5], [0.5, 1.0]]}
    >>> create("correlated-linear", law).fit(model, [[0.0, 0.0]]).explain([1.0, 1.0]).values
    array([1.5, 0.5])
    """

    covariance: np.ndarray | None = None
    mean: np.ndarray | None = None
    permutations: int = 0
    output: int | None = None

    id: ClassVar[str] = "correlated-linear"
    names: ClassVar[Names] = {"Correlated LinearSHAP": {}}

    @property
    def card(self) -> ExplainerCard:
        """Stochastic where orders are asked for."""
        return ExplainerCard(
            models="linear",
            target="conditional",
            definition="The matrix of all conditional expectations of a Gaussian law, averaged.",
            cost="O(d^2)",
            source="Chen et al. 2023, Equation 11",
            exact_for="laws with linear regressions, of known mean and covariance",
            bias="of the law: regressions of features on each other that are not linear",
            deterministic=not self.permutations,
        )

    def __post_init__(self) -> None:
        """Raise ValueError for an odd or negative number of orders."""
        super().__post_init__()
        if self.permutations < 0 or self.permutations % 2:
            raise ValueError(
                f"{self.id}: permutations come in pairs, an even number or 0; got "
                f"{self.permutations}."
            )

    def _read(self, model: Any) -> Reading:
        return of_linear(read_linear(model, self.output))

    def _fitted(
        self, model: Any, background: Background, rng: np.random.Generator
    ) -> FittedExplainer:
        self.check_features(background, model.n_features)
        if not self.permutations and model.n_features > MOST_EXACT:
            raise ExplainerError(
                f"{self.id}: {model.n_features} features have too many coalitions, {MOST_EXACT} "
                "are the most; ask for random orders, permutations=1000 for instance."
            )
        covariance, mean = self._law(background)
        if self.permutations:
            matrix = sampled_matrix(covariance, model.coefficients, self.permutations, rng)
        else:
            matrix = exact_matrix(covariance, model.coefficients)
        return FittedCorrelatedLinear(self, background, model, mean, matrix)

    def _law(self, background: Background) -> tuple[np.ndarray, np.ndarray]:
        """Covariance (d, d) and mean (d,), given or estimated, checked."""
        if self.covariance is None:
            covariance = estimated_covariance(self.id, background)
        else:
            covariance = checked_covariance(self.id, self.covariance, background.names)
        mean = background.rows.mean(axis=0) if self.mean is None else self.mean
        mean = np.asarray(mean, dtype=np.float64)
        if mean.shape != (background.n_features,) or not np.isfinite(mean).all():
            raise ExplainerError(
                f"{self.id}: the mean must be {background.n_features} finite numbers, one per "
                f"feature; its shape is {mean.shape}."
            )
        return covariance, mean
