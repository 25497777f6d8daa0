"""Networks trained on masked rows: what the removals share that have one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import scipy

from ..nets import LOSSES, Network, Objective, Trainable, fit
from ..parameters import check_count
from .base import FittedRemoval, Removal, RemovalError
from .own_training import uniform_size_masks

BLOCK = 256  # rows of every product of matrices: their number may change the last digits
HELD_OUT = 0.2  # share of the rows that say when to stop


Net = TypeVar("Net", bound=Trainable)
Judged = TypeVar("Judged", contravariant=True)


class CountedObjective(Objective[Judged], Protocol[Judged]):
    """An objective that counts the rows that went through the network."""

    counted: int


@dataclass(frozen=True)
class NetworkRemoval(Removal):
    """A removal with a network of its own.

    Parameters
    ----------
    hidden : widths of the hidden layers
    epochs, patience : epochs at most, and without improvement on held-out rows before it stops
    batch, rate : rows per step, step size of Adam
    masks : random coalitions per row and epoch
    """

    hidden: tuple[int, ...] = (64, 64)
    epochs: int = 100
    patience: int = 10
    batch: int = 128
    rate: float = 3e-3
    masks: int = 8

    def __post_init__(self) -> None:
        super().__post_init__()
        for key in ("epochs", "patience", "batch", "masks"):
            check_count(f"{self.id}: {key}", getattr(self, key), 1, RemovalError)
        for width in self.hidden:
            check_count(f"{self.id}: a width of hidden", width, 1, RemovalError)
        if self.rate <= 0:
            raise RemovalError(f"{self.id}: rate must be above 0; got {self.rate}.")

    def auxiliary_fit_rows(self, arrays: Mapping[str, np.ndarray]) -> int:
        """Rows that went through the network, forward, in training."""
        return int(arrays["trained_rows"])

    def parts(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Rows for training and held-out ones; raises `RemovalError` for too few."""
        if n < 10:
            raise RemovalError(
                f"{self.id}: {n} training rows are too few to train a network on and to see when "
                "to stop; take 10 or more, or a removal that trains nothing, as marginal."
            )
        order = rng.permutation(n)
        held = max(2, round(HELD_OUT * n))
        return order[held:], order[:held]

    def trained(
        self,
        network: Net,
        training: CountedObjective[Net],
        held_out: CountedObjective[Net],
        rng: np.random.Generator,
    ) -> tuple[Net, np.ndarray]:
        """The trained network, and the rows that its training took."""
        made = fit(
            network,
            training,
            held_out,
            rng,
            batch=self.batch,
            epochs=self.epochs,
            patience=self.patience,
            rate=self.rate,
            decay=0.7,
        )
        return made, np.array(training.counted + held_out.counted)


