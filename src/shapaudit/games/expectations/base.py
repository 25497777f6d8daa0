"""What the exact conditional expectations of a model under a law have in common."""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from ...models import Model

CELLS = 1 << 16  # numbers in the largest array at a time, so that memory does not grow with 2^d


class Expectation(Protocol):
    """E[f(X) | X_S = x_S] of one law and one model."""

    def values(self, explicands: np.ndarray, coalitions: np.ndarray) -> np.ndarray:
        """Values (n, m) at explicands (n, d), given the features of coalitions (m, d) bool."""
        ...


def blocks(count: int, cells: int) -> Iterator[slice]:
    """Slices of so many coalitions that ``cells`` numbers for each stay below `CELLS`."""
    size = max(1, CELLS // max(cells, 1))
    return (slice(k, k + size) for k in range(0, count, size))


def tree_ensemble(model: Model) -> Any:
    """The ensemble of trees that a model is or has, or the model itself."""
    return getattr(model, "ensemble", model)
