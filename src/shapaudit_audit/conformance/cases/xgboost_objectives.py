"""Every objective of XGBoost: what is explained is the margin, a sum of trees."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import xgboost

from ..case import Case
from ..data import CLASSES, COUNTS, NUMBERS, POSITIVE, QUERIES, SECOND, SEVERAL, TARGET
from ..trees import of_xgboost

FAMILY, LIBRARY = "XGBoost, objectives", "xgboost"
FEW: dict[str, Any] = {"n_estimators": 4, "max_depth": 3, "n_jobs": 1, "random_state": 0}


def margin(model: Any, rows: Any) -> np.ndarray:
    """Raw output of an estimator."""
    return model.predict(rows, output_margin=True)


def booster_margin(model: Any, rows: Any) -> np.ndarray:
    """Raw output of a booster, of all its trees."""
    return model.predict(xgboost.DMatrix(rows), output_margin=True)


def every(step: int, output: int) -> Callable[[Any], Any]:
    """Trees of one of the outputs, which take turns."""
    return partial(of_xgboost, trees=lambda k: k % step == output)


def case(
    kind: str, target: Any, outputs: int = 1, output: int | None = None, **more: Any
) -> Callable[[], Case]:
    """A fitted estimator, of whose outputs one is explained."""

    def make() -> Case:
        model = getattr(xgboost, kind)(**FEW | more).fit(NUMBERS, target)
        trees = every(outputs, output or 0)
        return Case(model, NUMBERS[:5], NUMBERS[20:23], margin, output, trees=trees)

    return make


def ranker(objective: str) -> Case:
    """A model that ranks rows within queries."""
    model = xgboost.XGBRanker(**FEW, objective=objective).fit(NUMBERS, SECOND, qid=QUERIES)
    return Case(model, NUMBERS[:5], NUMBERS[20:23], margin, trees=of_xgboost)


def survival() -> Case:
    """Accelerated failure times, of intervals."""
    data = xgboost.DMatrix(NUMBERS)
    data.set_float_info("label_lower_bound", POSITIVE)
    data.set_float_info("label_upper_bound", np.where(SECOND, np.inf, POSITIVE))
    settings: dict[str, Any] = {"objective": "survival:aft", "max_depth": 3, "nthread": 1}
    model = xgboost.train(settings, data, num_boost_round=4)
    return Case(model, NUMBERS[:5], NUMBERS[20:23], booster_margin, trees=of_xgboost)


REAL = ("squarederror", "absoluteerror", "pseudohubererror")
THREE = [0.1, 0.5, 0.9]
CASES = {
    **{f"reg:{loss}": case("XGBRegressor", TARGET, objective=f"reg:{loss}") for loss in REAL},
    **{
        name: case("XGBRegressor", POSITIVE, objective=name)
        for name in ("reg:squaredlogerror", "reg:gamma", "reg:tweedie", "survival:cox")
    },
    "count:poisson": case("XGBRegressor", COUNTS, objective="count:poisson"),
    **{
        name: case("XGBRegressor", SECOND, objective=name)
        for name in ("reg:logistic", "binary:logistic", "binary:logitraw", "binary:hinge")
    },
    "two classes": case("XGBClassifier", SECOND),
    "three classes": case("XGBClassifier", CLASSES, 3, 1),
    "multi:softmax": case("XGBClassifier", CLASSES, 3, 2, objective="multi:softmax"),
    "three quantiles": case(
        "XGBRegressor", TARGET, 3, 2, objective="reg:quantileerror", quantile_alpha=THREE
    ),
    "two targets": case("XGBRegressor", SEVERAL, 2, 1),
    **{f"rank:{loss}": partial(ranker, f"rank:{loss}") for loss in ("pairwise", "ndcg")},
    "survival:aft": survival,
}
