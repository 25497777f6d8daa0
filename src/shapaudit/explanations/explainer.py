"""The front door: Shapley values of the rows of a table, for any model, with error bars."""

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .. import removals
from ..datasets.mixed import TableError, players_of
from ..models.model_files import model_in
from ..models.predictors import Predictor, feature_names
from ..parameters import check_count, listed, whole_number
from ..progress import Bar
from ..removals import Removal, RemovalError
from .evaluating import Evaluation
from .explanation import LEVEL, Explanation
from .given import form_of, matched, name_of, table_of, texts_of
from .many_rows import read_rows
from .reading import Reading, read
from .sampling import RowValues
from .stopping import MOST, stopping
from .words import how_read, how_sampled

MARGINAL = "marginal"
MOST_OUTPUTS = 20  # of a model, where they are not chosen
ROUNDING = 2.0**-46  # of the largest value and base value of a row: values that are 0
BACKGROUND_ROWS = 100  # of a larger background, where the model must be asked


class Explainer:
    """Shapley values of the rows of a table, for any model, with error bars.

    Parameters
    ----------
    model : an object with ``predict``, ``predict_proba`` or ``decision_function`` in the manner of
        scikit-learn, such as a Pipeline or an estimator of XGBoost, LightGBM or CatBoost; a booster
        of XGBoost or LightGBM; a module of PyTorch or a model of Keras; the path of a saved model,
        see `models.model_files.model_in`; or a function of rows that gives numbers (m,), or (m, k)
        for k outputs. A function is given rows in the form of the background, as arrays or as
        DataFrames of pandas
    background : rows (b, p) from which absent columns are taken: a DataFrame of pandas, polars or
        Arrow, an array, or a sparse matrix
    groups : columns that are one player together, by its name
    output : class (label or number) or column of the outputs, or several; None: all, or of two
        classes the second
    removal : how columns are absent: "marginal", taken from the background; or a removal by its id,
        such as "gaussian" or "kernel", which is fitted to the background
    names : of the columns of an array
    raw : of a classifier explain not the probabilities but the scores that they are made of, such
        as the log-odds of a booster
    unit : of the outputs, for pictures and tables
    background_rows : where the model must be asked, so many rows (100), drawn with the seed, stand
        for a larger background, and a warning says so; None: all rows are used
    seed : of all that is drawn

    Attributes
    ----------
    background : the table (b, p)
    feature_names : of the d players
    output_names : of the k outputs; empty of a model with one output
    unit : of the outputs; empty where it is not known

    Raises
    ------
    TableError
        For rows, names, groups, outputs or a model that do not do. The model is asked for one row.

    Examples
    --------
    >>> explainer = Explainer(model, rows[:100])
    >>> explanation = explainer(rows[:50], tolerance=0.01)
    >>> explanation.values.shape
    (50, 8)
    """

    def __init__(
        self,
        model: Any,
        background: Any,
        *,
        groups: Mapping[str, Sequence[str]] | None = None,
        output: int | str | Sequence[int | str] | None = None,
        removal: str | Removal = MARGINAL,
        names: Sequence[str] | None = None,
        raw: bool = False,
        unit: str = "",
        background_rows: int | None = BACKGROUND_ROWS,
        seed: int = 0,
    ):
        known = feature_names(model)
        given = table_of(background, names, "the background", known)
        self.background = given.set_axis(texts_of(given.columns), axis=1).reset_index(drop=True)
        self._players = players_of(list(self.background.columns), _groups(groups))
        removed = _removal(removal)
        check_count("seed", seed, 0, TableError)
        if background_rows is not None:
            whole = whole_number("background_rows", background_rows, TableError)
            if whole < 1:
                raise TableError(f"background_rows must be at least 1, or None; got {whole}")
        if isinstance(model, str | Path):
            model = model_in(str(model), self.background)
        self._model = model
        self._predict = Predictor(model, output, convert=form_of(background).of, raw=raw)
        self._predict(self.background.iloc[:1])
        names_of_outputs = _checked_outputs(self._predict)
        several = len(names_of_outputs) > 1
        self.feature_names = self._players.names
        self.output_names = names_of_outputs if several else ()
        self.unit = unit or _unit(self._predict)
        self._evaluation = Evaluation(
            self._predict, self.background, self._players, removed, background_rows, seed
        )

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Columns of the players that are groups, by name."""
        columns = self.background.columns
        members = {
            name: tuple(columns[list(own)])
            for name, own in zip(self._players.names, self._players.columns, strict=True)
        }
        return {name: own for name, own in members.items() if own != (name,)}

    def __call__(
        self,
        rows: Any,
        *,
        tolerance: float | None = None,
        evaluations: int | None = None,
        minutes: float | None = None,
        n_jobs: int = 1,
        keep: str | Path | None = None,
        progress: bool | None = None,
    ) -> Explanation:
        """The Shapley values of some rows.

        They are read from the model where that is exact: from trees and linear models, whose sums
        are compared with the outputs of the model. Otherwise all coalitions of the columns are
        evaluated where these are few or the model is fast, else those that the estimator `auto`
        draws. A call that was
        stopped goes on where it was when it is repeated: in the same explainer, or with ``keep`` in
        another process.

        Parameters
        ----------
        rows : to explain, in any form that the background may have, with the same columns
        tolerance : a row ends when all its simultaneous intervals of 95 % are within plus and minus
            this, in units of the output. Without tolerance, evaluations and minutes it is a
            hundredth of the standard deviation of the outputs over the background
        evaluations : coalitions of a row, at most. None: 10,000, or 2,048 where nothing is given
        minutes : for all rows, about
        n_jobs : rows that are explained at the same time, -1: as many as there are processors. More
            than one need joblib, which comes with scikit-learn
        keep : folder for the rows that are finished, and for the outputs of a slow model
        progress : whether progress is shown; None: on a terminal and in a notebook

        Raises
        ------
        TableError
            For rows and settings that do not do, before the model is asked for many rows; and for
            a model that gives other numbers for the same row.
        """
        _check_settings(tolerance, minutes, n_jobs, keep)
        table = matched(rows, self.background)
        seconds = _seconds(minutes, len(table), n_jobs)
        stop = stopping(len(self._players), tolerance, evaluations, seconds)
        bar = Bar("rows", progress)
        if self._evaluation.removal is None and (reading := self._read(table)) is not None:
            read_parts = read_rows(reading, table, self.background, n_jobs, bar)
            how = how_read(reading, len(self.background))
            return self._explanation(table, read_parts, how, reading.method)
        asked = [tolerance, evaluations, minutes and minutes / len(table)]
        parts, spread = self._evaluation.rows(table, stop, asked, n_jobs=n_jobs, keep=keep, bar=bar)
        how = how_sampled(parts, spread, stop, self._evaluation.removed())
        whole = all(row.evaluations == stop.all_coalitions for row in parts)
        return self._explanation(table, parts, how, "enumeration" if whole else "auto")

    def convergence(
        self, row: Any, *, evaluations: int = MOST, level: float = LEVEL
    ) -> pd.DataFrame:
        """Estimates of the values of one row by `auto`, while the evaluations grow.

        A line per number of evaluations and feature: ``evaluations``, ``output`` where there are
        several, ``feature``, ``value``, ``low``, ``high``, with intervals that hold for all
        features together, but leave out the errors of a removal's draws.
        `plots.plot_convergence` draws them. Raises `TableError` for several
        rows.
        """
        table = matched(row, self.background)
        if len(table) != 1:
            raise TableError(f"convergence is shown of one row; {len(table)} were given")
        stop = stopping(len(self._players), None, evaluations)
        most = min(stop.evaluations, stop.all_coalitions)
        return self._evaluation.convergence(table, most, level)

    def _read(self, table: pd.DataFrame) -> Reading | None:
        known = pd.concat([self.background, table], ignore_index=True)
        return read(self._model, self._predict, self._players, known)

    def _explanation(
        self, table: pd.DataFrame, parts: Sequence[RowValues], how: str, method: str
    ) -> Explanation:
        several = bool(self.output_names)
        values, errors, base = (
            np.stack([getattr(row, name) for row in parts]) for name in ("values", "errors", "base")
        )
        largest = np.maximum(np.abs(values).max(axis=1), np.abs(base))[:, None]
        values[(errors == 0) & (np.abs(values) <= ROUNDING * largest)] = 0.0
        return Explanation(
            values=values if several else values[:, :, 0],
            standard_errors=errors if several else errors[:, :, 0],
            base_values=base if several else base[:, 0],
            data=table,
            feature_names=self.feature_names,
            output_names=self.output_names,
            how=how,
            method=method,
            evaluations=np.array([row.evaluations for row in parts], dtype=np.int64),
            groups=self.groups,
            unit=self.unit,
        )


def _check_settings(
    tolerance: float | None, minutes: float | None, n_jobs: int, keep: str | Path | None
) -> None:
    """Raise `TableError` for settings of another type."""
    for name, value in {"tolerance": tolerance, "minutes": minutes}.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, Real)):
            raise TableError(f"{name} must be a number; got {value!r}")
    if whole_number("n_jobs", n_jobs, TableError) == 0:
        raise TableError("n_jobs must be 1 or more, or -1 for as many as there are processors")
    if keep is not None and not isinstance(keep, str | os.PathLike):
        raise TableError(f"keep must be the path of a folder; got {keep!r}")


def _groups(groups: Mapping[str, Sequence[str]] | None) -> dict[str, list[str]]:
    """The columns of each group by their names, as texts."""
    if groups is None:
        return {}
    if not isinstance(groups, Mapping):
        raise TableError(
            "groups must be a dictionary of names and lists of columns, as {'place': ['city', "
            f"'floor']}}; got {groups!r}"
        )
    for name, columns in groups.items():
        if isinstance(columns, str) or not isinstance(columns, Iterable):
            raise TableError(
                f"the columns of the group {name!r} must be a list; got {columns!r}, perhaps "
                f"[{columns!r}]"
            )
        if not len(list(columns)):
            raise TableError(f"the group {name!r} has no columns; name some, or leave it out")
    return {name_of(name): list(map(name_of, columns)) for name, columns in groups.items()}


def _removal(removal: str | Removal) -> Removal | None:
    """The removal that is asked for; None where absent columns are taken from the background."""
    if isinstance(removal, Removal):
        return removal
    if not isinstance(removal, str):
        raise TableError(
            f"removal must be the id of a removal, as 'marginal' or 'gaussian'; got {removal!r}"
        )
    if removal == MARGINAL:
        return None
    try:
        return removals.create(removal)
    except RemovalError as error:
        raise TableError(str(error)) from None


def _checked_outputs(predict: Predictor) -> tuple[str, ...]:
    names = predict.names
    if len(names) > MOST_OUTPUTS:
        raise TableError(
            f"the model gives {len(names):,} outputs for each row; choose up to {MOST_OUTPUTS} of "
            "them by output"
        )
    if len(set(names)) < len(names):
        raise TableError(f"outputs are named twice: {listed(names)}; choose each once")
    return names


def _unit(predict: Predictor) -> str:
    """What the outputs are, where that is known."""
    if predict.scale and len(predict.names) == 1:
        return f"{predict.scale} of {predict.names[0]}"
    return predict.scale


def _seconds(minutes: float | None, rows: int, n_jobs: int) -> float:
    """Seconds for each row."""
    if minutes is None:
        return math.inf
    if not 0 < minutes < math.inf:
        raise TableError(f"minutes must be a positive number; got {minutes}")
    jobs = n_jobs if n_jobs > 0 else os.cpu_count() or 1
    return 60.0 * minutes * jobs / rows
