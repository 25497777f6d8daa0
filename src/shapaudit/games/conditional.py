"""The conditional game: what a model is expected to give once some features are known."""

from functools import cached_property

import numpy as np

from ..datasets.laws import Law, LawError
from ..models.base import Model
from .base import GameError
from .expectations import Expectation, expectation_of


class ConditionalGame:
    """v(S) = E[f(X) | X_S = x_S], X being of a known law (Chen et al. 2023, Equation 5).

    The game of the population, exactly; that of data has a removal in place of the law, and this
    one as its ``population``. Without a closed form it has no values of its own, but a reference by
    draws: `truth` method "law".

    Parameters
    ----------
    law : Law, of d features
    model : of rows (m, d)
    explicand : (d,) finite

    Raises `GameError` when the explicand does not fit the law or cannot occur under it.
    """

    def __init__(self, law: Law, model: Model, explicand: np.ndarray, name: str = "conditional"):
        self.law, self.model, self.name = law, model, name
        self.explicand = np.ascontiguousarray(explicand, dtype=np.float64)
        self.n_players = law.n_features
        every = np.ones(self.n_players, dtype=bool)
        try:
            law.given(every, self.explicand)
        except LawError as error:
            raise GameError(f"{name}: {error}") from error

    @cached_property
    def expectation(self) -> Expectation | None:
        """The closed form, or None where none is known."""
        return expectation_of(self.law, self.model)

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool; raises `GameError` without a closed form."""
        return closed_form(self).values(self.explicand[None], coalitions)[0]


def closed_form(game: ConditionalGame) -> Expectation:
    """Its expectation; raises `GameError` naming law and model where there is none."""
    if game.expectation is None:
        raise GameError(
            f"{game.name}: no closed form is known for a {type(game.model).__name__} under a "
            f"{type(game.law).__name__}; play the game of a removal, with the truth method 'law', "
            "or choose another model or law"
        )
    return game.expectation
