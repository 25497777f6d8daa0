"""LightGBM's objectives and kinds of boosting: what is explained is the raw score."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import lightgbm
import numpy as np

from ..case import Case
from ..data import CLASSES, COUNTS, NUMBERS, POSITIVE, SECOND, TARGET, WEIGHTS
from ..trees import of_lightgbm

FAMILY, LIBRARY = "LightGBM, objectives", "lightgbm"
FEW: dict[str, Any] = {
    "n_estimators": 4,
    "num_leaves": 6,
    "min_child_samples": 5,
    "n_jobs": 1,
    "verbose": -1,
}
FEW |= {"random_state": 0}


def raw_score(model: Any, rows: Any) -> np.ndarray:
    """Raw output of an estimator or a booster."""
    return model.predict(rows, raw_score=True)


def case(
    target: Any, kind: str = "LGBMRegressor", outputs: int = 1, output: int | None = None,
    **more: Any,
) -> Callable[[], Case]:  # fmt: skip
    """A fitted estimator, of whose outputs one is explained."""

    def make() -> Case:
        model = getattr(lightgbm, kind)(**FEW | more).fit(NUMBERS, target)
        trees = partial(of_lightgbm, trees=lambda k: k % outputs == (output or 0))
        return Case(model, NUMBERS[:5], NUMBERS[20:23], raw_score, output, trees=trees)

    return make


def forest() -> Case:
    """A random forest: its raw score is the sum of the trees, its prediction their mean."""
    settings: dict[str, Any] = {"boosting_type": "rf", "bagging_freq": 1, "bagging_fraction": 0.7}
    model = lightgbm.LGBMRegressor(**FEW | settings).fit(NUMBERS, TARGET)
    multiples: dict[str, Any] = {"the prediction": Fraction(1, FEW["n_estimators"])}
    return Case(
        model, NUMBERS[:5], NUMBERS[20:23], raw_score, trees=of_lightgbm, multiples=multiples
    )


def ranker() -> Case:
    """A model that ranks rows within queries."""
    model = lightgbm.LGBMRanker(**FEW).fit(NUMBERS, SECOND, group=[8] * (len(NUMBERS) // 8))
    return Case(model, NUMBERS[:5], NUMBERS[20:23], raw_score, trees=of_lightgbm)


def weighted() -> Case:
    """Rows of several weights."""
    model = lightgbm.LGBMRegressor(**FEW).fit(NUMBERS, TARGET, sample_weight=WEIGHTS + 1)
    return Case(model, NUMBERS[:5], NUMBERS[20:23], raw_score, trees=of_lightgbm)


CASES = {
    **{name: case(TARGET, objective=name) for name in ("l2", "l1", "huber", "quantile")},
    **{name: case(POSITIVE, objective=name) for name in ("gamma", "tweedie", "mape")},
    "poisson": case(COUNTS, objective="poisson"),
    "cross_entropy": case(SECOND, objective="cross_entropy"),
    "two classes": case(SECOND, "LGBMClassifier"),
    "three classes": case(CLASSES, "LGBMClassifier", 3, 1),
    "one class against all": case(CLASSES, "LGBMClassifier", 3, 2, objective="multiclassova"),
    "ranking": ranker,
    "weights of rows": weighted,
    "dart": case(TARGET, boosting_type="dart", drop_rate=0.9, skip_drop=0.0),
    "goss": case(TARGET, data_sample_strategy="goss"),
    "extra trees": case(TARGET, extra_trees=True),
    "random forest": forest,
}
