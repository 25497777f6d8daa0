"""Any model of trees, from this package, from a file or from another package's object."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .base import ModelError
from .binned import BinnedTrees, chosen_score
from .lightgbm import from_lightgbm
from .saved_booster import read_document
from .scikit_trees import from_scikit_learn
from .trees import TreeEnsemble

CATBOOST = (
    "the trees of CatBoost are not read, only those of XGBoost, LightGBM and scikit-learn; its "
    "predictions can be explained as those of any model, by fast-shap or by an estimator"
)


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
    model : a `TreeEnsemble`, an `XGBoostModel` or a `ReadTrees`; a booster or an estimator of
        XGBoost, LightGBM or scikit-learn; or the path of a file that XGBoost (JSON, UBJSON) or
        LightGBM (text, JSON) wrote
    output : of a model with several outputs; a class, by default the second of two

    Raises `ModelError` for other models, CatBoost's among them, categorical splits, linear leaves,
    and a broken file.
    """
    if isinstance(model, ReadTrees):
        return model
    trees = _read(model, output)
    if isinstance(trees, BinnedTrees):
        return ReadTrees(trees.ensemble, trees.encode)
    return ReadTrees(trees, np.asarray)


def _read(model: Any, output: int | None) -> TreeEnsemble | BinnedTrees:
    if isinstance(model, TreeEnsemble | BinnedTrees):
        return model
    if isinstance(getattr(model, "ensemble", None), TreeEnsemble):
        return _of_two_classes(model.ensemble, getattr(model, "objective", ""), output)
    if isinstance(model, str | Path):
        return _of_file(Path(model), output)
    module = type(model).__module__.partition(".")[0]
    if module == "xgboost":
        booster = _booster(model, lambda fitted: fitted.get_booster(), "save_raw")
        return _of_xgboost(json.loads(bytes(booster.save_raw("json"))), output)
    if module == "lightgbm":
        booster = _booster(model, lambda fitted: fitted.booster_, "model_to_string")
        return from_lightgbm(booster.model_to_string(), output)
    if module == "sklearn":
        return from_scikit_learn(model, output)
    kind = type(model).__name__
    if module == "catboost":
        raise ModelError(f"{kind}: {CATBOOST}")
    raise ModelError(
        f"{kind} is no model of trees; give one of XGBoost, LightGBM or scikit-learn, the path of "
        "a file that XGBoost or LightGBM saved, or a TreeEnsemble"
    )


def _booster(model: Any, held_by: Callable[[Any], Any], writes: str) -> Any:
    """The booster of a fitted estimator, or the model itself where it is one."""
    try:
        booster = held_by(model)
    except (AttributeError, ValueError):  # no estimator, or, of both kinds, one that is not fitted
        booster = model
    if not hasattr(booster, writes):
        kind = type(model).__name__
        raise ModelError(f"{kind} is no booster and no fitted estimator; call fit first")
    return booster


def _of_xgboost(document: Mapping[str, Any], output: int | None) -> TreeEnsemble:
    ensemble = TreeEnsemble.from_xgboost(document)
    return _of_two_classes(ensemble, document["learner"]["objective"]["name"], output)


def _of_two_classes(ensemble: TreeEnsemble, objective: str, output: int | None) -> TreeEnsemble:
    """The trees of a booster with one score, for one of two classes where it has these."""
    two_classes = objective.startswith("binary:")
    _, sign = chosen_score("this XGBoost model", 1, two_classes, output)
    return ensemble if sign > 0 else ensemble.negated()


def _of_file(path: Path, output: int | None) -> TreeEnsemble | BinnedTrees:
    """By its content: LightGBM's text begins with "tree", its JSON has "tree_info"."""
    if not path.is_file():
        raise ModelError(f"{path} does not exist; give the path of a saved model of trees")
    try:
        start = path.read_bytes()[:5]
        if start.split() == [b"tree"]:
            return from_lightgbm(path.read_text(encoding="utf-8"), output)
        if start.startswith(b"CBM1"):
            raise ModelError(CATBOOST)
        document = read_document(str(path))
        if "oblivious_trees" in document:
            raise ModelError(CATBOOST)
        if "tree_info" in document:
            return from_lightgbm(document, output)
        return _of_xgboost(document, output)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise ModelError(
            f"{path} is no model that XGBoost or LightGBM saved ({error!r}); write it with "
            "booster.save_model"
        ) from error
