"""ExactComputer of shapiq, for games."""

import numpy as np
import shapiq

LABEL, PACKAGE, QUESTION = "shapiq ExactComputer", "shapiq", "interventional"
OFFERS = ("game",)


def explain(case):
    """Values of the game."""
    players = case.background.shape[1]
    computer = shapiq.ExactComputer(case.predict, n_players=players)
    values = computer(index="SV", order=1)
    return np.array([[values[(j,)] for j in range(players)]])
