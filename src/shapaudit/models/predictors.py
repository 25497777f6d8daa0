"""Anything that predicts, as a function from a table to numbers, one or several per row."""

import importlib.util
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..datasets.mixed import TableError
from ..parameters import listed, shortlist

if TYPE_CHECKING:
    import pandas

Predict = Callable[["pandas.DataFrame"], np.ndarray]
LARGEST = 1e100  # outputs in size, beyond which sums of squares overflow
NAMED = ("feature_names_in_", "feature_name_", "feature_names_", "feature_names")
CATEGORIES = (
    "categorical_feature do not match",
    "DataFrame.dtypes for data must be",
    "cat feature",
)
Chosen = int | str | Sequence[int | str] | None  # of the outputs of a model


class Predictor:
    """Outputs (m, k) of tables of m rows: all that a model gives, or those that are chosen.

    Classifiers give probabilities, or the scores of ``decision_function`` where they have none; of
    two classes the last alone is given where none is chosen; detectors of outliers give scores
    rather than labels. The model is first asked by a call.

    Parameters
    ----------
    model : a function of a table, or an object in the manner of scikit-learn
    outputs : classes by label or number, or columns by number, or by name where the model gives a
        DataFrame; one or several of them
    convert : makes of a table what a function takes, and an estimator that knows no names of
        columns; None: tables, and for such an estimator of scikit-learn arrays where all columns
        are numbers. A model that was fitted with names of columns is given tables, their columns in
        the order of the names
    raw : of a classifier not the probabilities, but the scores that they are made of: the log-odds
        of a booster, or ``decision_function``

    Attributes
    ----------
    model : as it was given
    names : of the outputs that are given, their numbers where they have no names
    columns : their numbers among those of the model
    total : outputs of the model
    scale : "probability" of a class, or "" where only the model knows

    Raises `TableError` for what is no model. Calls do so where the model fails, gives no finite
    numbers, or lacks a chosen output.
    """

    def __init__(
        self,
        model: Any,
        outputs: Chosen = None,
        *,
        convert: Callable[["pandas.DataFrame"], Any] | None = None,
        raw: bool = False,
    ):
        self.model = model
        self._known, self._convert = feature_names(model), convert
        self._fitted = hasattr(model, "n_features_in_")
        self._classes = _classes_of(model)
        if raw:
            self._call, self.scale = _raw_call_of(model), ""
        else:
            self._call, self.scale = _call_of(model, bool(self._classes))
        several = [] if outputs is None else _several(outputs)
        self._wanted = several or None
        for output in self._wanted or ():
            if self._classes:
                _column(self._classes, output)
        self.names: tuple[str, ...] = ()
        self.columns: list[int] = []
        self.total = 0

    def __call__(self, table: "pandas.DataFrame") -> np.ndarray:
        """Outputs (m, k) of the rows of a table."""
        try:
            given = self._call(self._formed(table))
            raw = np.asarray(_joined(given))
        except Exception as error:  # whatever a user's model raises
            raise TableError(_failure(table, error)) from error
        if raw.ndim == 1 and len(self._classes) == 2:  # one score for two classes
            raw = np.stack([-raw, raw], axis=1)
        outputs = _numbers(raw, len(table))
        if not self.columns:
            self._choose(outputs.shape[1], getattr(given, "columns", ()))
        return _finite(outputs[:, self.columns])

    def _formed(self, table: "pandas.DataFrame") -> Any:
        """The rows in the form, and their columns in the order, that the model takes."""
        if not hasattr(table, "columns"):
            return table
        table = table.copy(deep=False)  # a function may change its columns, and these are ours
        if self._known and (ordered := _ordered(table, self._known)) is not None:
            return ordered
        given = table if self._convert is None else self._convert(table)
        nameless = self._fitted and not self._known and hasattr(given, "columns")
        numbers = nameless and all(dtype.kind in "biuf" for dtype in table.dtypes)
        return table.to_numpy(copy=True) if numbers else given

    def _choose(self, total: int, columns: Sequence[Any]) -> None:
        names = self._classes or [str(name) for name in columns]
        names = names if len(names) == total else []
        if self._wanted is None:
            last_of_two = len(self._classes) == total == 2
            self.columns = [1] if last_of_two else list(range(total))
        else:
            self.columns = [_there(total, names, output) for output in self._wanted]
        self.names = tuple(names[k] if names else str(k) for k in self.columns)
        self.total = total


