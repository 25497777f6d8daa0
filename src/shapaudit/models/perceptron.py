"""Multilayer perceptrons for classification, as in Okhrati & Lipani 2021, Section V.B."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from ..datasets.base import Dataset
from ..parameters import check_count
from .base import ModelError, checked_rows, classification_scores, write_manifest

ARRAYS = "perceptron.npz"
RATE, FIRST_DECAY, SECOND_DECAY, TINY = 1e-3, 0.9, 0.999, 1e-7  # Adam's usual parameters

Layers = tuple[np.ndarray, ...]


def softmax(values: np.ndarray) -> np.ndarray:
    """Probabilities along the last axis."""
    shifted = np.exp(values - values.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


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
        found = classification_scores(target, self.predict(rows))
        return {**found, "log_loss": self.loss(rows, target)}

    def save(self, directory: str | Path) -> None:
        """Write the arrays; equal models give equal bytes."""
        directory = write_manifest(directory, "perceptron", layers=len(self.weights))
        named = {f"weight{k}": array for k, array in enumerate(self.weights)}
        named |= {f"bias{k}": array for k, array in enumerate(self.biases)}
        with (directory / ARRAYS).open("wb") as file:
            np.savez(file, **named)


def read_perceptron(directory: Path, manifest: dict[str, Any]) -> Perceptron:
    """The perceptron of a directory that `Perceptron.save` wrote."""
    with np.load(directory / ARRAYS, allow_pickle=False) as file:
        layers = range(manifest["layers"])
        return Perceptron(
            tuple(file[f"weight{k}"] for k in layers), tuple(file[f"bias{k}"] for k in layers)
        )


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
    rows, target = _labelled(dataset, "train")
    held_out = _labelled(dataset, "validation")
    rng = np.random.default_rng(seed)
    state = _Adam(_start(dataset, hidden, rng), input_bias)
    best, least, waited = state.model(), np.inf, 0
    for _ in range(epochs):
        order = rng.permutation(len(rows))
        for start in range(0, len(rows), batch):
            chosen = order[start : start + batch]
            state.step(rows[chosen], target[chosen])
        loss = state.model().loss(*held_out)
        waited += 1
        if loss < least:
            best, least, waited = state.model(), loss, 0
        if waited == patience:
            break
    return best


def _labelled(dataset: Dataset, part: str) -> tuple[np.ndarray, np.ndarray]:
    """Rows and classes of a part of the split."""
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
    return rows, target.astype(int)


def _start(dataset: Dataset, hidden: Sequence[int], rng: np.random.Generator) -> Perceptron:
    sizes = [dataset.n_features, *hidden, int(dataset.target.max()) + 1]
    weights = tuple(
        np.sqrt(6 / (a + b)) * rng.uniform(-1, 1, size=(a, b)) for a, b in pairwise(sizes)
    )
    return Perceptron(weights, tuple(np.zeros(size) for size in sizes[1:]))


class _Adam:
    """Parameters on their way, with their running moments (Kingma & Ba 2015, Algorithm 1)."""

    def __init__(self, start: Perceptron, input_bias: bool):
        self.layers = len(start.weights)
        self.parameters = [*start.weights, *start.biases]
        self.fixed = None if input_bias else self.layers  # place of the first layer's bias
        self.first = [np.zeros_like(p) for p in self.parameters]
        self.second = [np.zeros_like(p) for p in self.parameters]
        self.steps = 0

    def model(self) -> Perceptron:
        n = self.layers
        return Perceptron(tuple(self.parameters[:n]), tuple(self.parameters[n:]))

    def step(self, rows: np.ndarray, target: np.ndarray) -> None:
        self.steps += 1
        scale = np.sqrt(1 - SECOND_DECAY**self.steps) / (1 - FIRST_DECAY**self.steps)
        for k, slope in enumerate(gradient(self.model(), rows, target)):
            if k == self.fixed:
                continue
            self.first[k] = FIRST_DECAY * self.first[k] + (1 - FIRST_DECAY) * slope
            self.second[k] = SECOND_DECAY * self.second[k] + (1 - SECOND_DECAY) * slope**2
            change = RATE * scale * self.first[k] / (np.sqrt(self.second[k]) + TINY)
            self.parameters[k] = self.parameters[k] - change


def gradient(model: Perceptron, rows: np.ndarray, target: np.ndarray) -> list[np.ndarray]:
    """Gradient of the mean cross-entropy in all weights, then in all biases."""
    inputs = [rows]
    for weight, bias in zip(model.weights[:-1], model.biases[:-1], strict=True):
        inputs.append(scipy.special.expit(inputs[-1] @ weight + bias))
    errors = softmax(inputs[-1] @ model.weights[-1] + model.biases[-1])
    errors[np.arange(len(rows)), target] -= 1
    errors /= len(rows)
    weights, biases = [], []
    for k in reversed(range(len(model.weights))):
        weights.insert(0, inputs[k].T @ errors)
        biases.insert(0, errors.sum(axis=0))
        if k:
            errors = errors @ model.weights[k].T * inputs[k] * (1 - inputs[k])
    return [*weights, *biases]
