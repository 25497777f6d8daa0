"""Boosted trees fitted to the odd part of a game, as a game themselves."""

import json

import numpy as np

from ..models.trees import TreeEnsemble
from .pairs import Pairs

ROUNDS, DEPTH, RATE = 100, 5, 0.2


def fit_trees(pairs: Pairs, rng: np.random.Generator) -> TreeEnsemble:
    """Trees on the d bits of the coalitions and of their complements.

    With explicand 1 and baseline 0 their baseline game takes the odd part's values f(S) at S and
    -f(S) at the complement, about; so its even part is small, and without Shapley values.
    """
    import xgboost  # half a second, only where it is used

    odd = pairs.odd
    scale = np.abs(odd).max(initial=0.0) or 1.0
    data = xgboost.DMatrix(
        np.concatenate([pairs.coalitions, ~pairs.coalitions]).astype(np.float32),
        np.concatenate([odd, -odd]) / scale,
        nthread=1,
    )
    params = {
        "max_depth": DEPTH,
        "learning_rate": RATE,
        "base_score": 0.0,
        "tree_method": "hist",
        "max_bin": 2,
        "nthread": 1,
        "seed": int(rng.integers(1 << 31)),
    }
    booster = xgboost.train(params, data, ROUNDS)
    ensemble = TreeEnsemble.from_xgboost(json.loads(bytes(booster.save_raw("json"))))
    nodes = ensemble.nodes._replace(value=ensemble.nodes.value * scale)
    return TreeEnsemble(nodes, ensemble.roots, 0.0, ensemble.n_features)
