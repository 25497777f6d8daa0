"""Classification tables that scikit-learn carries, for perceptrons.

Stand-ins for the data of Okhrati & Lipani 2021: breast cancer for credit card clients, which have
15 features too, and digits of 8 x 8 pixels for MNIST.
"""

from importlib.util import find_spec
from itertools import product
from pathlib import Path

import numpy as np

from ..parameters import check_count
from ..registers import loader
from .base import Dataset, DatasetError, standardised, three_parts, with_bias_input

BREAST_CANCER_FEATURES = 15
SIDE = 8  # pixels of a digit
# Of the nuclei of a tumour; each has a mean, a standard error and a largest value.
MEASURED = (
    *("radius", "texture", "perimeter", "area", "smoothness", "compactness"),
    *("concavity", "concave points", "symmetry", "fractal dimension"),
)


def carried_file(name: str) -> Path:
    """A file of data that scikit-learn carries; it is not imported, which takes over a second."""
    spec = find_spec("sklearn")
    if spec is None or spec.origin is None:
        raise DatasetError(
            f"scikit-learn carries {name}, and is not installed: pip install 'shapaudit[audit]'"
        )
    return Path(spec.origin).parent / "datasets" / "data" / name


@loader("breast-cancer")
def load_breast_cancer(
    rng: np.random.Generator, *, n_features: int = BREAST_CANCER_FEATURES, bias: bool = False
) -> Dataset:
    """569 tumours, the first ``n_features`` of 30 features as z-scores, and 1 for a benign one.

    Means and standard deviations are those of the training rows. The split into three parts is
    drawn from `rng`. ``bias`` adds an input that is 1.
    """
    # The first line says how many rows and features there are, and what 0 and 1 mean.
    table = np.loadtxt(carried_file("breast_cancer.csv"), delimiter=",", skiprows=1)
    split = three_parts(len(table), rng)
    check_count("loader 'breast-cancer': n_features", n_features, 1, DatasetError)
    forms = ("mean {}", "{} error", "worst {}")
    names = [form.format(quantity) for form, quantity in product(forms, MEASURED)][:n_features]
    dataset = Dataset(
        name="breast-cancer",
        features=standardised(table[:, : len(names)], split["train"]),
        target=table[:, -1].astype(int),
        feature_names=tuple(names),
        split=split,
        provenance="scikit-learn bundled (a stand-in for credit card clients)",
    )
    return with_bias_input(dataset) if bias else dataset


@loader("digits")
def load_digits(rng: np.random.Generator, *, digit: int | None = None) -> Dataset:
    """1,797 images of 8 x 8 pixels in [0, 1], row by row, and the digit.

    With ``digit`` the target is 1 for this one and 0 for the others.
    """
    table = np.loadtxt(carried_file("digits.csv.gz"), delimiter=",")
    target = table[:, -1].astype(int)
    return Dataset(
        name="digits",
        features=table[:, :-1] / 16,
        target=target if digit is None else (target == digit).astype(int),
        feature_names=tuple(f"pixel_{i}_{j}" for i, j in product(range(SIDE), repeat=2)),
        split=three_parts(len(table), rng),
        provenance="scikit-learn bundled (a stand-in for MNIST)",
    )
