"""Regression networks: dense layers with any activation of `nets`, one linear output."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.base import Dataset
from ..nets import ACTIVATIONS, LOSSES, Network, Supervised, fit
from ..parameters import check_count, listed
from .base import ModelError, checked_rows, regression_scores, training_rows, write_manifest

ARRAYS = "network.npz"
HELD_OUT = 0.2  # share of the training rows that stop the training


@dataclass(frozen=True, eq=False)
class NetworkRegression:
    """The output of a network with one output, in the units of the target.

    Parameters
    ----------
    network : Network, float64
    """

    network: Network

    @property
    def n_features(self) -> int:
        """Number of inputs."""
        return self.network.n_inputs

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        return self.network(checked_rows(rows, self.n_features))[:, 0]

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """R^2 and RMSE on rows (m, d) with target (m,)."""
        return regression_scores(target, self.predict(rows))

    def save(self, directory: str | Path) -> None:
        """Write the arrays; equal models give equal bytes."""
        directory = write_manifest(directory, "network")
        with (directory / ARRAYS).open("wb") as file:
            np.savez(file, **self.network.arrays())


def read_network(directory: Path, manifest: dict[str, Any]) -> NetworkRegression:
    """The network of a directory that `NetworkRegression.save` wrote."""
    with np.load(directory / ARRAYS, allow_pickle=False) as file:
        return NetworkRegression(Network.from_arrays(file))


def train_network(
    dataset: Dataset,
    seed: int,
    *,
    hidden: Sequence[int] = (24,),
    activation: str = "relu",
    batch: int = 64,
    epochs: int = 200,
    patience: int = 20,
    rate: float = 0.005,
    decay: float = 0.9,
) -> NetworkRegression:
    """Adam on the squared error of standardised rows and target, stopped early.

    A fifth of the training rows, drawn, says when. The scales are folded into the first and the
    last layer, so that the network takes rows as they are. Equal seeds give equal models with
    equal libraries.

    Parameters
    ----------
    hidden : widths of the hidden layers, any number of them
    activation : a key of `nets.ACTIVATIONS`
    batch, epochs, patience, rate, decay : as `nets.fit` has them

    Raises
    ------
    ModelError
        For an unknown activation, a count that is no positive integer, a rate or decay out of
        range, no target, or fewer than five training rows.
    """
    _check(hidden, activation, {"batch": batch, "epochs": epochs, "patience": patience})
    if not (rate > 0 and 0 < decay <= 1):
        raise ModelError("trainer 'network': rate must be above 0, decay above 0 and at most 1")
    rows, target = training_rows("network", dataset)
    if len(rows) < 5:
        raise ModelError(f"trainer 'network' needs 5 training rows or more, got {len(rows)}")
    rng = np.random.default_rng(seed)
    (rows, shift, scale), (target, middle, height) = map(_standard, (rows, target[:, None]))
    order = rng.permutation(len(rows))
    parts = np.split(order, [max(round(HELD_OUT * len(rows)), 1)])
    held_out, training = (
        Supervised(rows[part], target[part], LOSSES["squared-error"]) for part in parts
    )
    start = Network.start([rows.shape[1], *hidden, 1], activation, rng)
    network = fit(
        start,
        training,
        held_out,
        rng,
        batch=batch,
        epochs=epochs,
        patience=patience,
        rate=rate,
        decay=decay,
    )
    network.weights[0] /= scale[:, None]
    network.biases[0] -= shift @ network.weights[0]
    network.weights[-1] *= height
    network.biases[-1] *= height
    network.biases[-1] += middle
    return NetworkRegression(network)


def _check(hidden: Sequence[int], activation: str, counts: dict[str, int]) -> None:
    if activation not in ACTIVATIONS:
        raise ModelError(
            f"trainer 'network': unknown activation {activation!r}; the known ones are "
            f"{listed(ACTIVATIONS)}"
        )
    for name, count in counts.items():
        check_count(f"trainer 'network': {name}", count, 1, ModelError)
    for width in hidden:
        check_count("trainer 'network': a hidden width", width, 1, ModelError)


def _standard(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns less their mean, over their standard deviation; constant ones are only shifted."""
    middle, spread = columns.mean(axis=0), columns.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    return (columns - middle) / spread, middle, spread
