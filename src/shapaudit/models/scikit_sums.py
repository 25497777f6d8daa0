"""Models of scikit-learn that are trees, or sums of models of trees.

Forests and their like add shares of a class, boosting adds scores.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..parameters import listed
from .base import ModelError
from .binned import chosen_output, chosen_score
from .encoded_columns import before_trees, columns_of
from .histograms import from_histograms
from .scikit_own import made, scores, shares_or_mean
from .scikit_parts import Read, bagging, stacking, voting
from .scikit_rows import as_fitted, names_of
from .scikit_trees import (
    boosted_trees,
    ensemble_of_trees,
    mean_of_trees,
    tree_of,
    votes_of_trees,
)
from .trees_read import ReadTrees

READ = (
    "trees, random forests, extra trees, gradient boosting (histogram-based too), isolation "
    "forests, AdaBoost classifiers, bagging, voting and linear stacking of these and of linear "
    "models, and pipelines of scalers and these"
)
COLUMN_BY_COLUMN = (
    "StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler", "PowerTransformer",
    "QuantileTransformer", "SimpleImputer", "Binarizer",
)  # fmt: skip


def read_scikit_learn(model: Any, output: int | None, read: Read) -> ReadTrees:
    """The trees of a fitted object of scikit-learn, and its own output.

    Parameters
    ----------
    output : class of a classifier that is explained, by default the second of two; or target
    read : reads the parts of a model that consists of several

    Raises `ModelError` for an object that is not fitted, for what is no sum of trees, a start of
    boosting that is no constant, and other estimators.
    """
    kind = type(model).__name__
    if hasattr(model, "best_estimator_"):
        return read(model.best_estimator_, output)
    for start, reader in READERS.items():
        if kind.startswith(start):
            _check_fitted(model)
            return reader(model, output, read)
    if hasattr(model, "estimators_"):
        raise ModelError(f"{kind} of scikit-learn is not read, only {READ}")
    raise ModelError(f"{kind} is no fitted model of trees of scikit-learn; read are {READ}")


def _check_fitted(model: Any) -> None:
    fitted = ("tree_", "estimators_", "_predictors", "steps")
    if not any(hasattr(model, name) for name in fitted):
        kind = type(model).__name__
        raise ModelError(f"{kind} is no fitted model of trees: it is not fitted; call fit first")


def _means(model: Any, output: int | None, read: Read) -> ReadTrees:
    trees = [model] if hasattr(model, "tree_") else list(model.estimators_)
    ensemble = mean_of_trees(trees, model, output)
    return made(model, ensemble, shares_or_mean(model, output))


def _boosting(model: Any, output: int | None, read: Read) -> ReadTrees:
    ensemble = boosted_trees(np.asarray(model.estimators_), model, output)
    return made(model, ensemble, scores(model, output))


def _histograms(model: Any, output: int | None, read: Read) -> ReadTrees:
    trees, categories = from_histograms(model, output)
    return made(model, trees, scores(model, output), categories)


def _votes(model: Any, output: int | None, read: Read) -> ReadTrees:
    """AdaBoost's score: each tree votes for a class, and against all others."""
    classes = len(model.classes_)
    two = classes == 2
    chosen, sign = chosen_score(type(model).__name__, 1 if two else classes, two, output)
    voted, scale = (1, 2.0 * sign) if two else (chosen, 1.0)  # of two, the difference of the scores
    weights = model.estimator_weights_[: len(model.estimators_)]
    parts = [
        tree_of(tree.tree_, scale * weight / weights.sum() * votes_of_trees(tree, classes, voted))
        for tree, weight in zip(model.estimators_, weights, strict=True)
    ]
    return made(model, ensemble_of_trees(parts, 0.0, model), scores(model, output))


