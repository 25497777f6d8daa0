"""Networks of modules that hand on their own Shapley values (Wang, Wang & Inouye 2021).

A module takes h features of c channels each, and is a function g of them; its outputs are the
Shapley values of g against the reference 0, one per feature, all channels of a feature present or
absent together. A stage has modules side by side. The output of the network is the sum over
features of what the last stage hands on: g(0) is dropped at every stage, and the output is
efficiently explained by what it sums.

Arrays may hold fractions. Module by module (M), they are (M, h, n, ...) for n rows.
"""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise
from math import comb, prod
from typing import NamedTuple, Self

import numpy as np


class Stage(NamedTuple):
    """One hidden layer of ReLU per module, whose output needs no bias, as g(0) is dropped.

    Attributes
    ----------
    groups : (M, h) features of each module, in none twice
    first, shift, last : (M, h, c, w), (M, w) and (M, w, c'), with w hidden units
    """

    groups: np.ndarray
    first: np.ndarray
    shift: np.ndarray
    last: np.ndarray


class StageTrace(NamedTuple):
    """What a stage's forward pass leaves: its inputs, hidden units, and their Shapley values."""

    inputs: np.ndarray  # (M, h, n, c)
    hidden: np.ndarray  # (M, 2^h, n, w)
    shared: np.ndarray  # (M, h, n, w)


class TotalTrace(NamedTuple):
    """The same of a stage whose outputs are summed over features."""

    inputs: np.ndarray  # (M, h, n, c)
    hidden: np.ndarray  # (M, n, w), all features present
    gained: np.ndarray  # (M, n, w), less those of none


@cache
def coalitions_of(h: int) -> np.ndarray:
    """Masks (2^h, h) of 0 and 1, read-only; feature j is bit j."""
    return _read_only(np.arange(1 << h)[:, None] >> np.arange(h) & 1)


