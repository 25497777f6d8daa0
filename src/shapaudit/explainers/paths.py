"""Shapley values of the path-dependent game of trees, all leaves of a tree in two passes.

A leaf u under splits on the features of a set P is worth u prod_{j in P} (p_j if present, else
s_j): p_j tells whether the explicand goes its way at every split on j above it, s_j is the product
of the shares of rows that do. Its Shapley values are

    u (p_i - s_i) int_0^1 prod_{j in P - i} (s_j + q (p_j - s_j)) dq,

the integral of a polynomial of degree |P| - 1, which Gauss and Legendre's rule with ceil(|P| / 2)
points gives exactly. Down the tree the product changes by one factor a node; up the tree u times
the product is summed over the leaves below, and credited to the feature of each node's edge with
(p - s) / (its factor), less the same for the last edge above on the same feature, whose factor
these leaves do not have. What a node does to both depends on the explicand by three cases only: it
passes; it fails and passed so far; it had failed already. So all of it is tabulated.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from ..models.nodes import LEAF, Nodes
from ..models.tree_kernels import goes_left
from ..models.trees import TreeEnsemble
from ..samplers.quadrature import quadrature_rule

PASSES, FAILS, FAILED = 0, 1, 2


class PathTables(NamedTuple):
    """Nodes in an order in which parents come before their children; n of them, m levels q.

    Attributes
    ----------
    nodes : as of the ensemble, in its own order
    order : (n,) the nodes
    parent : (n,) of each node, by its place in ``order``; -1 for a root
    above : (n,) place of the last edge above on the same feature; -1 for none
    factor, credit : (n, 3, m) by case
    base_value : v(empty)
    """

    nodes: NamedTuple
    order: np.ndarray
    parent: np.ndarray
    above: np.ndarray
    factor: np.ndarray
    credit: np.ndarray
    base_value: float


def path_tables(ensemble: TreeEnsemble) -> PathTables:
    """Tables of an ensemble with weights; children of which neither has any count a half each."""
    order, parent, above, shares, reach, longest = _traced(
        ensemble.nodes, ensemble.roots, ensemble.weight
    )
    rule = quadrature_rule("gauss-legendre", max(1, -(-longest // 2)))
    levels, weights = rule.low, rule.weights
    outer = np.where(above >= 0, shares[above], 1.0)[:, None]  # share above, before this edge
    share = shares[:, None]
    passing, failing = share + levels * (1 - share), share * (1 - levels)
    passed = outer + levels * (1 - outer)
    with np.errstate(divide="ignore", invalid="ignore"):
        kept = np.where(outer > 0, share / outer, 0.0) + 0 * levels
        before = weights * (1 - outer) / passed
        credit = np.stack(
            [
                weights * (1 - share) / passing - before,
                -weights / (1 - levels) - before,
                np.zeros_like(passing),
            ],
            axis=1,
        )
    factor = np.stack([passing / passed, failing / passed, kept], axis=1)
    leaf = ensemble.nodes.feature[order] == LEAF
    base = ensemble.base_score + float((reach * ensemble.nodes.value[order])[leaf].sum())
    return PathTables(ensemble.nodes, order, parent, above, factor, credit, base)


def path_values(tables: PathTables, explicands: np.ndarray) -> np.ndarray:
    """Values (m, d) of rows (m, d) as the trees compare them."""
    rows = np.ascontiguousarray(explicands, dtype=np.float32)
    return _values(*tables[:-1], rows)


@njit(cache=True, nogil=True)
def _traced(nodes: Nodes, roots: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, ...]:
    """Order, parents, edges above, merged shares, shares of rows, most features on a path."""
    n = nodes.feature.size
    order, parent = np.empty(n, dtype=np.int64), np.full(n, -1)
    above, shares, reach = np.full(n, -1), np.ones(n), np.ones(n)
    distinct = np.zeros(n, dtype=np.int64)
    filled = 0
    for root in roots:
        order[filled] = root
        place = filled
        filled += 1
        while place < filled:
            node = order[place]
            if nodes.feature[node] != LEAF:
                j = nodes.feature[node]
                last = place
                while last >= 0 and (parent[last] < 0 or nodes.feature[order[parent[last]]] != j):
                    last = parent[last]
                left, right = nodes.left[node], nodes.right[node]
                total = weight[left] + weight[right]
                for child in (left, right):
                    own = weight[child] / total if total > 0.0 else 0.5
                    order[filled], parent[filled], above[filled] = child, place, last
                    shares[filled] = own * (shares[last] if last >= 0 else 1.0)
                    reach[filled] = own * reach[place]
                    distinct[filled] = distinct[place] + (last < 0)
                    filled += 1
            place += 1
    used = order[:filled]
    return (
        used,
        parent[:filled],
        above[:filled],
        shares[:filled],
        reach[:filled],
        distinct[:filled].max(),
    )


@njit(cache=True, nogil=True)
def _values(
    nodes: Nodes,
    order: np.ndarray,
    parent: np.ndarray,
    above: np.ndarray,
    factor: np.ndarray,
    credit: np.ndarray,
    explicands: np.ndarray,
) -> np.ndarray:
    n, levels = len(order), factor.shape[2]
    m, d = explicands.shape
    values = np.zeros((m, d))
    case = np.zeros(n, dtype=np.int8)
    product, worth = np.empty((n, levels)), np.empty((n, levels))
    for i in range(m):
        for k in range(n):
            node, up = order[k], parent[k]
            if up < 0:
                product[k] = 1.0
            else:
                split = order[up]
                left = goes_left(nodes, split, explicands[i, nodes.feature[split]])
                passes = left == (nodes.left[split] == node)
                if above[k] >= 0 and case[above[k]] != PASSES:
                    case[k] = FAILED
                else:
                    case[k] = PASSES if passes else FAILS
                for q in range(levels):
                    product[k, q] = product[up, q] * factor[k, case[k], q]
            value = nodes.value[node] if nodes.feature[node] == LEAF else 0.0
            for q in range(levels):
                worth[k, q] = value * product[k, q]
        for k in range(n - 1, -1, -1):
            up = parent[k]
            if up < 0:
                continue
            gained = 0.0
            for q in range(levels):
                gained += worth[k, q] * credit[k, case[k], q]
                worth[up, q] += worth[k, q]
            values[i, nodes.feature[order[up]]] += gained
    return values
