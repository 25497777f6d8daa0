"""How networks are trained whose own training rows say when to stop."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ..datasets.base import Dataset
from ..nets import LOSSES, Network, Supervised, fit
from ..nets.shapnet import ShapNet
from ..parameters import check_count
from .base import ModelError, training_rows

HELD_OUT = 0.2  # share of the training rows that stop the training
FEWEST = 5  # training rows, so that one is held out

Net = TypeVar("Net", Network, ShapNet)


@dataclass(frozen=True)
class Schedule:
    """Settings of a trainer that `nets.fit` takes; raises `ModelError` for one out of range.

    Attributes
    ----------
    trainer : its name, for messages
    batch, epochs, patience, rate, decay : as `nets.fit` has them
    """

    trainer: str
    batch: int
    epochs: int
    patience: int
    rate: float
    decay: float = 1.0

    def __post_init__(self) -> None:
        for name in ("batch", "epochs", "patience"):
            self.check(name, getattr(self, name))
        if not (self.rate > 0 and 0 < self.decay <= 1):
            raise ModelError(
                f"trainer {self.trainer!r}: rate must be above 0, decay above 0 and at most 1"
            )

    def check(self, name: str, count: int) -> None:
        """Raise `ModelError` unless a count is a positive integer."""
        check_count(f"trainer {self.trainer!r}: {name}", count, 1, ModelError)

    def rows(self, dataset: Dataset) -> tuple[np.ndarray, np.ndarray]:
        """Rows (n, d) and target (n,) to train on.

        Raises `ModelError` without a target, for too few rows, and for entries that are not finite.
        """
        rows, target = training_rows(self.trainer, dataset)
        if len(rows) < FEWEST:
            raise ModelError(
                f"trainer {self.trainer!r} needs {FEWEST} training rows or more, got {len(rows)}"
            )
        return rows, target

    def fit(
        self,
        start: Callable[[np.random.Generator], Net],
        rows: np.ndarray,
        target: np.ndarray,
        loss: str,
        rng: np.random.Generator,
    ) -> Net:
        """What `start` draws, trained on rows (n, d) and target (n, 1) to a loss of `nets.LOSSES`.

        A fifth of the rows, drawn, says when to stop.
        """
        order = rng.permutation(len(rows))
        held_out, training = (
            Supervised(rows[part], target[part], LOSSES[loss])
            for part in np.split(order, [max(round(HELD_OUT * len(rows)), 1)])
        )
        return fit(
            start(rng), training, held_out, rng,
            batch=self.batch, epochs=self.epochs, patience=self.patience,
            rate=self.rate, decay=self.decay,
        )  # fmt: skip
