"""Boosting of scikit-learn, with trees of all rows or of histograms."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from sklearn import ensemble, linear_model
from sklearn.base import clone

from ..case import Case
from ..data import (
    BY_CATEGORY,
    CLASSES,
    COUNTS,
    GRID,
    HOLES,
    NUMBERS,
    POSITIVE,
    SECOND,
    TARGET,
    frame,
    near,
)
from ..trees import Tree, of_scikit_tree
from .scikit_forests import predicted

FAMILY, LIBRARY = "scikit-learn, boosting", "scikit-learn"
FEW: dict[str, Any] = {"n_estimators": 4, "max_depth": 2, "random_state": 0}
PREDICTION = {"the prediction": predicted}
SOME: dict[str, Any] = {"max_iter": 4, "max_depth": 3, "min_samples_leaf": 5, "random_state": 0}


def decision(model: Any, rows: Any) -> np.ndarray:
    """Scores of a classifier."""
    return model.decision_function(rows)


def logarithm(model: Any, rows: Any) -> np.ndarray:
    """Score of a regression whose prediction is its exponential."""
    return np.log(model.predict(rows))


def plain(model: Any, output: int = 0) -> list[Tree]:
    """Trees of gradient boosting for one of its scores."""
    rate = Fraction(model.learning_rate)
    trees = model.estimators_[:, output]
    return [of_scikit_tree(tree, lambda leaf: leaf[0, 0], rate) for tree in trees]


def boosting(
    model: Any, target: Any = TARGET, output: int | None = None, own_start: bool = False
) -> Callable[[], Case]:
    """Gradient boosting; with ``own_start`` it starts from another model of the columns."""

    def make() -> Case:
        fitted = clone(model).fit(NUMBERS, target)
        raw = decision if hasattr(fitted, "decision_function") else predicted
        trees = None if own_start else partial(plain, output=output or 0)
        return Case(fitted, NUMBERS[:5], NUMBERS[20:23], raw, output, trees=trees)

    return make


def histograms(
    model: Any, rows: Any = NUMBERS, target: Any = TARGET, output: int | None = None,
    raw: Any = predicted, others: Any = (),
) -> Callable[[], Case]:  # fmt: skip
    """Boosting with trees of histograms."""

    def make() -> Case:
        fitted = clone(model).fit(rows, target)
        return Case(fitted, rows[:5], rows[20:23], raw, output, others=dict(others))

    return make


def at_thresholds() -> Case:
    """Entries between two training rows, where the threshold is, in double precision."""
    model = ensemble.HistGradientBoostingRegressor(**SOME).fit(GRID, TARGET)
    halves = {column: 0.5 + column % 3 for column in range(4)}
    return Case(model, GRID[:5], near(GRID[20], halves, np.float64), predicted)


Histograms = ensemble.HistGradientBoostingRegressor
Boosting, Classes = ensemble.GradientBoostingRegressor, ensemble.GradientBoostingClassifier
By_class = ensemble.HistGradientBoostingClassifier
CASES = {
    **{
        loss: boosting(Boosting(loss=loss, **FEW))
        for loss in ("squared_error", "absolute_error", "huber", "quantile")
    },
    "part of the rows": boosting(Boosting(subsample=0.5, **FEW)),
    "start at zero": boosting(Boosting(init="zero", **FEW)),
    "start from a linear model": boosting(
        Boosting(init=linear_model.LinearRegression(), **FEW), own_start=True
    ),
    "two classes": boosting(Classes(**FEW), SECOND),
    "two classes, exponential loss": boosting(Classes(loss="exponential", **FEW), SECOND),
    "three classes": boosting(Classes(**FEW), CLASSES, 1),
    "three classes, start at zero": boosting(Classes(init="zero", **FEW), CLASSES, 1),
    "histograms": histograms(Histograms(**SOME)),
    "histograms, absolute error": histograms(Histograms(loss="absolute_error", **SOME)),
    "histograms, Poisson": histograms(
        Histograms(loss="poisson", **SOME), target=COUNTS, raw=logarithm, others=PREDICTION
    ),
    "histograms, gamma": histograms(
        Histograms(loss="gamma", **SOME), target=POSITIVE, raw=logarithm, others=PREDICTION
    ),
    "histograms, missing": histograms(Histograms(**SOME), HOLES),
    "histograms, whole numbers": histograms(Histograms(**SOME), GRID),
    "histograms, at thresholds": at_thresholds,
    "histograms, categories": histograms(
        Histograms(categorical_features="from_dtype", **SOME), frame(), BY_CATEGORY
    ),
    "histograms, categories, missing": histograms(
        Histograms(categorical_features="from_dtype", **SOME), frame(gaps=True), BY_CATEGORY
    ),
    "histograms, monotone": histograms(Histograms(monotonic_cst=[1, 0, -1, 0], **SOME)),
    "histograms, two classes": histograms(By_class(**SOME), target=SECOND, raw=decision),
    "histograms, three classes": histograms(
        By_class(**SOME), target=CLASSES, output=2, raw=decision
    ),
}
