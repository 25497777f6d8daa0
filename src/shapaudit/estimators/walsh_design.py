"""Products of signs at rows as the design of a regression, formed only for many players.

With few players everything that the regression asks of its p products at n rows is the Walsh
transform of a table of all coalitions, see `walsh`: a product with a vector takes O(d 2^d), a Gram
matrix one entry of the table for each of its own.
"""

from collections.abc import Sequence

import numpy as np
from scipy.linalg import blas

from ..games import coalition_index
from .walsh import MAX_TABLE, gather, transform


def products_of_signs(sets: Sequence[np.ndarray], signs: np.ndarray) -> np.ndarray:
    """The products (p, n) int8 over the sets, one array (k, order) per order, at signs (n, d)."""
    by_player = np.ascontiguousarray(signs.T, dtype=np.int8)
    rows = [np.empty((0, len(signs)), dtype=np.int8)]
    for members in sets:
        product = by_player[members[:, 0]]
        for place in range(1, members.shape[1]):
            product *= by_player[members[:, place]]
        rows.append(product)
    return np.concatenate(rows)


class Design:
    """D (p, n): the products over the sets at signs (n, d), each times its ``spreads`` (p,)."""

    def __init__(self, sets: Sequence[np.ndarray], spreads: np.ndarray, signs: np.ndarray):
        self.spreads, d = spreads, signs.shape[1]
        self.shape = len(spreads), len(signs)
        self._rows = None
        if d > MAX_TABLE:
            self._rows = spreads[:, None] * products_of_signs(sets, signs)
            return
        powers = 1 << np.arange(d)
        none = [np.empty(0, dtype=np.int64)]
        self._masks = np.concatenate([powers[members].sum(axis=1) for members in sets] + none)
        self._cells = coalition_index(signs < 0)  # whose members of a set a product counts
        self._size = 1 << d

    def covariance(self) -> np.ndarray:
        """The lower triangle of D'D (n, n), in the order of columns."""
        if self._rows is not None:
            return blas.dsyrk(1.0, self._rows.T, lower=1)
        table = self._transformed(self._masks, np.square(self.spreads))
        return gather(table, self._cells, self._cells).T

    def gram(self) -> np.ndarray:
        """D D' (p, p)."""
        if self._rows is not None:
            return self._rows @ self._rows.T
        table = self._transformed(self._cells, np.ones(len(self._cells)))
        products = gather(table, self._masks, self._masks)
        return products * np.outer(self.spreads, self.spreads)

    def times(self, columns: np.ndarray) -> np.ndarray:
        """D (p, n) times columns (n, k)."""
        if self._rows is not None:
            return self._rows @ columns
        transformed = [self._transformed(self._cells, column)[self._masks] for column in columns.T]
        return self.spreads[:, None] * np.column_stack(transformed)

    def at_rows(self, coefficients: np.ndarray) -> np.ndarray:
        """D' (n, p) times coefficients (p,)."""
        if self._rows is not None:
            return coefficients @ self._rows
        return self._transformed(self._masks, self.spreads * coefficients)[self._cells]

    def _transformed(self, places: np.ndarray, amounts: np.ndarray) -> np.ndarray:
        table = np.bincount(places, weights=amounts, minlength=self._size)
        transform(table)
        return table
