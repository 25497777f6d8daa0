"""Random search for the architecture of a perceptron (Okhrati & Lipani 2021, Section V.B)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..datasets.base import Dataset
from ..progress import progress
from .base import ModelError
from .perceptron import train_perceptron


def search(
    dataset: Dataset,
    count: int,
    layers: int,
    widths: Sequence[int],
    seed: int,
    params: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """Distinct ones of ``count`` random architectures, best validation accuracy first.

    The number of hidden layers is uniform in 0, ..., ``layers``, each width uniform in ``widths``.
    All are trained from the same seed with the same other ``params`` of `train_perceptron`. Each
    result has "hidden", and "accuracy" and "log_loss" on the validation and the test rows; only the
    former decide.
    """
    rng = np.random.default_rng(seed)
    drawn = [
        tuple(rng.choice(widths, size=rng.integers(layers + 1)).tolist()) for _ in range(count)
    ]
    results = []
    for hidden in progress(dict.fromkeys(drawn), dataset.name, "architectures"):
        model = train_perceptron(dataset, seed, hidden=hidden, **params)
        scores = {part: model.score(*_scored(dataset, part)) for part in ("validation", "test")}
        results.append({"hidden": list(hidden), **scores})
    return sorted(results, key=lambda result: _rank(result["validation"]))


def _scored(dataset: Dataset, part: str) -> tuple[np.ndarray, np.ndarray]:
    rows, target = dataset.rows(part)
    if target is None:
        raise ModelError(f"dataset {dataset.name!r} has no target to score a model by")
    return rows, target


def _rank(score: Mapping[str, float]) -> tuple[float, float]:
    return -score["accuracy"], score["log_loss"]
