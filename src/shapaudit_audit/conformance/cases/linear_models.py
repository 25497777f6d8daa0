"""Linear models, by their linear predictor."""

from collections.abc import Callable
from typing import Any

import xgboost
from sklearn import decomposition, discriminant_analysis, linear_model, pipeline, preprocessing, svm
from sklearn.base import clone

from ..case import Case
from ..data import CLASSES, COUNTS, EQUAL, NUMBERS, SECOND, SEVERAL, TARGET
from .scikit_boosting import PREDICTION, decision, logarithm
from .scikit_forests import predicted
from .xgboost_objectives import margin

FAMILY, LIBRARY = "linear models", "linear"


def case(
    model: Any, target: Any = TARGET, raw: Any = predicted, output: int | None = None,
    rows: Any = NUMBERS, others: Any = (),
) -> Callable[[], Case]:  # fmt: skip
    """A model, fitted when the case is made."""

    def make() -> Case:
        return Case(
            clone(model).fit(rows, target), rows[:5], rows[20:23], raw, output, others=dict(others)
        )

    return make


SCALER = preprocessing.StandardScaler()
CASES = {
    "least squares": case(linear_model.LinearRegression()),
    "no intercept": case(linear_model.LinearRegression(fit_intercept=False)),
    "coefficients of 0": case(linear_model.Lasso(alpha=0.3)),
    "two targets": case(linear_model.Ridge(), SEVERAL, output=1),
    "equal columns": case(linear_model.Ridge(), rows=EQUAL),
    "large mean": case(linear_model.LinearRegression(), 1e6 + TARGET),
    "large numbers": case(linear_model.LinearRegression(), rows=1e6 + NUMBERS),
    "one column": case(linear_model.LinearRegression(), rows=NUMBERS[:, :1]),
    "logistic, log-odds": case(linear_model.LogisticRegression(), SECOND, decision),
    "logistic, three classes": case(linear_model.LogisticRegression(), CLASSES, decision, 2),
    "Poisson, logarithm": case(
        linear_model.PoissonRegressor(), COUNTS, logarithm, others=PREDICTION
    ),
    "support vectors": case(svm.LinearSVR(max_iter=100_000)),
    "discriminant": case(
        discriminant_analysis.LinearDiscriminantAnalysis(), CLASSES, decision, 1
    ),
    "behind a scaler": case(pipeline.make_pipeline(SCALER, linear_model.Ridge())),
    "behind principal components": case(
        pipeline.make_pipeline(decomposition.PCA(2), linear_model.Ridge())
    ),
    "XGBoost's gblinear": case(
        xgboost.XGBRegressor(booster="gblinear", n_estimators=5, n_jobs=1), raw=margin
    ),
}  # fmt: skip