def _isolation(model: Any, output: int | None, read: Read) -> ReadTrees:
    """The logarithm of the score to the base 2: minus the mean depth, in units of the expected."""
    chosen_output(type(model).__name__, 1, output)
    scale = -1.0 / (len(model.estimators_) * path_length(np.array([model.max_samples_]))[0])
    parts = []
    for tree, features in zip(model.estimators_, model.estimators_features_, strict=True):
        own = tree.tree_
        depth = np.zeros(own.node_count)
        for node in range(own.node_count):  # children come after their parents
            if own.children_left[node] >= 0:
                depth[[own.children_left[node], own.children_right[node]]] = depth[node] + 1.0
        part = tree_of(own, scale * (depth + path_length(np.asarray(own.n_node_samples))))
        feature = part.nodes.feature
        feature = np.where(feature >= 0, np.asarray(features)[np.maximum(feature, 0)], feature)
        parts.append(part._replace(nodes=part.nodes._replace(feature=feature)))
    ensemble = ensemble_of_trees(parts, 0.0, model)
    return made(model, ensemble, lambda rows: np.log2(-model.score_samples(rows)))


def path_length(samples: np.ndarray) -> np.ndarray:
    """Mean depth of a leaf of a random tree that isolates so many rows (Liu, Ting & Zhou 2008)."""
    n = np.maximum(samples, 3).astype(np.float64)
    many = 2.0 * (np.log(n - 1.0) + np.euler_gamma) - 2.0 * (n - 1.0) / n
    return np.where(samples > 2, many, np.where(samples == 2, 1.0, 0.0))


def _targets(model: Any, output: int | None, read: Read) -> ReadTrees:
    """One regression per target."""
    chosen = chosen_output(type(model).__name__, len(model.estimators_), output)
    return read(model.estimators_[chosen], None)


def _pipeline(model: Any, output: int | None, read: Read) -> ReadTrees:
    """Trees behind transformers that treat each column by itself and keep them all."""
    *before, (_, last) = model.steps
    steps = [step for _, step in before if step not in (None, "passthrough")]
    if [type(step).__name__ for step in steps] == ["ColumnTransformer"]:
        return _columns(steps[0], last, output, read)
    for step in steps:
        if type(step).__name__ not in COLUMN_BY_COLUMN:
            raise ModelError(
                f"a Pipeline with a {type(step).__name__} is not read, only with "
                f"{listed(COLUMN_BY_COLUMN)}"
            )
    trees = read(last, output)
    if not steps:
        return trees
    if trees.categories or trees.leaves is not None:
        raise ModelError(
            "a Pipeline that scales columns for a model of categories, or for one with linear "
            "leaves, is not read"
        )
    if int(steps[0].n_features_in_) != trees.ensemble.n_features:
        raise ModelError("a Pipeline that drops columns is not read")

    def transformed(rows: Any) -> Any:
        rows = as_fitted(steps[0], rows)
        for step in steps:
            rows = step.transform(rows)
        return rows

    inner, own = trees.encode, trees.own
    return replace(
        trees,
        encode=lambda rows: inner(np.asarray(transformed(rows), dtype=np.float64)),
        names=names_of(steps[0]),
        own=None if own is None else lambda rows: own(transformed(rows)),
        what=f"the {type(last).__name__} of this Pipeline",
    )


def _columns(transformer: Any, last: Any, output: int | None, read: Read) -> ReadTrees:
    """Trees behind a ColumnTransformer."""
    inner = read(last, output)
    if inner.categories or inner.ensemble.categorical or inner.leaves is not None:
        raise ModelError(
            "a Pipeline that encodes columns for a model of categories, or for one with linear "
            "leaves, is not read"
        )
    columns = columns_of(transformer, COLUMN_BY_COLUMN)
    trees, own = before_trees(columns, inner), inner.own
    what = f"the {type(last).__name__} of this Pipeline"
    if own is None:
        return replace(trees, what=what)
    texts = columns.texts

    def given(rows: Any) -> np.ndarray:
        return own(transformer.transform(as_fitted(transformer, rows, texts)))

    return replace(trees, own=given, what=what)


READERS: dict[str, Callable[[Any, int | None, Read], ReadTrees]] = {
    "HistGradientBoosting": _histograms,
    "DecisionTree": _means,
    "ExtraTree": _means,  # ExtraTrees too
    "RandomForest": _means,
    "GradientBoosting": _boosting,
    "AdaBoostClassifier": _votes,
    "IsolationForest": _isolation,
    "Bagging": bagging,
    "Voting": voting,
    "Stacking": stacking,
    "MultiOutputRegressor": _targets,
    "Pipeline": _pipeline,
}
