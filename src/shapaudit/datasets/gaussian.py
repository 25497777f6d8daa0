"""Independent standard normal features: the inputs of Grah and Thouvenot (2020), Section 5.1."""

import numpy as np

from ..parameters import check_count
from ..registers import loader
from .base import Dataset, DatasetError, random_split


@loader("gaussian", generated=True)
def load(rng: np.random.Generator, *, n_rows: int, n_features: int) -> Dataset:
    """X ~ N(0, I_d), without a target: the known models of Section 5.1 supply theirs.

    Raises
    ------
    DatasetError
        When there are fewer than two rows or fewer than one feature.
    """
    check_count("dataset loader 'gaussian': n_rows", n_rows, 2, DatasetError)
    check_count("dataset loader 'gaussian': n_features", n_features, 1, DatasetError)
    return Dataset(
        name="gaussian",
        features=rng.standard_normal((n_rows, n_features)),
        target=None,
        feature_names=tuple(f"x{j + 1}" for j in range(n_features)),
        split=random_split(n_rows, rng),
        provenance="generated",
    )
