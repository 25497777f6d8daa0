"""Explanations in the form of other packages, shap and shapiq, for their plots."""

from typing import Any

import numpy as np
import pandas as pd

from ..datasets.mixed import TableError
from ..optional import needed
from ..parameters import listed
from .entries import player_columns, player_texts
from .explanation import Explanation


def to_shap(explanation: Explanation) -> Any:
    """The same as a `shap.Explanation`, of several outputs as (n, d, k).

    Its ``data`` are numbers, which that package draws by colour and place: of a text or a category
    the number in its order, of a date or a time span the days, of a gap nan. Where a feature is
    not numeric, ``display_data`` holds what stands in the table. ``error_std`` are the standard
    errors. Raises `MissingPackage` without shap.
    """
    shap = needed("shap", "a shap.Explanation")
    table = explanation._as_table()
    numbers, words = _shown_data(table)
    if explanation.is_row:
        numbers, words = numbers[0], None if words is None else words[0]
    base = explanation.base_values
    return shap.Explanation(
        values=explanation.values,
        base_values=base if base.ndim else float(base),
        data=numbers,
        display_data=words,
        feature_names=list(explanation.feature_names),
        output_names=list(explanation.output_names) or None,
        error_std=explanation.standard_errors,
    )


def _shown_data(table: Explanation) -> tuple[np.ndarray, np.ndarray | None]:
    """Numbers (n, d) for the entries; what to show in their place, if not all are numbers."""
    numbers = np.empty((len(table), len(table.feature_names)))
    words = np.empty(numbers.shape, dtype=object)
    numeric = True
    for j, name in enumerate(table.feature_names):
        columns = player_columns(table, name)
        texts = player_texts(table, name)
        own = columns.iloc[:, 0] if columns.shape[1] == 1 else pd.Series(texts)
        numbers[:, j] = as_numbers(own)
        words[:, j] = numbers[:, j] if _is_number(own) else texts
        numeric &= _is_number(own)
    return numbers, None if numeric else words


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def as_numbers(column: pd.Series) -> np.ndarray:
    """Numbers (n,) that stand for entries: themselves, days, or places in the order; nan of a gap.

    Categories are in their order, all else in that of its text.
    """
    if pd.api.types.is_numeric_dtype(column):
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        column = column.dt.tz_convert(None)
    if column.dtype.kind in "mM":
        start = pd.Timestamp(0) if column.dtype.kind == "M" else pd.Timedelta(0)
        return ((column - start) / pd.Timedelta(days=1)).to_numpy(dtype=np.float64)
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy()
    else:
        codes = pd.factorize(column.astype(str).where(column.notna()), sort=True)[0]
    return np.where(codes < 0, np.nan, codes)


def to_shapiq(explanation: Explanation) -> Any:
    """`shapiq.InteractionValues` of order 1 for one row; a list of them for several.

    Raises `TableError` for several outputs, and `MissingPackage` without shapiq.
    """
    shapiq = needed("shapiq", "shapiq.InteractionValues")
    names = explanation.output_names
    if names:
        raise TableError(
            f"shapiq.InteractionValues are of one output; choose one of {listed(names)}, "
            f"for instance explanation[{names[0]!r}].shapiq()"
        )
    if not explanation.is_row:
        return [to_shapiq(explanation[number]) for number in range(len(explanation))]
    base = float(explanation.base_values)
    by_player = {(j,): value for j, value in enumerate(explanation.values.tolist())}
    return shapiq.InteractionValues(
        values={(): base} | by_player,
        index="SV",
        max_order=1,
        min_order=0,
        n_players=len(by_player),
        baseline_value=base,
        estimated=not explanation.exact,
        estimation_budget=int(explanation.evaluations) or None,
    )
