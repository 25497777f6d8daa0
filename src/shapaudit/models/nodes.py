"""The nodes of the trees of an ensemble, as flat arrays."""

from typing import NamedTuple

import numpy as np

LEAF = -1


class Nodes(NamedTuple):
    """The nodes of all trees, one after the other: arrays (n,).

    A leaf has feature, left and right -1 and a value; a split sends a row to `left` when its
    feature, rounded to float32, is below the threshold (both as XGBoost compares them), to `right`
    otherwise, and a missing feature to the side that `default_left` tells. Children are indices
    into the same arrays.
    """

    feature: np.ndarray  # int32
    threshold: np.ndarray  # float32
    left: np.ndarray  # int32
    right: np.ndarray  # int32
    default_left: np.ndarray  # bool
    value: np.ndarray  # float64
