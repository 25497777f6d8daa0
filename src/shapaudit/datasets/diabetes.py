"""The diabetes table of Efron, Hastie, Johnstone and Tibshirani (2004), Least Angle Regression."""

import numpy as np

from ..parameters import check_count
from ..registers import loader
from .base import Dataset, DatasetError, random_split
from .bundled import carried_file

FEATURES = ("age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6")


@loader("diabetes")
def load(rng: np.random.Generator, *, zero_features: int = 0) -> Dataset:
    """442 patients, 10 baseline variables in their own units, disease progression after a year.

    scikit-learn carries the file, so nothing is downloaded. The split is drawn from `rng`.
    `zero_features` columns that are 0 everywhere follow the ten: null players of every game
    (Chen, Covert, Lundberg and Lee 2023, Section 5.2.2 and Figures 10 and 11, add 100).

    Raises
    ------
    DatasetError
        When `zero_features` is negative or no integer.
    """
    check_count("dataset loader 'diabetes': zero_features", zero_features, 0, DatasetError)
    table = np.loadtxt(carried_file("diabetes_data_raw.csv.gz"))
    return Dataset(
        name="diabetes",
        features=np.pad(table, ((0, 0), (0, zero_features))),
        target=np.loadtxt(carried_file("diabetes_target.csv.gz")),
        feature_names=(*FEATURES, *(f"zero{j + 1}" for j in range(zero_features))),
        split=random_split(len(table), rng),
        provenance="scikit-learn bundled",
    )
