"""Adam: Kingma & Ba 2015, Algorithm 1."""

from math import sqrt

import numpy as np

FIRST_DECAY, SECOND_DECAY, TINY = 0.9, 0.999, 1e-7  # the usual parameters


class Adam:
    """Running moments of the gradients of a vector of parameters (P,), which it changes in place.

    Parameters
    ----------
    parameters : (P,) float32 or float64
    rate : step size; may be changed between steps
    """

    def __init__(self, parameters: np.ndarray, rate: float = 1e-3):
        self.parameters, self.rate, self.steps = parameters, rate, 0
        self.first, self.second = np.zeros_like(parameters), np.zeros_like(parameters)

    def step(self, gradient: np.ndarray) -> None:
        """Move against the gradient (P,)."""
        self.steps += 1
        scale = sqrt(1 - SECOND_DECAY**self.steps) / (1 - FIRST_DECAY**self.steps)
        part = (1 - FIRST_DECAY) * gradient
        self.first *= FIRST_DECAY
        self.first += part
        np.square(gradient, out=part)
        part *= 1 - SECOND_DECAY
        self.second *= SECOND_DECAY
        self.second += part
        np.sqrt(self.second, out=part)
        part += TINY
        change = self.rate * scale * self.first
        change /= part
        self.parameters -= change
