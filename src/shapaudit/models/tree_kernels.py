"""The way of rows through the trees of an ensemble, compiled."""

import numpy as np
from numba import njit

from .nodes import LEAF, Nodes


@njit(cache=True, nogil=True)
def goes_left(nodes: Nodes, node: int, feature: np.float32) -> bool:
    """Whether a row whose split feature has this float32 value goes to the left child."""
    if np.isnan(feature):
        return nodes.default_left[node]
    threshold = nodes.threshold[node]
    if feature < threshold:
        return True
    return np.isnan(threshold) and _in_set(nodes, node, feature)


@njit(cache=True, nogil=True)
def _in_set(nodes: Nodes, node: int, category: np.float32) -> bool:
    """Whether the number of a category is in the set of a split by category."""
    if not 0.0 <= category < nodes.sets.shape[1]:
        return False
    return nodes.sets[nodes.members[node], np.int64(category)]


@njit(cache=True, nogil=True)
def predict(nodes: Nodes, roots, base_score, rows):
    """Outputs (m,) of rows (m, d) of float32: the base score and a leaf of each tree."""
    outputs = np.empty(rows.shape[0])
    for i in range(rows.shape[0]):
        total = base_score
        for node in roots:
            while nodes.feature[node] != LEAF:
                if goes_left(nodes, node, rows[i, nodes.feature[node]]):
                    node = nodes.left[node]
                else:
                    node = nodes.right[node]
            total += nodes.value[node]
        outputs[i] = total
    return outputs


@njit(cache=True, nogil=True)
def predict_linear(nodes: Nodes, roots, base_score, leaves, encoded, rows):
    """Outputs (m,) of rows (m, d) of float64, of which the splits compare ``encoded``, float32."""
    outputs = np.empty(rows.shape[0])
    for i in range(rows.shape[0]):
        total = base_score
        for node in roots:
            while nodes.feature[node] != LEAF:
                if goes_left(nodes, node, encoded[i, nodes.feature[node]]):
                    node = nodes.left[node]
                else:
                    node = nodes.right[node]
            output = leaves.constant[node]
            for t in range(leaves.first[node], leaves.first[node + 1]):
                output += leaves.coefficient[t] * rows[i, leaves.feature[t]]
            total += nodes.value[node] if np.isnan(output) else output
        outputs[i] = total
    return outputs


@njit(cache=True, nogil=True)
def count(nodes: Nodes, roots, rows):
    """Rows (m, d) of float32 that reach each node: (n,)."""
    counts = np.zeros(nodes.feature.size)
    for i in range(rows.shape[0]):
        for node in roots:
            counts[node] += 1.0
            while nodes.feature[node] != LEAF:
                if goes_left(nodes, node, rows[i, nodes.feature[node]]):
                    node = nodes.left[node]
                else:
                    node = nodes.right[node]
                counts[node] += 1.0
    return counts
