"""A model that counts the rows it is asked for and refuses to go beyond a limit."""

import numpy as np

from ..parameters import whole_number
from .base import ModelError, Predicts


class RowsExceeded(RuntimeError):
    """A model was asked for more rows than its limit."""


class CountedModel:
    """Wrap a model: count every row that is predicted, repeats included.

    Parameters
    ----------
    model : with ``predict``
    limit : rows at most; None for any number

    Raises
    ------
    RowsExceeded
        Before the prediction that would exceed ``limit``.
    ModelError
        When the limit is no whole number.
    """

    def __init__(self, model: Predicts, limit: int | None = None):
        self.model = model
        self.limit = None if limit is None else whole_number("limit of rows", limit, ModelError)
        self.rows = 0

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d); counts m rows."""
        if self.limit is not None and self.rows + len(rows) > self.limit:
            raise RowsExceeded(
                f"{self.rows} of {self.limit} rows of the model are spent; {len(rows)} more were "
                "asked for: raise the limit, or take fewer completions per coalition."
            )
        self.rows += len(rows)
        return self.model.predict(rows)
