"""The nodes of the trees of an ensemble, as flat arrays."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

LEAF = -1
NUMBERS_ONLY = np.zeros(0, dtype=np.int32), np.zeros((0, 0), dtype=np.bool_)


class Nodes(NamedTuple):
    """The nodes of all trees, one after the other: arrays (n,).

    A leaf has feature, left and right -1 and a value; a split sends a row to `left` when its
    feature, rounded to float32, is below the threshold (both as XGBoost compares them), to `right`
    otherwise, and a missing feature to the side that `default_left` tells. Children are indices
    into the same arrays.

    A split by category has the threshold NaN. It sends a row to `left` when the number of its
    category is in a set, which is a row of ``sets``; categories beyond that row are not in it.
    """

    feature: np.ndarray  # int32
    threshold: np.ndarray  # float32
    left: np.ndarray  # int32
    right: np.ndarray  # int32
    default_left: np.ndarray  # bool
    value: np.ndarray  # float64
    members: np.ndarray = NUMBERS_ONLY[0]  # int32, the row in sets; empty without such splits
    sets: np.ndarray = NUMBERS_ONLY[1]  # bool (s, categories)

    def by_node(self) -> dict[str, np.ndarray]:
        """The arrays (n,) of splits by numbers, which are all that trees of numbers have."""
        return {name: getattr(self, name) for name in BY_NODE}

    def stored(self) -> dict[str, np.ndarray]:
        """The arrays that are needed to make these nodes again."""
        return self._asdict() if self.members.size else self.by_node()

    @classmethod
    def made(cls, arrays: Mapping[str, np.ndarray]) -> "Nodes":
        """The nodes of `stored` arrays, among others."""
        return cls(**{name: arrays[name] for name in cls._fields if name in arrays})


BY_NODE = Nodes._fields[:6]
