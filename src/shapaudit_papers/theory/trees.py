"""Decision trees in exact arithmetic, and the games of their TreeSHAPs (Chen et al. 2023, 5.2.3).

A tree is a `Split` or the value of a leaf; rows are tuples of fractions.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import factorial
from typing import NamedTuple, Union

import numpy as np

from shapaudit.models.nodes import LEAF, Nodes
from shapaudit.models.trees import TreeEnsemble
from shapaudit.truth.rational import rationals

from .removal import Row


class Split(NamedTuple):
    """Rows whose feature is below the threshold go left, the others right."""

    feature: int
    threshold: Fraction
    left: "Tree"
    right: "Tree"

    def sends_left(self, row: Row) -> bool:
        """Where a row goes."""
        return row[self.feature] < self.threshold

    def side(self, row: Row) -> "Tree":
        """The subtree that a row goes to."""
        return self.left if self.sends_left(row) else self.right


Tree = Union[Split, Fraction]  # noqa: UP007 (a forward reference)


def predict(tree: Tree, row: Row) -> Fraction:
    """Value of the leaf that a row falls into."""
    while isinstance(tree, Split):
        tree = tree.side(row)
    return tree


def leaf_terms(
    tree: Tree, explicand: Row, baseline: Row, present: frozenset = frozenset(), absent=frozenset()
) -> Iterator[tuple[frozenset, frozenset, Fraction]]:
    """(A, B, u) of each leaf that hybrids reach, which they do if A is present and B absent."""
    if not isinstance(tree, Split):
        yield present, absent, tree
        return
    j, x, r = tree.feature, tree.side(explicand), tree.side(baseline)
    if tree.sends_left(explicand) == tree.sends_left(baseline):
        yield from leaf_terms(x, explicand, baseline, present, absent)
        return
    if j not in absent:
        yield from leaf_terms(x, explicand, baseline, present | {j}, absent)
    if j not in present:
        yield from leaf_terms(r, explicand, baseline, present, absent | {j})


def interventional_values(tree: Tree, explicand: Row, baseline: Row) -> np.ndarray:
    """Interventional TreeSHAP of one baseline (d,): (a-1)! b!/(a+b)! u for each player of A.

    And -a! (b-1)!/(a+b)! u for each of B, over all leaves.
    """
    values = rationals([0] * len(explicand))
    for present, absent, u in leaf_terms(tree, explicand, baseline):
        a, b = len(present), len(absent)
        for j in present:
            values[j] += u * Fraction(factorial(a - 1) * factorial(b), factorial(a + b))
        for j in absent:
            values[j] -= u * Fraction(factorial(a) * factorial(b - 1), factorial(a + b))
    return values


def path_dependent_game(tree: Tree, explicand: Row, background: Sequence[Row]) -> np.ndarray:
    """Path-dependent TreeSHAP's game (2^d,): splits on absent features by shares of the rows.

    At such a split both sides are followed, weighted by how many of the background rows that reach
    the split go there; rows must go to both sides of every split, as those of training do.
    """
    return rationals(
        [_expected(tree, explicand, members, background) for members in range(1 << len(explicand))]
    )


def _expected(tree: Tree, explicand: Row, members: int, rows: Sequence[Row]) -> Fraction:
    if not isinstance(tree, Split):
        return tree
    total = Fraction(0)
    for side, left in ((tree.left, True), (tree.right, False)):
        reaching = [row for row in rows if tree.sends_left(row) == left]
        share = Fraction(len(reaching), len(rows))
        if members >> tree.feature & 1:
            share = Fraction(tree.sends_left(explicand) == left)
        if share:
            total += share * _expected(side, explicand, members, reaching)
    return total


def conditional_game(tree: Tree, explicand: Row, background: Sequence[Row]) -> np.ndarray:
    """E[f(X) | X_S = x_S] (2^d,) for X drawn from the background, which has the explicand."""
    values = []
    for members in range(1 << len(explicand)):
        outputs = [
            predict(tree, row)
            for row in background
            if all(row[j] == x for j, x in enumerate(explicand) if members >> j & 1)
        ]
        values.append(sum(outputs, Fraction(0)) / len(outputs))
    return rationals(values)


def as_ensemble(tree: Tree, n_players: int) -> TreeEnsemble:
    """The tree as an ensemble of one, thresholds and leaves in floating point."""
    nodes: list[list] = []

    def add(node: Tree) -> int:
        place = len(nodes)
        if not isinstance(node, Split):
            nodes.append([LEAF, 0.0, LEAF, LEAF, False, float(node)])
            return place
        nodes.append([node.feature, float(node.threshold), 0, 0, False, 0.0])
        nodes[place][2], nodes[place][3] = add(node.left), add(node.right)
        return place

    add(tree)
    columns = (np.array(column) for column in zip(*nodes, strict=True))
    return TreeEnsemble(Nodes(*columns), np.array([0]), 0.0, n_players)
