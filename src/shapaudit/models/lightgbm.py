"""Boosters that LightGBM has saved, as text or as JSON; LightGBM itself is not needed.

The text is that of ``Booster.save_model`` or ``model_to_string``, the JSON that of ``dump_model``.
Both begin with facts on the whole model; then come the trees, whose arrays the text gives by split
and by leaf, a child -k - 1 being leaf k. A split by category has words whose bits are the
categories that go left; all others and missing ones go right. The categories of a data frame are
kept by its columns of dtype category, in their order.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .base import ModelError
from .binned import CATEGORY, MISSING, BinnedTrees, Tree, binned_trees, chosen_score
from .category_sets import bits_set, split_by_sets
from .linear_leaves import Line
from .nodes import LEAF, Nodes

CATEGORICAL, DEFAULT_LEFT, MISSING_SHIFT = 1, 2, 2  # bits of the text's decision type


class _Model(NamedTuple):
    """What both formats tell."""

    names: Sequence[str]
    each: int  # trees per round, one for each output
    averaged: bool  # a random forest: the mean of its rounds
    objective: str  # as LightGBM writes it, with parameters; empty where it is a user's function
    trees: Sequence[tuple[Tree, Mapping[int, str]]]  # each with what is missing, by feature


def from_lightgbm(content: str | Mapping[str, Any], output: int | None = None) -> BinnedTrees:
    """The trees of a model in LightGBM's text, or in its JSON (parsed).

    The output is raw: the log-odds of class ``output`` of two, by default of the second, the score
    of class ``output`` of several. Raises `ModelError` for a document that is no such model.
    """
    try:
        model = _of_text(content) if isinstance(content, str) else _of_json(content)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(
            f"this is no LightGBM model ({error!r}); write it with booster.save_model(path), or "
            "dump booster.dump_model() as JSON"
        ) from error
    if not model.trees:
        raise ModelError("this LightGBM model has no tree")
    two_classes = model.objective.split()[:1] == ["binary"]
    chosen, scale = chosen_score("this LightGBM model", model.each, two_classes, output)
    trees, missing = zip(*model.trees[chosen :: model.each], strict=True)
    if model.averaged:
        scale /= len(trees)
    trees = [_scaled(tree, scale) for tree in trees]
    return binned_trees(trees, 0.0, _missing(model.names, missing))


def _scaled(tree: Tree, scale: float) -> Tree:
    lines = {
        leaf: (scale * start, features, [scale * slope for slope in slopes])
        for leaf, (start, features, slopes) in (tree.lines or {}).items()
    }
    nodes = tree.nodes._replace(value=tree.nodes.value * scale)
    return tree._replace(nodes=nodes, lines=lines)


def _missing(names: Sequence[str], kinds_by_tree: Sequence[Mapping[int, str]]) -> list[str]:
    """Kind of missing values by feature; all trees must agree on it."""
    kinds = ["none"] * len(names)
    told: dict[int, str] = {}
    for missing in kinds_by_tree:
        for feature, kind in missing.items():
            if told.setdefault(feature, kind) != kind:
                raise ModelError(
                    f"feature {names[feature]!r} of this LightGBM model is missing in two ways, "
                    f"{told[feature]!r} and {kind!r}; train it with one setting of zero_as_missing"
                )
            kinds[feature] = kind
    return kinds


def names_in(content: str | Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the features; none where LightGBM has made them up, for an array."""
    fact = _fact(content, "feature_names") or ()
    names = fact.split() if isinstance(fact, str) else list(fact)
    return () if names == [f"Column_{j}" for j in range(len(names))] else tuple(names)


def is_of_two_classes(content: str | Mapping[str, Any]) -> bool:
    """Whether the score is the log-odds of the second of two classes."""
    objective = _fact(content, "objective") or ""
    return str(objective).split()[:1] == ["binary"]


def is_averaged(content: str | Mapping[str, Any]) -> bool:
    """Whether this is a random forest: it predicts the mean, and its raw score is the sum."""
    if isinstance(content, str):
        return "average_output" in _head(content).split()
    return bool(content.get("average_output"))


def pandas_categories(content: str | Mapping[str, Any]) -> tuple[Sequence[Any], ...]:
    """Categories of the columns of dtype category of the data frame it was trained on."""
    if not isinstance(content, str):
        return tuple(content.get("pandas_categorical") or ())
    _, separator, rest = content.rpartition("\npandas_categorical:")
    return tuple(json.loads(rest.partition("\n")[0]) or ()) if separator else ()


def _head(content: str) -> str:
    """What stands before the trees."""
    return content[: content.find("\nTree=") + 1] if "\nTree=" in content else content


def _fact(content: str | Mapping[str, Any], key: str) -> Any:
    return _facts(_head(content)).get(key) if isinstance(content, str) else content.get(key)


def _of_text(text: str) -> _Model:
    head, *parts = text.split("end of trees")[0].split("\nTree=")
    facts = _facts(head)
    names = facts["feature_names"].split()
    trees = [_text_tree(_facts(part), names) for part in parts]
    averaged, objective = "average_output" in head.split(), facts.get("objective", "")
    return _Model(names, int(facts["num_tree_per_iteration"]), averaged, objective, trees)


