"""Any model of trees, from this package, from a file or from another package's object."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .agreement import Output, column_of
from .base import ModelError
from .binned import chosen_score
from .catboost_trees import BINARY, from_catboost, read_catboost
from .ebm_trees import read_ebm
from .lightgbm import (
    from_lightgbm,
    is_averaged,
    is_of_two_classes,
    names_in,
    pandas_categories,
)
from .saved_booster import read_document
from .scikit_sums import read_scikit_learn
from .trees import TreeEnsemble
from .trees_read import Encoding, MissingAs, ReadTrees, from_parts
from .xgboost_trees import categories_of, from_xgboost, names_of

__all__ = ["ReadTrees", "read_trees"]


def read_trees(model: Any, output: int | None = None) -> ReadTrees:
    """The trees of a model, and its own output on the scale on which they are added.

    Of an XGBoost `Booster` all trees are read, as its ``predict`` uses all; of an estimator, of a
    file, and of LightGBM's boosters those up to the best iteration, where training stopped early.
    Files, and what is read from them, cannot be compared with the package that wrote them.

    Parameters
    ----------
    model : a `TreeEnsemble`, an `XGBoostModel` or a `ReadTrees`; a booster or an estimator of
        XGBoost, LightGBM, CatBoost or scikit-learn; an explainable boosting machine of interpret;
        or the path of a file that XGBoost (JSON, UBJSON), LightGBM (text, JSON) or CatBoost (JSON)
        wrote
    output : of a model with several outputs; a class, by default the second of two

    Raises `ModelError` for other models, a broken file, and what is no sum of trees.
    """
    if isinstance(model, ReadTrees):
        return model
    if isinstance(model, TreeEnsemble | Encoding):
        return from_parts(model)
    if isinstance(getattr(model, "ensemble", None), TreeEnsemble):
        return from_parts(_of_two_classes(model.ensemble, getattr(model, "objective", ""), output))
    if isinstance(model, str | Path):
        return _of_file(Path(model), output)
    readers: dict[str, Callable[[Any, int | None], ReadTrees]] = {
        "xgboost": _xgboost,
        "lightgbm": _lightgbm,
        "catboost": read_catboost,
        "interpret": read_ebm,
        "sklearn": lambda model, output: read_scikit_learn(model, output, read_trees),
    }
    for kind in type(model).__mro__:  # a class of one's own may extend one of theirs
        if reader := readers.get(kind.__module__.partition(".")[0]):
            return reader(model, output)
    raise ModelError(
        f"{type(model).__name__} is no model of trees; give one of XGBoost, LightGBM, CatBoost or "
        "scikit-learn, the path of a file that one of the first three saved, or a TreeEnsemble"
    )


def _xgboost(model: Any, output: int | None) -> ReadTrees:
    import xgboost

    estimator = not isinstance(model, xgboost.Booster)
    try:
        booster = model.get_booster() if estimator else model
    except (AttributeError, ValueError):  # another object, or an estimator that is not fitted
        raise _not_fitted(model) from None
    document = json.loads(bytes(booster.save_raw("json")))
    missing = float(getattr(model, "missing", np.nan)) if estimator else np.nan

    def margin(rows: Any) -> np.ndarray:
        if estimator:
            return model.predict(rows, output_margin=True)
        known = {"feature_names": booster.feature_names, "feature_types": booster.feature_types}
        given = {} if hasattr(rows, "columns") else known
        data = xgboost.DMatrix(rows, enable_categorical=True, **given)
        return booster.predict(data, output_margin=True)

    return _of_xgboost(document, output, margin, missing=missing, all_rounds=not estimator)


def _of_xgboost(
    document: Mapping[str, Any],
    output: int | None,
    margin: Output | None = None,
    *,
    missing: float = np.nan,
    all_rounds: bool = False,
) -> ReadTrees:
    objective = document["learner"]["objective"]["name"]
    ensemble = from_xgboost(document, output, all_rounds=all_rounds)
    own = column_of(margin, output, objective.startswith("binary:")) if margin else None
    trees = ensemble if np.isnan(missing) else MissingAs(ensemble, missing)
    what = "this XGBoost model"
    return from_parts(trees, names_of(document), categories_of(document), own, what)


def _of_two_classes(ensemble: TreeEnsemble, objective: str, output: int | None) -> TreeEnsemble:
    """The trees of a booster with one score, for one of two classes where it has these."""
    _, sign = chosen_score("this XGBoost model", 1, objective.startswith("binary:"), output)
    return ensemble if sign > 0 else ensemble.negated()


def _lightgbm(model: Any, output: int | None) -> ReadTrees:
    try:
        booster = model.booster_
    except (AttributeError, ValueError):  # a booster, another object, or one that is not fitted
        booster = model
    if not hasattr(booster, "model_to_string"):
        raise _not_fitted(model)

    def raw(rows: Any) -> np.ndarray:
        return booster.predict(rows, raw_score=True)

    return _of_lightgbm(booster.model_to_string(), output, raw)


def _of_lightgbm(
    content: str | Mapping[str, Any], output: int | None, raw: Output | None = None
) -> ReadTrees:
    trees = from_lightgbm(content, output)
    rounds = len(trees.ensemble.roots) if is_averaged(content) else 1
    scores = column_of(raw, output, is_of_two_classes(content)) if raw else None
    own = (lambda rows: scores(rows) / rounds) if scores else None
    what = "this LightGBM model"
    return from_parts(trees, names_in(content), pandas_categories(content), own, what)


def _not_fitted(model: Any) -> ModelError:
    kind = type(model).__name__
    return ModelError(f"{kind} is no booster and no fitted estimator; call fit first")


def _of_file(path: Path, output: int | None) -> ReadTrees:
    """By its content: LightGBM's text begins with "tree", its JSON has "tree_info"."""
    if not path.is_file():
        raise ModelError(f"{path} does not exist; give the path of a saved model of trees")
    try:
        start = path.read_bytes()[:5]
        if start.split() == [b"tree"]:
            return _of_lightgbm(path.read_text(encoding="utf-8"), output)
        if start.startswith(b"CBM1"):
            raise ModelError(BINARY)
        document = read_document(str(path))
        if "scale_and_bias" in document:
            return from_catboost(document, output)
        if "tree_info" in document:
            return _of_lightgbm(document, output)
        return _of_xgboost(document, output)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise ModelError(
            f"{path} is no model that XGBoost, LightGBM or CatBoost saved ({error!r}); write it "
            "with booster.save_model"
        ) from error
