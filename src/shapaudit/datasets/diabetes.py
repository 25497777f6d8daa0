"""The diabetes table of Efron, Hastie, Johnstone and Tibshirani (2004), Least Angle Regression."""

import numpy as np

from .base import Dataset, random_split


def load(rng: np.random.Generator) -> Dataset:
    """442 patients, 10 baseline variables in their own units, disease progression after a year.

    scikit-learn carries the file, so nothing is downloaded. The split is drawn from `rng`.
    """
    from sklearn.datasets import load_diabetes  # half a second, only where it is used

    table = load_diabetes(scaled=False)
    return Dataset(
        name="diabetes",
        features=table.data,
        target=table.target,
        feature_names=tuple(table.feature_names),
        split=random_split(len(table.data), rng),
        provenance="scikit-learn bundled",
    )
