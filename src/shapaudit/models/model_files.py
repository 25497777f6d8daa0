"""Models that other packages have saved, as objects with ``predict(table)``."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..datasets.base import Dataset
from ..datasets.mixed import TableError
from ..parameters import shortlist
from .base import ModelError
from .read_trees import ReadTrees, read_trees
from .saved_booster import OTHERWISE, train_xgboost_file

if TYPE_CHECKING:
    import pandas

PICKLED = (".joblib", ".pickle", ".pkl")
FUNCTION = "give any other model by a function that loads it (--function file.py:name)"
KNOWN = (
    "XGBoost (.json, .ubj), LightGBM (.txt), CatBoost (.cbm), and what joblib or pickle wrote, of "
    "scikit-learn for instance (.joblib, .pkl)"
)


def model_in(path: str, table: "pandas.DataFrame") -> Any:
    """The model of a file, by the end of its name, for the columns of a table.

    Files of XGBoost, LightGBM and CatBoost give the raw score, which is the log-odds of a
    classifier of two classes. A pickled file runs code when it is read: load only what is yours.
    Raises `TableError` or `ModelError` for a file that is missing, of another kind, or made for
    other columns, and where the package that wrote it is needed and missing.
    """
    if not Path(path).is_file():
        raise TableError(f"{path} does not exist; name the file of a saved model")
    readers = {".json": _xgboost, ".ubj": _xgboost, ".txt": _lightgbm, ".cbm": _catboost}
    readers |= dict.fromkeys(PICKLED, _pickled)
    if (reader := readers.get(Path(path).suffix)) is None:
        raise TableError(f"{path} ends in none of those that are read: {KNOWN}; {FUNCTION}")
    return reader(path, table)


@dataclass(frozen=True)
class Ordered:
    """A model of columns that it knows by their names, in its own order.

    Attributes
    ----------
    model : a model of tables, or a tuple with the `ReadTrees` of each output
    names : its features
    """

    model: Any
    names: Sequence[str]

    def predict(self, table: "pandas.DataFrame") -> np.ndarray:
        """Outputs (m,) or (m, k) of a table of m rows, its columns in any order."""
        rows = table[list(self.names)]
        if not isinstance(self.model, tuple):
            return self.model.predict(rows)
        numbers = self.model[0].numbers(rows)
        outputs = [trees.predict(numbers) for trees in self.model]
        return np.stack(outputs, axis=1) if len(outputs) > 1 else outputs[0]

    def trees(self, output: int | None) -> ReadTrees:
        """The trees of an output, None where there is one; raises `ModelError` without any."""
        if isinstance(self.model, tuple):
            return self.model[output or 0]
        return read_trees(self.model, output)


def _xgboost(path: str, table: "pandas.DataFrame") -> Any:
    _check_numbers(path, table)
    rows = {"train": np.arange(len(table)), "test": np.arange(0)}
    features = table.to_numpy(dtype=np.float64)
    columns = Dataset("table", features, None, tuple(table.columns), rows, path)
    try:
        return train_xgboost_file(columns, 0, path=path)
    except ModelError as error:  # whose remedy is for a study
        raise TableError(str(error).replace(f". {OTHERWISE}", f"; {FUNCTION}")) from error


def _lightgbm(path: str, table: "pandas.DataFrame") -> Any:
    """By our own reader of trees, the scores of all classes."""
    content = Path(path).read_text(encoding="utf-8", errors="replace")
    features = re.search(r"^feature_names=(.*)$", content, re.MULTILINE)
    each = re.search(r"^num_tree_per_iteration=(\d+)$", content, re.MULTILINE)
    if features is None or each is None:
        raise TableError(f"{path} is no model that LightGBM saved as text (save_model)")
    names = _matched(path, features[1].split(), table)
    scores = int(each[1])
    trees = tuple(read_trees(path, k if scores > 1 else None) for k in range(scores))
    if not trees[0].categories:
        _check_numbers(path, table[list(names)])
    try:
        trees[0].numbers(table[list(names)])
    except ModelError as error:
        raise TableError(f"{path}: {error}") from error
    return Ordered(trees, names)


def _catboost(path: str, table: "pandas.DataFrame") -> Any:
    catboost = _package("catboost", path)
    try:
        model = catboost.CatBoost().load_model(path)
    except catboost.CatBoostError as error:
        raise TableError(f"{path} is no model that CatBoost saved (save_model): {error}") from error
    return Ordered(model, _matched(path, list(model.feature_names_), table))


def _pickled(path: str, table: "pandas.DataFrame") -> Any:
    import joblib

    try:
        return joblib.load(path)
    except Exception as error:  # whatever the code in a pickle raises
        raise TableError(f"cannot load {path} ({type(error).__name__}: {error})") from error


def _package(name: str, path: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise TableError(f"{path} needs the package {name}: pip install {name}") from error


def _matched(path: str, names: Sequence[str], table: "pandas.DataFrame") -> Sequence[str]:
    """Names of the model's features as they are in the table, or its columns in their order."""
    if all(name in table for name in names):
        return names
    # LightGBM writes blanks in names as underlines.
    blanks = {str(name).replace(" ", "_"): name for name in table.columns}
    if all(name in blanks for name in names):
        return [blanks[name] for name in names]
    numbered = [f"Column_{j}" for j in range(len(names))], [str(j) for j in range(len(names))]
    if list(names) in numbered and len(names) == table.shape[1]:
        return list(table.columns)
    missing = [name for name in names if name not in table]
    raise TableError(
        f"{path} was made for the columns {shortlist(missing)}, which the table lacks; it has "
        f"{shortlist(table.columns)}"
    )


def _check_numbers(path: str, table: "pandas.DataFrame") -> None:
    texts = [name for name, column in table.items() if column.dtype.kind not in "biuf"]
    if texts:
        raise TableError(
            f"{path} is a model of numbers, and the column {texts[0]!r} holds "
            f"{table[texts[0]].dtype}; drop it, or give a function that encodes it (--function)"
        )