def feature_names(model: Any) -> list[str]:
    """Names of the columns that a model was fitted on; none where it knows of none."""
    for attribute in NAMED:
        names = getattr(model, attribute, None)
        if names is not None and not callable(names):
            return [str(name) for name in names]
    return []


def _ordered(table: "pandas.DataFrame", names: Sequence[str]) -> "pandas.DataFrame | None":
    """The table with its columns in the order of the names; None where they bear others.

    LightGBM writes blanks in names as underlines, and takes columns by their place.
    """
    for written in (str, lambda name: str(name).replace(" ", "_")):
        own = {written(name): name for name in table.columns}
        if len(own) == len(names) == table.shape[1] and {*own} == {*names}:
            return table if list(own) == list(names) else table[[own[name] for name in names]]
    return None


def _failure(table: Any, error: Exception) -> str:
    """What a model raised, and on what."""
    said = f"{type(error).__name__}: {error}"
    columns = f" with the columns {shortlist(table.columns)}" if hasattr(table, "columns") else ""
    remedy = ""
    if any(words in str(error) for words in CATEGORIES):
        remedy = "; a CSV file has no categories: save the table as Parquet, which keeps them"
    return f"the model fails on {len(table)} rows{columns}: {said}{remedy}"


def predictor_of(model: Any, output: int | str | None = None) -> Predict:
    """One number per row (m,) of a table: the only output of a model, or the one that is chosen.

    See `Predictor`, whose errors it raises; and `TableError` where the model gives several outputs
    and none is chosen.
    """
    predictor = Predictor(model, output)

    def predict(table: "pandas.DataFrame") -> np.ndarray:
        outputs = predictor(table)
        if outputs.shape[1] > 1:
            numbered = predictor.names == tuple(map(str, range(predictor.total)))
            known = f", 0 to {predictor.total - 1}" if numbered else f": {listed(predictor.names)}"
            raise TableError(
                f"the model gives {predictor.total} outputs per row; choose one of them by "
                f"output{known}"
            )
        return outputs[:, 0]

    return predict


def _several(outputs: int | str | Sequence[int | str]) -> list[int | str]:
    """The chosen outputs, of which a single one may stand alone."""
    if isinstance(outputs, str) or not isinstance(outputs, Iterable):
        return [outputs]
    return list(outputs)


def _classes_of(model: Any) -> list[str]:
    """Labels of the classes; of several targets the number of the target before each."""
    classes = getattr(model, "classes_", None)
    if classes is None:
        return []
    if isinstance(classes, list) and classes and np.ndim(classes[0]):
        return [f"{k}: {label}" for k, labels in enumerate(classes) for label in labels]
    return [str(label) for label in np.ravel(classes)]


def _joined(given: Any) -> Any:
    """Outputs as one array: a classifier of several targets gives a list with an array of each."""
    several = isinstance(given, list) and len(given) and np.ndim(given[0]) == 2
    return np.concatenate(given, axis=1) if several else given


def _call_of(model: Any, classifier: bool) -> tuple[Callable[..., Any], str]:
    """What gives the outputs, and their scale where it is known."""
    if classifier and hasattr(model, "predict_proba"):
        return model.predict_proba, "probability"
    if classifier and hasattr(model, "decision_function"):
        return model.decision_function, ""
    if hasattr(model, "predict_on_batch"):  # of Keras, whose predict shows its progress
        return _keras_call(model), ""
    if any(kind.__module__.startswith("torch.") for kind in type(model).__mro__):
        return _torch_call(model), ""
    if hasattr(model, "score_samples") and hasattr(model, "decision_function"):
        return model.decision_function, ""  # a detector of outliers, whose predict gives labels
    if hasattr(model, "inplace_predict"):  # a booster of XGBoost, whose predict takes no table
        return _booster_call(model), ""
    if hasattr(model, "predict"):
        return model.predict, ""
    if callable(model):
        return model, ""
    raise TableError(
        f"{model!r} is no model: give a function of a table, or an object with predict"
    )


def _booster_call(model: Any, raw: bool = False) -> Callable[..., Any]:
    """The outputs of a booster of XGBoost; a linear one takes no tables in place."""
    config = model.save_config() if hasattr(model, "save_config") else ""
    if '"booster":"gblinear"' not in config.replace(" ", ""):
        kind = {"predict_type": "margin"} if raw else {}
        return lambda rows: model.inplace_predict(rows, **kind)

    def outputs(rows: Any) -> np.ndarray:
        import xgboost

        given = {} if hasattr(rows, "columns") else {"feature_names": model.feature_names}
        return model.predict(xgboost.DMatrix(rows, **given), output_margin=raw)

    return outputs


