"""XGBoost's kinds of boosters, trees of unusual shapes, and which trees a prediction uses."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import xgboost

from ..case import Case
from ..data import CHAIN, CLASSES, EQUAL, NUMBERS, SEVERAL, TARGET, WEIGHTS, WIDE, along, chain
from ..trees import of_xgboost
from .xgboost_objectives import FEW, booster_margin, margin

FAMILY, LIBRARY = "XGBoost, boosters and trees", "xgboost"
DROPS: dict[str, Any] = {"booster": "dart", "rate_drop": 0.8, "one_drop": 1}
VECTORS: dict[str, Any] = {"multi_strategy": "multi_output_tree", "tree_method": "hist"}


def case(
    rows: np.ndarray = NUMBERS, target: Any = TARGET, kind: str = "XGBRegressor",
    output: int | None = None, plain: bool = True, **more: Any,
) -> Callable[[], Case]:  # fmt: skip
    """A fitted estimator; ``plain`` where its trees have one value per leaf."""

    def make() -> Case:
        model = getattr(xgboost, kind)(**FEW | more).fit(rows, target)
        trees = of_xgboost if plain else None
        return Case(model, rows[:5], rows[20:23], margin, output, trees=trees)

    return make


def weighted() -> Case:
    """Rows of several weights, some of which are 0."""
    model = xgboost.XGBRegressor(**FEW).fit(NUMBERS, TARGET, sample_weight=WEIGHTS)
    return Case(model, NUMBERS[:5], NUMBERS[20:23], margin, trees=of_xgboost)


def stopped() -> xgboost.XGBRegressor:
    """An estimator whose best iteration is followed by others."""
    model = xgboost.XGBRegressor(
        **FEW | {"n_estimators": 40, "learning_rate": 1.0}, early_stopping_rounds=3
    )
    return model.fit(
        NUMBERS[:60], TARGET[:60], eval_set=[(NUMBERS[60:], TARGET[60:])], verbose=False
    )


def all_trees(model: Any, rows: Any) -> np.ndarray:
    """Margin of an estimator with the trees after the best iteration."""
    return booster_margin(model.get_booster(), rows)


def early_stopping() -> Case:
    """The estimator predicts with the trees up to the best iteration."""
    others = {"all trees": all_trees}
    return Case(stopped(), NUMBERS[:5], NUMBERS[20:23], margin, others=others)


def early_stopping_booster() -> Case:
    """The booster predicts with all trees."""

    def best(model: Any, rows: Any) -> np.ndarray:
        until = (0, model.best_iteration + 1)
        return model.predict(xgboost.DMatrix(rows), output_margin=True, iteration_range=until)

    model = stopped().get_booster()
    others = {"trees up to the best iteration": best}
    return Case(model, NUMBERS[:5], NUMBERS[20:23], booster_margin, others=others)


def booster(part: slice | None = None) -> Case:
    """A booster, or a part of its trees."""
    settings: dict[str, Any] = {"max_depth": 3, "nthread": 1}
    model = xgboost.train(settings, xgboost.DMatrix(NUMBERS, TARGET), num_boost_round=4)
    model = model if part is None else model[part]
    return Case(model, NUMBERS[:5], NUMBERS[20:23], booster_margin, trees=of_xgboost)


def wide() -> Case:
    """Few of 300 columns are used."""
    target = WIDE[:, 7] * WIDE[:, 70] + WIDE[:, 299]
    model = xgboost.XGBRegressor(**FEW | {"n_estimators": 2, "max_depth": 2}).fit(WIDE, target)
    table = model.get_booster().trees_to_dataframe()["Feature"]
    used = sorted({int(name[1:]) for name in table if name != "Leaf"})
    return Case(model, WIDE[:3], WIDE[20:22], margin, used=used)


def deep() -> Case:
    """A tree that is one path, through 16 columns: each of them has a level of its own."""
    rows, target = chain()
    model = xgboost.XGBRegressor(
        n_estimators=1, max_depth=CHAIN, learning_rate=1.0, reg_lambda=0.0, min_child_weight=0.0,
        tree_method="exact", n_jobs=1, base_score=0.0,
    ).fit(rows, target)  # fmt: skip
    return Case(model, rows[:1], rows[-1:], margin, values=along(margin(model, rows)))


CASES = {
    "dart": case(booster="dart"),
    "dart, dropped trees": case(**DROPS),
    "random forest": case(kind="XGBRFRegressor"),
    "parallel trees": case(num_parallel_tree=2),
    "base score": case(base_score=3.0),
    "vector leaves, two targets": case(NUMBERS, SEVERAL, output=1, plain=False, **VECTORS),
    "vector leaves, three classes": case(
        NUMBERS, CLASSES, "XGBClassifier", 2, plain=False, **VECTORS
    ),
    "weights of rows": weighted,
    "lossguide": case(grow_policy="lossguide", max_leaves=5, max_depth=0),
    "exact": case(tree_method="exact"),
    "approx": case(tree_method="approx"),
    "monotone": case(monotone_constraints=(1, 0, -1, 0)),
    "single leaves": case(gamma=1e9),
    "stumps": case(max_depth=1, n_estimators=8),
    "equal columns": case(EQUAL),
    "one column": case(NUMBERS[:, :1]),
    "columns of single precision": case(NUMBERS.astype(np.float32)),
    "booster": booster,
    "some trees of a booster": partial(booster, slice(1, 3)),
    "early stopping": early_stopping,
    "early stopping, booster": early_stopping_booster,
    "300 columns": wide,
    "one long path": deep,
}
