"""Value functions of cooperative games: coalitions (m, d) bool to values (m,) float64.

A class whose name ends in "Game" in a module of this package is a game: `GAMES` finds it, and it
can be imported from here.
"""

from typing import Any

from ..registers import ClassRegister
from .analytic import AdditiveGame, AirportGame, PairwiseGame, ParityGame, UnanimityGame
from .analytic_voting import GloveGame, SymmetricMajorityGame, WeightedMajorityGame
from .base import (
    Game,
    GameError,
    all_coalitions,
    coalition_index,
    coalitions_from_index,
    empty_value,
    gains,
    grand_value,
    realisation,
    walk,
    with_threads,
)
from .baseline import BaselineGame, hybrid_rows
from .cached import CachedGame
from .conditional import ConditionalGame
from .counted import BudgetExceeded, CountedGame, for_estimator
from .foreign import ForeignGame, guarded
from .leaves import LeafTerms, leaf_terms
from .padded import PaddedGame
from .perceptron import NetworkGame, PerceptronGame
from .quotient import QuotientGame
from .regression import RegressionGame
from .restricted import RestrictedGame
from .simulated import ProductGame, RadialGame, SameClassGame, ThresholdGame
from .stored import load, save
from .tabular import TabularGame, tabulate
from .tree import TreeGame

__all__ = [
    "GAMES",
    "AdditiveGame",
    "AirportGame",
    "BaselineGame",
    "BudgetExceeded",
    "CachedGame",
    "ConditionalGame",
    "CountedGame",
    "ForeignGame",
    "Game",
    "GameError",
    "GloveGame",
    "LeafTerms",
    "NetworkGame",
    "PaddedGame",
    "PairwiseGame",
    "ParityGame",
    "PerceptronGame",
    "ProductGame",
    "QuotientGame",
    "RadialGame",
    "RegressionGame",
    "RestrictedGame",
    "SameClassGame",
    "SymmetricMajorityGame",
    "TabularGame",
    "ThresholdGame",
    "TreeGame",
    "UnanimityGame",
    "WeightedMajorityGame",
    "all_coalitions",
    "coalition_index",
    "coalitions_from_index",
    "empty_value",
    "for_estimator",
    "gains",
    "grand_value",
    "guarded",
    "hybrid_rows",
    "leaf_terms",
    "load",
    "realisation",
    "save",
    "tabulate",
    "walk",
    "with_threads",
]

GAMES = ClassRegister(__name__, "Game")


def __getattr__(name: str) -> Any:
    """A game that is not imported above."""
    if name.startswith("_") or name not in GAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return GAMES[name]
