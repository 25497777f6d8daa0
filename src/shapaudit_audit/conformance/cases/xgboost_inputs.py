"""XGBoost with missing entries, categories, entries at thresholds, and columns with names."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import xgboost

from ..case import Case
from ..data import BY_CATEGORY, GRID, HOLES, MARKED, NUMBERS, TARGET, ZEROS, frame, near
from ..trees import of_xgboost
from .xgboost_objectives import FEW, margin

FAMILY, LIBRARY = "XGBoost, entries", "xgboost"


def case(rows: Any, target: Any = TARGET, plain: bool = True, **more: Any) -> Callable[[], Case]:
    """A fitted estimator of these rows."""

    def make() -> Case:
        model = xgboost.XGBRegressor(**FEW | more).fit(rows, target)
        trees = of_xgboost if plain else None
        return Case(model, rows[:5], rows[20:24], margin, trees=trees)

    return make


def thresholds(model: xgboost.XGBRegressor) -> dict[int, float]:
    """One threshold of each column that has any."""
    table = model.get_booster().trees_to_dataframe()
    splits = table[table["Feature"] != "Leaf"].groupby("Feature")["Split"].first()
    return {int(name[1:]): float(value) for name, value in splits.items()}


def at_thresholds(kind: type) -> Case:
    """Entries at thresholds, and next to them as numbers of a kind."""
    model = xgboost.XGBRegressor(**FEW).fit(NUMBERS, TARGET)
    rows = near(NUMBERS[20], thresholds(model), kind)
    return Case(model, NUMBERS[:4], rows, margin, trees=of_xgboost)


def background_at_thresholds() -> Case:
    """Background rows at thresholds."""
    model = xgboost.XGBRegressor(**FEW).fit(NUMBERS, TARGET)
    return Case(model, near(NUMBERS[20], thresholds(model)), NUMBERS[30:33], margin)


def all_missing() -> Case:
    """A row without any entry."""
    model = xgboost.XGBRegressor(**FEW).fit(HOLES, TARGET)
    return Case(model, NUMBERS[:5], np.full((1, 4), np.nan), margin, trees=of_xgboost)


def named(order: list[str]) -> Case:
    """Rows whose columns have another order than the model's; values in either are right."""
    table = pd.DataFrame(NUMBERS, columns=list("abcd"))
    model = xgboost.XGBRegressor(**FEW).fit(table, TARGET)
    orders = {
        "in the order of the model": range(4),
        "in the order of the rows": ["abcd".index(name) for name in order],
    }
    chosen = orders if order != [*"abcd"] else {}
    return Case(model, table[:5], table.loc[20:22, order], margin, orders=chosen)


def booleans() -> Case:
    """A data frame of truth values, whole numbers and numbers."""
    table = pd.DataFrame({"yes": NUMBERS[:, 0] > 0, "whole": GRID[:, 1].astype(int)})
    table["number"] = NUMBERS[:, 2]
    model = xgboost.XGBRegressor(**FEW).fit(table, TARGET)
    return Case(model, table[:5], table[20:23], margin)


BY_BRANCH: dict[str, Any] = {"enable_categorical": True, "max_cat_to_onehot": 1}
BY_ONE: dict[str, Any] = {"enable_categorical": True, "max_cat_to_onehot": 9}
CASES = {
    "missing": case(HOLES),
    "missing everywhere": all_missing,
    "missing=0": case(ZEROS, missing=0.0, plain=False),
    "missing=-999": case(MARKED, missing=-999.0, plain=False),
    "whole numbers": case(GRID),
    "large numbers": case(NUMBERS * 2.0**40),
    "at thresholds, single precision": partial(at_thresholds, np.float32),
    "at thresholds, double precision": partial(at_thresholds, np.float64),
    "background at thresholds": background_at_thresholds,
    "categories, sets": case(frame(), BY_CATEGORY, **BY_BRANCH),
    "categories, one by one": case(frame(), BY_CATEGORY, **BY_ONE),
    "categories, missing": case(frame(gaps=True), BY_CATEGORY, **BY_BRANCH),
    "names": partial(named, [*"abcd"]),
    "names in another order": partial(named, [*"dbac"]),
    "truth values": booleans,
}
