"""Exact Shapley values of trees with linear functions at their leaves.

Derivation. As in `truth.tree` the baseline game is a sum over leaves, each with the players A whose
features must be the explicand's for a row to reach it, and B for the baseline's. Let the leaf's
function be f(z) = c + sum_k s_k z_k. Where the leaf is reached, the features of A and B are fixed,
and that of any other player k is r_k + (x_k - r_k) 1{k in S}. So the leaf's game is

    (c + sum of what is fixed + sum_k s_k r_k) 1{A in S, B and S disjoint}
        + sum_k s_k (x_k - r_k) 1{A + k in S, B and S disjoint},

games of the kind whose values are known in closed form. Where a feature is missing, NaN, the leaf
gives a number v instead of f. Then the game is v 1{A, B} and, with f - v in the place of f, the one
above with those players added to A whose baseline alone is missing, and to B those whose explicand
alone is: what is left of f is there only if none of its features is missing.
"""

import numpy as np
from numba import njit

from ..models.linear_leaves import LinearLeaves
from ..models.nodes import LEAF, Nodes
from ..models.tree_kernels import goes_left
from ..models.trees_read import ReadTrees
from .tree import BASELINE, EXPLICAND, FREE, mean_tree_shapley, order_weights


def read_tree_shapley(
    trees: ReadTrees, explicands: np.ndarray, baselines: np.ndarray
) -> np.ndarray:
    """Exact marginal Shapley values (m, d) of trees that were read, as `mean_tree_shapley`.

    ``explicands`` (m, d) and ``baselines`` (k, d) are rows of the model, not encoded.
    """
    own, others = trees.encode(explicands), trees.encode(baselines)
    ensemble, leaves = trees.ensemble, trees.leaves
    if leaves is None:
        return mean_tree_shapley(ensemble, own, others)
    weights = order_weights(min(ensemble.depth + leaves.most, ensemble.n_features))
    encoded = (own.astype(np.float32), others.astype(np.float32))
    rows = tuple(np.ascontiguousarray(each, dtype=np.float64) for each in (explicands, baselines))
    return _mean_values(ensemble.nodes, ensemble.roots, leaves, weights, encoded, rows)


@njit(cache=True, nogil=True)
def _mean_values(nodes: Nodes, roots, leaves: LinearLeaves, weights, encoded, rows):
    """Values (m, d) of the explicands, averaged over the baselines."""
    m, d = rows[0].shape
    values = np.zeros((m, d))
    owner = np.zeros(d, dtype=np.int8)
    players, pending = np.empty(d, dtype=np.int64), np.empty(d, dtype=np.int64)
    for i in range(m):
        for k in range(len(rows[1])):
            for root in roots:
                _add_tree(
                    nodes, root, leaves, weights, encoded[0][i], encoded[1][k], rows[0][i],
                    rows[1][k], owner, players, pending, values[i],
                )  # fmt: skip
        values[i] /= len(rows[1])
    return values


@njit(cache=True, nogil=True)
def _add_tree(
    nodes: Nodes, node, leaves: LinearLeaves, weights, x_code, r_code, x, r, owner, players,
    pending, values,
):  # fmt: skip
    """Add one tree's values of x and r, a leaf that hybrid rows reach at a time.

    `owner` tells whose value the path needs of a player; the first ``opened`` of ``players`` are
    those of which it needs one.
    """
    opened = 0
    while True:
        while nodes.feature[node] != LEAF:
            j = nodes.feature[node]
            x_left, r_left = goes_left(nodes, node, x_code[j]), goes_left(nodes, node, r_code[j])
            if x_left != r_left and owner[j] == FREE:
                owner[j] = EXPLICAND
                players[opened] = j
                pending[opened] = nodes.left[node] if r_left else nodes.right[node]
                opened += 1
            goes = r_left if owner[j] == BASELINE else x_left
            node = nodes.left[node] if goes else nodes.right[node]
        _add_leaf(nodes.value[node], node, leaves, weights, x, r, owner, players, opened, values)
        while opened and owner[players[opened - 1]] == BASELINE:
            opened -= 1
            owner[players[opened]] = FREE
        if not opened:
            return
        owner[players[opened - 1]] = BASELINE
        node = pending[opened - 1]


@njit(cache=True, nogil=True)
def _add_leaf(value, node, leaves: LinearLeaves, weights, x, r, owner, players, opened, values):
    """Add the values of a leaf's game; what is added to A and B is taken off again."""
    reached, output, gone = opened, leaves.constant[node], False
    first, last = leaves.first[node], leaves.first[node + 1]
    for t in range(first, last):
        j = leaves.feature[t]
        if owner[j] == FREE and np.isnan(x[j]) != np.isnan(r[j]):
            owner[j] = BASELINE if np.isnan(x[j]) else EXPLICAND
            players[opened] = j
            opened += 1
        present = x[j] if owner[j] == EXPLICAND else r[j]
        gone |= np.isnan(present)
        output += leaves.coefficient[t] * present
    if gone or opened > reached:
        _add_game(value, weights, owner, players, reached, values)
        output -= value
    if not gone:
        _add_game(output, weights, owner, players, opened, values)
        for t in range(first, last):
            j = leaves.feature[t]
            if owner[j] == FREE and x[j] != r[j]:
                owner[j] = EXPLICAND
                players[opened] = j
                slope = leaves.coefficient[t] * (x[j] - r[j])
                _add_game(slope, weights, owner, players, opened + 1, values)
                owner[j] = FREE
    for place in range(reached, opened):
        owner[players[place]] = FREE


@njit(cache=True, nogil=True)
def _add_game(height, weights, owner, players, opened, values):
    """Add the values of the game that is worth ``height`` where A is there and B is not."""
    a = 0
    for place in range(opened):
        a += owner[players[place]] == EXPLICAND
    b = opened - a
    for place in range(opened):
        j = players[place]
        if owner[j] == EXPLICAND:
            values[j] += height * weights[a, b]
        else:
            values[j] -= height * weights[b, a]
