"""Exact Shapley values of a tree ensemble's baseline game: interventional TreeSHAP.

Lundberg et al. (2020), From local explanations to global understanding with explainable AI for
trees; Chen, Covert, Lundberg and Lee (2023), Section 5.

Derivation. The game is a sum over leaves of u 1{A in S} 1{B and S disjoint} (see `games.tree`), and
the Shapley value is linear, so one leaf is enough. With a = |A| and b = |B|, player i of A
contributes u in a random order exactly when i comes last among A and all of A comes before all of
B: (a - 1)! b! of the (a + b)! orders of these players do that. Player i of B contributes -u when i
comes first among B, after all of A: a! (b - 1)! orders do that.
"""

import numpy as np
from numba import njit

from ..models.nodes import LEAF, Nodes
from ..models.tree_kernels import goes_left
from ..models.trees import TreeEnsemble
from .base import TruthError

FREE, EXPLICAND, BASELINE = 0, 1, 2  # whose value a path needs of a player


def order_weights(size: int) -> np.ndarray:
    """W (size + 1, size + 1) with W[a, b] = (a - 1)! b! / (a + b)! and W[0, b] = 0.

    The share of orders of a + b players in which a given one of the first a is last of them, and
    all of them precede the other b. By recurrence over b, so no factorial overflows; by symmetry
    W[b, a] is the share for a given one of the b.
    """
    weights = np.zeros((size + 1, size + 1))
    first = np.arange(1, size + 1)
    weights[1:, 0] = 1.0 / first
    for b in range(1, size + 1):
        weights[1:, b] = weights[1:, b - 1] * (b / (first + b))
    return weights


def tree_shapley(
    ensemble: TreeEnsemble, explicands: np.ndarray, baselines: np.ndarray
) -> np.ndarray:
    """Exact Shapley values of v(S) = f(z(x, r, S)), for each explicand x with its baseline r.

    Parameters
    ----------
    ensemble : TreeEnsemble
    explicands, baselines : ndarray (d,) or (m, d)
        One row each, or m rows; a single row goes with every row of the other argument.

    Returns
    -------
    ndarray (d,) or (m, d) of float64
        In the units of the ensemble's output; the values of x and r sum to f(x) - f(r).

    Raises
    ------
    TruthError
        When a row does not have the ensemble's number of features, or the rows do not match.
    """
    x, r = _rows(ensemble, explicands, "explicands"), _rows(ensemble, baselines, "baselines")
    if 1 not in (len(x), len(r)) and len(x) != len(r):
        raise TruthError(f"{len(x)} explicands cannot be paired with {len(r)} baselines.")
    x, r = (np.ascontiguousarray(rows) for rows in np.broadcast_arrays(x, r))
    values = _mean_values(ensemble.nodes, ensemble.roots, _weights(ensemble), x, r, True)
    return values[0] if np.ndim(explicands) == np.ndim(baselines) == 1 else values


def mean_tree_shapley(
    ensemble: TreeEnsemble, explicands: np.ndarray, baselines: np.ndarray
) -> np.ndarray:
    """Exact Shapley values of the mean of the games of all baselines: the marginal game.

    Parameters
    ----------
    ensemble : TreeEnsemble
    explicands : ndarray (d,) or (m, d)
    baselines : ndarray (k, d)

    Returns
    -------
    ndarray (d,) or (m, d) of float64
        The values of an explicand sum to f(x) minus the mean of f over the baselines.

    Raises
    ------
    TruthError
        When a row does not have the ensemble's number of features, or there is no baseline.
    """
    x, r = _rows(ensemble, explicands, "explicands"), _rows(ensemble, baselines, "baselines")
    if not len(r):
        raise TruthError("a mean over baselines needs at least one baseline.")
    values = _mean_values(ensemble.nodes, ensemble.roots, _weights(ensemble), x, r, False)
    return values[0] if np.ndim(explicands) == 1 else values


def _rows(ensemble: TreeEnsemble, rows: np.ndarray, what: str) -> np.ndarray:
    rows = np.atleast_2d(np.asarray(rows, dtype=np.float64))
    if rows.ndim != 2 or rows.shape[1] != ensemble.n_features:
        raise TruthError(
            f"{what} must be rows of {ensemble.n_features} features, not {rows.shape}."
        )
    return np.ascontiguousarray(rows, dtype=np.float32)


def _weights(ensemble: TreeEnsemble) -> np.ndarray:
    return order_weights(min(ensemble.depth, ensemble.n_features))


@njit(cache=True, nogil=True)
def _mean_values(
    nodes: Nodes,
    roots: np.ndarray,
    weights: np.ndarray,
    explicands: np.ndarray,
    baselines: np.ndarray,
    row_by_row: bool,
) -> np.ndarray:
    """Values (m, d): of explicand and baseline i, or of explicand i averaged over all baselines."""
    m, d = explicands.shape
    values = np.zeros((m, d))
    owner = np.zeros(d, dtype=np.int8)
    most = len(weights) - 1
    players, pending = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    sums = np.empty((most, 2))
    for i in range(m):
        first, last = (i, i + 1) if row_by_row else (0, len(baselines))
        for k in range(first, last):
            x, r = explicands[i], baselines[k]
            for root in roots:
                _add_tree(nodes, root, weights, x, r, owner, players, pending, sums, values[i])
        values[i] /= last - first
    return values


@njit(cache=True, nogil=True)
def _add_tree(
    nodes: Nodes,
    node: int,
    weights: np.ndarray,
    x: np.ndarray,
    r: np.ndarray,
    owner: np.ndarray,
    players: np.ndarray,
    pending: np.ndarray,
    sums: np.ndarray,
    values: np.ndarray,
) -> None:
    """Add one tree's values of x and r, in one pass over the nodes that hybrid rows reach.

    A split is open while the path goes through it and its player's first split is this one; `owner`
    tells whose value the path then needs of that player, a and b count the open splits by owner.
    Every leaf on the explicand's side of an open split has its player in A, every leaf on the
    baseline's side in B: so each is credited once, with the sums of u W[a, b] over the one side
    and of u W[b, a] over the other.
    """
    a = b = opened = 0
    while True:
        while nodes.feature[node] != LEAF:
            j = nodes.feature[node]
            x_left, r_left = goes_left(nodes, node, x[j]), goes_left(nodes, node, r[j])
            if x_left != r_left and owner[j] == FREE:
                owner[j] = EXPLICAND
                players[opened] = j
                pending[opened] = nodes.left[node] if r_left else nodes.right[node]
                opened += 1
                a += 1
            goes = r_left if owner[j] == BASELINE else x_left
            node = nodes.left[node] if goes else nodes.right[node]
        gain, loss = nodes.value[node] * weights[a, b], nodes.value[node] * weights[b, a]
        while opened and owner[players[opened - 1]] == BASELINE:
            opened -= 1
            b -= 1
            j = players[opened]
            owner[j] = FREE
            values[j] += sums[opened, 0] - loss
            gain += sums[opened, 0]
            loss += sums[opened, 1]
        if not opened:
            return
        sums[opened - 1] = gain, loss
        owner[players[opened - 1]] = BASELINE
        a -= 1
        b += 1
        node = pending[opened - 1]
