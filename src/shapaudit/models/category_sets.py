"""Splits by category among the nodes of trees, and the numbers of the categories of a table."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .base import ModelError
from .catboost_hashes import numbers_of_categories
from .nodes import Nodes

if TYPE_CHECKING:
    import pandas

HASHED = "hashed by CatBoost"  # of categories that a model knows by their hashes only
# By feature, None where the model has kept none; or those of the columns of dtype category in the
# order of the columns, as LightGBM keeps them.
Categories = Mapping[int, Sequence[Any] | None] | tuple[Sequence[Any], ...]
MOST = 1 << 24  # numbers up to it are exact in float32


def split_by_sets(nodes: Nodes, places: Sequence[int], chosen: Sequence[np.ndarray]) -> Nodes:
    """The nodes, those at some places sending the categories in a set to the left."""
    if not places:
        return nodes
    threshold = np.array(nodes.threshold, dtype=np.float64)
    members = np.full(len(threshold), -1, dtype=np.int32)
    threshold[list(places)] = np.nan
    members[list(places)] = np.arange(len(places))
    width = 1 + max((int(own.max()) for own in chosen if own.size), default=0)
    if width > MOST:
        raise ModelError(f"a split by category has the category {width - 1}; {MOST} are the most")
    sets = np.zeros((len(places), width), dtype=np.bool_)
    for row, own in zip(sets, chosen, strict=True):
        row[own] = True
    return nodes._replace(threshold=threshold, members=members, sets=sets)


def swapped(nodes: Nodes, places: Sequence[int]) -> Nodes:
    """The nodes, the sides of the splits at some places exchanged."""
    own = list(places)
    left, right, default = (
        np.array(side) for side in (nodes.left, nodes.right, nodes.default_left)
    )
    left[own], right[own] = right[own], left[own]
    default[own] = ~default[own]
    return nodes._replace(left=left, right=right, default_left=default)


def joined_sets(parts: Sequence[Nodes]) -> tuple[np.ndarray, np.ndarray]:
    """Members and sets of the nodes of all parts, one after the other."""
    if not any(part.members.size for part in parts):
        return parts[0].members, parts[0].sets
    width = max(part.sets.shape[1] for part in parts)
    members, sets, there = [], [], 0
    for part in parts:
        own = part.members if part.members.size else np.full(len(part.feature), -1, dtype=np.int32)
        members.append(np.where(own >= 0, own + there, -1))
        sets.append(np.pad(part.sets, ((0, 0), (0, width - part.sets.shape[1]))))
        there += len(part.sets)
    return np.concatenate(members), np.concatenate(sets)


def bits_set(words: np.ndarray) -> np.ndarray:
    """Numbers of the bits that are set in words of 32 bits, the lowest first."""
    bits = np.asarray(words, dtype=np.uint32)[:, None] >> np.arange(32, dtype=np.uint32) & 1
    return np.flatnonzero(bits)


def numbers_of(table: "pandas.DataFrame", categories: Categories) -> np.ndarray:
    """Rows (m, d) of float64: numbers, and of categories their numbers in the model.

    A missing entry is NaN; a category that the model does not know is -1, and missing where the
    categories go by the order of the columns. Raises `ModelError` for columns without numbers.
    """
    known = _of_columns(table, categories) if isinstance(categories, tuple) else categories
    columns = [
        _numbers_of_column(table.iloc[:, j], j in known, known.get(j))
        for j in range(table.shape[1])
    ]
    rows = np.stack(columns, axis=1) if columns else np.empty((len(table), 0))
    if isinstance(categories, tuple):
        own = list(known)
        rows[:, own] = np.where(rows[:, own] < 0, np.nan, rows[:, own])
    return rows


def _of_columns(
    table: "pandas.DataFrame", categories: tuple[Sequence[Any], ...]
) -> dict[int, Sequence[Any]]:
    """Categories of the columns of dtype category, and of texts, as which a CSV file has them."""
    own = [j for j, kind in enumerate(table.dtypes) if kind.kind not in "biufc"]
    if len(own) != len(categories):
        raise ModelError(
            f"the model was trained on {len(categories)} columns of dtype category, and the table "
            f"has {len(own)}; keep their dtype, as a Parquet file does and a CSV file does not"
        )
    return dict(zip(own, categories, strict=True))


def _numbers_of_column(
    column: "pandas.Series", by_category: bool, known: Sequence[Any] | None
) -> np.ndarray:
    import pandas

    name = column.name
    if isinstance(known, str):  # HASHED
        return numbers_of_categories(column)
    if not by_category:
        try:
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise ModelError(
                f"column {name!r} holds {column.dtype}, and the model takes it for numbers "
                f"({error})"
            ) from error
    if known is None and isinstance(column.dtype, pandas.CategoricalDtype):
        return np.where(column.isna(), np.nan, column.cat.codes.to_numpy(dtype=np.float64))
    if known is None:
        return _numbers_of_column(column, False, None)
    codes = pandas.Index(known).get_indexer(pandas.Index(column.astype(object)))
    return np.where(column.isna(), np.nan, codes.astype(np.float64))
