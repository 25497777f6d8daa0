"""Players that are groups of columns, present or absent together."""

from collections.abc import Callable
from typing import Any

from sklearn import ensemble, linear_model
from sklearn.base import clone

from ..case import Case
from ..data import NUMBERS, TARGET
from .scikit_forests import predicted

FAMILY, LIBRARY = "groups of columns", "groups"
PAIR = {"pair": [0, 1], "third": [2], "fourth": [3]}
APART = {"ends": [0, 3], "middle": [1, 2]}
FOREST = ensemble.RandomForestRegressor(n_estimators=4, max_depth=3, random_state=0)


def case(model: Any, groups: dict[str, list[int]]) -> Callable[[], Case]:
    """A model, fitted when the case is made."""

    def make() -> Case:
        fitted = clone(model).fit(NUMBERS, TARGET)
        return Case(fitted, NUMBERS[:5], NUMBERS[20:23], predicted, groups=groups)

    return make


CASES = {
    "forest, a pair": case(FOREST, PAIR),
    "forest, two groups": case(FOREST, APART),
    "forest, one group": case(FOREST, {"all": [0, 1, 2, 3]}),
    "linear, a pair": case(linear_model.LinearRegression(), PAIR),
}
