"""Any feed-forward network, as plain arrays: the weights, biases and activations of its layers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..archives import UNREADABLE
from ..nets import ACTIVATIONS, Network
from ..parameters import listed
from .base import ModelError, checked_rows
from .binned import chosen_output
from .network import NetworkRegression
from .onnx_layers import read_onnx
from .perceptron import Perceptron

HEADS = ("softmax", "sigmoid")
SCIKIT = {"relu": "relu", "tanh": "tanh", "logistic": "logistic"}
IDENTITY = "identity"  # layers without activation are joined to the next


Arrays = tuple[np.ndarray, ...]
Parts = tuple[Arrays, Arrays, tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Layers:
    """Dense layers with an activation after each but the last, of which one output is taken.

    Parameters
    ----------
    weights : arrays (inputs, outputs), one per layer; the last has one output
    biases : arrays (outputs,)
    activations : keys of `nets.ACTIVATIONS`, one per hidden layer
    """

    weights: tuple[np.ndarray, ...]
    biases: tuple[np.ndarray, ...]
    activations: tuple[str, ...]

    @property
    def n_features(self) -> int:
        """Number of inputs."""
        return len(self.weights[0])

    def entered(self, rows: np.ndarray) -> list[np.ndarray]:
        """What enters each hidden activation, and last the output (m, 1), for rows (m, d)."""
        return self._onwards(rows @ self.weights[0] + self.biases[0])

    def output_from(self, entered: np.ndarray) -> np.ndarray:
        """The output (...) from what enters the first hidden layer (..., units)."""
        return self._onwards(entered)[-1][..., 0]

    def _onwards(self, entered: np.ndarray) -> list[np.ndarray]:
        entering = [entered]
        for name, weight, bias in zip(
            self.activations, self.weights[1:], self.biases[1:], strict=True
        ):
            entering.append(ACTIVATIONS[name].value(entering[-1]) @ weight + bias)
        return entering

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """The output (m,), before any softmax, of rows (m, d)."""
        return self.entered(checked_rows(rows, self.n_features))[-1][:, 0]


def read_layers(model: Any, output: int | None = None) -> Layers:
    """The layers of a network, up to one output before softmax.

    Parameters
    ----------
    model : a `Perceptron`, a `NetworkRegression` or a `nets.Network`; a multilayer perceptron of
        scikit-learn; a mapping of arrays ``weight0`` (inputs, outputs), ``bias0`` (outputs,),
        ``activation0`` (a text), ``weight1``, ... in the order of the layers, the last without
        activation; or the path of an npz file of such arrays, or of an ONNX file (.onnx) of dense
        layers, which needs the package onnx
    output : of several, the class whose logit is explained

    Raises `ModelError`, naming the layer, for unknown or missing arrays, widths that do not fit,
    weights that are not finite, unknown activations, and a softmax or sigmoid at the end.
    """
    weights, biases, activations = _parts(model)
    _check_shapes(weights, biases)
    weights, biases, activations = _joined(weights, biases, activations)
    for k, name in enumerate(activations):
        if name not in ACTIVATIONS:
            raise ModelError(
                f"layer {k}: unknown activation {name!r}; the known ones are "
                f"{listed((*ACTIVATIONS, IDENTITY))}"
            )
    chosen = chosen_output("this network", weights[-1].shape[1], output)
    last = slice(chosen, chosen + 1)
    # A copy of the column, so that products do not depend on the classes that were beside it.
    column = np.ascontiguousarray(weights[-1][:, last])
    return Layers((*weights[:-1], column), (*biases[:-1], biases[-1][last]), activations)


def is_network(model: Any) -> bool:
    """Whether `read_layers` takes this for a network, whatever its layers are."""
    own = isinstance(model, NetworkRegression | Network | Perceptron | Mapping)
    return own or (hasattr(model, "coefs_") and hasattr(model, "intercepts_"))


def _joined(weights: Arrays, biases: Arrays, activations: Sequence[str]) -> Parts:
    """Layers, each without activation being one with the next."""
    kept: list[tuple[np.ndarray, np.ndarray]] = [(weights[0], biases[0])]
    for weight, bias, name in zip(weights[1:], biases[1:], activations, strict=True):
        if name == IDENTITY:
            before, shift = kept.pop()
            weight, bias = before @ weight, shift @ weight + bias
        kept.append((weight, bias))
    left, right = zip(*kept, strict=True)
    return left, right, tuple(name for name in activations if name != IDENTITY)


def _check_shapes(weights: Arrays, biases: Arrays) -> None:
    for k, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        inputs = weights[k - 1].shape[-1] if k else None
        if weight.ndim != 2 or bias.shape != weight.shape[1:] or 0 in weight.shape:
            raise ModelError(
                f"layer {k}: weights must be (inputs, outputs) and biases (outputs,), not "
                f"{weight.shape} and {bias.shape}"
            )
        if inputs is not None and len(weight) != inputs:
            raise ModelError(
                f"layer {k} takes {len(weight)} inputs, but layer {k - 1} has {inputs} outputs"
            )
        if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
            raise ModelError(f"layer {k} has weights or biases that are not finite")


def _parts(model: Any) -> Parts:
    if isinstance(model, NetworkRegression):
        model = model.network
    if isinstance(model, Network):
        return _of_arrays(model.weights, model.biases, [model.activation] * len(model.weights[1:]))
    if isinstance(model, Perceptron):
        return _of_arrays(model.weights, model.biases, ["logistic"] * len(model.weights[1:]))
    if hasattr(model, "coefs_") and hasattr(model, "intercepts_"):
        name = SCIKIT.get(model.activation, str(model.activation))
        return _of_arrays(model.coefs_, model.intercepts_, [name] * len(model.coefs_[1:]))
    if isinstance(model, str | Path) and Path(model).suffix == ".onnx":
        return _of_arrays(*read_onnx(model))
    if isinstance(model, str | Path):
        try:
            with np.load(model, allow_pickle=False) as file:
                return _named({key: file[key] for key in file.files})
        except UNREADABLE as error:
            if isinstance(error, ModelError):
                raise ModelError(f"{model}: {error}") from error
            raise ModelError(
                f"{model} is no npz file of a network's arrays ({error}); write it with numpy.savez"
            ) from error
    if isinstance(model, Mapping):
        return _named(model)
    raise ModelError(
        f"{type(model).__name__} is no feed-forward network; give its arrays weight0, bias0, "
        "activation0, weight1, ... as a mapping or an npz file, a model of this package, or a "
        "multilayer perceptron of scikit-learn"
    )


def _named(arrays: Mapping[str, Any]) -> Parts:
    """Layers by the names of their arrays."""
    count = sum(str(key).startswith("weight") for key in arrays)
    layers = range(count)
    wanted = [f"{part}{k}" for part in ("weight", "bias") for k in layers]
    activations = [f"activation{k}" for k in range(count - 1)]
    head = f"activation{count - 1}"
    if head in arrays:
        name = str(arrays[head])
        what = "a classifier's head" if name in HEADS else "an activation"
        raise ModelError(
            f"{head} {name!r} is {what} after the last layer, which is not explained: leave it "
            "out, and what enters it is (of a classifier the logit of a class)"
        )
    if missing := [key for key in (*wanted, *activations) if key not in arrays]:
        raise ModelError(f"the arrays {listed(missing)} of this network are missing")
    if not count:
        raise ModelError("a network needs at least one layer, weight0 and bias0")
    if unknown := sorted(set(map(str, arrays)) - {*wanted, *activations}):
        raise ModelError(
            f"the arrays {listed(unknown)} belong to no dense layer; only weight0, bias0, "
            "activation0, weight1, ... are read"
        )
    weights, biases = ([arrays[f"{part}{k}"] for k in layers] for part in ("weight", "bias"))
    return _of_arrays(weights, biases, [str(arrays[key]) for key in activations])


def _of_arrays(weights: Sequence[Any], biases: Sequence[Any], activations: Sequence[str]) -> Parts:
    try:
        layers, ends = (
            tuple(np.array(array, dtype=np.float64) for array in arrays)
            for arrays in (weights, biases)
        )
    except (TypeError, ValueError) as error:
        raise ModelError(f"the weights of a network must be numbers ({error})") from error
    return layers, ends, tuple(activations)
