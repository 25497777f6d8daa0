"""What an explainer reads from a model, and the tables whose columns are the model's features."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..datasets.base import Dataset
from ..models import ModelError
from ..models.category_sets import numbers_of
from ..models.scikit_rows import names_of
from ..parameters import listed
from .background import Background, ExplainerError, checked_table

Numbers = Callable[[Any], np.ndarray]


def plain_numbers(table: Any) -> np.ndarray:
    """Rows (m, d) of a table of numbers; raises `ModelError` for another column."""
    return numbers_of(table, {})


@dataclass(frozen=True, eq=False)
class Reading:
    """A model as an explainer has read it.

    Attributes
    ----------
    model : what was read
    names : of the features, where the model knows them
    numbers : rows (m, d) of float64 of a table with the features as its columns
    check : raises `ModelError` unless what was read gives, at rows (m, d) that are the numbers of a
        table or an array, what the model itself gives; None where there is nothing to compare
    """

    model: Any
    names: Sequence[str] = ()
    numbers: Numbers = plain_numbers
    check: Callable[[Any, np.ndarray], None] | None = None

    @classmethod
    def of(cls, model: Any) -> "Reading":
        """The model itself, its names being those of scikit-learn's models."""
        return cls(model, names_of(model))


def is_table(rows: Any) -> bool:
    """Whether the columns have names; those that pandas numbers itself are none."""
    columns = getattr(rows, "columns", None)
    if columns is None or callable(columns):
        return False
    return not _numbered(columns)


def _numbered(columns: Any) -> bool:
    kind = type(columns).__name__
    return kind == "RangeIndex" and (columns.start, columns.step) == (0, 1)


def as_table(rows: Any) -> Any:
    """A pandas Series with names as a table of one row; anything else as it is."""
    named = hasattr(rows, "to_frame") and hasattr(rows, "index") and np.ndim(rows) == 1
    if not named or _numbered(rows.index):
        return rows
    return rows.to_frame().T.infer_objects()


def order_of(what: str, own: Sequence[str], names: Sequence[str]) -> list[int]:
    """Places of the names among a table's columns.

    LightGBM writes blanks in names as underlines, which is no difference here. Raises
    `ExplainerError`, naming them, for columns that are missing, unknown, or there twice.
    """
    if twice := sorted({name for name in own if own.count(name) > 1}):
        raise ExplainerError(f"{what} have the column {listed(twice)} twice; keep one of each.")
    written = {name.replace(" ", "_"): name for name in own if name not in names}
    meant = {written[name]: name for name in names if name not in own and name in written}
    own = [meant.get(name, name) for name in own]
    missing = [name for name in names if name not in own]
    unknown = [name for name in own if name not in names]
    if missing or unknown:
        lacking = f"lack the column {listed(missing)}" if missing else ""
        beyond = f"have {listed(unknown)}, which it was not fitted on" if unknown else ""
        raise ExplainerError(f"{what} {' and '.join(filter(None, (lacking, beyond)))}.")
    return [own.index(name) for name in names]


def aligned(what: str, table: Any, names: Sequence[str]) -> Any:
    """The table, its columns in the order of the names; raises as `order_of` does."""
    places = order_of(what, names_in(table), names)
    if places == list(range(len(places))):
        return table
    return table[[list(table.columns)[place] for place in places]]


def names_in(table: Any) -> list[str]:
    """Names of the columns of a table."""
    return [str(column) for column in table.columns]


def numbers_in(what: str, table: Any, numbers: Numbers) -> Any:
    """Rows of a pandas table; anything else as it is. Raises `ExplainerError`."""
    if not hasattr(table, "dtypes") or not hasattr(table, "iloc"):
        return table
    try:
        return numbers(table)
    except ModelError as error:
        raise ExplainerError(f"{what} must be rows of numbers: {error}.") from error


def as_background(name: str, data: Any, missing: bool, reading: Reading) -> tuple[Background, Any]:
    """Rows from an array (n, d) or (d,), a data frame, or the training part of a `Dataset`.

    The columns of a table are put in the order of the model's features, where it knows their names.
    The rows are given back as numbers, and as they were given, in that order.
    Raises `ExplainerError`, naming the explainer, for no row, an empty table, other columns than
    the model's, or entries that are not finite; NaN passes where ``missing``.
    """
    if data is None:
        raise ExplainerError(f"{name}: the background is None; give some rows of the table.")
    what, known = f"{name}: background", tuple(reading.names)
    if isinstance(data, Dataset):
        names, given = tuple(data.feature_names), data.rows("train")[0]
        places = order_of(f"{name}: the rows of the dataset", names, known or names)
        given, names, named = given[:, places], tuple(names[k] for k in places), True
    elif is_table(data := as_table(data)):
        given = aligned(f"{name}: the rows of the background", data, known or names_in(data))
        names, named = tuple(names_in(given)), True
    else:
        given, names, named = data, known, bool(known)
    rows = checked_table(what, numbers_in(what, given, reading.numbers), None, missing)
    if len(names) != rows.shape[1]:
        names, named = tuple(f"x{j}" for j in range(rows.shape[1])), False
    if not len(rows):
        raise ExplainerError(f"{name}: the background has no row.")
    return Background(rows, names, named), given if hasattr(given, "iloc") else rows
