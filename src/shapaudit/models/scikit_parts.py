"""Models of scikit-learn that add what their parts give: bagging, voting and linear stacking.

A sum of shares of a class is read only where each part gives shares, and the outputs of a final
linear model only where it is linear. The parts may be linear models too.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .agreement import Output
from .base import ModelError
from .binned import chosen_output
from .read_linear import read_linear
from .scikit_own import made, scores, shares_or_mean
from .scikit_rows import before_link
from .scikit_trees import output_of
from .tree_sums import Part, single_leaf, weighted_sum
from .trees_read import ReadTrees

Read = Callable[[Any, int | None], ReadTrees]
SHARES = ("DecisionTree", "ExtraTree", "RandomForest", "Bagging", "Voting")


def bagging(model: Any, output: int | None, read: Read) -> ReadTrees:
    """The mean of members, each of which is given some columns."""
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
        part = _member(read, member, place if classifier else output)
        parts.append(Part(1.0 / len(model.estimators_), part, np.asarray(features)))
    return _summed(model, parts, 0.0, shares_or_mean(model, output))


def voting(model: Any, output: int | None, read: Read) -> ReadTrees:
    """The weighted mean of what its members predict, or of their shares of a class."""
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
        Part(float(share), _member(read, member, chosen), columns)
        for member, share in zip(members, weights / weights.sum(), strict=True)
    ]
    return _summed(model, parts, 0.0, shares_or_mean(model, output))


def stacking(model: Any, output: int | None, read: Read) -> ReadTrees:
    """A linear model of what its members give: predictions, scores, or shares of classes."""
    final, kind, classes = model.final_estimator_, type(model).__name__, _classes(model)
    chosen_output(kind, max(classes, 1), 1 if output is None and classes == 2 else output)
    try:
        linear = None if model.passthrough else read_linear(final, output)
    except ModelError:
        linear = None
    if linear is None:
        raise ModelError(
            "of stacking only models with a linear final estimator and without passthrough are "
            f"read, not this {kind} with {type(final).__name__}"
        )
    columns = np.arange(int(model.n_features_in_))
    given = [
        (member, place)
        for member, method in zip(model.estimators_, model.stack_method_, strict=True)
        for place in _stacked(model, member, method)
    ]
    parts = [
        Part(float(factor), _member(read, member, place), columns)
        for (member, place), factor in zip(given, linear.coefficients, strict=True)
    ]
    own = scores(model, output) if classes else before_link(model, "_base_loss", final)
    return _summed(model, parts, linear.intercept, own)


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


def _member(read: Read, model: Any, output: int | None) -> ReadTrees:
    """The trees of a part, or a single leaf with the function of a linear one."""
    try:
        return read(model, output)
    except ModelError as error:
        try:
            linear = read_linear(model, output)
        except ModelError:
            raise error from None
        return single_leaf(linear.model)


def _check_shares(model: Any, part: Any) -> None:
    if not type(part).__name__.startswith(SHARES):
        raise ModelError(
            f"{type(model).__name__} adds probabilities of {type(part).__name__}, which are no sum "
            "of trees"
        )


def _summed(model: Any, parts: Sequence[Part], base: float, own: Output) -> ReadTrees:
    kind = f"this {type(model).__name__}"
    trees = weighted_sum(kind, parts, base, int(model.n_features_in_))
    return made(model, trees, own)
