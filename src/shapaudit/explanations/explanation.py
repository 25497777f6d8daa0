"""Shapley values of rows of a table, with what is needed to read and to draw them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy

from ..datasets.mixed import TableError
from ..parameters import hint, listed

if TYPE_CHECKING:
    from .plots import Plots

LEVEL = 0.95
WIDER = 1.3  # times normal intervals: the estimator chooses its model on the same coalitions
METHODS = ("trees", "linear", "enumeration", "auto")


@dataclass(frozen=True, eq=False)
class Explanation:
    """Shapley values of the output of a model at n rows of a table.

    ``explanation[3]`` is the explanation of one row, in which the first axis of all arrays is
    missing and ``data`` is a Series; slices, masks and lists of numbers choose rows; the name of an
    output chooses that output, and the last axis goes.

    Attributes
    ----------
    values : (n, d), or (n, d, k) of a model with k outputs, in units of the output
    standard_errors : as the values; 0 where these are exact
    base_values : (n,) or (n, k): what an empty coalition is worth. With it the values of a row sum
        to the output of the model at that row
    data : the rows (n, p), with their index
    feature_names : names of the d players: columns, or groups of columns
    output_names : names of the k outputs; empty of a model with one output
    how : a sentence that says how the values were computed
    method : one of "trees" and "linear", read from the model; "enumeration" of all coalitions;
        "auto", the estimator. All but the last are exact, but for the draws of a removal
    evaluations : coalitions evaluated for each row (n,); 0 where the model was read
    groups : columns of the players that are groups, by name
    unit : unit of the outputs, such as "probability"; empty where it is not known
    """

    values: np.ndarray
    standard_errors: np.ndarray
    base_values: np.ndarray
    data: pd.DataFrame | pd.Series
    feature_names: tuple[str, ...]
    output_names: tuple[str, ...]
    how: str
    method: str
    evaluations: np.ndarray
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unit: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for arrays whose shapes contradict each other."""
        rows = () if self.is_row else (len(self.data),)
        outputs = (len(self.output_names),) if self.output_names else ()
        expected = {
            "values": (*rows, len(self.feature_names), *outputs),
            "standard_errors": (*rows, len(self.feature_names), *outputs),
            "base_values": (*rows, *outputs),
            "evaluations": rows,
        }
        for name, shape in expected.items():
            if np.shape(getattr(self, name)) != shape:
                raise ValueError(
                    f"{name} must have shape {shape}, not {np.shape(getattr(self, name))}."
                )
        if self.method not in METHODS:
            raise ValueError(f"method {self.method!r} is none of {listed(METHODS)}.")

    @property
    def is_row(self) -> bool:
        """Whether this is the explanation of one row, chosen by its number."""
        return isinstance(self.data, pd.Series)

    @property
    def exact(self) -> bool:
        """Whether the values have no error but rounding."""
        return not self.standard_errors.any()

    @property
    def predictions(self) -> np.ndarray:
        """Outputs of the model at the rows: (n,) or (n, k)."""
        axis = self.values.ndim - 1 - bool(self.output_names)
        return np.asarray(self.base_values + self.values.sum(axis=axis))

    def __len__(self) -> int:
        """Number of rows; 1 of a single row."""
        return 1 if self.is_row else len(self.data)

    def __getitem__(self, chosen: int | slice | str | Sequence[int] | np.ndarray) -> "Explanation":
        """The explanation of one row by its number, of several rows, or of one output by name."""
        if isinstance(chosen, str):
            return self.output(chosen)
        if self.is_row:
            raise IndexError("this is the explanation of one row; only an output can be chosen")
        if isinstance(chosen, int | np.integer) and not -len(self) <= chosen < len(self):
            raise IndexError(f"there are {len(self)} rows; row {chosen} does not exist")
        if isinstance(chosen, tuple):
            raise IndexError(
                "rows, features and outputs are not chosen together; choose rows by a slice or a "
                "list of numbers, an output by its name, and features in to_frame()"
            )
        rows = chosen if isinstance(chosen, int | np.integer | slice) else np.asarray(chosen)
        if isinstance(rows, np.ndarray) and rows.size == 0:
            rows = rows.astype(np.int64)  # of an empty list
        return replace(
            self,
            values=self.values[rows],
            standard_errors=self.standard_errors[rows],
            base_values=np.asarray(self.base_values[rows]),
            data=self.data.iloc[rows],
            evaluations=np.asarray(self.evaluations[rows]),
        )

    def output(self, name: str | int) -> "Explanation":
        """The explanation of one output, by its name or number; raises `TableError` for others."""
        names = list(self.output_names)
        if str(name) in names:
            number = names.index(str(name))
        elif (
            isinstance(name, int | np.integer)
            and not isinstance(name, bool)
            and -len(names) <= name < len(names)
        ):
            number = int(name)
        else:
            known = f"there are {listed(names)}" if names else "the model has one output"
            raise TableError(f"no output {name!r}: {known}{hint(str(name), names)}")
        return replace(
            self,
            values=self.values[..., number],
            standard_errors=self.standard_errors[..., number],
            base_values=np.asarray(self.base_values[..., number]),
            output_names=(),
        )

    def half_widths(self, level: float = LEVEL) -> np.ndarray:
        """Half-widths of `intervals`, shaped as the values."""
        return interval_factor(len(self.feature_names), level) * self.standard_errors

    def intervals(self, level: float = LEVEL) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper limits, shaped as the values.

        They hold for all features of a row and output together, at the level (Bonferroni). Their
        coverage is measured, not proved (docs/explaining.md). Of exact values they have no width.
        """
        half = self.half_widths(level)
        return self.values - half, self.values + half

    def mean_abs(self, level: float = LEVEL) -> pd.DataFrame:
        """Mean absolute value of each feature over the rows, with limits, the largest first.

        Columns ``feature``, ``mean_abs``, ``low``, ``high``, and ``output`` where there are
        several. See `importance.mean_absolute` for what the limits cover.
        """
        from .importance import mean_absolute

        return mean_absolute(self, level)

    def to_frame(self, level: float = LEVEL) -> pd.DataFrame:
        """A line per row and feature (and output).

        Columns: ``row``, the label in the index of the data; ``output`` where there are several;
        ``feature``; ``data``, its entry (of a group: all entries as text); ``value``;
        ``standard_error``; ``low`` and ``high``, as `intervals`.
        """
        table = self._as_table()
        low, high = table.intervals(level)
        n, d, k = len(table), len(self.feature_names), max(1, len(self.output_names))

        def spread(per_entry: np.ndarray) -> np.ndarray:
            """Entries (n, d) or (n, d, k) in the order output, row, feature."""
            shaped = per_entry.reshape(n, d, -1)
            return np.broadcast_to(shaped, (n, d, k)).transpose(2, 0, 1).ravel()

        frame = pd.DataFrame(
            {
                "row": np.tile(np.repeat(table.data.index.to_numpy(), d), k),
                "feature": np.tile(np.array(self.feature_names, dtype=object), n * k),
                "data": spread(table._entries()),
                "value": spread(table.values),
                "standard_error": spread(table.standard_errors),
                "low": spread(low),
                "high": spread(high),
            }
        )
        if self.output_names:
            names = np.array(self.output_names, dtype=object)
            frame.insert(1, "output", np.repeat(names, n * d))
        return frame

    def _as_table(self) -> "Explanation":
        """Itself, or the table of its single row."""
        if not isinstance(self.data, pd.Series):
            return self
        return replace(
            self,
            values=self.values[None],
            standard_errors=self.standard_errors[None],
            base_values=self.base_values[None],
            data=self.data.to_frame().T.infer_objects(),
            evaluations=self.evaluations[None],
        )

    def _entries(self) -> np.ndarray:
        """What stands in the data for each row and player (n, d), as objects."""
        entries = np.empty((len(self.data), len(self.feature_names)), dtype=object)
        for j, name in enumerate(self.feature_names):
            columns = self.groups.get(name, (name,))
            if len(columns) == 1:
                entries[:, j] = self.data[columns[0]].to_numpy(dtype=object)
            else:
                rows = self.data[list(columns)].to_numpy(dtype=object)
                entries[:, j] = [", ".join(map(str, row)) for row in rows]
        return entries

    @cached_property
    def plot(self) -> "Plots":
        """Pictures of this explanation; needs matplotlib."""
        from .plots import Plots

        return Plots(self)

    def shap(self) -> Any:
        """The same as a `shap.Explanation`, for the plots of that package; needs shap."""
        from .foreign import to_shap

        return to_shap(self)

    def shapiq(self) -> Any:
        """A `shapiq.InteractionValues` of order 1 for one row and output; needs shapiq.

        A list of them for several rows.
        """
        from .foreign import to_shapiq

        return to_shapiq(self)

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write a file that `load` reads, without pickle; return its path, which ends in .npz.

        A file that is there already is overwritten only where that is asked for.
        """
        from .saving import save_explanation

        return save_explanation(self, path, overwrite=overwrite)

    @classmethod
    def load(cls, path: str | Path) -> "Explanation":
        """The explanation that `save` wrote."""
        from .saving import load_explanation

        return load_explanation(path)

    def __repr__(self) -> str:
        from .shown import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from .shown import as_html

        return as_html(self)


def interval_factor(players: int, level: float = LEVEL) -> float:
    """Standard errors in the half-width of intervals that hold for all players of a row together.

    Bonferroni's normal quantile, widened by `WIDER`.
    """
    check_level(level)
    return float(-WIDER * scipy.special.ndtri((1 - level) / (2 * max(1, players))))


def check_level(level: float) -> None:
    """Raise ValueError unless the level of confidence lies between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1; got {level}.")
