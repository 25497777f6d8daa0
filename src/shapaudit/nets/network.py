"""Dense networks: forward, and backward to parameters and inputs."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np

from ..parameters import listed
from .activations import ACTIVATIONS


class Trace(NamedTuple):
    """What a forward pass leaves for the backward one.

    ``inputs[k]`` (m, n_k) enters layer k, and ``entered[k]`` (m, n_k+1) the activation after it;
    the last layer has none, so that ``outputs`` (m, n_outputs) is linear in what enters it.
    """

    inputs: list[np.ndarray]
    entered: list[np.ndarray]
    outputs: np.ndarray


class Network:
    """Dense layers with one activation between them and a linear output.

    All parameters lie in one vector, which makes a step of Adam one operation; ``weights[k]``
    (n_k, n_k+1) and ``biases[k]`` (n_k+1,) are views into it.

    Parameters
    ----------
    sizes : widths of the inputs, the hidden layers and the outputs
    activation : a key of `ACTIVATIONS`
    parameters : (P,) float32 or float64, the weights in their order, then the biases

    Raises ValueError for an unknown activation or another number of parameters.
    """

    def __init__(self, sizes: Sequence[int], activation: str, parameters: np.ndarray):
        if activation not in ACTIVATIONS:
            raise ValueError(
                f"unknown activation {activation!r}; the known ones are {listed(ACTIVATIONS)}"
            )
        self.sizes, self.activation = tuple(int(size) for size in sizes), activation
        self.parameters = np.ascontiguousarray(parameters)
        shapes = list(pairwise(self.sizes))
        wanted = sum(a * b + b for a, b in shapes)
        if len(self.sizes) < 2 or self.parameters.shape != (wanted,):
            raise ValueError(
                f"layers of widths {list(self.sizes)} have {wanted} parameters, got an array of "
                f"shape {self.parameters.shape}"
            )
        self.weights, self.biases = self.views(self.parameters)

    @classmethod
    def start(
        cls,
        sizes: Sequence[int],
        activation: str,
        rng: np.random.Generator,
        dtype: type = np.float64,
    ) -> Self:
        """Weights uniform within sqrt(6 / (inputs + outputs)), biases 0 (Glorot & Bengio 2010)."""
        weights = [
            (np.sqrt(6 / (a + b)) * rng.uniform(-1, 1, size=(a, b))).ravel()
            for a, b in pairwise(sizes)
        ]
        biases = np.zeros(sum(sizes[1:]))
        return cls(sizes, activation, np.concatenate([*weights, biases]).astype(dtype))

    @property
    def n_inputs(self) -> int:
        """Number of inputs."""
        return self.sizes[0]

    def copy(self) -> Self:
        """The same network with parameters of its own."""
        return type(self)(self.sizes, self.activation, self.parameters.copy())

    def views(self, vector: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """A vector (P,) seen as weights and biases."""
        weights, biases, place = [], [], 0
        for a, b in pairwise(self.sizes):
            weights.append(vector[place : place + a * b].reshape(a, b))
            place += a * b
        for size in self.sizes[1:]:
            biases.append(vector[place : place + size])
            place += size
        return weights, biases

    def trace(self, rows: np.ndarray) -> Trace:
        """Forward pass of rows (m, n_inputs), kept for `backward`."""
        value = ACTIVATIONS[self.activation].value
        inputs, entered = [rows], []
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            entered.append(_affine(inputs[-1], weight, bias))
            inputs.append(value(entered[-1]))
        return Trace(inputs, entered, _affine(inputs[-1], self.weights[-1], self.biases[-1]))

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m, n_outputs) of rows (m, n_inputs)."""
        return self.trace(rows).outputs

    def backward(self, trace: Trace, errors: np.ndarray) -> np.ndarray:
        """Gradient (P,) in the parameters, from derivatives (m, n_outputs) by the outputs."""
        gradient = np.empty_like(self.parameters)
        weights, biases = self.views(gradient)
        for k, left in self._layers_back(trace, errors):
            np.matmul(trace.inputs[k].T, left, out=weights[k])
            left.sum(axis=0, out=biases[k])
        return gradient

    def input_gradient(self, trace: Trace, errors: np.ndarray) -> np.ndarray:
        """Derivatives (m, n_inputs) by the inputs, from those (m, n_outputs) by the outputs."""
        *_, (_, first) = self._layers_back(trace, errors)
        return first @ self.weights[0].T

    def arrays(self) -> dict[str, np.ndarray]:
        """What the network consists of, for a file without pickle."""
        return {
            "sizes": np.array(self.sizes),
            "activation": np.array(self.activation),
            "parameters": self.parameters,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """The network of what `arrays` gave."""
        return cls(arrays["sizes"].tolist(), str(arrays["activation"]), arrays["parameters"])

    def _layers_back(self, trace: Trace, errors: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """Layers from the last to the first, with the derivatives by what its product gives."""
        back = ACTIVATIONS[self.activation].back
        yield len(self.weights) - 1, errors
        for k in reversed(range(len(self.weights) - 1)):
            returned = errors @ self.weights[k + 1].T
            errors = back(returned, trace.entered[k], trace.inputs[k + 1])
            yield k, errors


def _affine(rows: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """The same as rows @ weight + bias, in one array."""
    image = rows @ weight
    image += bias
    return image
