"""Rows as scikit-learn's models were fitted to them: tables with their names, or arrays."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np


def names_of(model: Any) -> tuple[str, ...]:
    """Names of the features that a model was fitted to; none of an array."""
    return tuple(map(str, getattr(model, "feature_names_in_", ())))


def before_link(model: Any, loss: str, last: Any = None) -> Callable[[Any], np.ndarray]:
    """A regression's predictions (m,) of rows, on the scale on which its parts are added.

    This is the scale of the link function of a loss, an attribute of that name of the model, or of
    the ``last`` of its parts; and that of the predictions where there is none.
    """
    link = getattr(getattr(last or model, loss, None), "link", None)
    if link is None:
        return model.predict
    return lambda rows: link.link(model.predict(rows))


def as_fitted(model: Any, rows: Any, categories: Mapping[int, Sequence[Any]] | None = None) -> Any:
    """Rows (m, d) as a table or an array, whichever the model was fitted to.

    Of an array, the numbers of ``categories`` become these; numbers of none of them are missing.
    """
    names = names_of(model)
    if hasattr(rows, "columns"):
        return rows if names else np.asarray(rows)
    if not names:
        return rows
    import pandas

    table = pandas.DataFrame(rows, columns=list(names))
    for j, known in (categories or {}).items():
        numbers = rows[:, j]
        there = (numbers >= 0) & (numbers < len(known))
        codes = np.where(there, numbers, -1).astype(np.int64)
        table[names[j]] = pandas.Categorical.from_codes(codes, categories=list(known))
    return table
