"""Any model of trees, from this package, from a file or from another package's object."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .base import ModelError
from .binned import BinnedTrees
from .lightgbm import from_lightgbm
from .saved_booster import read_document
from .scikit_trees import from_scikit_learn
from .trees import TreeEnsemble


@dataclass(frozen=True, eq=False)
class ReadTrees:
    """Trees over features as ``encode`` maps them: (m, d) float64 to what the trees compare."""

    ensemble: TreeEnsemble
    encode: Callable[[np.ndarray], np.ndarray]

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        return self.ensemble.predict(self.encode(rows))


def read_trees(model: Any, output: int | None = None) -> ReadTrees:
    """The trees of a model.

    Parameters
    ----------
    model : a `TreeEnsemble` or an `XGBoostModel`; a booster or an estimator of XGBoost, LightGBM or
        scikit-learn; or the path of a file that XGBoost (JSON, UBJSON) or LightGBM (text, JSON)
        wrote
    output : of a model with several outputs; a class, by default the second of two

    Raises `ModelError` for other models, categorical splits, linear leaves, and a broken file.
    """
    found = _read(model, output)
    if isinstance(found, BinnedTrees):
        return ReadTrees(found.ensemble, found.encode)
    return ReadTrees(found, np.asarray)


def _read(model: Any, output: int | None) -> TreeEnsemble | BinnedTrees:
    if isinstance(model, TreeEnsemble | BinnedTrees):
        return model
    if isinstance(getattr(model, "ensemble", None), TreeEnsemble):
        return model.ensemble
    if isinstance(model, str | Path):
        return _of_file(Path(model), output)
    module = type(model).__module__.partition(".")[0]
    if module == "xgboost":
        booster = model.get_booster() if hasattr(model, "get_booster") else model
        return TreeEnsemble.from_xgboost(json.loads(bytes(booster.save_raw("json"))))
    if module == "lightgbm":
        booster = getattr(model, "booster_", model)
        return from_lightgbm(booster.model_to_string(), output)
    if module == "sklearn":
        return from_scikit_learn(model, output)
    raise ModelError(
        f"{type(model).__name__} is no model of trees; give one of XGBoost, LightGBM or "
        "scikit-learn, the path of a file that XGBoost or LightGBM saved, or a TreeEnsemble"
    )


def _of_file(path: Path, output: int | None) -> TreeEnsemble | BinnedTrees:
    """By its content: LightGBM's text begins with "tree", its JSON has "tree_info"."""
    if not path.is_file():
        raise ModelError(f"{path} does not exist; give the path of a saved model of trees")
    try:
        if path.read_bytes()[:5].split() == [b"tree"]:
            return from_lightgbm(path.read_text(encoding="utf-8"), output)
        document = read_document(str(path))
        if "tree_info" in document:
            return from_lightgbm(document, output)
        return TreeEnsemble.from_xgboost(document)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise ModelError(
            f"{path} is no model that XGBoost or LightGBM saved ({error!r}); write it with "
            "booster.save_model"
        ) from error
