"""KernelSHAP of shapiq with as many evaluations as there are coalitions, for games."""

import numpy as np
import shapiq

LABEL, PACKAGE, QUESTION = "shapiq KernelSHAP, all coalitions", "shapiq", "interventional"
OFFERS = ("game",)


def explain(case):
    """Values of the game."""
    players = case.background.shape[1]
    approximator = shapiq.approximator.KernelSHAP(players, random_state=0)
    values = approximator.approximate(2**players, case.predict)
    return np.array([[values[(j,)] for j in range(players)]])