def _keras_call(model: Any) -> Callable[..., Any]:
    """The outputs of a model of Keras."""
    return lambda rows: np.asarray(model.predict_on_batch(np.asarray(rows, dtype=np.float32)))


def _torch_call(model: Any) -> Callable[..., Any]:
    """The outputs of a module of PyTorch, which is put into evaluation."""
    import torch

    model.eval()
    weight = next(iter(model.parameters()), torch.zeros(1))

    def outputs(rows: Any) -> np.ndarray:
        given = np.ascontiguousarray(rows, dtype=np.float32)
        with torch.no_grad():
            tensor = torch.from_numpy(given).to(weight.device, weight.dtype)
            return np.asarray(model(tensor).detach().cpu().numpy())

    return outputs


def _raw_call_of(model: Any) -> Callable[..., Any]:
    """What gives the scores that the probabilities of a classifier are made of."""
    package = type(model).__module__.partition(".")[0]
    keywords: dict[str, dict[str, Any]] = {
        "xgboost": {"output_margin": True},
        "lightgbm": {"raw_score": True},
        "catboost": {"prediction_type": "RawFormulaVal"},
    }
    if package in keywords and hasattr(model, "predict") and not hasattr(model, "inplace_predict"):
        return lambda rows: model.predict(rows, **keywords[package])
    if hasattr(model, "inplace_predict"):
        return _booster_call(model, raw=True)
    if hasattr(model, "decision_function"):
        return model.decision_function
    raise TableError(
        f"{type(model).__name__} has no raw scores: it is no booster and has no decision_function; "
        "leave out raw=True"
    )


def _column(names: Sequence[str], output: int | str) -> int:
    for written in (str(output), f"{output}.0"):  # labels may be whole numbers written as 1.0
        if written in names:
            return list(names).index(written)
    if isinstance(output, int) or str(output).isdecimal():
        return int(output)
    raise TableError(f"no output {output!r}; there are {listed(names)}")


def _there(total: int, names: Sequence[str], output: int | str) -> int:
    """Number of an output that is chosen; raises `TableError` where there is none of that name."""
    if not 0 <= (column := _column(names, output)) < total:
        raise TableError(f"output {column} does not exist: the model gives {total}, counted from 0")
    return column


def _numbers(raw: np.ndarray, rows: int) -> np.ndarray:
    """Outputs (m, k) of m rows as the model gives them; raises `TableError` where they are none."""
    outputs = raw[:, None] if raw.ndim == 1 else raw
    if outputs.ndim != 2 or len(outputs) != rows or outputs.shape[1] == 0:
        raise TableError(f"the model gives shape {raw.shape} for {rows} rows")
    if outputs.dtype.kind not in "biuf":
        labels = ", as predict_proba of a classifier does" if outputs.dtype.kind in "OSTU" else ""
        raise TableError(f"the model gives outputs of type {raw.dtype}; give real numbers{labels}")
    return outputs.astype(np.float64)


def _finite(outputs: np.ndarray) -> np.ndarray:
    if not np.isfinite(outputs).all():
        raise TableError(
            f"the model gives {outputs[~np.isfinite(outputs)][0]} for a row that mixes an "
            "explained row with the background; it must have a number for every such row"
        )
    if outputs.size and (largest := np.abs(outputs).max()) > LARGEST:
        raise TableError(
            f"the model gives outputs of size {largest:.2g}, whose squares are too large to add; "
            f"divide them so that none exceeds {LARGEST:.0e}"
        )
    return outputs


def function_in(place: str, what: str = "function") -> Callable[..., Any]:
    """The function, or another ``what`` that can be called, of "file.py:name" or "module:name".

    Raises `TableError`.
    """
    where, _, name = place.rpartition(":")
    if not where:
        raise TableError(f"{place!r} names no {what}; write file.py:name or module:name")
    path = Path(where)
    try:
        if path.suffix == ".py":
            sys.path.insert(0, str(path.resolve().parent))
            spec = importlib.util.spec_from_file_location(path.stem, path)
            if spec is None or spec.loader is None:
                raise ImportError("Python has no loader for it")
            module = importlib.util.module_from_spec(spec)
            sys.modules[path.stem] = module
            spec.loader.exec_module(module)
        else:
            module = importlib.import_module(where)
    except (Exception, SystemExit) as error:  # whatever a user's module raises
        raise TableError(f"cannot load {where} ({type(error).__name__}: {error})") from error
    if not callable(function := getattr(module, name, None)):
        raise TableError(f"{where} has no {what} {name!r}")
    return function
