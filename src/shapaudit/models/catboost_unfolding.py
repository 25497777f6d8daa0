"""Trees of CatBoost whose splits look at several features at once, as trees that look at one.

A statistic of a combination depends on all of its categories. Its split becomes several: first by
groups of the categories of one feature, for which it asks different things of the others.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .base import ModelError
from .binned import Tree
from .catboost_splits import WHAT, Axis, Splits, Test
from .nodes import LEAF, Nodes

MOST = 1 << 18  # nodes of a model
BOTH = np.arange(2)  # sides of a border

# Of a node: the number of its test, its left and its right child; or the output of a leaf.
Opened = Callable[[Any], tuple[int, Any, Any] | float]
# Of features: the places of categories that may still be there, or the numbers, above and up to.
Left = Mapping[int, Any]


class Unfolding:
    """Trees over tests of one axis, from trees over any tests of a model."""

    def __init__(self, splits: Splits):
        self._splits = splits
        self._made = 0

    def tree(self, root: Any, opened: Opened) -> Tree:
        """A tree whose features are numbers of tests; its nodes have no weights, NaN.

        Raises `ModelError` where the trees become too large.
        """
        self._columns: list[list[Any]] = []
        self._opened = opened
        self._place(root, {})
        feature, left, right, value = (
            np.array(column) for column in zip(*self._columns, strict=True)
        )
        none, left_default = np.zeros(len(feature)), np.ones(len(feature), dtype=bool)
        nodes = Nodes(feature, none, left, right, left_default, value.astype(np.float64))
        return Tree(nodes, np.full(len(feature), np.nan))

    def _place(self, node: Any, left_over: Left) -> int:
        """Number of what takes the place of a node, for the rows that are left over."""
        while isinstance(found := self._opened(node), tuple):
            number, *sides = found
            test = self._splits.tests[number]
            asked = self._asked(test, left_over)
            if isinstance(asked, bool):
                node = sides[asked]
                continue
            axis, right = asked
            if len(test.axes) > 1:
                number, sides = self._splits.number_of(axis, right), [node, node]
            place = self._added([number, 0, 0, 0.0])
            for side in (0, 1):
                own = {**left_over, axis.feature: self._on_side(axis, right, side, left_over)}
                self._columns[place][1 + side] = self._place(sides[side], own)
            return place
        return self._added([LEAF, LEAF, LEAF, found])

    def _added(self, node: list[Any]) -> int:
        self._columns.append(node)
        self._made += 1
        if self._made > MOST:
            raise ModelError(
                f"{WHAT} combines so many categories that its trees have more than {MOST} nodes "
                "when each split looks at one feature"
            )
        return len(self._columns) - 1

    def _asked(self, test: Test, left_over: Left) -> bool | tuple[Axis, np.ndarray]:
        """Where all rows that are left over go; or by which axis they part, and who goes right."""
        places = [self._places(axis, left_over) for axis in test.axes]
        within = test.right
        for k, own in enumerate(places):
            if len(own) < within.shape[k]:
                within = within.take(own, axis=k)
        if within.all() or not within.any():
            return bool(within.all())
        if len(test.axes) == 1:
            return test.axes[0], test.right
        for k, axis in enumerate(test.axes):
            slices = within.swapaxes(0, k).reshape(len(places[k]), -1)
            numbers: dict[bytes, int] = {}  # of the groups of slices that are equal
            group = [numbers.setdefault(own.tobytes(), len(numbers)) for own in slices]
            if len(numbers) > 1:
                right = np.zeros(test.right.shape[k], dtype=bool)
                right[places[k]] = np.array(group) >= len(numbers) // 2
                return axis, right
        raise AssertionError("a table that varies does so along an axis")

    def _places(self, axis: Axis, left_over: Left) -> np.ndarray:
        """Which places along an axis rows may still have."""
        if axis.border is None:
            every = len(self._splits.hashes[axis.feature]) + 1
            own: np.ndarray | None = left_over.get(axis.feature)
            return np.arange(every) if own is None else own
        above, up_to = left_over.get(axis.feature, (-np.inf, np.inf))
        return BOTH[int(axis.border <= above) : 1 + int(axis.border < up_to)]

    def _on_side(self, axis: Axis, right: np.ndarray, side: int, left_over: Left) -> Any:
        """What is left of a feature on a side of a split."""
        if axis.border is None:
            own = self._places(axis, left_over)
            return own[right[own] == bool(side)]
        above, up_to = left_over.get(axis.feature, (-np.inf, np.inf))
        return (axis.border, up_to) if side else (above, axis.border)
