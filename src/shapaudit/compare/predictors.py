"""Anything that predicts, as a function from a table to one number per row."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..parameters import listed
from .tables import CompareError

Predict = Callable[[pd.DataFrame], np.ndarray]


def predictor_of(model: Any, output: int | str | None = None) -> Predict:
    """One number per row, of a function, or of a model in the manner of scikit-learn.

    Classifiers give the probability of a class, by default of the last of two. ``output`` chooses
    the class by its label or number, or the column of outputs by its number. Raises `CompareError`
    from the function where the outputs are not one finite number per row.
    """
    classes = list(getattr(model, "classes_", []))
    call = _call_of(model, bool(classes))
    column = _column(classes, output)

    def predict(table: pd.DataFrame) -> np.ndarray:
        try:
            raw = np.asarray(call(table))
        except Exception as error:  # a model of one's own, whatever it raises
            raise CompareError(
                f"the model fails on {len(table)} rows with the columns {listed(table.columns)}: "
                f"{type(error).__name__}: {error}"
            ) from error
        return _one_per_row(raw, len(table), column)

    return predict


def _call_of(model: Any, classifier: bool) -> Callable:
    if classifier and hasattr(model, "predict_proba"):
        return model.predict_proba
    if hasattr(model, "predict"):
        return model.predict
    if callable(model):
        return model
    raise CompareError(
        f"{model!r} is no model: give a function of a table, or an object with predict"
    )


def _column(classes: list, output: int | str | None) -> int | None:
    if output is None:
        return 1 if len(classes) == 2 else None
    labels = [str(label) for label in classes]
    if str(output) in labels:
        return labels.index(str(output))
    if isinstance(output, int) or str(output).isdecimal():
        return int(output)
    raise CompareError(f"no output {output!r}; the classes are {listed(labels)}")


def _one_per_row(raw: np.ndarray, rows: int, column: int | None) -> np.ndarray:
    if raw.ndim == 2 and raw.shape[1] == 1:
        raw = raw[:, 0]
    if raw.ndim == 2 and column is None:
        raise CompareError(
            f"the model gives {raw.shape[1]} outputs per row; choose one of them by output"
        )
    if raw.ndim == 2 and column >= raw.shape[1]:
        raise CompareError(
            f"output {column} does not exist: the model gives {raw.shape[1]}, counted from 0"
        )
    if raw.ndim == 2:
        raw = raw[:, column]
    if raw.shape != (rows,):
        raise CompareError(f"the model gives shape {raw.shape} for {rows} rows")
    if raw.dtype.kind not in "biuf":
        raise CompareError(f"the model gives outputs of type {raw.dtype}; give real numbers")
    if not np.isfinite(raw).all():
        raise CompareError(
            f"the model gives {raw[~np.isfinite(raw)][0]} for a row that mixes an explained row "
            "with the background; it must have a number for every such row"
        )
    return raw.astype(np.float64)


def function_in(place: str) -> Callable:
    """The function of "file.py:name" or "package.module:name"; raises `CompareError`."""
    where, _, name = place.rpartition(":")
    if not where:
        raise CompareError(f"{place!r} names no function; write file.py:name or module:name")
    path = Path(where)
    try:
        if path.suffix == ".py":
            sys.path.insert(0, str(path.resolve().parent))
            spec = importlib.util.spec_from_file_location(path.stem, path)
            module = importlib.util.module_from_spec(spec)
            sys.modules[path.stem] = module
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(where)
    except Exception as error:  # a module of one's own, whatever it raises
        raise CompareError(f"cannot load {where} ({type(error).__name__}: {error})") from error
    if not callable(found := getattr(module, name, None)):
        raise CompareError(f"{where} has no function {name!r}")
    return found


def check_repeatable(predict: Predict, table: pd.DataFrame) -> None:
    """Raise `CompareError` unless a few rows keep their outputs, together, turned round and alone.

    What a coalition is worth must depend on its row alone: a model that draws random numbers or
    looks at the other rows of a batch has no Shapley values.
    """
    first = predict(table)
    others = {
        "asked again": predict(table),
        "in another order": predict(table.iloc[::-1].reset_index(drop=True))[::-1],
        "alone": predict(table.iloc[[0]].reset_index(drop=True)),
    }
    largest = max(float(np.abs(first).max()), 1e-300)
    for how, outputs in others.items():
        gap = float(np.abs(outputs - first[: len(outputs)]).max())
        if gap > 1e-5 * largest:
            raise CompareError(
                f"the model gives other numbers for the same rows {how} (they differ by "
                f"{gap:.2g}); fix its random numbers, and let it look at each row alone"
            )
