"""Losses of outputs against targets, and the objective of supervised training."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy

Loss = Callable[[np.ndarray, np.ndarray], tuple[float, np.ndarray]]


def squared_error(outputs: np.ndarray, target: np.ndarray) -> tuple[float, np.ndarray]:
    """Mean over rows of half the squared distance of outputs (m, k) from targets (m, k)."""
    off = outputs - target
    return 0.5 * float(np.square(off).sum()) / len(off), off / len(off)


def logistic_loss(outputs: np.ndarray, target: np.ndarray) -> tuple[float, np.ndarray]:
    """Mean cross-entropy of log-odds (m, k) with probabilities (m, k) from 0 to 1, in nats."""
    losses = np.logaddexp(0, outputs) - target * outputs
    return float(losses.sum()) / len(outputs), (scipy.special.expit(outputs) - target) / len(
        outputs
    )


def softmax_loss(outputs: np.ndarray, target: np.ndarray) -> tuple[float, np.ndarray]:
    """Mean cross-entropy of the softmax of outputs (m, C) with classes (m,) from 0, in nats."""
    errors, rows = softmax(outputs), np.arange(len(outputs))
    own = np.maximum(errors[rows, target], np.finfo(errors.dtype).tiny)
    errors[rows, target] -= 1
    errors /= len(outputs)
    return float(-np.log(own).mean()), errors


LOSSES: dict[str, Loss] = {
    "squared-error": squared_error,
    "logistic": logistic_loss,
    "softmax": softmax_loss,
}


def softmax(values: np.ndarray) -> np.ndarray:
    """Probabilities along the last axis."""
    shifted = np.exp(values - values.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


class Differentiable(Protocol):
    """A network that a loss can be followed back through."""

    def trace(self, rows: np.ndarray) -> Any:
        """Forward pass of rows (m, d): its ``outputs`` (m, k), and what `backward` needs."""
        ...

    def backward(self, trace: Any, errors: np.ndarray) -> np.ndarray:
        """Gradient (P,) from the derivatives (m, k) by the outputs."""
        ...

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m, k) of rows (m, d)."""
        ...


@dataclass(frozen=True, eq=False)
class Supervised:
    """Mean loss of a network on rows (n, d) with targets (n, ...); an `Objective`."""

    rows: np.ndarray
    target: np.ndarray
    loss: Loss

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.rows)

    def gradient(self, network: Differentiable, chosen: np.ndarray) -> np.ndarray:
        """Gradient (P,) of the mean loss on the chosen rows."""
        trace = network.trace(self.rows[chosen])
        return network.backward(trace, self.loss(trace.outputs, self.target[chosen])[1])

    def value(self, network: Differentiable) -> float:
        """Mean loss on all rows."""
        return self.loss(network(self.rows), self.target)[0]
