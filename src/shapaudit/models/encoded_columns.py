"""Trees behind scikit-learn's ColumnTransformer, over the columns that it takes.

Transformers that treat each column by itself stay in front of the trees. A split on a column that
one-hot encoding has made is one by category on the column it was made from: its category goes to
one side, all others to the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from .base import ModelError
from .category_sets import split_by_sets, swapped
from .nodes import LEAF, Nodes
from .scikit_rows import as_fitted, names_of
from .trees_read import ReadTrees


class Made(NamedTuple):
    """An output of the transformer: the column it is made from, and its category if it has one."""

    column: int
    category: Any = None
    place: int = -1  # of the category among those of the column; -1 for numbers


@dataclass(frozen=True, eq=False)
class Columns:
    """What a fitted ColumnTransformer makes of its columns.

    Attributes
    ----------
    made : the outputs, in their order
    categories : by column that is encoded, without NaN
    values : of these, categories that are numbers, which the rows hold themselves
    """

    transformer: Any
    made: Sequence[Made]
    categories: dict[int, list[Any]]
    values: dict[int, np.ndarray]

    @property
    def texts(self) -> dict[int, list[Any]]:
        """Categories whose places stand in the rows."""
        return {j: known for j, known in self.categories.items() if j not in self.values}

    def numbers(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m, D) for rows (m, d), those of categories being 0."""
        outputs = np.zeros((len(rows), len(self.made)))
        for step, columns, place in _steps(self.transformer):
            own = rows[:, columns]
            if step == "passthrough":
                outputs[:, place] = own
            elif type(step).__name__ != "OneHotEncoder":
                outputs[:, place] = np.asarray(step.transform(as_fitted(step, own)))
        return outputs

    def codes(self, rows: np.ndarray, column: int) -> np.ndarray:
        """Places (m,) of the categories of a column; -1 of others, NaN where they are missing."""
        own = rows[:, column]
        if column not in self.values:
            return own
        known = self.values[column]
        place = np.minimum(np.searchsorted(known, own), len(known) - 1)
        return np.where(np.isnan(own), np.nan, np.where(known[place] == own, place, -1.0))


def _steps(transformer: Any) -> list[tuple[Any, np.ndarray, slice]]:
    """Transformers that make something, with the columns they take and their outputs."""
    steps = []
    for name, step, _ in transformer.transformers_:
        place = transformer.output_indices_[name]
        if type(step).__name__ == "FunctionTransformer" and step.func is None:
            step = "passthrough"  # as which a fitted one holds it
        if step != "drop" and place.stop > place.start:
            taken = transformer._transformer_to_input_indices[name]
            steps.append((step, np.asarray(taken, dtype=np.int64), place))
    return steps


def columns_of(transformer: Any, by_column: Sequence[str]) -> Columns:
    """What a ColumnTransformer makes; ``by_column``: transformers that keep and scale columns.

    Raises `ModelError` for other transformers, and a column that is used twice.
    """
    outputs = sum(place.stop - place.start for *_, place in _steps(transformer))
    made: list[Made] = [Made(-1)] * outputs
    categories: dict[int, list[Any]] = {}
    for step, columns, place in _steps(transformer):
        kind = "passthrough" if step == "passthrough" else type(step).__name__
        if kind == "OneHotEncoder":
            own = _encoded(step, columns, categories)
        elif kind in ("passthrough", *by_column):
            own = [Made(int(column)) for column in columns]
        else:
            raise ModelError(f"a ColumnTransformer with a {kind} is not read")
        if len(own) != place.stop - place.start:
            raise ModelError(f"a ColumnTransformer whose {kind} drops or adds columns is not read")
        made[place] = own
    numbers = [origin.column for origin in made if origin.place < 0]
    if len(set(numbers)) < len(numbers) or set(numbers) & set(categories):
        raise ModelError("a ColumnTransformer that uses a column twice is not read")
    values = {}
    for j, known in categories.items():
        if known and all(isinstance(category, int | float | np.number) for category in known):
            values[j] = np.array(known, dtype=np.float64)
    return Columns(transformer, made, categories, values)


def _encoded(step: Any, columns: np.ndarray, categories: dict[int, list[Any]]) -> list[Made]:
    if any(
        infrequent is not None for infrequent in getattr(step, "infrequent_categories_", None) or ()
    ):
        raise ModelError("a OneHotEncoder that joins infrequent categories is not read")
    made = []
    for k, (column, known) in enumerate(zip(columns, step.categories_, strict=True)):
        dropped = None if step.drop_idx_ is None else step.drop_idx_[k]
        if int(column) in categories:
            raise ModelError("a ColumnTransformer that uses a column twice is not read")
        categories[int(column)] = [
            category for category in known if category == category and category is not None
        ]
        made += [Made(int(column), category, place) for place, category in enumerate(known)
                 if place != dropped]  # fmt: skip
    return made


def before_trees(columns: Columns, trees: ReadTrees) -> ReadTrees:
    """Trees over the outputs as trees over the columns; their own output is left to the caller."""
    d, made = int(columns.transformer.n_features_in_), columns.made
    none, all_ = (trees.encode(np.full((1, len(made)), value))[0] for value in (0.0, 1.0))
    nodes = trees.ensemble.nodes
    split = np.flatnonzero(nodes.feature != LEAF)
    feature, default = np.array(nodes.feature), np.array(nodes.default_left)
    places, chosen, turned = [], [], []
    for node in split:
        output = int(nodes.feature[node])
        origin = made[output]
        feature[node] = origin.column
        if origin.place < 0:
            continue
        without, within = (_left(nodes, int(node), np.float32(at[output])) for at in (none, all_))
        absent = origin.category is None or origin.category != origin.category
        default[node] = within if absent else without
        places.append(int(node))
        chosen.append(
            np.array([] if absent or without == within else [origin.place], dtype=np.int64)
        )
        if without:
            turned.append(int(node))
    nodes = nodes._replace(feature=feature, default_left=default)
    nodes = split_by_sets(swapped(nodes, turned), places, chosen)
    ensemble = replace(trees.ensemble, nodes=nodes, n_features=d)

    def encode(rows: np.ndarray) -> np.ndarray:
        rows = np.asarray(rows, dtype=np.float64)
        encoded, inner = np.zeros((len(rows), d)), trees.encode(columns.numbers(rows))
        for output, origin in enumerate(made):
            if origin.place < 0:
                encoded[:, origin.column] = inner[:, output]
        for column in columns.categories:
            encoded[:, column] = columns.codes(rows, column)
        return encoded

    names = names_of(columns.transformer)
    return replace(trees, ensemble=ensemble, encode=encode, names=names, categories=columns.texts)


def _left(nodes: Nodes, node: int, value: np.float32) -> bool:
    return bool(nodes.default_left[node] if np.isnan(value) else value < nodes.threshold[node])
