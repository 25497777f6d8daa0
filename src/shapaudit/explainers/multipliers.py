"""DeepLIFT's rules: a network's difference between two rows, handed back layer by layer.

Shrikumar, Greenside & Kundaje 2017, Section 3. Everything here is for m explicands and k baselines
at once, as arrays (m, k, units), in whatever numbers the arrays hold: fractions too.

A rule gives each unit a multiplier, by which the difference of what enters it becomes its part of
the difference of the output; a dense layer hands multipliers back through its transposed weights.
"""

from collections.abc import Callable

import numpy as np

from ..models.read_layers import Layers
from ..nets import ACTIVATIONS

NEAR = 1e-6  # a difference of smooth activations over a smaller one loses too many digits
PIECEWISE = ("relu", "leaky-relu")

Contributions = list[np.ndarray]
Both = tuple[np.ndarray, np.ndarray]


def rescale(layers: Layers, explicands: np.ndarray, baselines: np.ndarray) -> Contributions:
    """Contributions (m, k, units) of each layer's inputs, those of the features first.

    A unit's multiplier is the difference of its activation over that of what enters it.
    """
    inputs = [rows @ layers.weights[0] + layers.biases[0] for rows in (explicands, baselines)]
    entered = _broadcast(*inputs)
    passed: list[tuple[Both, Both]] = []
    for k in range(len(layers.activations)):
        if passed:
            weight, bias = layers.weights[k], layers.biases[k]
            value, start = passed[-1][1]
            entered = value @ weight + bias, start @ weight + bias
        passed.append((entered, _activated(layers, k, entered)))
    multiplier = layers.weights[-1][:, 0]
    by_layer = []
    for k in reversed(range(len(layers.activations))):
        (at, reference), (value, start) = passed[k]
        by_layer.append(multiplier * (value - start))
        slopes = _slopes(layers.activations[k], at, reference, value, start)
        multiplier = (multiplier * slopes) @ layers.weights[k].T
    difference = explicands[:, None] - baselines[None]
    return [multiplier * difference, *reversed(by_layer)]


def reveal_cancel(layers: Layers, explicands: np.ndarray, baselines: np.ndarray) -> Contributions:
    """The same by the rule RevealCancel: positive and negative parts have multipliers of their own.

    A unit's two parts get the Shapley values of the game in which each of them enters the
    activation or does not.
    """
    difference = explicands[:, None] - baselines[None]
    parts = _signed(difference)
    reference = baselines @ layers.weights[0] + layers.biases[0]
    passed = []
    for k, name in enumerate(layers.activations):
        up, down = _signed(layers.weights[k])
        entering = parts[0] @ up + parts[1] @ down, parts[0] @ down + parts[1] @ up
        activated = _parts_after(ACTIVATIONS[name].value, reference, *entering)
        passed.append((parts, entering, activated))
        start = ACTIVATIONS[name].value(reference)
        parts, reference = activated, start @ layers.weights[k + 1] + layers.biases[k + 1]
    multipliers = (layers.weights[-1][:, 0], layers.weights[-1][:, 0])
    by_layer = [_both(multipliers, parts)]
    for k in reversed(range(len(layers.activations))):
        parts, entering, activated = passed[k]
        rates = [_ratio(after, before) for after, before in zip(activated, entering, strict=True)]
        positive, negative = (m * rate for m, rate in zip(multipliers, rates, strict=True))
        up, down = (matrix.T for matrix in _signed(layers.weights[k]))
        multipliers = positive @ up + negative @ down, positive @ down + negative @ up
        by_layer.append(_both(multipliers, parts))
    return by_layer[::-1]


RULES: dict[str, Callable[[Layers, np.ndarray, np.ndarray], Contributions]] = {
    "rescale": rescale,
    "reveal-cancel": reveal_cancel,
}


def _broadcast(explicands: np.ndarray, baselines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows (m, units) and (k, units) such that they broadcast to (m, k, units)."""
    return explicands[:, None], baselines[None]


def _activated(layers: Layers, k: int, entered: Both) -> Both:
    value = ACTIVATIONS[layers.activations[k]].value
    return value(entered[0]), value(entered[1])


def _slopes(
    name: str, at: np.ndarray, reference: np.ndarray, value: np.ndarray, start: np.ndarray
) -> np.ndarray:
    """Difference of the activation over that of its argument, the derivative where that is 0."""
    step, gained = at - reference, value - start
    back = ACTIVATIONS[name].back
    if name in PIECEWISE:
        flat = step == 0
        middle = at + 0 * step
    else:
        flat = np.abs(step) < NEAR
        middle = (at + reference) / 2
    if not flat.any():
        return gained / step
    activation = ACTIVATIONS[name].value
    derivative = back(np.ones_like(middle), middle, activation(middle))
    return np.where(flat, derivative, gained / np.where(flat, 1, step))


def _signed(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positive and negative parts."""
    return numbers * (numbers > 0), numbers * (numbers < 0)


def _parts_after(
    value: Callable[[np.ndarray], np.ndarray],
    reference: np.ndarray,
    positive: np.ndarray,
    negative: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Shapley values of the two parts of what enters an activation."""
    none = value(reference) + 0 * positive  # fractions stay fractions when they are halved
    both = value(reference + positive + negative)
    first, other = value(reference + positive), value(reference + negative)
    return (first - none + both - other) / 2, (other - none + both - first) / 2


def _ratio(after: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Part after over part before; 0 where nothing enters, which then has nothing to hand back."""
    empty = before == 0
    return np.where(empty, 0, after / np.where(empty, 1, before))


def _both(multipliers: Both, parts: Both) -> np.ndarray:
    return multipliers[0] * parts[0] + multipliers[1] * parts[1]
