"""FastSHAP: a network trained on the weighted least squares of many rows at once.

Jethani, Sudarshan, Covert, Lee & Ranganath 2022; Chen, Covert, Lundberg & Lee 2023, Section 5.2.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..nets import Network
from ..samplers import kernel_sizes, sample_sizes, uniform_subsets
from .amortised import Amortised, Learning, PlayedRow, normalised
from .base import Names


@dataclass(frozen=True, eq=False)
class WeightedLeastSquares(Learning):
    """Mean squared error of v(empty) + sum of attributions in S against v(S).

    Coalitions are drawn from the Shapley kernel, so that the mean weighs them as the kernel does.

    Attributes
    ----------
    coalitions : (n, K, d), of each row its own, without the empty and the grand one
    gains : v(S) - v(empty) (n, K), in units of the scale
    """

    coalitions: np.ndarray
    gains: np.ndarray

    def value(self, network: Network) -> float:
        """Mean squared error over rows and coalitions."""
        return float(np.square(self._errors(network(self.rows), slice(None))).mean())

    def gradient(self, network: Network, chosen: np.ndarray) -> np.ndarray:
        """Gradient (P,) of the mean squared error on chosen rows."""
        trace = network.trace(self.rows[chosen])
        errors = self._errors(trace.outputs, chosen)
        inside = np.einsum("nk,nkd->nd", errors, self.coalitions[chosen])
        inside *= 2.0 / errors.size
        # What is added to all attributions of a row takes the mean of the gradient away.
        return network.backward(trace, inside - inside.mean(axis=1, keepdims=True))

    def _errors(self, outputs: np.ndarray, chosen: np.ndarray | slice) -> np.ndarray:
        values = normalised(outputs, self.totals[chosen])
        return np.einsum("nd,nkd->nk", values, self.coalitions[chosen]) - self.gains[chosen]


@dataclass(frozen=True)
class FastShap(Amortised):
    """A network trained to solve the weighted least squares of all rows together.

    Coalitions are drawn from the Shapley kernel, in pairs of complements, once for each row; those
    of held-out rows say when to stop. Without limits on network and data its optimum is the Shapley
    value of each row; without the normalisation in training, as in the public code, it is that plus
    one constant for all features of the row.

    Parameters
    ----------
    removal, evaluations, hidden, epochs, patience, batch, rate : as of `Amortised`

    Examples
    --------
    >>> class Doubled:
    ...     def predict(self, rows):
    ...         return 2.0 * rows[:, 0]
    >>> rows = np.random.default_rng(0).normal(size=(50, 2))
    >>> fitted = create("fast-shap", {"hidden": [8], "epochs": 5}).fit(Doubled(), rows, 1)
    >>> fitted.explain(rows[:3]).values.shape
    (3, 2)
    """

    id: ClassVar[str] = "fast-shap"
    names: ClassVar[Names] = {"FastSHAP": {}}
    definition: ClassVar[str] = "A network trained on the weighted least squares of many rows."
    source: ClassVar[str] = "Jethani et al. 2022; Chen et al. 2023, Section 5.2.1"

    def objectives(
        self, rows: np.ndarray, played: Sequence[PlayedRow], scale: float, rng: np.random.Generator
    ) -> tuple[Learning, int]:
        """The least squares of the rows, and the rows of the model that its values took."""
        n, d = rows.shape
        pairs = max(1, self.evaluations // 2)
        drawn = np.zeros((n, 2 * pairs, d), dtype=bool)
        if d > 1:
            sizes = sample_sizes(kernel_sizes(d), n * pairs, rng)
            drawn[:, ::2] = uniform_subsets(sizes, d, rng).reshape(n, pairs, d)
            drawn[:, 1::2] = ~drawn[:, ::2]
        gains = np.zeros((n, 2 * pairs))
        spent = 0
        for k, row in enumerate(played):
            gains[k] = (row.game(drawn[k]) - row.empty) / scale
            spent += int(row.game.rows(drawn[k]).sum())
        totals = np.array([row.total for row in played]) / scale
        return WeightedLeastSquares(rows, totals, drawn.astype(np.float64), gains), spent
