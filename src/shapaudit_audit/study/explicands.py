"""Choice of the rows of a dataset that are explained."""

import numpy as np

from shapaudit.datasets import Dataset
from shapaudit.games import GameError


def drawn_explicands(dataset: Dataset, count: int, rng: np.random.Generator) -> np.ndarray:
    """Distinct test rows (count, d) in random order; raises `GameError` when there are too few."""
    test, _ = dataset.rows("test")
    if count > len(test):
        raise GameError(
            f"{count} games need as many test rows; dataset {dataset.name} has {len(test)}."
        )
    return test[rng.permutation(len(test))[:count]]
