"""Linear functions at the leaves of trees, instead of numbers."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .trees import TreeEnsemble

Line = tuple[float, Sequence[int], Sequence[float]]  # constant, features and their coefficients


class LinearLeaves(NamedTuple):
    """What the leaves of n nodes give, unless one of their features is missing, NaN.

    Then a leaf gives its value, as one without a linear function does.
    """

    constant: np.ndarray  # (n,)
    first: np.ndarray  # (n + 1,) where the features of each node begin
    feature: np.ndarray  # (t,)
    coefficient: np.ndarray  # (t,)

    @property
    def most(self) -> int:
        """The number of features of the leaf that has most."""
        return int(np.diff(self.first).max())

    def sizes(self) -> "LinearLeaves":
        """Leaves that add the sizes of what these add."""
        return self._replace(constant=np.abs(self.constant), coefficient=np.abs(self.coefficient))


def leaves_of(lines: Mapping[int, Line], value: np.ndarray) -> LinearLeaves:
    """The functions of some nodes; the others have their value (n,)."""
    constant, number = np.array(value, dtype=np.float64), np.zeros(len(value), dtype=np.int64)
    features, coefficients = [], []
    for node, (start, own, slopes) in sorted(lines.items()):
        constant[node], number[node] = start, len(own)
        features += list(own)
        coefficients += list(slopes)
    return LinearLeaves(
        constant,
        np.concatenate([[0], np.cumsum(number)]),
        np.array(features, dtype=np.int64),
        np.array(coefficients, dtype=np.float64),
    )


def outputs_of(
    ensemble: TreeEnsemble, leaves: LinearLeaves | None, encoded: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """Outputs (m,) of an ensemble, whose splits compare what rows (m, d) are encoded as."""
    if leaves is None:
        return ensemble.predict(encoded)
    from .tree_kernels import predict_linear

    encoded = np.ascontiguousarray(encoded, dtype=np.float32)
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    return predict_linear(
        ensemble.nodes, ensemble.roots, ensemble.base_score, leaves, encoded, rows
    )
