"""Boosted trees fitted to a game at pairs of complements, as a game themselves."""

import numpy as np

from ...models.nodes import Nodes
from ...models.trees import TreeEnsemble
from .boosting import boost

ROUNDS, DEPTH, RATE = 100, 5, 0.2


def fit_trees(
    coalitions: np.ndarray, values: np.ndarray, opposite: np.ndarray, depth: int = DEPTH
) -> TreeEnsemble:
    """Trees on the d bits of coalitions (m, d), fitted to values of these and of complements.

    Their baseline game, with explicand 1 and baseline 0, takes approximately the ``values`` (m,) at
    the coalitions and the ``opposite`` (m,) at the complements. Where these are minus the values,
    the even part of the game is small; it has no influence on the Shapley values.
    """
    target = np.concatenate([values, opposite])
    scale = np.abs(target).max(initial=0.0) or 1.0
    bits = np.concatenate([coalitions, ~coalitions])
    grown = boost(bits, target / scale, ROUNDS, depth, RATE)
    half = np.where(grown.bit < 0, 0.0, 0.5)  # a bit of 0 is below it
    whether = np.zeros(len(half), dtype=bool)
    nodes = Nodes(grown.bit, half, grown.absent, grown.present, whether, scale * grown.value)
    return TreeEnsemble(nodes, grown.roots, 0.0, bits.shape[1])
