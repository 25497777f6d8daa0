"""What the splits of CatBoost ask, by number.

A split compares a number with a border, a category with another one (one-hot encoding), or a
statistic with a border: a count or a mean of the target over the training rows of the same category
or, of a combination, of the same categories and sides of borders. Every one of them is a table that
says who goes right, and those that look at one feature are splits by number or by category.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .base import ModelError
from .catboost_hashes import unsigned
from .float_thresholds import just_above
from .nodes import LEAF, Nodes

WHAT = "this CatBoost model"
MOST = 1 << 24  # combinations of one statistic
MULTIPLIER = 0x4906BA494954CB65  # of the hash of a combination, modulo 2^64
EMPTY = (1 << 64) - 1  # the hash in those places of CatBoost's tables that hold nothing
# What a combination consists of, in the order in which it is hashed.
CATEGORY, ABOVE, EQUAL = "cat_feature_value", "float_feature", "cat_feature_exact_value"


class Axis(NamedTuple):
    """A feature by whose category rows are told apart, or by the side of a border they are on."""

    feature: int
    border: float | None = None


class Test(NamedTuple):
    """Who goes right: bool, an axis of the array for each of ``axes``.

    Along it are the categories of the feature that are known, and last all others; or the rows up
    to the border, and those above it.
    """

    axes: tuple[Axis, ...]
    right: np.ndarray


class Table(NamedTuple):
    """Sums over training rows: hashes (m,) of uint64, what is summed (m, c), and a denominator."""

    keys: np.ndarray
    sums: np.ndarray
    denominator: int


class Splits:
    """The tests of a model, numbered as they are met.

    Parameters
    ----------
    document : CatBoost's JSON

    Attributes
    ----------
    tests : by number
    hashes : of the categories that are known, increasing, by feature
    """

    def __init__(self, document: Mapping[str, Any]):
        info = document["features_info"]
        floats, categories = info.get("float_features", []), info.get("categorical_features", [])
        self.n_features = len(floats) + len(categories)
        self._floats, self._categories = (
            {int(entry["feature_index"]): flat(entry) for entry in entries}
            for entries in (floats, categories)
        )
        self._rightwards = {flat(f) for f in floats if f["nan_value_treatment"] == "AsTrue"}
        self._tables = {key: _table(table) for key, table in document.get("ctr_data", {}).items()}
        ctrs = info.get("ctrs", [])
        self._statistics = ctrs
        self._compared = [(k, border) for k, ctr in enumerate(ctrs) for border in ctr["borders"]]
        self._values: dict[int, tuple[tuple[Axis, ...], np.ndarray]] = {}
        one_hot = sum(len(f.get("values") or ()) for f in categories)
        self._first = sum(len(f["borders"] or ()) for f in floats) + one_hot
        self.hashes = self._known(categories, ctrs)
        self.tests: list[Test] = []
        self._numbers: dict[Any, int] = {}

    def _known(self, categories: Sequence[Any], ctrs: Sequence[Any]) -> dict[int, np.ndarray]:
        """Hashes of the categories that are compared with, and of those that have a statistic."""
        known = {flat(f): {unsigned(v) for v in f.get("values") or ()} for f in categories}
        inverse = pow(MULTIPLIER, -2, 1 << 64)
        for ctr in ctrs:
            (element, *others) = ctr["elements"]
            if not others:
                keys = self._tables[ctr["identifier"]].keys.tolist()
                feature = self._categories[element["cat_feature_index"]]
                known[feature] |= {unsigned(key * inverse) for key in keys}
        return {feature: np.array(sorted(own), dtype=np.int64) for feature, own in known.items()}

    def number(self, split: Mapping[str, Any]) -> int:
        """Number of the test of a split; raises `ModelError` for one of another kind."""
        key = split["split_index"]
        if key not in self._numbers:
            self._numbers[key] = self._added(self._test(split))
        return self._numbers[key]

    def number_of(self, axis: Axis, right: np.ndarray) -> int:
        """Number of the test of one axis."""
        key = (axis, right.tobytes())
        if key not in self._numbers:
            self._numbers[key] = self._added(Test((axis,), right))
        return self._numbers[key]

    def is_of_one_axis(self, number: int) -> bool:
        """Whether a test looks at one feature."""
        return len(self.tests[number].axes) == 1

    def _added(self, test: Test) -> int:
        self.tests.append(test)
        return len(self.tests) - 1

    def _test(self, split: Mapping[str, Any]) -> Test:
        kind = split.get("split_type", "FloatFeature")
        if kind == "FloatFeature":
            axis = Axis(self._floats[split["float_feature_index"]], float(split["border"]))
            return Test((axis,), np.array([False, True]))
        if kind == "OneHotFeature":
            feature = self._categories[split["cat_feature_index"]]
            return Test((Axis(feature),), self._equal(feature, split["value"]))
        if kind != "OnlineCtr":
            raise ModelError(f"{WHAT} has splits of the kind {kind}, which are not read")
        statistic, border = self._compared[split["split_index"] - self._first]
        if border != split["border"]:
            raise ModelError(f"{WHAT} does not tell which statistic its split compares")
        return self._by_statistic(statistic, border)

    def _equal(self, feature: int, value: int) -> np.ndarray:
        """Which of the categories of a feature is one of them."""
        return np.append(self.hashes[feature] == unsigned(value), False)

    def _by_statistic(self, statistic: int, border: float) -> Test:
        if statistic not in self._values:
            self._values[statistic] = self._valued(self._statistics[statistic])
        axes, values = self._values[statistic]
        return _without_idle(Test(axes, values > np.float32(border)))

    def _valued(self, statistic: Mapping[str, Any]) -> tuple[tuple[Axis, ...], np.ndarray]:
        """What a statistic depends on, and its values with an axis for each."""
        kinds = (CATEGORY, ABOVE, EQUAL)
        elements = sorted(
            statistic["elements"], key=lambda element: kinds.index(element["combination_element"])
        )
        axes, parts = zip(*(self._axis(element) for element in elements), strict=True)
        if math.prod(map(len, parts)) > MOST:
            raise ModelError(
                f"{WHAT} combines features with more than {MOST} combinations of categories"
            )
        combined = _combined(parts)
        known = np.ones(combined.shape, dtype=bool)
        for k, element in enumerate(elements):
            if element["combination_element"] == CATEGORY:  # other categories have no hash
                known.swapaxes(0, k)[-1] = False
        table = self._tables[statistic["identifier"]]
        if not np.isin(table.keys, combined[known]).all():
            raise ModelError(f"{WHAT} combines categories of which its file lists only some")
        order = np.argsort(table.keys)
        place = np.minimum(np.searchsorted(table.keys[order], combined), len(order) - 1)
        found = known & (table.keys[order][place] == combined)
        values = _values(statistic, table, table.sums[order])[place]
        without = _values(statistic, table, np.zeros_like(table.sums[:1]))
        return axes, np.where(found, values, without)

    def _axis(self, element: Mapping[str, Any]) -> tuple[Axis, np.ndarray]:
        """What an element tells apart, and what of it enters the hash: uint64."""
        kind = element["combination_element"]
        if kind == ABOVE:
            feature = self._floats[element["float_feature_index"]]
            return Axis(feature, float(element["border"])), np.arange(2, dtype=np.uint64)
        feature = self._categories[element["cat_feature_index"]]
        if kind == EQUAL:
            return Axis(feature), self._equal(feature, element["value"]).astype(np.uint64)
        signed = self.hashes[feature].astype(np.uint32).astype(np.int32)
        return Axis(feature), np.append(signed, 0).astype(np.int64).astype(np.uint64)

    def applied(self, nodes: Nodes) -> Nodes:
        """The nodes, whose features were numbers of tests of one axis."""
        feature, threshold, default, turned, members = (
            np.array(column)
            for column in zip(*map(self._split, range(len(self.tests))), strict=True)
        )
        split = nodes.feature != LEAF
        number = np.where(split, nodes.feature, 0)
        turned = turned[number] & split
        members = np.where(split, members[number], -1)
        made = nodes._replace(
            feature=np.where(split, feature[number], LEAF),
            threshold=np.where(split, threshold[number], 0.0),
            left=np.where(turned, nodes.right, nodes.left),
            right=np.where(turned, nodes.left, nodes.right),
            default_left=default[number],
        )
        if (members < 0).all():
            return made
        return made._replace(members=members, sets=self._sets())

    def _split(self, number: int) -> tuple[int, float, bool, bool, int]:
        """Feature, threshold and side of missing numbers, whether sides change places, and set."""
        axes, right = self.tests[number]
        if len(axes) != 1:  # no node has it
            return 0, 0.0, False, False, -1
        (axis,) = axes
        if axis.border is None:
            return axis.feature, np.nan, False, not right[-1], number
        return (
            axis.feature,
            _threshold(axis.border),
            axis.feature not in self._rightwards,
            False,
            -1,
        )

    def _sets(self) -> np.ndarray:
        """The categories (tests, most) that do not go where unknown ones go."""
        width = max(len(own) for own in self.hashes.values())
        sets = np.zeros((len(self.tests), width), dtype=np.bool_)
        for row, (axes, right) in zip(sets, self.tests, strict=True):
            if len(axes) == 1 and axes[0].border is None:
                row[: len(right) - 1] = right[:-1] != right[-1]
        return sets


def flat(feature: Mapping[str, Any]) -> int:
    """Number of a feature among all."""
    return int(feature["flat_feature_index"])


def _threshold(border: float) -> float:
    return float(just_above(np.array([border], dtype=np.float64))[0])


def _table(content: Mapping[str, Any]) -> Table:
    stride, flat_map = content["hash_stride"], content["hash_map"]
    keys = np.array([int(key) for key in flat_map[::stride]], dtype=np.uint64)
    columns = [flat_map[k::stride] for k in range(1, stride)]
    sums = np.array(columns, dtype=np.float64).T.reshape(len(keys), stride - 1)
    there = keys != np.uint64(EMPTY)
    return Table(keys[there], sums[there], int(content["counter_denominator"]))


def _combined(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Hashes of all combinations of the parts, with an axis for each."""
    multiplier = np.uint64(MULTIPLIER)
    combined: np.ndarray = np.zeros((), dtype=np.uint64)
    for part in parts:
        combined = multiplier * (combined[..., None] + multiplier * part)
    return combined


