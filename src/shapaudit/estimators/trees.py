"""Boosted trees fitted to the odd part of a game, as a game themselves."""

import numpy as np

from ..models.trees import Nodes, TreeEnsemble
from .boosting import boost
from .pairs import Pairs

ROUNDS, DEPTH, RATE = 100, 5, 0.2


def fit_trees(pairs: Pairs) -> TreeEnsemble:
    """Trees on the d bits of the coalitions and of their complements.

    With explicand 1 and baseline 0 their baseline game takes the odd part's values f(S) at S and
    -f(S) at the complement, about; so its even part is small, and without Shapley values.
    """
    odd = pairs.odd
    scale = np.abs(odd).max(initial=0.0) or 1.0
    bits = np.concatenate([pairs.coalitions, ~pairs.coalitions])
    grown = boost(bits, np.concatenate([odd, -odd]) / scale, ROUNDS, DEPTH, RATE)
    half = np.where(grown.bit < 0, 0.0, 0.5)  # a bit of 0 is below it
    whether = np.zeros(len(half), dtype=bool)
    nodes = Nodes(grown.bit, half, grown.absent, grown.present, whether, scale * grown.value)
    return TreeEnsemble(nodes, grown.roots, 0.0, bits.shape[1])
