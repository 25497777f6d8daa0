"""Sums of trees that scikit-learn makes of other models, and models behind other steps."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from sklearn import ensemble, model_selection, multioutput, pipeline, preprocessing, tree
from sklearn.base import clone
from sklearn.compose import ColumnTransformer

from ..case import Case
from ..data import BY_CATEGORY, CLASSES, CODES, NUMBERS, SECOND, SEVERAL, TARGET
from .scikit_boosting import decision
from .scikit_forests import predicted, shares

FAMILY, LIBRARY = "scikit-learn, sums of trees", "scikit-learn"
FEW: dict[str, Any] = {"n_estimators": 4, "random_state": 0}
TREE = tree.DecisionTreeRegressor(max_depth=2, random_state=0)
CLASSIFIER = tree.DecisionTreeClassifier(max_depth=2, random_state=0)
FOREST = ensemble.RandomForestRegressor(max_depth=2, **FEW)
WORDS = pd.DataFrame({"a": NUMBERS[:, 0], "colour": [f"colour {code}" for code in CODES]})
SAMPLE = 32  # rows of a tree of an isolation forest
EULER = 0.5772156649015329


def case(
    model: Any, target: Any = TARGET, raw: Any = predicted, output: int | None = None,
    rows: Any = NUMBERS, multiples: Any = (), others: Any = (),
) -> Callable[[], Case]:  # fmt: skip
    """A model, fitted when the case is made."""

    def make() -> Case:
        fitted = clone(model).fit(rows, target)
        legitimate: dict[str, Any] = {"multiples": dict(multiples), "others": dict(others)}
        return Case(fitted, rows[:5], rows[20:23], raw, output, **legitimate)

    return make


def anomaly(model: Any, rows: Any) -> np.ndarray:
    """The logarithm of the anomaly score (Liu, Ting & Zhou 2008, equation 2) to the base 2."""
    return np.log2(-model.score_samples(rows))


EXPECTED = 2.0 * (np.log(SAMPLE - 1.0) + EULER) - 2.0 * (SAMPLE - 1.0) / SAMPLE  # depth
DEPTH: dict[str, Any] = {"mean depth": Fraction(-EXPECTED)}
LEGITIMATE: dict[str, Any] = {"multiples": DEPTH, "others": {"the decision function": decision}}
STEPS = ColumnTransformer([("words", preprocessing.OneHotEncoder(), ["colour"])],
                          remainder="passthrough", sparse_threshold=0)  # fmt: skip
CASES = {
    "isolation forest": case(
        ensemble.IsolationForest(max_samples=SAMPLE, **FEW), None, anomaly, **LEGITIMATE
    ),
    "isolation forest, some columns": case(
        ensemble.IsolationForest(max_samples=SAMPLE, max_features=0.5, **FEW),
        None, anomaly, **LEGITIMATE,
    ),
    "AdaBoost, two classes": case(
        ensemble.AdaBoostClassifier(CLASSIFIER, **FEW), SECOND, decision
    ),
    "AdaBoost, three classes": case(
        ensemble.AdaBoostClassifier(CLASSIFIER, **FEW), CLASSES, decision, 2
    ),
    "bagging": case(ensemble.BaggingRegressor(TREE, **FEW)),
    "bagging, some columns": case(ensemble.BaggingRegressor(TREE, max_features=0.5, **FEW)),
    "bagging, two classes": case(
        ensemble.BaggingClassifier(CLASSIFIER, **FEW), SECOND, shares, 1
    ),
    "voting": case(
        ensemble.VotingRegressor([("tree", TREE), ("forest", FOREST)], weights=[1, 3])
    ),
    "several targets": case(multioutput.MultiOutputRegressor(FOREST), SEVERAL, output=1),
    "pipeline behind a scaler": case(
        pipeline.make_pipeline(preprocessing.StandardScaler(), FOREST)
    ),
    "pipeline behind one-hot columns": case(
        pipeline.make_pipeline(STEPS, FOREST), BY_CATEGORY, rows=WORDS
    ),
    "search of parameters": case(
        model_selection.GridSearchCV(FOREST, {"max_depth": [1, 2]}, cv=2)
    ),
}  # fmt: skip
