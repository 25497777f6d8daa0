"""Trees that were read, and what their features are encoded by, as named arrays and back."""

from collections.abc import Mapping

import numpy as np

from .base import ModelError
from .binned import BinnedTrees
from .nodes import Nodes
from .trees import TreeEnsemble
from .trees_read import MissingAs, ReadTrees, from_parts


def stored_trees(trees: ReadTrees) -> dict[str, np.ndarray]:
    """Arrays from which `trees_of_arrays` makes the trees again, without the model.

    Raises `ModelError` for trees behind a pipeline, for CatBoost's with combined categories, and
    for linear functions at the leaves.
    """
    ensemble, source = trees.ensemble, getattr(trees.encode, "__self__", None)
    arrays = ensemble.nodes.stored() | {"roots": ensemble.roots}
    arrays["base"] = np.array([ensemble.base_score])
    if ensemble.weight is not None:
        arrays["weight"] = ensemble.weight
    if trees.leaves is not None:
        raise ModelError(f"{trees.what} has linear functions at its leaves")
    if isinstance(source, BinnedTrees):
        arrays["edges"] = np.concatenate([*source.edges, np.zeros(0)])
        arrays["ends"] = np.cumsum([0, *(len(edges) for edges in source.edges)])
        arrays["missing"] = np.array(source.missing, dtype=str)
    elif isinstance(source, MissingAs):
        arrays["missing_as"] = np.array([source.missing])
    elif trees.encode is not np.asarray:
        raise ModelError(f"{trees.what} changes its features before its trees compare them")
    return arrays


def trees_of_arrays(arrays: Mapping[str, np.ndarray], n_features: int) -> ReadTrees:
    """The trees of `stored_trees`, over n_features features."""
    base, weight = float(arrays["base"][0]), arrays.get("weight")
    ensemble = TreeEnsemble(Nodes.made(arrays), arrays["roots"], base, n_features, weight)
    if "missing_as" in arrays:
        return from_parts(MissingAs(ensemble, float(arrays["missing_as"][0])))
    if "edges" not in arrays:
        return from_parts(ensemble)
    edges = tuple(np.split(arrays["edges"], arrays["ends"][1:-1]))
    return from_parts(BinnedTrees(ensemble, edges, tuple(arrays["missing"].tolist())))
