"""A booster that XGBoost has saved, its features matched to the columns of a data set by name."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..datasets.base import Dataset
from ..parameters import listed
from ..registers import trainer
from . import ubjson
from .base import ModelError
from .nodes import LEAF
from .trees import TreeEnsemble
from .xgboost import XGBoostModel
from .xgboost_trees import model_of, rounds_used

logger = logging.getLogger("shapaudit.models")

OTHERWISE = (
    "A model of any kind, of LightGBM or scikit-learn for instance, is taken by trainer: function, "
    "with a function that loads it and predicts"
)


@trainer("xgboost-file")
def train_xgboost_file(dataset: Dataset, seed: int, *, path: str) -> XGBoostModel:
    """A booster that XGBoost saved as JSON or UBJSON; nothing is trained.

    Its features are found in the data set by their names, in any order. Without names they are the
    columns in their order, which the log says. Of a booster that was stopped early, the trees up to
    its best iteration count, as for XGBoost's own scikit-learn interface. The output is the
    untransformed margin: the log-odds of a classifier, the logarithm of a rate or a mean for
    ``count:poisson``, ``reg:gamma`` and ``reg:tweedie``.

    Raises
    ------
    ModelError
        When the file is missing, no such model, of a kind that is not read, or made for another
        table.
    """
    document = read_document(path)
    try:
        TreeEnsemble.from_xgboost(document)
    except ModelError as error:
        raise ModelError(f"{path}: {error}. {OTHERWISE}") from error
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise _no_booster(path, repr(error)) from error
    try:
        document = _matched(document, dataset)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
    used, there = rounds_used(document)
    if used < there:
        logger.info("%s: %d of %d rounds, by its best_iteration", path, used, there)
    return XGBoostModel(json.dumps(document, separators=(",", ":")).encode())


def read_document(path: str) -> dict[str, Any]:
    """The document of a file in JSON or UBJSON; raises `ModelError` where it is neither."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise ModelError(f"{path} does not exist; save the booster there") from error
    try:
        return json.loads(content)
    except ValueError as error:  # UnicodeDecodeError included
        reason = str(error)
    try:
        return ubjson.loads(content)
    except ubjson.UBJSONError as error:
        binary = content[:1] == b"{" and not content[1:2].isspace() and content[1:2] != b'"'
        raise _no_booster(path, str(error) if binary else reason) from error


def _no_booster(path: str, reason: str) -> ModelError:
    return ModelError(
        f"{path} is no XGBoost model in JSON or UBJSON ({reason}); write it with "
        f"booster.save_model('{Path(path).with_suffix('.json')}'). {OTHERWISE}"
    )


def _matched(document: dict[str, Any], dataset: Dataset) -> dict[str, Any]:
    """The document over the data set's columns in their order."""
    learner = document["learner"]
    features = int(learner["learner_model_param"]["num_feature"])
    names = list(learner.get("feature_names") or [])
    if not names or names == [f"f{j}" for j in range(features)]:  # XGBoost's own for arrays
        if features != dataset.n_features:
            raise ModelError(
                f"the booster was trained on {features} features; dataset {dataset.name!r} has "
                f"{dataset.n_features}"
            )
        logger.warning("the booster names no features: they are taken in the order of the columns")
        return document
    _check_names(names, dataset)
    return _reordered(document, [dataset.feature_names.index(name) for name in names])


def _check_names(names: Sequence[str], dataset: Dataset) -> None:
    missing = [name for name in names if name not in dataset.feature_names]
    unknown = [name for name in dataset.feature_names if name not in names]
    if missing or unknown or len(names) != dataset.n_features:
        raise ModelError(
            f"the features of the booster are not the columns of dataset {dataset.name!r}: it was "
            f"trained on {listed(missing)}, which the data lack, and not on {listed(unknown)}, "
            "which they have. Rename columns, or name those that it does not use under drop"
        )


def _reordered(document: dict[str, Any], places: Sequence[int]) -> dict[str, Any]:
    """The document with feature k at ``places[k]``; XGBoost itself can still load it."""
    learner = document["learner"]
    booster, _ = model_of(document)
    for key in ("feature_names", "feature_types"):
        if values := learner.get(key):
            learner[key] = [value for _, value in sorted(zip(places, values, strict=True))]
    for tree in booster["trees"]:
        nodes = zip(tree["split_indices"], tree["left_children"], strict=True)
        tree["split_indices"] = [index if left == LEAF else places[index] for index, left in nodes]
    return document
