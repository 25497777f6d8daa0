"""Feed-forward networks from ONNX files: dense layers and activations, one after the other.

A dense layer is Gemm, or MatMul with an Add of its bias. The package onnx decodes the file; nothing
of it is run.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..nets.activations import LEAK
from .base import ModelError

ACTIVATIONS = {"Relu": "relu", "LeakyRelu": "leaky-relu", "Sigmoid": "logistic", "Tanh": "tanh"}
PASSED = ("Identity", "Flatten", "Dropout", "Cast")  # leave rows of numbers as they are
HEADS = ("Softmax", "LogSoftmax")
KNOWN = ("Gemm", "MatMul", "Add", *ACTIVATIONS)

Parts = tuple[list[np.ndarray], list[np.ndarray], list[str]]


def read_onnx(path: str | Path) -> Parts:
    """Weights (inputs, outputs), biases (outputs,) and activations of a network in a file.

    Raises `ModelError` where the package onnx is missing, for a file that it cannot read, several
    inputs or outputs, a result that two nodes use, and nodes that are no layer of such a network.
    """
    try:
        import onnx
    except ImportError as error:
        raise ModelError(
            f"{path}: reading ONNX needs the package onnx; install it with "
            "pip install 'shapaudit[onnx]'"
        ) from error
    try:
        graph = onnx.load(path).graph
    except Exception as error:  # whatever the decoder raises
        raise ModelError(f"{path} is no ONNX file that can be read ({error})") from error
    try:
        constants = _constants(graph, onnx.numpy_helper.to_array)
        return _layers(_chain(graph, constants), constants)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error


def _constants(graph: Any, to_array: Callable[[Any], np.ndarray]) -> dict[str, np.ndarray]:
    """Arrays of the graph by name, in float64."""
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            values = [attribute.t for attribute in node.attribute if attribute.name == "value"]
            tensors |= dict(zip(node.output, values, strict=False))
    return {name: np.array(to_array(tensor), dtype=np.float64) for name, tensor in tensors.items()}


def _chain(graph: Any, constants: Mapping[str, np.ndarray]) -> Iterator[Any]:
    """Nodes from the only input to the only output."""
    inputs = [value.name for value in graph.input if value.name not in constants]
    outputs = [value.name for value in graph.output]
    if len(inputs) != 1 or len(outputs) != 1:
        raise ModelError(
            f"it has {len(inputs)} inputs and {len(outputs)} outputs; a feed-forward network has "
            "one of each: export the logits alone"
        )
    users: dict[str, list[Any]] = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    at, end = inputs[0], outputs[0]
    while at != end:
        nodes = users.get(at, [])
        if len(nodes) != 1:
            raise ModelError(
                f"the result {at!r} is used by {len(nodes)} nodes; in a feed-forward network each "
                "layer is used once, by the next one"
            )
        yield nodes[0]
        at = nodes[0].output[0]


def _layers(nodes: Iterator[Any], constants: Mapping[str, np.ndarray]) -> Parts:
    weights: list[np.ndarray] = []
    biases: list[np.ndarray] = []
    activations: list[str] = []
    for node in nodes:
        kind, place = node.op_type, f"the node {node.name or node.output[0]!r} ({node.op_type})"
        if kind in PASSED:
            _check_passed(node, place)
        elif kind in HEADS or (kind in ACTIVATIONS and len(activations) == len(weights)):
            what = "a classifier's head" if kind in HEADS else "an activation without a layer"
            raise ModelError(f"{place} is {what}, which is not explained: export what enters it")
        elif kind in ACTIVATIONS:
            _check_leak(node, place)
            activations.append(ACTIVATIONS[kind])
        elif kind in ("Gemm", "MatMul"):
            if len(weights) > len(activations):
                activations.append("identity")
            weight, bias = _dense(node, constants, place)
            weights.append(weight)
            biases.append(bias)
        elif kind == "Add" and len(weights) > len(activations):
            biases[-1] = biases[-1] + _added(node, constants, place, len(biases[-1]))
        else:
            raise ModelError(
                f"{place} is no part of a feed-forward network; the known nodes are "
                f"{', '.join(KNOWN)}"
            )
    if len(weights) != len(activations) + 1:
        raise ModelError("it ends with an activation, or has no layer: export the last layer's sum")
    return weights, biases, activations


def _dense(
    node: Any, constants: Mapping[str, np.ndarray], place: str
) -> tuple[np.ndarray, np.ndarray]:
    names = node.input[1:]
    arrays = [constants[name] for name in names if name in constants]
    if not arrays or len(arrays) < len(names) or arrays[0].ndim != 2:
        raise ModelError(f"{place} has no stored matrix as its second factor")
    weight, rest = arrays[0], arrays[1:]
    if node.op_type == "MatMul":
        return weight, np.zeros(weight.shape[1])
    if _attribute(node, "transA", 0):
        raise ModelError(f"{place} transposes its rows; export it without transA")
    weight = weight.T if _attribute(node, "transB", 0) else weight
    weight = weight * _attribute(node, "alpha", 1.0)
    bias = np.zeros(weight.shape[1])
    for added in rest:
        bias = bias + _fitting(added, place, bias.size) * _attribute(node, "beta", 1.0)
    return np.ascontiguousarray(weight), bias


def _added(node: Any, constants: Mapping[str, np.ndarray], place: str, size: int) -> np.ndarray:
    biases = [constants[name] for name in node.input if name in constants]
    if len(biases) != 1:
        raise ModelError(f"{place} adds two results; a feed-forward network adds stored biases")
    return _fitting(biases[0], place, size)


def _fitting(bias: np.ndarray, place: str, size: int) -> np.ndarray:
    """A bias (size,), from that shape, with leading ones too, or a single number."""
    if bias.size not in (1, size) or bias.shape[-1:] not in ((), (bias.size,)):
        raise ModelError(f"{place} adds an array of shape {bias.shape} to {size} outputs")
    return np.broadcast_to(bias.ravel(), (size,))


def _check_leak(node: Any, place: str) -> None:
    if node.op_type == "LeakyRelu" and not np.isclose(_attribute(node, "alpha", LEAK), LEAK):
        slope = _attribute(node, "alpha", LEAK)
        raise ModelError(f"{place} has the slope {slope:g}; the known leaky ReLU has {LEAK:g}")


def _check_passed(node: Any, place: str) -> None:
    axis = _attribute(node, "axis", 1)
    if node.op_type == "Flatten" and axis != 1:
        raise ModelError(f"{place} flattens from axis {axis}; rows are flattened from axis 1")


def _attribute(node: Any, name: str, default: float) -> float:
    """A number among the attributes of a node."""
    for attribute in node.attribute:
        if attribute.name == name:
            return attribute.f if isinstance(default, float) else attribute.i
    return default
