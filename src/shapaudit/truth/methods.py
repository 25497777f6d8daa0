"""The methods that a configuration may name: functions (game, rng, *, ...) -> `Truth`.

Their keyword-only parameters are what a configuration may set. Only references draw from ``rng``.
"""

from typing import Any

import numpy as np

from ..games import Game, ProductGame, RegressionGame, RestrictedGame, ThresholdGame
from ..models import TreeEnsemble
from ..parameters import check_count
from ..registers import method
from .base import Truth, TruthError
from .enumeration import shapley_exact, shapley_from_table
from .inversion import BOUND, inverted_shapley
from .law import law_shapley, numerical_shapley
from .multilinear import diagonal_shapley, product_shapley
from .reference import orbit_reference, reference_values
from .tree import tree_shapley


@method("enumeration")
def enumeration(game: Game, rng: np.random.Generator, *, chunk: int = 1 << 12) -> Truth:
    """All 2^d coalitions, ``chunk`` at a time."""
    check_count("method 'enumeration': chunk", chunk, 1, TruthError)
    return shapley_exact(game, chunk)


@method("diagonal")
def diagonal(game: Game, rng: np.random.Generator) -> Truth:
    """The integral of the multilinear extension along the diagonal, from a table."""
    return diagonal_shapley(game)


@method("closed-form")
def closed_form(game: Game, rng: np.random.Generator) -> Truth:
    """The values that the game knows itself."""
    if not hasattr(game, "shapley_values"):
        raise _unfit(game, "closed-form", "its own method shapley_values()")
    return Truth(game.shapley_values(), "exact", "closed-form")


@method("multilinear")
def multilinear(game: Game, rng: np.random.Generator) -> Truth:
    """Quadrature of the multilinear extension of a product."""
    if not isinstance(game, ProductGame):
        raise _unfit(game, "multilinear", "the structure of a ProductGame")
    return product_shapley(game)


@method("tree")
def tree(game: Game, rng: np.random.Generator) -> Truth:
    """Interventional TreeSHAP."""
    whole: Any = game.game if isinstance(game, RestrictedGame) else game
    ensemble = _ensemble_of(whole)
    if ensemble is None:
        raise _unfit(game, "tree", "a tree ensemble, an explicand and a baseline")
    if not isinstance(game, RestrictedGame):
        return Truth(tree_shapley(ensemble, whole.explicand, whole.baseline), "exact", "tree")
    # Players who stay out have the baseline's value in the explicand too.
    explicand = np.array(whole.baseline)
    explicand[game.players] = np.asarray(whole.explicand)[game.players]
    values = tree_shapley(ensemble, explicand, whole.baseline)
    return Truth(values[game.players], "exact", "tree")


@method("inversion")
def inversion(game: Game, rng: np.random.Generator, *, bound: float = BOUND) -> Truth:
    """Inversion of characteristic functions, to an error of at most ``bound``."""
    if not isinstance(game, ThresholdGame):
        raise _unfit(game, "inversion", "the structure of a ThresholdGame")
    if not (isinstance(bound, (int, float)) and 0 < bound < 1):
        raise TruthError(f"method 'inversion': bound is {bound!r}; give a number between 0 and 1.")
    return inverted_shapley(game, bound)


@method("permutations")
def permutations(game: Game, rng: np.random.Generator, *, shuffles: int = 4096) -> Truth:
    """A mean over stratified permutations, with standard errors."""
    check_count("method 'permutations': shuffles", shuffles, 2, TruthError)
    return reference_values(game, rng, shuffles)


@method("orbits")
def orbits(
    game: Game,
    rng: np.random.Generator,
    *,
    orbits: int = 256,
    permutations: str = "cyclic",
) -> Truth:
    """A mean over orbits of permutations, with standard errors."""
    check_count("method 'orbits': orbits", orbits, 2, TruthError)
    return orbit_reference(game, rng, orbits, permutations)


@method("law")
def law(game: Game, rng: np.random.Generator, *, draws: int = 1000) -> Truth:
    """From conditional expectations in closed form, else from ``draws``."""
    check_count("method 'law': draws", draws, 2, TruthError)
    return law_shapley(game, rng, draws)


@method("law-numerical")
def law_numerical(game: Game, rng: np.random.Generator) -> Truth:
    """From conditional expectations by quadrature."""
    return numerical_shapley(game)


@method("subsets")
def subsets(game: Game, rng: np.random.Generator) -> Truth:
    """From regressions on all subsets of features."""
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
