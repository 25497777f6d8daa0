"""Anything that predicts, as a function from a table to one number per row."""

import importlib.util
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..datasets.mixed import TableError
from ..parameters import listed

if TYPE_CHECKING:
    import pandas

Predict = Callable[["pandas.DataFrame"], np.ndarray]


def predictor_of(model: Any, output: int | str | None = None) -> Predict:
    """One number per row, of a function, or of a model in the manner of scikit-learn.

    Classifiers give the probability of a class, by default of the last of two. ``output`` chooses
    the class by its label or number, or the column of outputs by its number, or by its name where
    the outputs are a DataFrame. Raises `TableError` for what is no model; the function that is
    returned does so where the outputs are not one finite number per row.
    """
    classes = [str(label) for label in np.ravel(getattr(model, "classes_", []))]
    call = _call_of(model, bool(classes))
    if classes and output is not None:
        _column(classes, output)

    def predict(table: "pandas.DataFrame") -> np.ndarray:
        try:
            given = call(table)
            raw = np.asarray(given)
        except Exception as error:  # a model of one's own, whatever it raises
            raise TableError(
                f"the model fails on {len(table)} rows with the columns {listed(table.columns)}: "
                f"{type(error).__name__}: {error}"
            ) from error
        names = classes or [str(name) for name in getattr(given, "columns", [])]
        wanted = classes[1] if output is None and len(classes) == 2 else output
        return _one_per_row(raw, len(table), names, wanted)

    return predict


def output_number(model: Any, output: int | str | None) -> int | None:
    """Number of a class or column of outputs that is named; None where none is."""
    names = [str(label) for label in np.ravel(getattr(model, "classes_", []))]
    return None if output is None else _column(names, output)


def _call_of(model: Any, classifier: bool) -> Callable:
    if classifier and hasattr(model, "predict_proba"):
        return model.predict_proba
    if hasattr(model, "inplace_predict"):  # a booster of XGBoost, whose predict takes no table
        return model.inplace_predict
    if hasattr(model, "predict"):
        return model.predict
    if callable(model):
        return model
    raise TableError(
        f"{model!r} is no model: give a function of a table, or an object with predict"
    )


def _column(names: Sequence[str], output: int | str) -> int:
    if str(output) in names:
        return list(names).index(str(output))
    if isinstance(output, int) or str(output).isdecimal():
        return int(output)
    raise TableError(f"no output {output!r}; there are {listed(names)}")


def _one_per_row(
    raw: np.ndarray, rows: int, names: Sequence[str], output: int | str | None
) -> np.ndarray:
    if raw.ndim == 2 and raw.shape[1] == 1:
        raw = raw[:, 0]
    if raw.ndim == 2:
        raw = raw[:, _chosen(raw.shape[1], names, output)]
    if raw.shape != (rows,):
        raise TableError(f"the model gives shape {raw.shape} for {rows} rows")
    if raw.dtype.kind not in "biuf":
        raise TableError(f"the model gives outputs of type {raw.dtype}; give real numbers")
    if not np.isfinite(raw).all():
        raise TableError(
            f"the model gives {raw[~np.isfinite(raw)][0]} for a row that mixes an explained row "
            "with the background; it must have a number for every such row"
        )
    return raw.astype(np.float64)


def _chosen(outputs: int, names: Sequence[str], output: int | str | None) -> int:
    """Which of several outputs is meant; raises `TableError` where that is not said."""
    if output is None:
        known = f": {listed(names)}" if len(names) == outputs else f", 0 to {outputs - 1}"
        raise TableError(
            f"the model gives {outputs} outputs per row; choose one of them by output{known}"
        )
    if (column := _column(names, output)) >= outputs:
        raise TableError(
            f"output {column} does not exist: the model gives {outputs}, counted from 0"
        )
    return column


def function_in(place: str) -> Callable:
    """The function of "file.py:name" or "package.module:name"; raises `TableError`."""
    where, _, name = place.rpartition(":")
    if not where:
        raise TableError(f"{place!r} names no function; write file.py:name or module:name")
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
        raise TableError(f"cannot load {where} ({type(error).__name__}: {error})") from error
    if not callable(found := getattr(module, name, None)):
        raise TableError(f"{where} has no function {name!r}")
    return found
