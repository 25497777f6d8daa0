"""Ground truth: Shapley values that estimates are compared with, and what certifies them.

A method is a function `method(game, rng, *, ...) -> Truth`; its keyword-only parameters are what a
configuration may set. Only references draw from ``rng``.
"""

from collections.abc import Callable

import numpy as np

from ..games import Game, ProductGame, RegressionGame, RestrictedGame, ThresholdGame
from ..models import TreeEnsemble
from ..parameters import check_count, check_parameters, listed
from .base import Truth, TruthError
from .enumeration import shapley_exact, shapley_from_table, size_weights
from .inversion import BOUND, inverted_shapley
from .law import drawn_shapley, law_shapley, numerical_shapley
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
    "reference_values",
    "shapley_exact",
    "shapley_from_table",
    "size_weights",
    "tree_shapley",
]


def _enumeration(game: Game, rng: np.random.Generator, *, chunk: int = 1 << 12) -> Truth:
    check_count("method 'enumeration': chunk", chunk, 1, TruthError)
    return shapley_exact(game, chunk)


def _diagonal(game: Game, rng: np.random.Generator) -> Truth:
    return diagonal_shapley(game)


def _closed_form(game: Game, rng: np.random.Generator) -> Truth:
    if not hasattr(game, "shapley_values"):
        raise _unfit(game, "closed-form", "its own method shapley_values()")
    return Truth(game.shapley_values(), "exact", "closed-form")


def _multilinear(game: Game, rng: np.random.Generator) -> Truth:
    if not isinstance(game, ProductGame):
        raise _unfit(game, "multilinear", "the structure of a ProductGame")
    return product_shapley(game)


def _tree(game: Game, rng: np.random.Generator) -> Truth:
    whole = game.game if isinstance(game, RestrictedGame) else game
    ensemble = _ensemble_of(whole)
    if ensemble is None:
        raise _unfit(game, "tree", "a tree ensemble, an explicand and a baseline")
    if whole is game:
        return Truth(tree_shapley(ensemble, game.explicand, game.baseline), "exact", "tree")
    # Players who stay out have the baseline's value in the explicand too.
    explicand = np.array(whole.baseline)
    explicand[game.players] = np.asarray(whole.explicand)[game.players]
    values = tree_shapley(ensemble, explicand, whole.baseline)
    return Truth(values[game.players], "exact", "tree")


def _inversion(game: Game, rng: np.random.Generator, *, bound: float = BOUND) -> Truth:
    if not isinstance(game, ThresholdGame):
        raise _unfit(game, "inversion", "the structure of a ThresholdGame")
    if not (isinstance(bound, (int, float)) and 0 < bound < 1):
        raise TruthError(f"method 'inversion': bound is {bound!r}; give a number between 0 and 1.")
    return inverted_shapley(game, bound)


def _permutations(game: Game, rng: np.random.Generator, *, shuffles: int = 4096) -> Truth:
    check_count("method 'permutations': shuffles", shuffles, 2, TruthError)
    return reference_values(game, rng, shuffles)


def _orbits(
    game: Game,
    rng: np.random.Generator,
    *,
    orbits: int = 256,
    permutations: str = "cyclic",
) -> Truth:
    check_count("method 'orbits': orbits", orbits, 2, TruthError)
    return orbit_reference(game, rng, orbits, permutations)


def _law(game: Game, rng: np.random.Generator, *, draws: int = 1000) -> Truth:
    check_count("method 'law': draws", draws, 2, TruthError)
    return law_shapley(game, rng, draws)


def _law_numerical(game: Game, rng: np.random.Generator) -> Truth:
    return numerical_shapley(game)


def _subsets(game: Game, rng: np.random.Generator) -> Truth:
    if not isinstance(game, RegressionGame):
        raise _unfit(game, "subsets", "the structure of a RegressionGame")
    return Truth(shapley_from_table(game.table()), "exact", "subsets")


def _ensemble_of(game: Game) -> TreeEnsemble | None:
    """Ensemble of a tree game, or of the model whose predictions a baseline game evaluates."""
    if not (hasattr(game, "explicand") and hasattr(game, "baseline")):
        return None
    source = getattr(game, "ensemble", None) or getattr(
        getattr(game, "predict", None), "__self__", None
    )
    source = getattr(source, "ensemble", source)
    return source if isinstance(source, TreeEnsemble) else None


def _unfit(game: Game, method: str, needed: str) -> TruthError:
    name = getattr(game, "name", type(game).__name__)
    return TruthError(
        f"method {method!r} needs {needed}, which game {name} ({type(game).__name__}) lacks; use "
        "'enumeration' for at most 24 players, else 'permutations'."
    )


METHODS: dict[str, Callable[..., Truth]] = {
    "closed-form": _closed_form,
    "diagonal": _diagonal,
    "enumeration": _enumeration,
    "inversion": _inversion,
    "law": _law,
    "law-numerical": _law_numerical,
    "multilinear": _multilinear,
    "orbits": _orbits,
    "permutations": _permutations,
    "subsets": _subsets,
    "tree": _tree,
}


def compute(method: str, game: Game, rng: np.random.Generator, **params) -> Truth:
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
        raise TruthError(f"unknown method {method!r}; the known ones are {listed(METHODS)}")
    check_parameters(f"method {method!r}", METHODS[method], params, TruthError)
    return METHODS[method](game, rng, **params)
