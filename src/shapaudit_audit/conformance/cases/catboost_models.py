"""CatBoost: symmetric and other trees, several outputs, missing entries, categories."""

import json
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import catboost
import numpy as np

from ..case import Case
from ..data import (
    BY_CATEGORY,
    CLASSES,
    CODES,
    COUNTS,
    EQUAL,
    GRID,
    HOLES,
    NUMBERS,
    SECOND,
    SEVERAL,
    TARGET,
    near,
)
from ..trees import of_catboost

FAMILY, LIBRARY = "CatBoost", "catboost"
FEW: dict[str, Any] = {
    "iterations": 4,
    "depth": 2,
    "verbose": 0,
    "thread_count": 1,
    "random_seed": 0,
}
FEW |= {"allow_writing_files": False, "learning_rate": 0.5}


def formula(model: Any, rows: Any) -> np.ndarray:
    """Raw output."""
    return model.predict(rows, prediction_type="RawFormulaVal")


def case(
    rows: Any = NUMBERS, target: Any = TARGET, kind: str = "CatBoostRegressor",
    output: int | None = None, plain: bool = True, **more: Any,
) -> Callable[[], Case]:  # fmt: skip
    """A fitted estimator; ``plain`` where its trees are symmetric and have no empty leaves."""

    def make() -> Case:
        model = getattr(catboost, kind)(**FEW | more).fit(rows, target)
        if not plain:
            return Case(model, rows[:5], rows[20:23], formula, output)
        read = partial(of_catboost, output=output or 0)
        others = {"the first split at the root": partial(read, from_first=True)}
        return Case(model, rows[:5], rows[20:23], formula, output, trees=read, other_trees=others)

    return make


def borders(model: Any) -> dict[int, float]:
    """One border of each column that has any."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        features = json.loads(path.read_text(encoding="utf-8"))["features_info"]["float_features"]
    return {
        feature["flat_feature_index"]: feature["borders"][0]
        for feature in features
        if feature["borders"]
    }


def at_borders(kind: type) -> Case:
    """Entries at borders, and next to them as numbers of a kind."""
    model = catboost.CatBoostRegressor(**FEW).fit(NUMBERS, TARGET)
    return Case(model, NUMBERS[:4], near(NUMBERS[20], borders(model), kind), formula)


def categories(**more: Any) -> Case:
    """A column of texts among numbers."""
    import pandas as pd

    colours = [f"colour {code}" for code in CODES]
    rows = pd.DataFrame({"a": NUMBERS[:, 0], "colour": colours, "b": NUMBERS[:, 1]})
    model = catboost.CatBoostRegressor(**FEW | more).fit(rows, BY_CATEGORY, cat_features=["colour"])
    return Case(model, rows[:5], rows[20:23], formula)


CASES = {
    "regression": case(),
    "MAE": case(loss_function="MAE"),
    "Poisson": case(target=COUNTS, loss_function="Poisson"),
    "two classes": case(target=SECOND, kind="CatBoostClassifier"),
    "three classes": case(target=CLASSES, kind="CatBoostClassifier", output=1),
    "two targets": case(target=SEVERAL, output=1, loss_function="MultiRMSE"),
    "ordered boosting": case(boosting_type="Ordered"),
    "missing": case(HOLES),
    "missing as the largest": case(HOLES, nan_mode="Max"),
    "empty leaves": case(EQUAL, depth=4, plain=False),
    "equal columns": case(EQUAL, plain=False),
    "whole numbers": case(GRID, plain=False),
    "depthwise": case(grow_policy="Depthwise", plain=False),
    "lossguide": case(grow_policy="Lossguide", plain=False),
    "at borders, single precision": partial(at_borders, np.float32),
    "at borders, double precision": partial(at_borders, np.float64),
    "categories, one by one": partial(categories, one_hot_max_size=10),
    "categories, statistics of the target": partial(categories, one_hot_max_size=1),
}
