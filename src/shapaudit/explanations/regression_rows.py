"""Rows of a regression as a user gives them, checked, with the column to blame by its name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ..datasets.mixed import Players, TableError, check_distinct, players_of
from ..models.reduced import COLLINEAR, ReducedProblem, constant_columns, dependent_columns
from ..parameters import shortlist
from .given import table_of
from .tables import aligned

ENCODE = (
    "convert numbers by pandas.to_numeric; encode categories by pandas.get_dummies(..., "
    "drop_first=True) and pass the new columns as one of the groups"
)


@dataclass(frozen=True)
class RegressionRows:
    """Columns (n, p) by name, and the response (n,), all finite."""

    names: tuple[str, ...]
    columns: np.ndarray
    response: np.ndarray


def regression_rows(
    X: Any, y: Any, name: str = "X", response: str = "y", like: Sequence[str] = ()
) -> RegressionRows:
    """Rows from a DataFrame or array X and a Series or array y, which messages call by their names.

    Columns are put in the order of those that they should be ``like``; those of an array are called
    x0, x1, and so on where it is empty. Raises `TableError` for what is no table of finite numbers
    with a response that varies.
    """
    table = _table(X, name, like)
    answer = np.asarray(y)
    if answer.ndim != 1:
        raise TableError(f"{response} must have shape (n,), not {answer.shape}; pass one column")
    if len(answer) != len(table):
        raise TableError(
            f"{name} has {len(table)} rows and {response} {len(answer)}; pass the same rows"
        )
    if isinstance(X, pd.DataFrame) and isinstance(y, pd.Series):
        _check_labels(X.index, y.index, name, response)
    columns = _numbers(table, f"{name}: column", ENCODE)
    answers = pd.DataFrame({response: y}).reset_index(drop=True)
    answer = _numbers(answers, "the response", "convert it to numbers")[:, 0]
    if np.ptp(answer) == 0:
        raise TableError(
            f"the response {response!r} is {answer[0]:g} in all rows, so there is nothing to "
            "attribute; take one that varies"
        )
    return RegressionRows(tuple(table.columns), columns, answer)


def grouped(names: Sequence[str], groups: Mapping[str, Sequence[str]] | None) -> Players:
    """The players: each group, and each column in none; raises `TableError` for bad groups."""
    for group, members in (groups or {}).items():
        if isinstance(members, str) or len(members) == 0:
            raise TableError(
                f"group {group!r} must be a list of one or more columns; got {members!r}"
            )
    return players_of(names, groups)


def check_determined(problem: ReducedProblem, names: Sequence[str], penalised: bool) -> None:
    """Raise `TableError`, naming columns, unless the rows determine every coefficient."""
    if penalised:
        if not problem.condition < COLLINEAR:
            raise TableError("columns of X are collinear up to rounding; take a larger penalty")
        return
    if constant := constant_columns(problem):
        raise TableError(
            f"column {shortlist(names[j] for j in constant)} of X is constant and predicts nothing;"
            " leave it out"
        )
    if problem.n_rows <= len(names):
        raise TableError(
            f"X has {problem.n_rows} rows for {len(names)} columns; least squares needs more rows "
            "than columns: add rows, leave columns out, or set a penalty"
        )
    for column, others in dependent_columns(problem).items():
        raise TableError(
            f"column {names[column]!r} of X is a linear function of "
            f"{shortlist(names[j] for j in others)}; leave one of them out, or set a penalty"
        )


def _table(X: Any, name: str, like: Sequence[str]) -> pd.DataFrame:
    """A table with rows and columns of distinct names, which are texts."""
    if np.ndim(X) != 2:
        raise TableError(f"{name} must be a table (n, p); got shape {np.shape(X)}")
    table = table_of(X, what=name, known=like).reset_index(drop=True)
    table = table.set_axis([str(column) for column in table.columns], axis=1)
    check_distinct(list(table.columns), name)
    return aligned(table, like, name, "X") if like else table


def _check_labels(rows: pd.Index, answers: pd.Index, name: str, response: str) -> None:
    if not rows.equals(answers):
        k = int(np.argmax([a != b for a, b in zip(rows, answers, strict=True)]))
        labels = str(rows[k]), str(answers[k])
        raise TableError(
            f"row {k} is labelled {labels[0]!r} in {name} and {labels[1]!r} in {response}; align "
            f"them, or pass {response}.to_numpy() if the rows are in the same order"
        )


def _numbers(table: pd.DataFrame, what: str, remedy: str) -> np.ndarray:
    """Finite float64 (n, p) of a table; booleans are 0 and 1. The remedy is for other types."""
    for column, kind in table.dtypes.items():
        if not pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_complex_dtype(kind):
            raise TableError(f"{what} {str(column)!r} is not numeric but {kind}; {remedy}")
    numbers = table.to_numpy(dtype=np.float64, na_value=np.nan)
    for fault, bad in (("missing", np.isnan(numbers)), ("infinite", np.isinf(numbers))):
        if bad.any():
            names = table.columns[bad.any(axis=0)]
            raise TableError(
                f"{what} {shortlist(names)} has {fault} entries, the first in row "
                f"{int(bad.any(axis=1).argmax())}; fill them, or drop these rows"
            )
    return numbers