@cache
def shapley_matrix(h: int) -> np.ndarray:
    """The matrix (h, 2^h), read-only, that takes the values of all coalitions to Shapley values.

    Its entries are whole numbers over `shapley_divisor`, by which they are multiplied here.
    """
    masks = coalitions_of(h).T
    sizes = masks.sum(axis=0)
    share = np.array([shapley_divisor(h) // (h * comb(h - 1, s)) for s in range(h)] + [0])
    return _read_only(np.where(masks == 1, share[sizes - 1], -share[sizes]))


@cache
def shapley_divisor(h: int) -> int:
    """A number that makes all weights of games of h players whole."""
    return int(np.lcm.reduce([h * comb(h - 1, s) for s in range(h)]))


def incidence(stage: Stage, n_features: int) -> np.ndarray:
    """Which feature (d, M h) each output of the modules belongs to, 0 or 1, read-only."""
    return _incidence(tuple(stage.groups.ravel().tolist()), n_features)


@cache
def _incidence(members: tuple[int, ...], n_features: int) -> np.ndarray:
    return _read_only((np.array(members) == np.arange(n_features)[:, None]).astype(int))


def _read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def stage_forward(
    stage: Stage, rows: np.ndarray, reference: np.ndarray | None = None
) -> tuple[np.ndarray, StageTrace]:
    """Shapley values (n, d, c') of all modules, summed by feature, for rows (n, d, c).

    Parameters
    ----------
    reference : (1, d, c) from which absent features are taken; None for 0
    """
    n, d, _ = rows.shape
    modules, h, _, width = stage.first.shape
    inputs, parts = _entering(stage, rows)
    masks, cells = coalitions_of(h), (modules, h, n * width)
    entered = (masks @ parts.reshape(cells)).reshape(modules, 1 << h, n, width)
    if reference is not None:
        absent = _entering(stage, reference)[1].reshape(modules, h, width)
        entered = entered + ((1 - masks) @ absent)[:, :, None]
    entered = entered + stage.shift[:, None, None]
    hidden = entered * (entered > 0)  # fractions stay fractions
    shared = shapley_matrix(h) @ hidden.reshape(modules, 1 << h, n * width)
    shared = shared.reshape(modules, h, n, width) / shapley_divisor(h)
    outputs = stage.last.shape[-1]
    values = (shared @ stage.last[:, None]).reshape(modules * h, n * outputs)
    summed = (incidence(stage, d) @ values).reshape(d, n, outputs).transpose(1, 0, 2)
    return summed, StageTrace(inputs, hidden, shared)


def total_forward(stage: Stage, rows: np.ndarray) -> tuple[np.ndarray, TotalTrace]:
    """Sums (n, c') over features of what `stage_forward` gives for rows (n, d, c).

    Shapley values are efficient: a module's are in sum its output with all features less that
    with none, and other coalitions need not be looked at.
    """
    inputs, parts = _entering(stage, rows)
    hidden = np.maximum(parts.sum(axis=1) + stage.shift[:, None], 0)
    gained = hidden - np.maximum(stage.shift, 0)[:, None]
    return (gained @ stage.last).sum(axis=0), TotalTrace(inputs, hidden, gained)


Derivatives = tuple[np.ndarray, np.ndarray, np.ndarray]


def total_backward(
    stage: Stage, trace: TotalTrace, errors: np.ndarray
) -> tuple[np.ndarray, Derivatives]:
    """As `stage_backward`, with parts (M, 1, n, w), from the derivatives by the sums (n, c')."""
    last = trace.gained.swapaxes(1, 2) @ errors
    back = errors @ stage.last.swapaxes(1, 2)
    hidden = back * (trace.hidden > 0)
    shift = hidden.sum(axis=1) - back.sum(axis=1) * (stage.shift > 0)
    parts = hidden[:, None]
    return parts, (trace.inputs.swapaxes(2, 3) @ parts, shift, last)


def stage_backward(
    stage: Stage, trace: StageTrace, errors: np.ndarray
) -> tuple[np.ndarray, Derivatives]:
    """Derivatives by what enters the modules (M, h, n, w), and by first, shift and last.

    From those by the outputs (n, d, c').
    """
    n = len(errors)
    modules, h = stage.groups.shape
    back = errors[:, stage.groups.ravel()].transpose(1, 0, 2).reshape(modules, h, n, -1)
    last = (trace.shared.swapaxes(2, 3) @ back).sum(axis=1)
    shared = (back @ stage.last.swapaxes(1, 2)[:, None]).reshape(modules, h, -1)
    hidden = shapley_matrix(h).T @ shared / shapley_divisor(h)
    hidden = hidden.reshape(trace.hidden.shape) * (trace.hidden > 0)
    parts = coalitions_of(h).T @ hidden.reshape(modules, 1 << h, -1)
    parts = parts.reshape(modules, h, n, -1)
    return parts, (trace.inputs.swapaxes(2, 3) @ parts, hidden.sum(axis=(1, 2)), last)


def rows_backward(stage: Stage, parts: np.ndarray, d: int) -> np.ndarray:
    """Derivatives by the rows (n, d, c) from those by what enters the modules (M, h, n, w)."""
    inputs = parts @ stage.first.swapaxes(2, 3)
    modules, h, n, channels = inputs.shape
    inputs = inputs.reshape(modules * h, n * channels)
    return (incidence(stage, d) @ inputs).reshape(d, n, channels).transpose(1, 0, 2)


def _entering(stage: Stage, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Inputs (M, h, n, c) of the modules, and what each of them adds to the hidden units."""
    inputs = rows[:, stage.groups].transpose(1, 2, 0, 3)
    return inputs, inputs @ stage.first


class ShapNetTrace(NamedTuple):
    """What the stages leave, the last one apart, and the output (n, 1)."""

    stages: list[StageTrace]
    last: TotalTrace
    outputs: np.ndarray


class ShapNet:
    """Stages of modules with one output, the sum over features and a bias.

    All parameters lie in one vector: by stage its first, shift and last, then the bias.

    Parameters
    ----------
    groups : one (M, h) array per stage
    channels : of the inputs of each stage and of the output; begins and ends with 1
    width : hidden units of a module
    parameters : (P,)

    Raises ValueError for another number of parameters.
    """

    def __init__(
        self,
        n_features: int,
        groups: Sequence[np.ndarray],
        channels: Sequence[int],
        width: int,
        parameters: np.ndarray,
    ):
        self.n_features, self.width = int(n_features), int(width)
        self.groups, self.channels = tuple(groups), tuple(channels)
        self.parameters = np.ascontiguousarray(parameters)
        shapes = [
            shape
            for group, (inputs, outputs) in zip(self.groups, pairwise(self.channels), strict=True)
            for shape in (
                (*group.shape, inputs, self.width),
                (len(group), self.width),
                (len(group), self.width, outputs),
            )
        ]
        ends = list(accumulate(map(prod, shapes), initial=0))
        if self.parameters.shape != (ends[-1] + 1,):
            raise ValueError(f"a ShapNet of this shape has {ends[-1] + 1} parameters")
        self._places = list(zip(pairwise(ends), shapes, strict=True))
        self._stages = self.stages(self.parameters)

    @classmethod
    def start(
        cls,
        n_features: int,
        groups: Sequence[np.ndarray],
        channels: Sequence[int],
        width: int,
        rng: np.random.Generator,
    ) -> Self:
        """Weights uniform within sqrt(6 / (inputs + outputs)) of a layer, shifts within 1/10.

        Those of outputs are less by the square root of the modules that a feature is in.
        """
        parts = []
        for group, (inputs, outputs) in zip(groups, pairwise(channels), strict=True):
            modules, h = group.shape
            for shape, fans in (
                ((modules, h, inputs, width), h * inputs + width),
                ((modules, width), 600),
                ((modules, width, outputs), (width + outputs) * modules * h / n_features),
            ):
                parts.append(np.sqrt(6 / fans) * rng.uniform(-1, 1, size=int(np.prod(shape))))
        return cls(n_features, groups, channels, width, np.concatenate([*parts, np.zeros(1)]))

    @property
    def bias(self) -> np.ndarray:
        """The output (1,) at the reference, a view."""
        return self.parameters[-1:]

    def stages(self, vector: np.ndarray | None = None) -> list[Stage]:
        """Stages as views into a vector (P,), by default the parameters."""
        if vector is None:
            return self._stages
        views = [vector[start:end].reshape(shape) for (start, end), shape in self._places]
        return [Stage(group, *views[3 * k : 3 * k + 3]) for k, group in enumerate(self.groups)]

    def copy(self) -> Self:
        """The same network with parameters of its own."""
        parameters = self.parameters.copy()
        return type(self)(self.n_features, self.groups, self.channels, self.width, parameters)

    def shares(self, rows: np.ndarray) -> np.ndarray:
        """What the last stage hands on (n, d) for rows (n, d)."""
        handed = rows[:, :, None]
        for stage in self.stages():
            handed, _ = stage_forward(stage, handed)
        return handed[..., 0]

    def trace(self, rows: np.ndarray) -> ShapNetTrace:
        """Forward pass of rows (n, d)."""
        *stages, last = self.stages()
        handed, traces = rows[:, :, None], []
        for stage in stages:
            handed, trace = stage_forward(stage, handed)
            traces.append(trace)
        total, total_trace = total_forward(last, handed)
        return ShapNetTrace(traces, total_trace, total + self.bias)

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (n, 1) of rows (n, d)."""
        return self.trace(rows).outputs

    def backward(self, trace: ShapNetTrace, errors: np.ndarray) -> np.ndarray:
        """Gradient (P,) from the derivatives (n, 1) by the output."""
        gradient = np.empty_like(self.parameters)
        gradient[-1] = errors.sum()
        views, stages = self.stages(gradient), self.stages()
        parts, derivatives = total_backward(stages[-1], trace.last, errors)
        _fill(views[-1], derivatives)
        for k in reversed(range(len(stages) - 1)):
            back = rows_backward(stages[k + 1], parts, self.n_features)
            parts, derivatives = stage_backward(stages[k], trace.stages[k], back)
            _fill(views[k], derivatives)
        return gradient


def _fill(stage: Stage, derivatives: Derivatives) -> None:
    """Write derivatives into views of a gradient."""
    for target, part in zip(stage[1:], derivatives, strict=True):
        target[...] = part
