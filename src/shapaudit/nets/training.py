"""Training by batches, with a rate that decays and an early stop."""

from typing import Protocol, Self, TypeVar

import numpy as np

from ..progress import progress
from .adam import Adam


class Trainable(Protocol):
    """What training asks of a network: one vector of parameters (P,), and a copy with its own."""

    parameters: np.ndarray

    def copy(self) -> Self:
        """The same network with parameters of its own."""
        ...


Trained = TypeVar("Trained", bound=Trainable)
Judged = TypeVar("Judged", contravariant=True)


class Objective(Protocol[Judged]):
    """What training makes small; one that draws masks or noise holds a generator of its own."""

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        ...

    def gradient(self, network: Judged, chosen: np.ndarray) -> np.ndarray:
        """Gradient (P,) on the rows with the numbers ``chosen`` (m,)."""
        ...

    def value(self, network: Judged) -> float:
        """The objective itself; of held-out rows it must not be random, so that it can stop."""
        ...


def fit(
    network: Trained,
    training: Objective[Trained],
    held_out: Objective[Trained],
    rng: np.random.Generator,
    *,
    batch: int,
    epochs: int,
    patience: int,
    rate: float = 1e-3,
    decay: float = 1.0,
    fixed: np.ndarray | None = None,
) -> Trained:
    """A trained copy: the parameters of the epoch with the smallest held-out value.

    Each epoch goes through the rows in an order drawn from ``rng``; equal generators give equal
    networks with equal libraries.

    Parameters
    ----------
    batch, epochs : rows per step, epochs at most
    patience : epochs without improvement after which it stops
    rate, decay : of Adam's steps, and what each epoch without improvement multiplies the rate by
    fixed : (P,) bool, parameters that stay as they are
    """
    network = network.copy()
    adam = Adam(network.parameters, rate)
    best, least, waited = network.copy(), np.inf, 0
    for _ in progress(range(epochs), "training a network", "epochs at most"):
        order = rng.permutation(training.n_rows)
        for start in range(0, len(order), batch):
            gradient = training.gradient(network, order[start : start + batch])
            if fixed is not None:
                gradient[fixed] = 0
            adam.step(gradient)
        value = held_out.value(network)
        if value < least:
            best, least, waited = network.copy(), value, 0
            continue
        waited += 1
        adam.rate *= decay
        if waited == patience:
            break
    return best