class MaskedRegression:
    """Mean loss of predicting targets from masked rows; an `Objective` of `shapaudit.nets`.

    Parameters
    ----------
    rows : (n, d), standardised
    target : (n, 1)
    loss : a key of `LOSSES`
    masks : coalitions (n k, d), each n of them one per row; or a number k of them that are drawn
        anew for each batch
    rng : what draws them
    """

    def __init__(
        self,
        rows: np.ndarray,
        target: np.ndarray,
        loss: str,
        masks: np.ndarray | int,
        rng: np.random.Generator | None = None,
    ):
        if isinstance(masks, int) and rng is None:
            raise ValueError("masks that are drawn need a generator")
        self.rows, self.target, self.loss, self.rng = rows, target, LOSSES[loss], rng
        self.masks = masks
        self.n_rows = len(rows) * masks if isinstance(masks, int) else len(masks)
        self.counted = 0

    def _batch(self, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.counted += len(chosen)
        places = chosen % len(self.rows)
        if self.rng is not None and isinstance(self.masks, int):
            coalitions = uniform_size_masks(len(chosen), self.rows.shape[1], self.rng)
        else:
            coalitions = np.asarray(self.masks)[chosen]
        return masked_inputs(self.rows[places], coalitions), self.target[places]

    def gradient(self, network: Network, chosen: np.ndarray) -> np.ndarray:
        """Gradient (P,) of the mean loss on chosen rows."""
        inputs, target = self._batch(chosen)
        trace = network.trace(inputs)
        return network.backward(trace, self.loss(trace.outputs, target)[1])

    def value(self, network: Network) -> float:
        """Mean loss on all rows with the masks that were given."""
        inputs, target = self._batch(np.arange(self.n_rows))
        return self.loss(network(inputs), target)[0]


def masked_inputs(rows: np.ndarray, coalitions: np.ndarray) -> np.ndarray:
    """Inputs (m, 2 d): rows with zeros off the coalitions, then the coalitions themselves."""
    inside = coalitions.astype(rows.dtype)
    return np.concatenate([rows * inside, inside], axis=1)


def standard_units(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and spread (d,) by which columns are standardised; the spread of constant ones is 1."""
    spread = rows.std(axis=0)
    return rows.mean(axis=0), np.where(spread > 0, spread, 1.0)


def train_masked(
    removal: NetworkRemoval,
    rows: np.ndarray,
    target: np.ndarray,
    loss: str,
    rng: np.random.Generator,
) -> dict[str, np.ndarray]:
    """A network that predicts the target (n,) from any features of rows (n, d), as arrays."""
    mean, spread = standard_units(rows)
    shift, scale = 0.0, 1.0
    if loss == "squared-error":
        shift, scale = target.mean(), target.std() or 1.0
    scaled = ((rows - mean) / spread).astype(np.float32)
    wanted = ((target - shift) / scale)[:, None].astype(np.float32)
    d = rows.shape[1]
    train, held = removal.parts(len(rows), rng)
    fixed = uniform_size_masks(len(held) * removal.masks, d, rng)
    network, counted = removal.trained(
        Network.start([2 * d, *removal.hidden, 1], "relu", rng, np.float32),
        MaskedRegression(scaled[train], wanted[train], loss, removal.masks, rng),
        MaskedRegression(scaled[held], wanted[held], loss, fixed),
        rng,
    )
    units = {"mean": mean, "spread": spread, "target_units": np.array([shift, scale])}
    return network.arrays() | units | {"trained_rows": counted}


def masked_values(
    fitted: FittedRemoval, explicand: np.ndarray, loss: str
) -> Callable[[np.ndarray], np.ndarray]:
    """What the network of `train_masked` predicts of an explicand, as a function of coalitions."""
    arrays = fitted.arrays
    network = Network.from_arrays(arrays)
    row = ((explicand - arrays["mean"]) / arrays["spread"]).astype(np.float32)[None]
    shift, scale = arrays["target_units"]

    def values(coalitions: np.ndarray) -> np.ndarray:
        outputs = in_blocks(network, masked_inputs(row, coalitions))[:, 0].astype(np.float64)
        return scipy.special.expit(outputs) if loss == "logistic" else shift + scale * outputs

    return values


def in_blocks(network: Network, inputs: np.ndarray) -> np.ndarray:
    """Outputs (m, k) by `BLOCK` rows at a time, so that those of a row depend on it alone."""
    outputs = np.empty((len(inputs), network.sizes[-1]), dtype=inputs.dtype)
    block = np.zeros((BLOCK, inputs.shape[1]), dtype=inputs.dtype)
    for start in range(0, len(inputs), BLOCK):
        part = inputs[start : start + BLOCK]
        block[: len(part)] = part
        outputs[start : start + BLOCK] = network(block)[: len(part)]
    return outputs


def refuse_no_probabilities(removal: Removal, what: str, values: np.ndarray) -> None:
    """Raise `RemovalError` unless values (n,) lie in [0, 1], as the logistic loss wants them."""
    if values.min() < 0 or values.max() > 1:
        raise RemovalError(
            f"{removal.id}: the logistic loss is of probabilities, but {what} reach from "
            f"{values.min():g} to {values.max():g}; set loss 'squared-error'."
        )
