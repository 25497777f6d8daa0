"""Shapley values of games and models: estimators, true values, and how far to trust them.

What most people need is here, and is imported when it is asked for:

- `Explainer`: Shapley values of the rows of a table, for any model, with error bars and pictures;
- `explain`: Shapley values of a game to a tolerance, with standard errors;
- `attribute_r2`: Shapley values of the R² of a regression, by feature;
- `compare`: which estimator to use for a model, how sure that is, and what it costs;
- `create`, `list_estimators`, `Estimator`, `Estimate`: the estimators, and what one of your own is;
- `shapley_exact`, `shapley_from_table`, `tree_shapley`, `compute`, `Truth`: exact values and
  references;
- the games, as `BaselineGame`, `TabularGame`, `CountedGame` and `CachedGame`; `games.load` reads
  one from a file, and `games.save` writes it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import games as games
    from .comparison import Comparison as Comparison
    from .comparison import compare as compare
    from .datasets.mixed import TableError as TableError
    from .estimators import Estimate as Estimate
    from .estimators import Estimator as Estimator
    from .estimators import create as create
    from .estimators import list_estimators as list_estimators
    from .estimators.explain import explain as explain
    from .explanations.explainer import Explainer as Explainer
    from .explanations.explanation import Explanation as Explanation
    from .explanations.r2 import attribute_r2 as attribute_r2
    from .games import BaselineGame as BaselineGame
    from .games import CachedGame as CachedGame
    from .games import CountedGame as CountedGame
    from .games import Game as Game
    from .games import TabularGame as TabularGame
    from .games import tabulate as tabulate
    from .truth import Truth as Truth
    from .truth import compute as compute
    from .truth import shapley_exact as shapley_exact
    from .truth import shapley_from_table as shapley_from_table
    from .truth import tree_shapley as tree_shapley

__version__ = "0.1.0"

_OFFERED = {
    "comparison": ("Comparison", "compare"),
    "datasets.mixed": ("TableError",),
    "estimators": ("Estimate", "Estimator", "create", "list_estimators"),
    "estimators.explain": ("explain",),
    "explanations.explainer": ("Explainer",),
    "explanations.explanation": ("Explanation",),
    "explanations.r2": ("attribute_r2",),
    "games": ("BaselineGame", "CachedGame", "CountedGame", "Game", "TabularGame", "tabulate"),
    "truth": ("Truth", "compute", "shapley_exact", "shapley_from_table", "tree_shapley"),
}
_MODULES = {name: module for module, names in _OFFERED.items() for name in names}
__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    """What the front door offers, the games, or a game by the name of its class."""
    if name in _MODULES:
        value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    elif name == "games":
        value = import_module(f"{__name__}.games")
    elif name.endswith("Game"):
        value = getattr(import_module(f"{__name__}.games"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, "games"})
