"""Rules for the inclusion probability q, the variable of Owen's integral over the diagonal.

A player's Shapley value is the integral over q in [0, 1] of e(q), its mean marginal contribution to
a coalition that each other player joins with probability q (Owen 1972). A rule has L cells
[low, high] with weights: q is drawn uniformly in its cell, a cell of width 0 being a fixed node.
"""

from functools import lru_cache
from typing import Literal, NamedTuple, Self

import numpy as np
import scipy

from .allocation import fill_up

RuleName = Literal[
    "printed", "equal", "trapezoid", "midpoint", "gauss-legendre", "stratified", "random"
]


class QuadratureRule(NamedTuple):
    """Cells [low, high] (L,) and weights (L,): the integral is about the sum of weight e(q)."""

    low: np.ndarray
    high: np.ndarray
    weights: np.ndarray

    @property
    def certain(self) -> np.ndarray:
        """Cells (L,) at q = 0 or q = 1, where every draw is the same coalition."""
        return (self.low == self.high) & ((self.low == 0) | (self.low == 1))

    def take(self, cells: slice, weights: np.ndarray) -> Self:
        """Some of the cells, with new weights."""
        return type(self)(self.low[cells], self.high[cells], weights)


def quadrature_rule(name: RuleName, levels: int) -> QuadratureRule:
    """A rule with L = ``levels`` cells, in increasing order and symmetric about 1/2.

    "printed"
        L nodes 0, 1/Q, ..., 1 with weights 1/Q, Q = L - 1: they sum to 1 + 1/Q, as in
        Okhrati & Lipani 2021, Algorithm 1.
    "equal"
        The same nodes with weights 1/L, as in the public codes of Okhrati & Lipani 2021 and of
        Chen et al. 2023 (Section 5.2.1 names it the trapezoid rule).
    "trapezoid", "midpoint", "gauss-legendre"
        The rules of numerical analysis. L Gauss-Legendre nodes are exact up to 2 L players.
    "stratified"
        One random node in each of L equal strata: unbiased for every L.
    "random"
        q uniform in [0, 1]; L is 1.
    """
    least = 2 if name in ("printed", "equal", "trapezoid") else 1
    if levels < least or (name == "random" and levels > 1):
        wanted = "one level" if name == "random" else f"at least {least} levels"
        raise ValueError(f"the rule {name!r} has {wanted}; got {levels}.")
    if name in ("stratified", "random"):
        edges = np.arange(levels + 1) / levels
        return QuadratureRule(edges[:-1], edges[1:], np.full(levels, 1 / levels))
    if name == "gauss-legendre":
        nodes, weights = scipy.special.roots_legendre(levels)
        return QuadratureRule(0.5 * (nodes + 1), 0.5 * (nodes + 1), 0.5 * weights)
    if name == "midpoint":
        nodes = (np.arange(levels) + 0.5) / levels
        return QuadratureRule(nodes, nodes, np.full(levels, 1 / levels))
    nodes = np.arange(levels) / (levels - 1)
    weights = np.full(levels, 1 / (levels if name == "equal" else levels - 1))
    if name == "trapezoid":
        weights[[0, -1]] /= 2
    return QuadratureRule(nodes, nodes, weights)


def paired_rule(name: RuleName, levels: int) -> QuadratureRule:
    """The cells from which a coalition is drawn with its complement, whose q is 1 - q.

    The weights are those of the mean over the pair. The corrected rules keep the lower half of
    their cells. "printed" does so too, and counts the pair at q = 1/2, which an odd L has, like two
    levels (Okhrati & Lipani 2021, Algorithm 2). "equal" pairs every level (Chen et al. 2023).
    """
    rule = quadrature_rule(name, levels)
    if name in ("equal", "random"):
        return rule
    half = slice((levels + 1) // 2)
    weights = 2 * rule.weights[half]
    if levels % 2 and name != "printed":
        weights[-1] /= 2
    return rule.take(half, weights)


def levels_for(name: RuleName, draws: int, paired: bool, per_level: int, n_players: int) -> int:
    """Levels that ``draws`` (coalitions or pairs) allow with ``per_level`` of them at each.

    0 where the rule needs more. Gauss-Legendre stops at the levels that are exact.
    """
    levels = draws // per_level
    if name == "random":
        return 1
    if name == "equal" or (name == "printed" and not paired):
        return levels if levels > 1 else 0
    if name == "printed":
        return 2 * levels - 1 if levels > 1 else 0
    if name == "trapezoid":
        inner = draws - (1 if paired else 2)
        return 2 + (1 + paired) * (inner // per_level) if inner >= 0 else 0
    levels = max(levels, 1) * (1 + paired)
    return min(levels, (n_players + 1) // 2) if name == "gauss-legendre" else levels


def counts_for(name: RuleName, rule: QuadratureRule, draws: int, per_level: int) -> np.ndarray:
    """Draws (L,) of each cell, ``draws`` in all at the most.

    As published, all levels get the same number and what is left over is not drawn. The corrected
    rules draw in proportion to the weights, but ``per_level`` at each level where there are as
    many; the ends of the trapezoid rule, where e(q) is known from one draw, get one.
    """
    levels = len(rule.weights)
    if name in ("printed", "equal"):
        return np.full(levels, draws // levels)
    counts = rule.certain.astype(np.int64)
    free = counts == 0
    left = draws - counts.sum()
    if free.any():
        least = np.full(free.sum(), min(per_level, left // free.sum()))
        counts[free] = least + fill_up(rule.weights[free], least, left - least.sum())
    return counts


def draw_levels(rule: QuadratureRule, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Inclusion probabilities (sum of counts,), those of each cell one after the other."""
    low, high = np.repeat(rule.low, counts), np.repeat(rule.high, counts)
    return low + (high - low) * rng.random(len(low))


def least_draws(name: RuleName, paired: bool, levels: int | None = None, per_level: int = 2) -> int:
    """Smallest number of draws (coalitions or pairs) for which `plan` has one."""
    if levels is not None:
        return len((paired_rule if paired else quadrature_rule)(name, levels).weights)
    if name == "printed":
        return 2 * per_level
    return 2 if name == "trapezoid" and not paired else 1


@lru_cache(maxsize=64)  # repeated runs at one budget follow one plan; do not write to its arrays
def plan(
    name: RuleName,
    draws: int,
    n_players: int,
    paired: bool = False,
    levels: int | None = None,
    per_level: int = 2,
) -> tuple[QuadratureRule, np.ndarray]:
    """The rule, and the draws (L,) of each of its cells, for ``draws`` coalitions or pairs.

    Without ``levels``, there are as many as ``per_level`` draws at each allow. Where these are too
    few for the equal weights, q is random (as in the public code of Chen et al. 2023).
    """
    levels = levels or levels_for(name, draws, paired, per_level, n_players)
    if levels == 0:
        name, levels = "random", 1
    rule = (paired_rule if paired else quadrature_rule)(name, levels)
    return rule, counts_for(name, rule, draws, per_level)