def _facts(part: str) -> dict[str, str]:
    """Lines "key=value"."""
    return dict(line.split("=", 1) for line in part.splitlines() if "=" in line)


def _text_tree(facts: Mapping[str, str], names: Sequence[str]) -> tuple[Tree, dict[int, str]]:
    """Splits first, then leaves."""

    def numbers(key: str, dtype: type) -> np.ndarray:
        return np.array(facts.get(key, "").split(), dtype=dtype)

    leaves = int(facts["num_leaves"])
    splits = leaves - 1
    feature, kinds = numbers("split_feature", int), numbers("decision_type", int)
    by_set = np.flatnonzero((kinds & CATEGORICAL) != 0)
    left, right = (
        np.where(place < 0, splits - 1 - place, place)
        for place in (numbers("left_child", int), numbers("right_child", int))
    )
    value, count = numbers("leaf_value", float), numbers("leaf_count", float)
    if len(count) != leaves:  # a single leaf has none
        count = np.ones(leaves)
    none = np.full(leaves, LEAF)
    nodes = Nodes(
        feature=np.concatenate([feature, none]),
        threshold=np.concatenate([numbers("threshold", float), np.zeros(leaves)]),
        left=np.concatenate([left, none]),
        right=np.concatenate([right, none]),
        default_left=np.concatenate([(kinds & DEFAULT_LEFT) != 0, np.zeros(leaves, dtype=bool)]),
        value=np.concatenate([np.zeros(splits), value]),
    )
    ends, words = numbers("cat_boundaries", int), numbers("cat_threshold", np.uint32)
    places = nodes.threshold[by_set].astype(int)  # of a split's set among all sets
    sets = [bits_set(words[ends[k] : ends[k + 1]]) for k in places]
    nodes = _split_by_sets(nodes, by_set.tolist(), sets)
    lines = _text_lines(facts, splits) if facts.get("is_linear", "0") != "0" else None
    tree = Tree(nodes, np.concatenate([numbers("internal_count", float), count]), lines)
    missing = [MISSING[kind] for kind in kinds >> MISSING_SHIFT & 3]
    for k in by_set:
        missing[k] = CATEGORY
    return tree, dict(zip(feature.tolist(), missing, strict=True))


def _text_lines(facts: Mapping[str, str], splits: int) -> dict[int, Line]:
    """Linear functions of the leaves, whose features and coefficients stand in one line."""
    constants = [float(word) for word in facts["leaf_const"].split()]
    ends = np.cumsum([0, *(int(word) for word in facts["num_features"].split())])
    features = [int(word) for word in facts["leaf_features"].split()]
    slopes = [float(word) for word in facts["leaf_coeff"].split()]
    return {
        splits + k: (constant, features[first:last], slopes[first:last])
        for k, (constant, first, last) in enumerate(
            zip(constants, ends[:-1], ends[1:], strict=True)
        )
    }


def _split_by_sets(nodes: Nodes, places: list[int], sets: Sequence[np.ndarray]) -> Nodes:
    """As `split_by_sets`, what is missing being in no set."""
    default = np.array(nodes.default_left, dtype=bool)
    default[places] = False
    return split_by_sets(nodes._replace(default_left=default), places, sets)


def _of_json(document: Mapping[str, Any]) -> _Model:
    names = list(document["feature_names"])
    trees = [_json_tree(tree["tree_structure"], names) for tree in document["tree_info"]]
    averaged, objective = bool(document.get("average_output")), document.get("objective", "")
    return _Model(names, int(document["num_tree_per_iteration"]), averaged, objective, trees)


def _json_tree(root: Mapping[str, Any], names: Sequence[str]) -> tuple[Tree, dict[int, str]]:
    columns: list[list[Any]] = []
    missing: dict[int, str] = {}
    sets: dict[int, np.ndarray] = {}
    lines: dict[int, Line] = {}
    waiting = [(root, -1, "")]
    while waiting:
        node, parent, side = waiting.pop()
        place = len(columns)
        if parent >= 0:
            columns[parent][2 if side == "left" else 3] = place
        if "leaf_value" in node:
            if "leaf_const" in node:
                lines[place] = node["leaf_const"], node["leaf_features"], node["leaf_coeff"]
            weight = node.get("leaf_count", 1)
            columns.append([LEAF, 0.0, LEAF, LEAF, False, node["leaf_value"], weight])
            continue
        feature = int(node["split_feature"])
        kind, threshold = str(node["missing_type"]).lower(), node["threshold"]
        if node["decision_type"] == "==":
            kind, sets[place] = CATEGORY, np.array(str(threshold).split("||"), dtype=np.int64)
            threshold = 0.0
        if missing.setdefault(feature, kind) != kind:
            _missing(names, [missing, {feature: kind}])
        split = [feature, threshold, 0, 0, node["default_left"], 0.0]
        columns.append([*split, node["internal_count"]])
        waiting += [(node[f"{side}_child"], place, side) for side in ("right", "left")]
    *arrays, weight = (np.array(column) for column in zip(*columns, strict=True))
    nodes = _split_by_sets(Nodes(*arrays), list(sets), list(sets.values()))
    return Tree(nodes, weight.astype(float), lines), missing
