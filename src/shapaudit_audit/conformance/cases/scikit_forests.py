"""Trees and forests of scikit-learn."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn import ensemble, tree
from sklearn.base import clone

from ..case import Case
from ..data import (
    CLASSES,
    EQUAL,
    GRID,
    HOLES,
    NUMBERS,
    SECOND,
    SEVERAL,
    TARGET,
    WEIGHTS,
    WIDE,
    along,
    chain,
    near,
)
from ..trees import Tree, of_scikit_tree

FAMILY, LIBRARY = "scikit-learn, trees and forests", "scikit-learn"
FEW: dict[str, Any] = {"n_estimators": 4, "max_depth": 3, "random_state": 0}
ONE: dict[str, Any] = {"max_depth": 3, "random_state": 0}


def predicted(model: Any, rows: Any) -> np.ndarray:
    """Output of a regression."""
    return model.predict(rows)


def shares(model: Any, rows: Any) -> np.ndarray:
    """Probabilities of a classifier."""
    return model.predict_proba(rows)


def plain(model: Any, output: int = 0) -> list[Tree]:
    """The trees of a forest, or one tree, for a target or a class."""
    members = getattr(model, "estimators_", [model])
    by_class = hasattr(model, "predict_proba")

    def value(leaf: np.ndarray) -> float:
        return leaf[0, output] / leaf[0].sum() if by_class else leaf[output, 0]

    share = Fraction(1, len(members))
    return [of_scikit_tree(member, value, share) for member in members]


def case(
    model: Any, rows: Any = NUMBERS, target: Any = TARGET, output: int | None = None, **fit: Any
) -> Callable[[], Case]:
    """A model, fitted when the case is made."""

    def make() -> Case:
        fitted = clone(model).fit(rows, target, **fit)
        raw = shares if hasattr(fitted, "predict_proba") else predicted
        trees = partial(plain, output=output or 0)
        return Case(fitted, rows[:5], rows[20:23], raw, output, trees=trees)

    return make


def at_thresholds(kind: type) -> Case:
    """Entries at thresholds, and next to them as numbers of a kind."""
    model = tree.DecisionTreeRegressor(**ONE).fit(NUMBERS, TARGET)
    arrays = model.tree_
    inner = np.flatnonzero(arrays.feature >= 0)
    thresholds = {int(arrays.feature[k]): float(arrays.threshold[k]) for k in inner}
    return Case(
        model, NUMBERS[:4], near(NUMBERS[20], thresholds, kind), predicted, trees=partial(plain)
    )


def names_in_another_order() -> Case:
    """Rows whose columns have another order than the model's; values in either are right."""
    table = pd.DataFrame(NUMBERS, columns=list("abcd"))
    model = tree.DecisionTreeRegressor(**ONE).fit(table, TARGET)
    orders = {
        "in the order of the model": range(4),
        "in the order of the rows": ["abcd".index(name) for name in "dbac"],
    }
    return Case(model, table[:5], table.loc[20:22, [*"dbac"]], predicted, orders=orders)


def wide() -> Case:
    """Few of 300 columns are used."""
    target = WIDE[:, 7] * WIDE[:, 70] + WIDE[:, 299]
    model = tree.DecisionTreeRegressor(max_depth=3, random_state=0).fit(WIDE, target)
    used = sorted(set(model.tree_.feature[model.tree_.feature >= 0].tolist()))
    return Case(model, WIDE[:3], WIDE[20:22], predicted, used=used)


def deep(columns: int = 40) -> Case:
    """A tree that is one path, through 40 columns: each of them has a level of its own."""
    rows, target = chain(columns)
    model = tree.DecisionTreeRegressor(random_state=0).fit(rows, target)
    return Case(model, rows[:1], rows[-1:], predicted, values=along(target))


def deep_in_few_columns() -> Case:
    """A tree of 60 levels that asks two columns again and again."""
    steps = np.arange(60.0)
    rows = np.column_stack([steps, -(steps[::-1] ** 1.5)])
    target = 1.5**-steps * (-1.0) ** steps
    model = tree.DecisionTreeRegressor(random_state=0).fit(rows, target)
    return Case(model, rows[::20], rows[[7, 31, 58]], predicted, trees=plain)


CASES = {
    "tree": case(tree.DecisionTreeRegressor(**ONE)),
    "tree, two classes": case(tree.DecisionTreeClassifier(**ONE), target=SECOND, output=1),
    "tree, three classes": case(tree.DecisionTreeClassifier(**ONE), target=CLASSES, output=2),
    "tree, two targets": case(tree.DecisionTreeRegressor(**ONE), target=SEVERAL, output=1),
    "tree, missing": case(tree.DecisionTreeRegressor(**ONE), rows=HOLES),
    "tree, single leaf": case(tree.DecisionTreeRegressor(min_samples_leaf=90)),
    "tree, pruned": case(tree.DecisionTreeRegressor(ccp_alpha=0.05, random_state=0)),
    "tree, best leaves first": case(
        tree.DecisionTreeRegressor(max_leaf_nodes=6, random_state=0)
    ),
    "tree, equal columns": case(tree.DecisionTreeRegressor(**ONE), rows=EQUAL),
    "tree, one column": case(tree.DecisionTreeRegressor(**ONE), rows=NUMBERS[:, :1]),
    "tree, whole numbers": case(tree.DecisionTreeRegressor(**ONE), rows=GRID),
    "tree, weights of rows": case(tree.DecisionTreeRegressor(**ONE), sample_weight=WEIGHTS),
    "tree, weights of classes": case(
        tree.DecisionTreeClassifier(class_weight={0: 1, 1: 5}, **ONE), target=SECOND, output=1
    ),
    "tree, large numbers": case(tree.DecisionTreeRegressor(**ONE), rows=NUMBERS * 2.0**60),
    "tree, small differences": case(
        tree.DecisionTreeRegressor(**ONE), target=1e6 + TARGET
    ),
    "tree, at thresholds, single precision": partial(at_thresholds, np.float32),
    "tree, at thresholds, double precision": partial(at_thresholds, np.float64),
    "tree, names in another order": names_in_another_order,
    "tree, random thresholds": case(tree.ExtraTreeRegressor(**ONE)),
    "tree, 300 columns": wide,
    "tree, one long path": deep,
    "tree, 60 levels of two columns": deep_in_few_columns,
    "forest": case(ensemble.RandomForestRegressor(**FEW)),
    "forest, two classes": case(ensemble.RandomForestClassifier(**FEW), target=SECOND, output=1),
    "forest, three classes": case(
        ensemble.RandomForestClassifier(**FEW), target=CLASSES, output=1
    ),
    "forest, two targets": case(ensemble.RandomForestRegressor(**FEW), target=SEVERAL, output=1),
    "forest, missing": case(ensemble.RandomForestRegressor(**FEW), rows=HOLES),
    "forest, no bootstrap": case(ensemble.RandomForestRegressor(bootstrap=False, **FEW)),
    "extra trees": case(ensemble.ExtraTreesRegressor(**FEW)),
    "extra trees, two classes": case(
        ensemble.ExtraTreesClassifier(**FEW), target=SECOND, output=1
    ),
}  # fmt: skip
