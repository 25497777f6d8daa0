"""Laws with finitely many rows: sums over those that agree with the explicand, any model.

A row agrees with the explicand on a set A of features, and then counts for every coalition within
A. So one pass over the rows and d sums over a table of 2^d give all coalitions.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ...datasets.laws import ChainLaw, DiscreteLaw, LawError
from ...models import Model
from ..base import coalition_index
from ..tabular import MAX_TABULATED_PLAYERS


class TableExpectation:
    """Sum of probability times f over the rows that have x_S, over the sum of probability.

    Parameters
    ----------
    law : DiscreteLaw or ChainLaw
    model : any model; it is evaluated on the rows of the law once
    """

    def __init__(self, law: DiscreteLaw | ChainLaw, model: Model):
        if law.n_features > MAX_TABULATED_PLAYERS:
            raise LawError(
                f"a table of 2^{law.n_features} coalitions is out of reach; take at most "
                f"{MAX_TABULATED_PLAYERS} features"
            )
        self.law, self.support, self.weights = law, law.support, law.probabilities
        self.outputs = np.asarray(model.predict(self.support), dtype=np.float64)

    def values(self, explicands: np.ndarray, coalitions: np.ndarray) -> np.ndarray:
        """Values (n, m); raises `LawError` for an explicand that cannot occur."""
        index = coalition_index(coalitions)
        return np.stack([self._table(explicand)[index] for explicand in explicands])

    def _table(self, explicand: np.ndarray) -> np.ndarray:
        size = 1 << self.law.n_features
        agreed = agreement(self.support, explicand, self.weights)
        parts = [
            np.bincount(agreed, weights, minlength=size)
            for weights in (self.weights, self.weights * self.outputs)
        ]
        mass, total = (superset_sums(part) for part in parts)
        return total / mass


def agreement(support: np.ndarray, explicand: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Index (n,) of the features on which each row (n, d) agrees with an explicand (d,).

    Raises `LawError` where no row of positive weight is the explicand itself.
    """
    agreed = coalition_index(support == explicand)
    if not ((agreed == (1 << support.shape[1]) - 1) & (weights > 0)).any():
        row = ", ".join(f"{value:g}" for value in explicand)
        raise LawError(f"the explicand ({row}) cannot occur under the law; explain one that can")
    return agreed


def superset_sums(table: np.ndarray) -> np.ndarray:
    """Sum (2^d,) over all sets that hold each set, of numbers or fractions (2^d,); in a copy."""
    sums = np.array(table)
    step = 1
    while step < len(sums):
        halves = sums.reshape(-1, 2, step)
        halves[:, 0] += halves[:, 1]
        step *= 2
    return sums


def exact_values(
    law: DiscreteLaw, outputs: Sequence[Fraction], explicand: Sequence[float]
) -> np.ndarray:
    """E[f | x_S] of all coalitions (2^d,) in fractions, f being ``outputs`` on the support (n,)."""
    mass = np.full(1 << law.n_features, Fraction(0), dtype=object)
    total = mass.copy()
    agreed = agreement(law.support, np.asarray(explicand, dtype=np.float64), law.weights)
    for index, weight, output in zip(agreed, law.weights, outputs, strict=True):
        mass[index] += int(weight)
        total[index] += int(weight) * output
    return superset_sums(total) / superset_sums(mass)
