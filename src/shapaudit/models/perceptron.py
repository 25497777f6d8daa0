"""Multilayer perceptrons for classification, as in Okhrati & Lipani 2021, Section V.B."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from ..datasets.base import Dataset, save_arrays
from ..nets import LOSSES, Network, Supervised, fit, softmax
from ..parameters import check_count
from ..registers import reader, trainer
from .base import ModelError, checked_rows, classification_scores, write_manifest

ARRAYS = "perceptron.npz"

Layers = tuple[np.ndarray, ...]


@dataclass(frozen=True, eq=False)
class Perceptron:
    """Logistic hidden layers and a softmax over the classes 0, ..., C - 1.

    Parameters
    ----------
    weights : arrays (inputs, outputs), one per layer
    biases : arrays (outputs,)
    """

    weights: Layers
    biases: Layers

    @property
    def n_features(self) -> int:
        """Number of inputs."""
        return len(self.weights[0])

    def probabilities_from(self, first: np.ndarray) -> np.ndarray:
        """Probabilities (..., C) from what enters the first layer's activation (..., h)."""
        for weight, bias in zip(self.weights[1:], self.biases[1:], strict=True):
            first = scipy.special.expit(first) @ weight + bias
        return softmax(first)

    def probabilities(self, rows: np.ndarray) -> np.ndarray:
        """Probabilities (m, C) of the classes for rows (m, d)."""
        rows = checked_rows(rows, self.n_features)
        return self.probabilities_from(rows @ self.weights[0] + self.biases[0])

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """The most probable class (m,) of rows (m, d), as a float."""
        return self.probabilities(rows).argmax(axis=1).astype(np.float64)

    def loss(self, rows: np.ndarray, target: np.ndarray) -> float:
        """Mean of -log p(target): the cross-entropy, in nats."""
        own = self.probabilities(rows)[np.arange(len(rows)), target.astype(int)]
        return float(-np.log(np.maximum(own, np.finfo(float).tiny)).mean())

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """Accuracy and cross-entropy on rows (m, d) with classes (m,)."""
        scores = classification_scores(target, self.predict(rows))
        return {**scores, "log_loss": self.loss(rows, target)}

    def save(self, directory: str | Path) -> None:
        """Write the arrays; equal models give equal bytes."""
        directory = write_manifest(directory, "perceptron", ARRAYS, layers=len(self.weights))
        named = {f"weight{k}": array for k, array in enumerate(self.weights)}
        named |= {f"bias{k}": array for k, array in enumerate(self.biases)}
        save_arrays(directory / ARRAYS, named)


@reader("perceptron")
def read_perceptron(directory: Path, manifest: dict[str, Any]) -> Perceptron:
    """The perceptron of a directory that `Perceptron.save` wrote."""
    with np.load(directory / ARRAYS, allow_pickle=False) as file:
        layers = range(manifest["layers"])
        return Perceptron(
            tuple(file[f"weight{k}"] for k in layers), tuple(file[f"bias{k}"] for k in layers)
        )


@trainer("perceptron")
def train_perceptron(
    dataset: Dataset,
    seed: int,
    *,
    hidden: Sequence[int] = (13, 9),
    input_bias: bool = True,
    batch: int = 300,
    patience: int = 3,
    epochs: int = 1000,
) -> Perceptron:
    """Adam on the cross-entropy, stopped when the loss on the validation rows stops falling.

    The parameters of the epoch with the smallest validation loss are kept, which is ``patience``
    epochs before the last (Okhrati & Lipani 2021, Section V.B; batches as in their public code).
    Weights start uniform within sqrt(6 / (inputs + outputs)), biases at zero. One generator orders
    the rows: equal seeds give equal models with equal libraries.

    Parameters
    ----------
    hidden : widths of the hidden layers, any number of them
    input_bias : whether the first layer has a bias of its own; without one the dataset may have a
        constant column in its place
    batch, patience, epochs : rows per step, epochs without improvement, epochs at most

    Raises
    ------
    ModelError
        When a count is no positive integer, or the dataset has no validation rows or no classes.
    """
    for name, count in {"batch": batch, "patience": patience, "epochs": epochs}.items():
        check_count(f"trainer 'perceptron': {name}", count, 1, ModelError)
    for width in hidden:
        check_count("trainer 'perceptron': a hidden width", width, 1, ModelError)
    training, held_out = (_labelled(dataset, part) for part in ("train", "validation"))
    rng = np.random.default_rng(seed)
    if dataset.target is None:
        raise ModelError(f"trainer 'perceptron': {dataset.name!r} has no target")
    sizes = [dataset.n_features, *hidden, int(dataset.target.max()) + 1]
    start = Network.start(sizes, "logistic", rng)
    fixed = np.zeros(len(start.parameters), dtype=bool)
    start.views(fixed)[1][0][:] = not input_bias
    trained = fit(
        start,
        training,
        held_out,
        rng,
        batch=batch,
        epochs=epochs,
        patience=patience,
        fixed=fixed,
    )
    return Perceptron(tuple(trained.weights), tuple(trained.biases))


def _labelled(dataset: Dataset, part: str) -> Supervised:
    """The cross-entropy on a part of the split."""
    if part not in dataset.split:
        raise ModelError(
            f"trainer 'perceptron': dataset {dataset.name!r} has no part {part!r}; choose a loader "
            "that splits into train, validation and test."
        )
    rows, target = dataset.rows(part)
    if target is None or (target < 0).any() or (target != np.floor(target)).any():
        raise ModelError(
            f"trainer 'perceptron': the target of {dataset.name!r} must be classes 0, 1, ..."
        )
    return Supervised(rows, target.astype(int), LOSSES["softmax"])
