"""Models of CatBoost: their files, categories and what of them is not read."""

import copy
import json

import numpy as np
import pandas as pd
import pytest

import tree_models
from shapaudit.explainers import create
from shapaudit.models import ModelError
from shapaudit.models.read_trees import read_trees
from tree_models import CASES, own_output


@pytest.mark.parametrize("policy", ["SymmetricTree", "Lossguide"])
def test_catboost_writes_files_that_are_read(policy, tmp_path):
    import catboost

    settings = {"iterations": 5, "depth": 3, "verbose": 0, "allow_writing_files": False}
    model = catboost.CatBoostClassifier(grow_policy=policy, **settings)
    model.fit(tree_models.HOLES, tree_models.SECOND)
    model.save_model(str(tmp_path / "model.json"), format="json")
    expected = model.predict(tree_models.HOLES, prediction_type="RawFormulaVal")
    for output, sign in ((None, 1), (1, 1), (0, -1)):
        read = read_trees(tmp_path / "model.json", output)
        np.testing.assert_allclose(read.predict(tree_models.HOLES.to_numpy()), sign * expected)
    assert read.names == tuple("abcd")
    with pytest.raises(ModelError, match="has outputs 0 to 1, not 2"):
        read_trees(model, 2)


@pytest.mark.parametrize("policy", ["SymmetricTree", "Lossguide"])
def test_combined_categories_of_catboost(policy, tmp_path):
    """Categories that it has not met, in every column at once; a file gives the same."""
    case = CASES[f"CatBoost categories, combined, {policy}"]()
    case.model.save_model(str(tmp_path / "model.json"), format="json")
    document = json.loads((tmp_path / "model.json").read_text())
    categories = [
        sum(part["combination_element"] == "cat_feature_value" for part in statistic["elements"])
        for statistic in document["features_info"]["ctrs"]
    ]
    kinds = {statistic["ctr_type"] for statistic in document["features_info"]["ctrs"]}
    if policy == "SymmetricTree":  # others have statistics of single categories
        assert max(categories) > 1
    assert kinds == {"Borders", "BinarizedTargetMeanValue", "Counter"}
    rng = np.random.default_rng(0)
    rows = pd.concat([case.rows] * 4, ignore_index=True)
    for name, new in (("colour", "z"), ("size", 99)):
        own = rows[name].to_numpy(dtype=object).copy()
        own[rng.random(len(own)) < 0.3] = new
        rows[name] = pd.Series(rng.permutation(own)).astype(rows[name].dtype)
    expected = own_output(case, rows)
    for model in (case.model, tmp_path / "model.json"):
        read = read_trees(model)
        np.testing.assert_allclose(read.predict(read.numbers(rows)), expected, rtol=1e-12)


def test_categories_of_catboost_that_are_not_read(tmp_path, monkeypatch):
    from shapaudit.models import catboost_splits, catboost_unfolding

    case = CASES["CatBoost categories, combined, SymmetricTree"]()
    read = read_trees(case.model)
    fitted = create("interventional-tree").fit(case.model, case.rows[:5])
    with pytest.raises(ModelError, match="takes categories; give the rows as a data frame"):
        fitted.explain(np.ones((3, 4)))
    for entry, kind in ((None, "NoneType"), (1.5, "float")):
        rows = case.rows[:2].reset_index(drop=True)
        rows["colour"] = pd.Series([rows["colour"][0], entry], dtype=object)
        with pytest.raises(ModelError, match=f"'colour' has the category {entry}, a {kind}"):
            read.numbers(rows)
    case.model.save_model(str(tmp_path / "model.json"), format="json")
    document = json.loads((tmp_path / "model.json").read_text())

    def refused(document, message):
        (tmp_path / "other.json").write_text(json.dumps(document))
        with pytest.raises(ModelError, match=message):
            read_trees(tmp_path / "other.json")

    other = copy.deepcopy(document)
    for key, table in other["ctr_data"].items():
        if key.count("cat_feature_value") > 1:
            keys = table["hash_map"][:: table["hash_stride"]]
            table["hash_map"][:: table["hash_stride"]] = [str(k) for k in range(len(keys))]
    refused(other, "combines categories of which its file lists only some")
    other = copy.deepcopy(document)
    for statistic in other["features_info"]["ctrs"]:
        statistic["ctr_type"] = "FloatTargetMeanValue"
    refused(other, "encodes categories by FloatTargetMeanValue, which is not read")
    other = copy.deepcopy(document)
    other["features_info"]["ctrs"][0]["borders"].pop(0)
    refused(other, "does not tell which statistic its split compares")
    other["features_info"]["text_features"] = [{"feature_id": "words"}]
    refused(other, "encodes text features itself, 'words'")
    nodes = len(read.ensemble.nodes.feature)
    monkeypatch.setattr(catboost_unfolding, "MOST", nodes)
    read_trees(case.model)
    monkeypatch.setattr(catboost_unfolding, "MOST", nodes - 1)
    with pytest.raises(ModelError, match=f"its trees have more than {nodes - 1} nodes"):
        read_trees(case.model)
    monkeypatch.setattr(catboost_splits, "MOST", 3)
    with pytest.raises(ModelError, match="more than 3 combinations of categories"):
        read_trees(case.model)
    monkeypatch.setitem(__import__("sys").modules, "catboost", None)
    with pytest.raises(ModelError, match=r"numbered by CatBoost, which is not installed"):
        read.numbers(case.rows[:2].assign(colour="another"))


def test_whole_numbers_and_truth_values_are_the_texts_that_catboost_makes_of_them():
    import catboost

    rng = np.random.default_rng(0)
    rows = pd.DataFrame({
        "flag": rng.random(80) < 0.5, "code": rng.integers(-3, 3, 80),
        "label": pd.Categorical(rng.choice([2, 7, 9], 80)), "number": rng.normal(size=80),
    })  # fmt: skip
    target = rows["flag"] * rows["number"] + (rows["code"] % 2) + (rows["label"] == 7)
    model = catboost.CatBoostRegressor(
        iterations=8, cat_features=["flag", "code", "label"], allow_writing_files=False, verbose=0
    ).fit(rows, target)
    read = read_trees(model)
    for given in (rows, rows.astype({"code": str, "flag": "boolean", "label": "string"})):
        numbers = read.numbers(given)
        np.testing.assert_allclose(read.predict(numbers), model.predict(rows), rtol=1e-12)
