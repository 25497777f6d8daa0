"""Regression networks: dense layers with any activation of `nets`, one linear output."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.base import Dataset, save_arrays
from ..nets import ACTIVATIONS, Network
from ..parameters import listed
from ..registers import reader, trainer
from .base import ModelError, checked_rows, regression_scores, write_manifest
from .schedule import Schedule

ARRAYS = "network.npz"


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
        directory = write_manifest(directory, "network", ARRAYS)
        save_arrays(directory / ARRAYS, self.network.arrays())


@reader("network")
def read_network(directory: Path, manifest: dict[str, Any]) -> NetworkRegression:
    """The network of a directory that `NetworkRegression.save` wrote."""
    with np.load(directory / ARRAYS, allow_pickle=False) as file:
        return NetworkRegression(Network.from_arrays(file))


@trainer("network")
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
        range, no target, fewer than five training rows, or entries of these that are not finite.
    """
    if activation not in ACTIVATIONS:
        raise ModelError(
            f"trainer 'network': unknown activation {activation!r}; the known ones are "
            f"{listed(ACTIVATIONS)}"
        )
    schedule = Schedule("network", batch, epochs, patience, rate, decay)
    for width in hidden:
        schedule.check("a hidden width", width)
    rows, target = schedule.rows(dataset)
    (rows, shift, scale), (target, middle, height) = map(_standard, (rows, target[:, None]))
    sizes = [rows.shape[1], *hidden, 1]

    def start(rng: np.random.Generator) -> Network:
        return Network.start(sizes, activation, rng)

    rng = np.random.default_rng(seed)
    network = schedule.fit(start, rows, target, "squared-error", rng)
    network.weights[0] /= scale[:, None]
    network.biases[0] -= shift @ network.weights[0]
    network.weights[-1] *= height
    network.biases[-1] *= height
    network.biases[-1] += middle
    return NetworkRegression(network)


def _standard(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns less their mean, over their standard deviation; constant ones are only shifted."""
    middle, spread = columns.mean(axis=0), columns.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    return (columns - middle) / spread, middle, spread
