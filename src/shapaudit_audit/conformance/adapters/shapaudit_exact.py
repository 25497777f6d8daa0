"""Enumeration of shapaudit, for games."""

import numpy as np

from shapaudit.games import BaselineGame
from shapaudit.truth import shapley_exact

LABEL, PACKAGE, QUESTION = "shapaudit shapley_exact", "shapaudit", "interventional"
OFFERS = ("game",)


def explain(case):
    """Values of the game, as a function of zeros and ones."""
    game = BaselineGame(case.predict, case.rows[0], case.background[0])
    return np.array([shapley_exact(game).values])
