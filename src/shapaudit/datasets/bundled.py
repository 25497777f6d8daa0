"""Classification tables that scikit-learn carries, for perceptrons.

Stand-ins for the data of Okhrati & Lipani 2021: breast cancer for credit card clients, which have
15 features too, and digits of 8 x 8 pixels for MNIST.
"""

import numpy as np

from ..parameters import check_count
from .base import Dataset, DatasetError, standardised, three_parts, with_bias_input

BREAST_CANCER_FEATURES = 15


def load_breast_cancer(
    rng: np.random.Generator, *, n_features: int = BREAST_CANCER_FEATURES, bias: bool = False
) -> Dataset:
    """569 tumours, the first ``n_features`` of 30 features as z-scores, and 1 for a benign one.

    Means and standard deviations are those of the training rows. The split into three parts is
    drawn from `rng`. ``bias`` adds an input that is 1.
    """
    from sklearn.datasets import load_breast_cancer as load  # half a second, only where it is used

    table = load()
    split = three_parts(len(table.data), rng)
    check_count("loader 'breast-cancer': n_features", n_features, 1, DatasetError)
    names = table.feature_names[:n_features]
    dataset = Dataset(
        name="breast-cancer",
        features=standardised(table.data[:, : len(names)], split["train"]),
        target=table.target,
        feature_names=tuple(names),
        split=split,
        provenance="scikit-learn bundled (a stand-in for credit card clients)",
    )
    return with_bias_input(dataset) if bias else dataset


def load_digits(rng: np.random.Generator, *, digit: int | None = None) -> Dataset:
    """1,797 images of 8 x 8 pixels in [0, 1], row by row, and the digit.

    With ``digit`` the target is 1 for this one and 0 for the others.
    """
    from sklearn.datasets import load_digits as load  # half a second, only where it is used

    table = load()
    return Dataset(
        name="digits",
        features=table.data / 16,
        target=table.target if digit is None else (table.target == digit).astype(int),
        feature_names=tuple(table.feature_names),
        split=three_parts(len(table.data), rng),
        provenance="scikit-learn bundled (a stand-in for MNIST)",
    )
