"""Trees that were read from a model: what they add up, what they take, and what the model gives."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .agreement import Output, check_reading
from .base import checked_rows
from .binned import BinnedTrees
from .catboost_hashes import HashedCategories
from .category_sets import Categories, numbers_of
from .linear_leaves import LinearLeaves, outputs_of
from .trees import TreeEnsemble

if TYPE_CHECKING:
    import pandas

ROUNDING = 2.0**-22  # four units of single precision, in which XGBoost and CatBoost may add


@dataclass(frozen=True, eq=False)
class MissingAs:
    """Trees for which a number stands for missing entries, besides NaN."""

    ensemble: TreeEnsemble
    missing: float

    def encode(self, rows: np.ndarray) -> np.ndarray:
        """Rows (m, d), missing entries being NaN; compared in float32, as XGBoost does."""
        rows = checked_rows(rows, self.ensemble.n_features)
        return np.where(rows.astype(np.float32) == np.float32(self.missing), np.nan, rows)


# Trees that bring what their features are encoded by.
Encoding = BinnedTrees | MissingAs | HashedCategories


@dataclass(frozen=True, eq=False)
class ReadTrees:
    """Trees over features as ``encode`` maps them: (m, d) float64 to what the trees compare.

    Rows are numbers; a feature that the model takes by category is the number of the category,
    which `numbers` finds in a table.

    Attributes
    ----------
    ensemble : trees of one output
    encode : of rows (m, d)
    names : of the features, where the model knows them
    categories : by feature that is taken by category, in the order of their numbers; None for one
        whose categories the model has not kept: the codes of a table's column are taken; `HASHED`
        for one of CatBoost
    own : the model's own output (m,) of rows or of a table, on the scale on which the trees are
        added; None where only a file is there
    what : what messages call the model
    leaves : linear functions of the rows, as they were before `encode`, that the leaves of the
        ensemble give, where there are some
    """

    ensemble: TreeEnsemble
    encode: Callable[[np.ndarray], np.ndarray]
    names: tuple[str, ...] = ()
    categories: Categories = field(default_factory=dict)
    own: Output | None = None
    what: str = "the model"
    leaves: LinearLeaves | None = None

    def numbers(self, table: "pandas.DataFrame") -> np.ndarray:
        """Rows (m, d) of a table whose columns are the features in their order.

        A category is its number in the model, -1 where the model does not know it, and NaN where
        it is missing. Raises `ModelError` for columns that hold no numbers.
        """
        return numbers_of(table, self.categories)

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        return outputs_of(self.ensemble, self.leaves, self.encode(rows), rows)

    def check(self, given: Any, rows: np.ndarray) -> None:
        """Raise `ModelError` unless the trees give what the model itself does, but for rounding.

        ``rows`` (m, d) are the numbers of ``given``, a table or an array. They may differ by
        rounding in single precision, in proportion to the sizes of the leaves that are added.
        Nothing is compared where the model is not there, see ``own``.
        """
        if self.own is None or not len(rows):
            return
        encoded = self.encode(rows)
        sizes = None if self.leaves is None else self.leaves.sizes()
        added = outputs_of(self._sizes, sizes, encoded, np.abs(rows))
        gap = ROUNDING * np.sqrt(1 + len(self.ensemble.roots)) * added
        read = outputs_of(self.ensemble, self.leaves, encoded, rows)
        check_reading(self.what, self.own, given, read, gap)

    def __getstate__(self) -> dict[str, Any]:
        """Without the model itself, so that copies and pickles have nothing to compare with."""
        return self.__dict__ | {"own": None}

    @cached_property
    def _sizes(self) -> TreeEnsemble:
        """Trees that add the sizes of what the ensemble adds."""
        nodes = self.ensemble.nodes._replace(value=np.abs(self.ensemble.nodes.value))
        return replace(self.ensemble, nodes=nodes, base_score=abs(self.ensemble.base_score))


def from_parts(
    trees: TreeEnsemble | Encoding,
    names: Sequence[str] = (),
    categories: Categories | None = None,
    own: Output | None = None,
    what: str = "the model",
) -> ReadTrees:
    """Trees with the encoding that they bring."""
    told, kept = tuple(map(str, names)), categories or {}
    if isinstance(trees, TreeEnsemble):
        return ReadTrees(trees, np.asarray, told, kept, own, what)
    leaves = getattr(trees, "leaves", None)
    return ReadTrees(trees.ensemble, trees.encode, told, kept, own, what, leaves)
