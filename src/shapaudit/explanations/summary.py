"""What is said of an explanation at a glance: a title and a table of its largest values."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..parameters import counted
from .entries import number_texts, player_texts
from .explanation import LEVEL, Explanation

OUTPUTS = 4  # columns of outputs


@dataclass(frozen=True)
class Line:
    """A line of the table.

    Attributes
    ----------
    name : a feature, "base value" or "prediction"
    entry : what stands in the table; empty where several rows are summarised
    values, halves : (k,) with half-widths, 0 where there is none
    numbers, around : both as text, one for each output; ``around`` is empty where there is none
    """

    name: str
    entry: str
    values: np.ndarray
    halves: np.ndarray
    numbers: list[str]
    around: list[str]


@dataclass(frozen=True)
class Summary:
    """A title, a sentence, a table of features and the lines below it.

    Attributes
    ----------
    how : how the values were computed
    heading : of the column of features
    outputs : names of the columns of values; one that is empty of a model with one output
    features : the largest first
    rest : how many features are left out; empty where none is
    totals : base value and prediction of a single row
    note : what the half-widths are; empty where there are none
    signed : whether values are of a row, and have signs and entries
    """

    title: str
    how: str
    heading: str
    outputs: tuple[str, ...]
    features: list[Line]
    rest: str
    totals: list[Line]
    note: str
    signed: bool


def summary(explanation: Explanation, most: int) -> Summary:
    """Of a row its largest values, else the features of largest mean |value|, up to ``most``."""
    row = explanation.is_row
    names, entries = list(explanation.feature_names), [""] * len(explanation.feature_names)
    if row:
        table = explanation._as_table()
        entries = [player_texts(table, name)[0] for name in names]
    values, halves = _values(explanation)
    order = np.argsort(-np.abs(values).max(axis=1), kind="stable")
    largest = np.abs(values).max(axis=0)
    lines = _lines(names, entries, values, halves, largest)
    totals = _totals(explanation, largest) if row else []
    left = len(names) - most
    return Summary(
        title=_title(explanation),
        how=explanation.how,
        heading="feature" if row else "mean |value|",
        outputs=(explanation.output_names or ("",))[:OUTPUTS],
        features=[lines[j] for j in order[:most]],
        rest=f"and {counted(left, 'feature')} of smaller values" if left > 0 else "",
        totals=totals,
        note=f"±: intervals of all features together, at {LEVEL:.0%}" if halves.any() else "",
        signed=row,
    )


def _title(explanation: Explanation) -> str:
    if isinstance(explanation.data, pd.Series):
        parts = [f"Shapley values of row {explanation.data.name}"]
    else:
        features = counted(len(explanation.feature_names), "feature")
        parts = [f"Shapley values of {counted(len(explanation), 'row')} and {features}"]
    if outputs := len(explanation.output_names):
        first = f" (the first {OUTPUTS} are shown)" if outputs > OUTPUTS else ""
        parts.append(counted(outputs, "output") + first)
    if explanation.unit:
        parts.append(f"unit: {explanation.unit}")
    return ", ".join(parts)


def _shown(array: np.ndarray, explanation: Explanation) -> np.ndarray:
    """The outputs that are shown, on the last axis; one where the model has one."""
    return array[..., :OUTPUTS] if explanation.output_names else array[..., None]


def _values(explanation: Explanation) -> tuple[np.ndarray, np.ndarray]:
    """Values and half-widths (d, k) of a row; of several rows the mean |value|, without."""
    values = _shown(explanation.values, explanation)
    if explanation.is_row:
        return values, _shown(explanation.half_widths(), explanation)
    means = np.abs(values).mean(axis=0) if len(values) else np.zeros(values.shape[1:])
    return means, np.zeros_like(means)


def _lines(
    names: list[str],
    entries: list[str],
    values: np.ndarray,
    halves: np.ndarray,
    largest: np.ndarray,
) -> list[Line]:
    """A line for each name, the numbers of an output with the decimals of its ``largest``."""
    sizes = largest.tolist()
    numbers = np.array([number_texts(values[:, k], size) for k, size in enumerate(sizes)])
    around = np.array([number_texts(halves[:, k], size) for k, size in enumerate(sizes)])
    around = np.where(halves.T > 0, np.char.add("± ", around), "")
    parts = zip(names, entries, values, halves, numbers.T.tolist(), around.T.tolist(), strict=True)
    return [Line(*part) for part in parts]


def _totals(explanation: Explanation, largest: np.ndarray) -> list[Line]:
    sums = np.stack([explanation.base_values, explanation.predictions])
    totals = _shown(sums, explanation)
    names = ["base value", "prediction"]
    return _lines(names, ["", ""], totals, np.zeros_like(totals), largest)
