"""LightGBM with missing entries, categories, entries at thresholds, and trees of unusual shapes."""

from collections.abc import Callable
from functools import partial
from typing import Any

import lightgbm
import numpy as np

from ..case import Case
from ..data import (
    BY_CATEGORY,
    CODES,
    EQUAL,
    GRID,
    HOLES,
    NUMBERS,
    TARGET,
    WIDE,
    ZEROS,
    along,
    chain,
    frame,
    near,
)
from ..trees import of_lightgbm
from .lightgbm_objectives import FEW, raw_score

FAMILY, LIBRARY = "LightGBM, entries and trees", "lightgbm"
CATEGORIES: dict[str, Any] = {"min_data_per_group": 2, "cat_smooth": 0.5, "cat_l2": 0.5}
WITH_CODES = np.column_stack([NUMBERS[:, 0], CODES, NUMBERS[:, 1]])


def case(rows: Any, target: Any = TARGET, plain: bool = True, **more: Any) -> Callable[[], Case]:
    """A fitted estimator of these rows."""

    def make() -> Case:
        model = lightgbm.LGBMRegressor(**FEW | more).fit(rows, target)
        trees = of_lightgbm if plain else None
        return Case(model, rows[:5], rows[20:24], raw_score, trees=trees)

    return make


def thresholds(model: lightgbm.LGBMRegressor) -> dict[int, float]:
    """One threshold of each column that has any."""
    table = model.booster_.trees_to_dataframe()
    splits = table.dropna(subset="threshold").groupby("split_feature")["threshold"].first()
    return {int(name.split("_")[1]): float(value) for name, value in splits.items()}


def at_thresholds(kind: type) -> Case:
    """Entries at thresholds, and next to them as numbers of a kind."""
    model = lightgbm.LGBMRegressor(**FEW).fit(NUMBERS, TARGET)
    rows = near(NUMBERS[20], thresholds(model), kind)
    return Case(model, NUMBERS[:4], rows, raw_score, trees=of_lightgbm)


def numbered() -> Case:
    """Categories that are numbers in an array."""
    model = lightgbm.LGBMRegressor(**FEW, **CATEGORIES, max_cat_to_onehot=1)
    model.fit(WITH_CODES, BY_CATEGORY, categorical_feature=[1])
    return Case(model, WITH_CODES[:5], WITH_CODES[20:24], raw_score, trees=of_lightgbm)


def early_stopping() -> Case:
    """The trees up to the best iteration predict."""
    model = lightgbm.LGBMRegressor(**FEW | {"n_estimators": 60, "learning_rate": 0.8})
    stop = lightgbm.early_stopping(2, verbose=False)
    model.fit(NUMBERS[:60], TARGET[:60], eval_set=[(NUMBERS[60:], TARGET[60:])], callbacks=[stop])

    def everything(fitted: Any, rows: Any) -> np.ndarray:
        return fitted.booster_.predict(rows, raw_score=True, num_iteration=-1)

    others = {"all trees": everything}
    return Case(model, NUMBERS[:5], NUMBERS[20:23], raw_score, others=others)


def booster() -> Case:
    """A booster."""
    model = lightgbm.LGBMRegressor(**FEW).fit(NUMBERS, TARGET).booster_
    return Case(model, NUMBERS[:5], NUMBERS[20:23], raw_score, trees=of_lightgbm)


def wide() -> Case:
    """Few of 300 columns are used."""
    target = WIDE[:, 7] * WIDE[:, 70] + WIDE[:, 299]
    only: dict[str, Any] = {"interaction_constraints": [[7, 70, 299]], "n_estimators": 2}
    model = lightgbm.LGBMRegressor(**FEW | only).fit(WIDE, target)
    used = np.flatnonzero(model.feature_importances_).tolist()
    return Case(model, WIDE[:3], WIDE[20:22], raw_score, used=used)


def deep() -> Case:
    """A tree that is one path, through 16 columns: each of them has a level of its own."""
    rows, target = chain()
    settings: dict[str, Any] = {
        "n_estimators": 1,
        "num_leaves": 32,
        "min_child_samples": 1,
        "min_data_in_bin": 1,
    }
    model = lightgbm.LGBMRegressor(
        **FEW | settings | {"min_sum_hessian_in_leaf": 0.0, "learning_rate": 1.0}
    ).fit(rows, target)
    return Case(model, rows[:1], rows[-1:], raw_score, values=along(raw_score(model, rows)))


CASES = {
    "missing": case(HOLES),
    "missing, use_missing=False": case(HOLES, use_missing=False),
    "zero_as_missing": case(ZEROS, zero_as_missing=True),
    "whole numbers": case(GRID),
    "at thresholds, single precision": partial(at_thresholds, np.float32),
    "at thresholds, double precision": partial(at_thresholds, np.float64),
    "categories, sets": case(frame(), BY_CATEGORY, **CATEGORIES, max_cat_to_onehot=1),
    "categories, one by one": case(frame(), BY_CATEGORY, **CATEGORIES, max_cat_to_onehot=9),
    "categories, missing": case(frame(gaps=True), BY_CATEGORY, **CATEGORIES, max_cat_to_onehot=1),
    "categories by number": numbered,
    "linear leaves": case(NUMBERS, linear_tree=True, plain=False),
    "single leaves": case(NUMBERS, min_child_samples=90),
    "stumps": case(NUMBERS, num_leaves=2),
    "monotone": case(NUMBERS, monotone_constraints=[1, 0, -1, 0]),
    "equal columns": case(EQUAL),
    "one column": case(NUMBERS[:, :1]),
    "columns of single precision": case(NUMBERS.astype(np.float32)),
    "booster": booster,
    "early stopping": early_stopping,
    "300 columns": wide,
    "one long path": deep,
}
