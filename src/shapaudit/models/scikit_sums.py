"""Models of scikit-learn that are trees, or sums of models of trees.

Forests and their like add shares of a class, boosting adds scores. A sum of shares is read only
where each part gives shares, and the outputs of a final linear model only where it is linear.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..parameters import listed
from .agreement import Output, column_of
from .base import ModelError
from .binned import chosen_output, chosen_score
from .encoded_columns import before_trees, columns_of
from .histograms import from_histograms
from .scikit_rows import as_fitted, before_link, names_of
from .scikit_trees import (
    boosted_trees,
    ensemble_of_trees,
    mean_of_trees,
    output_of,
    tree_of,
    votes_of_trees,
)
from .tree_sums import Part, weighted_sum
from .trees_read import ReadTrees, from_parts

Read = Callable[[Any, int | None], ReadTrees]
READ = (
    "trees, random forests, extra trees, gradient boosting (histogram-based too), isolation "
    "forests, AdaBoost classifiers, bagging, voting and linear stacking of these, "
    "and pipelines of scalers and these"
)
SHARES = ("DecisionTree", "ExtraTree", "RandomForest", "Bagging", "Voting")
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


def _made(model: Any, trees: Any, own: Output, categories: Any = None) -> ReadTrees:
    def given(rows: Any) -> np.ndarray:
        return own(as_fitted(model, rows, categories))

    return from_parts(trees, names_of(model), categories, given, f"this {type(model).__name__}")


def _shares_or_mean(model: Any, output: int | None) -> Output:
    """The model's own share of a class, or its prediction of a target."""
    scores = model.predict_proba if hasattr(model, "classes_") else model.predict
    return column_of(scores, output_of(model, output), two_classes=False)


def _scores(model: Any, output: int | None) -> Output:
    """The model's own score of a class, or what it predicts before its link function."""
    classifier = hasattr(model, "classes_")
    scores = model.decision_function if classifier else before_link(model, "_loss")
    return column_of(scores, output, classifier and len(model.classes_) == 2)


def _means(model: Any, output: int | None, read: Read) -> ReadTrees:
    trees = [model] if hasattr(model, "tree_") else list(model.estimators_)
    ensemble = mean_of_trees(trees, model, output)
    return _made(model, ensemble, _shares_or_mean(model, output))


def _boosting(model: Any, output: int | None, read: Read) -> ReadTrees:
    ensemble = boosted_trees(np.asarray(model.estimators_), model, output)
    return _made(model, ensemble, _scores(model, output))


def _histograms(model: Any, output: int | None, read: Read) -> ReadTrees:
    trees, categories = from_histograms(model, output)
    return _made(model, trees, _scores(model, output), categories)


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
    return _made(model, ensemble_of_trees(parts, 0.0, model), _scores(model, output))


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
    return _made(model, ensemble, lambda rows: np.log2(-model.score_samples(rows)))


def path_length(samples: np.ndarray) -> np.ndarray:
    """Mean depth of a leaf of a random tree that isolates so many rows (Liu, Ting & Zhou 2008)."""
    n = np.maximum(samples, 3).astype(np.float64)
    many = 2.0 * (np.log(n - 1.0) + np.euler_gamma) - 2.0 * (n - 1.0) / n
    return np.where(samples > 2, many, np.where(samples == 2, 1.0, 0.0))


def _bagging(model: Any, output: int | None, read: Read) -> ReadTrees:
    chosen = output_of(model, output)
    classifier = hasattr(model, "classes_")
    parts = []
    for member, features in zip(model.estimators_, model.estimators_features_, strict=True):
        place: int | None = None
        if classifier:
            _check_shares(model, member)
            # The members know classes by number, and some may not have met all of them.
            there = np.flatnonzero(np.asarray(member.classes_).astype(np.int64) == chosen)
            if not there.size:
                continue
            place = int(there[0])
        part = read(member, place if classifier else output)
        parts.append(Part(1.0 / len(model.estimators_), part, np.asarray(features)))
    return _summed(model, parts, 0.0, _shares_or_mean(model, output))


def _voting(model: Any, output: int | None, read: Read) -> ReadTrees:
    classifier = hasattr(model, "classes_")
    if classifier and model.voting != "soft":
        raise ModelError("a VotingClassifier that counts votes is not read; set voting='soft'")
    chosen = output_of(model, output) if classifier else None
    members = model.estimators_
    if classifier:
        for member in members:
            _check_shares(model, member)
    weights = np.ones(len(members)) if model.weights is None else np.array(
        [weight for (_, member), weight in zip(model.estimators, model.weights, strict=True)
         if not isinstance(member, str)]
    )  # fmt: skip
    columns = np.arange(int(model.n_features_in_))
    parts = [
        Part(float(share), read(member, chosen), columns)
        for member, share in zip(members, weights / weights.sum(), strict=True)
    ]
    return _summed(model, parts, 0.0, _shares_or_mean(model, output))


def _stacking(model: Any, output: int | None, read: Read) -> ReadTrees:
    """A linear model of what its members give: predictions, scores, or shares of classes."""
    final, kind, classes = model.final_estimator_, type(model).__name__, _classes(model)
    if model.passthrough or not hasattr(final, "coef_"):
        raise ModelError(
            "of stacking only models with a linear final estimator and without passthrough are "
            f"read, not this {kind}"
        )
    factors = np.atleast_2d(final.coef_)
    chosen, sign = chosen_score(kind, len(factors), classes == 2, output)
    columns = np.arange(int(model.n_features_in_))
    given = [
        (member, place)
        for member, method in zip(model.estimators_, model.stack_method_, strict=True)
        for place in _stacked(model, member, method)
    ]
    parts = [
        Part(sign * float(factor), read(member, place), columns)
        for (member, place), factor in zip(given, factors[chosen], strict=True)
    ]
    start = sign * float(np.ravel(final.intercept_)[chosen])
    return _summed(model, parts, start, _scores(model, output))


def _classes(model: Any) -> int:
    return len(getattr(model, "classes_", ()))


def _stacked(model: Any, member: Any, method: str) -> list[int | None]:
    """Which outputs of a member the final estimator is given, one after the other."""
    classes = _classes(model)
    if not classes:
        return [None]
    if method == "predict_proba":
        _check_shares(model, member)
    elif method != "decision_function":
        raise ModelError(
            f"{type(model).__name__} is given the labels of {type(member).__name__}, which are no "
            "sum of trees"
        )
    return [1] if classes == 2 else list(range(classes))


def _targets(model: Any, output: int | None, read: Read) -> ReadTrees:
    """One regression per target."""
    chosen = chosen_output(type(model).__name__, len(model.estimators_), output)
    return read(model.estimators_[chosen], None)


def _check_shares(model: Any, part: Any) -> None:
    if not type(part).__name__.startswith(SHARES):
        raise ModelError(
            f"{type(model).__name__} adds probabilities of {type(part).__name__}, which are no sum "
            "of trees"
        )


def _summed(model: Any, parts: Sequence[Part], base: float, own: Output) -> ReadTrees:
    kind = f"this {type(model).__name__}"
    trees = weighted_sum(kind, parts, base, int(model.n_features_in_))
    return _made(model, trees, own)


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
    "Bagging": _bagging,
    "Voting": _voting,
    "Stacking": _stacking,
    "MultiOutputRegressor": _targets,
    "Pipeline": _pipeline,
}
