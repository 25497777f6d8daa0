"""Value functions of cooperative games: coalitions (m, d) bool to values (m,) float64."""

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
from .counted import BudgetExceeded, CountedGame
from .foreign import ForeignGame, guarded
from .leaves import LeafTerms, leaf_terms
from .padded import PaddedGame
from .perceptron import NetworkGame, PerceptronGame
from .regression import RegressionGame
from .restricted import RestrictedGame
from .simulated import ProductGame, RadialGame, SameClassGame, ThresholdGame
from .tabular import TabularGame, tabulate
from .tree import TreeGame

__all__ = [
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
    "gains",
    "grand_value",
    "guarded",
    "hybrid_rows",
    "leaf_terms",
    "realisation",
    "tabulate",
    "walk",
    "with_threads",
]