def _values(statistic: Mapping[str, Any], table: Table, sums: np.ndarray) -> np.ndarray:
    """The statistic (m,) in float32, as CatBoost computes it, from what was summed (m, c)."""
    kind, place = statistic["ctr_type"], int(statistic["target_border_idx"])
    if kind == "Counter":
        good, total = sums[:, 0], np.full(len(sums), table.denominator)
    elif kind == "BinarizedTargetMeanValue":
        good, total = sums.T
    elif kind == "Buckets":
        good, total = sums[:, place], sums.sum(axis=1)
    elif kind == "Borders":
        good, total = sums[:, place + 1 :].sum(axis=1), sums.sum(axis=1)
    else:
        raise ModelError(f"{WHAT} encodes categories by {kind}, which is not read")
    numerator, denominator, shift, scale = (
        np.float32(statistic[key])
        for key in ("prior_numerator", "prior_denomerator", "shift", "scale")
    )
    ratio = (good.astype(np.float32) + numerator) / (total.astype(np.float32) + denominator)
    return (ratio + shift) * scale


def _without_idle(test: Test) -> Test:
    """The test without the axes on which nothing depends."""
    axes, right = list(test.axes), test.right
    for k in reversed(range(len(axes))):
        if (right == right.take([0], axis=k)).all():
            right = right.take(0, axis=k)
            del axes[k]
    return Test(tuple(axes), np.asarray(right))
