"""The entries of a feature as places on an axis, and as ranks for colours."""

from dataclasses import dataclass
from datetime import date
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
import scipy

from ...optional import needed
from ..explanation import Explanation
from . import words
from .canvas import WHAT

MOST_CATEGORIES = 12
MOST_SCORES = 6


@dataclass(frozen=True)
class Entries:
    """Entries (n,) of a feature.

    Attributes
    ----------
    places : numbers, days of matplotlib, or numbers of categories; NaN where missing or infinite
    categories : short texts of the categories; empty for numbers and dates
    dates : whether the places are days
    ordered : whether one entry can be larger than another
    """

    places: np.ndarray
    categories: tuple[str, ...] = ()
    dates: bool = False
    ordered: bool = True

    @classmethod
    def of(cls, table: Explanation, feature: int) -> "Entries":
        """Entries of a feature by its number; those of a group of columns are texts."""
        name = table.feature_names[feature]
        columns = table.groups.get(name, (name,))
        if len(columns) != 1:
            return _of_group(table.data[list(columns)])
        column = table.data[columns[0]]
        if column.dtype == object:
            column = _told(column)
        if pd.api.types.is_datetime64_any_dtype(column):
            days = column.dt.tz_localize(None).to_numpy(dtype="datetime64[us]")
            return cls(needed("matplotlib.dates", WHAT, "plots").date2num(days), dates=True)
        truth = pd.api.types.is_bool_dtype(column)
        if pd.api.types.is_numeric_dtype(column) and not truth:
            numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
            return cls(np.where(np.isfinite(numbers), numbers, np.nan))
        return _categories(column, ordered=truth or bool(getattr(column.dtype, "ordered", False)))

    @property
    def ranks(self) -> np.ndarray:
        """Ranks from 0 to 1, 1/2 where all are equal; NaN of what is missing or has no order."""
        if not self.ordered:
            return np.full(self.places.shape, np.nan)
        ranks = np.full(self.places.shape, np.nan)
        here = np.isfinite(self.places)
        if here.any():
            ranks[here] = scipy.stats.rankdata(self.places[here])
            low, high = np.nanmin(ranks), np.nanmax(ranks)
            ranks = (ranks - low) / (high - low) if high > low else 0 * ranks + 0.5
        return ranks

    def few(self) -> "Entries":
        """With at most 12 categories: the most frequent ones, and one of all others.

        Numbers that are few, such as those of a score, are categories.
        """
        if not self.categories:
            return self._as_scores()
        if len(self.categories) <= MOST_CATEGORIES:
            return self
        codes = self.places.copy()
        here = np.isfinite(codes)
        counts = np.bincount(codes[here].astype(int), minlength=len(self.categories))
        kept = np.sort(np.argsort(-counts, kind="stable")[: MOST_CATEGORIES - 1])
        new = np.full(len(counts), float(len(kept)))
        new[kept] = np.arange(len(kept))
        codes[here] = new[codes[here].astype(int)]
        rest = f"{len(counts) - len(kept)} others"
        return Entries(codes, (*(self.categories[k] for k in kept), rest), ordered=False)

    def _as_scores(self) -> "Entries":
        here = np.isfinite(self.places)
        scores, codes = np.unique(self.places[here], return_inverse=True)
        if self.dates or len(scores) > MOST_SCORES or 2 * len(scores) > here.sum():
            return self
        places = self.places.copy()
        places[here] = codes
        return Entries(places, tuple(map(words.entry, scores)))


def _of_group(columns: pd.DataFrame) -> Entries:
    """Combinations of entries, in the order in which they occur."""
    texts = [tuple(map(words.entry, row)) for row in columns.to_numpy(dtype=object)]
    codes, known = pd.factorize(pd.Series(texts, dtype=object))
    return Entries(codes.astype(float), tuple(map(words.entries, known)), ordered=False)


def _told(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """A column of Python objects as numbers or dates, where all of them are."""
    present = column.dropna()
    if len(present) and all(isinstance(entry, date) for entry in present):
        return pd.to_datetime(column)
    numbers = all(isinstance(entry, Real) and not isinstance(entry, bool) for entry in present)
    return pd.to_numeric(column) if numbers else column


def _categories(column: "pd.Series[Any]", ordered: bool) -> Entries:
    """Categories that occur, in the order of their type, else by their texts."""
    missing = column.isna().to_numpy()
    if isinstance(column.dtype, pd.CategoricalDtype):
        known = list(column.cat.remove_unused_categories().cat.categories)
    else:
        known = sorted(pd.unique(column[~missing]), key=str)
    number = {value: k for k, value in enumerate(known)}
    places = [np.nan if gap else number[v] for v, gap in zip(column, missing, strict=True)]
    return Entries(np.array(places, float), tuple(map(words.entry, known)), ordered=ordered)
