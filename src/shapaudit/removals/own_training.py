"""What removals share that train a model of their own on masked rows."""

from collections.abc import Callable

import numpy as np

from ..datasets import Dataset
from ..games import Game
from .base import FittedRemoval, Removal, RemovalError, TrainingData


class AuxiliaryGame:
    """A game whose values come from the removal's own model, without noise.

    ``values`` maps coalitions (m, d) to values (m,); a value takes no row of the model to explain
    and one of the removal's own. Making the game took ``prepared_rows`` of the model to explain.
    """

    def __init__(
        self,
        fitted: FittedRemoval,
        values: Callable[[np.ndarray], np.ndarray],
        prepared_rows: int = 0,
    ):
        self.values, self.prepared_rows = values, prepared_rows
        self.n_players, self.name = fitted.n_features, fitted.removal.id

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        return self.values(coalitions)

    def rows(self, coalitions: np.ndarray) -> np.ndarray:
        """Rows of the model to explain (m,): none."""
        return np.zeros(len(coalitions), dtype=np.int64)

    def auxiliary_rows(self, coalitions: np.ndarray) -> np.ndarray:
        """Rows of the removal's own model (m,): one each."""
        return np.ones(len(coalitions), dtype=np.int64)

    def realisation(self, rng: np.random.Generator) -> Game:
        """The game itself: it has no noise."""
        return self


def target_of(removal: Removal, background: TrainingData) -> np.ndarray:
    """The target; raises `RemovalError` where there is none, or it is not finite."""
    target = background.target
    if target is None or not np.isfinite(target).all():
        raise RemovalError(
            f"{removal.id}: it is trained on the data's target, which is missing"
            f"{'' if target is None else ' in some rows'}; give the dataset one, or take the "
            "removal surrogate, which learns from the model's outputs."
        )
    return target


def dataset_of(background: TrainingData) -> Dataset:
    """All rows as a dataset whose training rows they are; its test part is empty."""
    split = {"train": np.arange(len(background.rows)), "test": np.empty(0, dtype=np.int64)}
    return Dataset(
        "rows", background.rows, background.target, background.names, split, "a removal's rows"
    )


def uniform_size_masks(count: int, n_features: int, rng: np.random.Generator) -> np.ndarray:
    """Random coalitions (m, d): sizes uniform on 0 to d, members uniform given the size."""
    ranks = rng.permuted(np.tile(np.arange(n_features), (count, 1)), axis=1)
    return ranks < rng.integers(n_features + 1, size=count)[:, None]
