"""Exact expectations and variances of multilinear extension sampling, for a game given by a table.

Player i's mean contribution at inclusion probability q is (Owen 1972)

    e_i(q) = sum_k C(d - 1, k) q^k (1 - q)^(d - 1 - k) m_ik,

m_ik its mean contribution to the coalitions of size k of the others. A rule for q therefore weights
the sizes, where the Shapley value weights each of them by 1 / d: its bias is the difference.
"""

import numpy as np
import scipy

from shapaudit.samplers.quadrature import QuadratureRule


def mean_powers(rule: QuadratureRule, degree: int) -> np.ndarray:
    """Mean of q^s (1 - q)^(degree - s) over each cell, shape (L, degree + 1) by s."""
    # So many nodes are exact for polynomials of this degree.
    nodes, weights = scipy.special.roots_legendre(degree // 2 + 1)
    middle, half = (rule.low + rule.high) / 2, (rule.high - rule.low) / 2
    q = (middle[:, None] + half[:, None] * nodes)[..., None]
    size = np.arange(degree + 1)
    return np.einsum("n,lns->ls", weights / 2, q**size * (1 - q) ** (degree - size))


def size_law(rule: QuadratureRule, n_players: int, paired: bool = False) -> np.ndarray:
    """Weights (d,) that a rule gives to the mean contributions at sizes 0, ..., d - 1.

    ``paired``: the rule of `samplers.quadrature.paired_rule`, each coalition with its complement.
    """
    d = n_players
    law = rule.weights @ mean_powers(rule, d - 1) * scipy.special.comb(d - 1, np.arange(d))
    return (law + law[::-1]) / 2 if paired else law


def contribution_table(values: np.ndarray, paired: bool = False) -> np.ndarray:
    """Contributions v(E + i) - v(E - i) of each player i to each coalition E, shape (2^d, d).

    ``paired``: means over E and its complement. Coalitions are in the order of their index.
    """
    index = np.arange(len(values))
    bits = 1 << np.arange(len(values).bit_length() - 1)
    table = values[index[:, None] | bits] - values[index[:, None] & ~bits]
    return (table + table[::-1]) / 2 if paired else table


def size_moments(values: np.ndarray, paired: bool = False) -> np.ndarray:
    """Mean and mean square (2, d, d) of player i's contributions to the coalitions of k others.

    ``paired``: of its means over a coalition of the others and the rest of them.
    """
    d = len(values).bit_length() - 1
    halves = (values.reshape(-1, 2, 1 << player) for player in range(d))
    steps = np.stack([(half[:, 1] - half[:, 0]).ravel() for half in halves])
    if paired:
        steps = (steps + steps[:, ::-1]) / 2
    sizes = np.bitwise_count(np.arange(1 << (d - 1)))
    order, counts = np.argsort(sizes, kind="stable"), np.bincount(sizes)
    steps = steps[:, order]
    starts = np.cumsum(counts) - counts
    sums = [np.add.reduceat(part, starts, axis=1) for part in (steps, np.square(steps))]
    return np.stack(sums) / counts


def mean_contributions(values: np.ndarray) -> np.ndarray:
    """Mean contribution m_ik (d, d) of player i to the coalitions of k others."""
    return size_moments(values)[0]


def bias_and_variance(
    moments: np.ndarray, rule: QuadratureRule, counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Bias and variance (..., d) of the estimates from ``counts`` (L,) draws of a rule's cells.

    ``moments`` (2, ..., d, d) are those of `size_moments` for one or more games, paired for a
    paired rule.
    """
    first, second = np.swapaxes(moments, -1, -2)
    d = first.shape[-1]
    law = mean_powers(rule, d - 1) * scipy.special.comb(d - 1, np.arange(d))
    means = law @ first
    # A player's contribution does not depend on whether the coalition has the player.
    own = np.maximum(law @ second - np.square(means), 0)  # rounding can go below
    own[..., rule.certain, :] = 0.0
    return rule.weights @ means - first.mean(axis=-2), (np.square(rule.weights) / counts) @ own


def expectation(values: np.ndarray, rule: QuadratureRule, paired: bool = False) -> np.ndarray:
    """Expected estimates (d,) of a rule, however many draws its cells get."""
    means = mean_contributions(values)
    return means @ size_law(rule, len(means), paired)


def bias(values: np.ndarray, rule: QuadratureRule, paired: bool = False) -> np.ndarray:
    """Expected estimates (d,) of a rule less the Shapley values."""
    means = mean_contributions(values)
    d = len(means)
    return means @ (size_law(rule, d, paired) - 1 / d)


def draw_covariances(values: np.ndarray, rule: QuadratureRule, paired: bool = False) -> np.ndarray:
    """Covariances (L, d, d) of the contributions of all players to one coalition (pair) of a cell.

    Players with coalitions of their own have the same variances, and no covariances.
    """
    table = contribution_table(values, paired)
    sizes = np.bitwise_count(np.arange(len(values)))
    covariances = []
    for probabilities in mean_powers(rule, table.shape[1])[:, sizes]:
        centred = table - probabilities @ table
        covariances.append(centred.T @ (probabilities[:, None] * centred))
    return np.array(covariances)


def variance(
    values: np.ndarray, rule: QuadratureRule, counts: np.ndarray, paired: bool = False
) -> np.ndarray:
    """Variances (d,) of the estimates from ``counts`` (L,) draws of the cells of a rule."""
    return bias_and_variance(size_moments(values, paired), rule, counts)[1]
