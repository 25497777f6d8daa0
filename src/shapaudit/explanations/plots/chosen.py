"""What a figure shows of an explanation: an output, a row, the features that fit."""

from dataclasses import dataclass

import numpy as np

from ...datasets.mixed import TableError
from ...parameters import check_count, listed
from ..explanation import Explanation
from . import words


def one_output(explanation: Explanation, output: str | int | None, figure: str) -> Explanation:
    """The explanation of the output to draw; raises `TableError` where none of several is named."""
    if output is not None:
        return explanation.output(output)
    if names := explanation.output_names:
        raise TableError(
            f"the model has the outputs {listed(names)}; choose one: "
            f"explanation.plot.{figure}(output={names[0]!r})"
        )
    return explanation


def one_row(explanation: Explanation, figure: str) -> Explanation:
    """The explanation of its only row; raises `TableError` for several."""
    if explanation.is_row:
        return explanation
    if (rows := len(explanation)) != 1:
        row = min(3, rows - 1)
        raise TableError(
            f"a {figure} plot shows one row, and this explanation has {rows}; "
            f"choose one: explanation[{row}].plot.{figure}()"
        )
    return explanation[0]


def several_rows(explanation: Explanation, figure: str) -> Explanation:
    """The explanation itself; raises `TableError` for that of a single row."""
    if explanation.is_row:
        raise TableError(
            f"a {figure} plot shows the rows of a table, and this is the explanation of one row; "
            "draw it by explanation.plot.waterfall() or choose several: "
            f"explanation[[3, 4]].plot.{figure}()"
        )
    return explanation


@dataclass(frozen=True)
class Shown:
    """Which features have a row of their own, the largest first, and which are summed up.

    Attributes
    ----------
    own : numbers of the features that are drawn
    rest : numbers of those that are summed up; none or at least two
    """

    own: np.ndarray
    rest: np.ndarray

    @classmethod
    def largest(cls, sizes: np.ndarray, max_features: int) -> "Shown":
        """Rows for features by their sizes (d,), at most ``max_features`` with that of the rest."""
        check_count("max_features", max_features, 2, TableError)
        order = np.argsort(-sizes, kind="stable")
        cut = len(sizes) if len(sizes) <= max_features else max_features - 1
        return cls(order[:cut], order[cut:])

    def labels(self, features: list[str]) -> list[str]:
        """Labels of the rows from those of the features."""
        return [features[j] for j in self.own] + [words.others(len(self.rest))] * self.summed

    def totals(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers (..., d) of the features as (..., rows), those of the rest summed."""
        rest = numbers[..., self.rest].sum(axis=-1, keepdims=True)
        return np.concatenate([numbers[..., self.own], rest][: 1 + self.summed], axis=-1)

    @property
    def summed(self) -> bool:
        """Whether there is a row of features that are summed up."""
        return len(self.rest) > 0


def labels_with_entries(row: Explanation) -> list[str]:
    """The name of each feature of one row and its entry; of a group its entries."""
    texts = []
    for feature in row.feature_names:
        columns = row.groups.get(feature, (feature,))
        entries = [words.entry(row.data[column]) for column in columns]
        texts.append(f"{words.name(feature)} = {words.entries(entries)}")
    return texts
