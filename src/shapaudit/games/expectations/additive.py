"""Copulas and additive models: one integral per absent feature, by the trapezoidal rule.

Given x_S the latent number of an absent feature is normal, and E[g_j(X_j) | x_S] an integral of a
smooth function against its density. For functions analytic in a strip the trapezoidal rule on the
whole line errs by exp(-2 pi a / h), a being half the width of the strip in standard deviations and
h the step (Trefethen & Weideman 2014): with curves of `models.Additive` and the margins of
`laws.MARGINS`, below rounding at the step taken here.
"""

from dataclasses import dataclass

import numpy as np

from ...datasets.laws import MARGINS, CopulaLaw, GaussianLaw
from ...datasets.laws.sweep import conditionals
from ...models import Additive, Polynomial
from ...models.base import Model
from .base import blocks

STEP, REACH = 0.1, 12.0  # of the rule, in standard deviations


@dataclass(frozen=True, eq=False)
class AdditiveExpectation:
    """Sum over features of their curves: at x on S, integrated off it.

    Parameters
    ----------
    law : CopulaLaw
    model : Additive
    """

    law: CopulaLaw
    model: Additive

    def values(self, explicands: np.ndarray, coalitions: np.ndarray) -> np.ndarray:
        """Values (n, m)."""
        n, d = explicands.shape
        every = np.ones(d, dtype=bool)
        latent = np.stack([self.law.to_latent(every, row) for row in explicands])
        nodes = len(_rule()[0])
        parts = [
            self._block(explicands, latent, coalitions[block])
            for block in blocks(len(coalitions), max(n * nodes, 4 * d * d))
        ]
        return np.concatenate([np.empty((0, n)), *parts]).T

    def _block(
        self, explicands: np.ndarray, latent: np.ndarray, coalitions: np.ndarray
    ) -> np.ndarray:
        given = conditionals(self.law.covariance, coalitions)
        means = self.law.mean + (latent - self.law.mean) @ given.gains.transpose(0, 2, 1)
        spreads = np.sqrt(np.maximum(np.diagonal(given.left, axis1=1, axis2=2), 0.0))
        values = np.full(means.shape[:2], self.model.intercept)
        for j in range(self.law.n_features):
            absent, present = ~coalitions[:, j], coalitions[:, j]
            values[present] += self.model.terms(explicands[:, j], j)
            values[absent] += self._integrals(means[absent, :, j], spreads[absent, None, j], j)
        return values

    def _integrals(self, means: np.ndarray, spreads: np.ndarray, feature: int) -> np.ndarray:
        nodes, weights = _rule()
        latent = means[..., None] + spreads[..., None] * nodes
        margin = MARGINS[self.law.margins[feature]].feature
        return np.sum(self.model.terms(margin(latent), feature) * weights, axis=-1)


def _rule() -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of the trapezoidal rule against the standard normal density."""
    count = round(REACH / STEP)
    nodes = STEP * np.arange(-count, count + 1)
    return nodes, STEP * np.exp(-0.5 * nodes**2) / np.sqrt(2 * np.pi)


def additive_expectation(law: CopulaLaw | GaussianLaw, model: Model) -> AdditiveExpectation | None:
    """The sum of integrals, or None where the model is not additive."""
    if isinstance(law, GaussianLaw):
        normal = np.array(["normal"] * law.n_features)
        law = CopulaLaw(normal, law.mean, law.covariance)
    if isinstance(model, Polynomial) and not np.any(
        model.quadratic - np.diag(np.diag(model.quadratic))
    ):
        squares = np.diag(model.quadratic)
        columns = [model.linear, squares, np.zeros(model.n_features)]
        model = Additive(model.intercept, np.column_stack(columns))
    return AdditiveExpectation(law, model) if isinstance(model, Additive) else None
