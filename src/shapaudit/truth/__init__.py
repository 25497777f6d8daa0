"""Ground truth: Shapley values that estimates are compared with, and what certifies them.

A method is a function (game, rng, *, ...) -> `Truth` in a module of this package, named there by
``@method("name")``: `METHODS` finds it.
"""

from typing import Any

import numpy as np

from ..games import Game
from ..parameters import check_parameters
from ..registers import Register, unknown
from .base import Truth, TruthError
from .enumeration import shapley_exact, shapley_from_table, size_weights
from .inversion import inverted_shapley
from .law import drawn_shapley, law_shapley, numerical_shapley
from .linear_leaves import read_tree_shapley
from .multilinear import diagonal_shapley, product_shapley
from .reference import converged_reference, cyclic_reference, orbit_reference, reference_values
from .tree import mean_tree_shapley, tree_shapley

__all__ = [
    "METHODS",
    "Truth",
    "TruthError",
    "compute",
    "converged_reference",
    "cyclic_reference",
    "diagonal_shapley",
    "drawn_shapley",
    "inverted_shapley",
    "law_shapley",
    "mean_tree_shapley",
    "numerical_shapley",
    "orbit_reference",
    "product_shapley",
    "read_tree_shapley",
    "reference_values",
    "shapley_exact",
    "shapley_from_table",
    "size_weights",
    "tree_shapley",
]

METHODS = Register(__name__, "method")


def compute(method: str, game: Game, rng: np.random.Generator, **params: Any) -> Truth:
    """Shapley values of a game by a method of `METHODS`.

    Parameters
    ----------
    method : "enumeration" for at most 24 players; "tree", "subsets", "multilinear", "diagonal",
        "closed-form", "law" and "law-numerical" for games with that structure; "inversion" for a
        threshold of many players, within a bound; "permutations" and "orbits" are references with
        standard errors, for any number of players
    game : callable with ``n_players`` that maps coalitions (m, d) bool to values (m,)
    rng : generator of the references; other methods draw nothing
    params : of the method, as ``shuffles`` of "permutations"

    Raises `TruthError` for an unknown method or parameter, and for a game that the method is not
    made for.
    """
    if method not in METHODS:
        raise TruthError(unknown("method", method, METHODS))
    check_parameters(f"method {method!r}", METHODS[method], params, TruthError)
    return METHODS[method](game, rng, **params)
