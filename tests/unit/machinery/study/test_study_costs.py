"""Studies of explainers and of removals are counted before they start."""

from copy import deepcopy

import numpy as np
import pytest
from places import ROOT

from shapaudit import datasets, models, removals
from shapaudit.nets.adam import Adam
from shapaudit_audit.study.costs import costs_of, price
from shapaudit_audit.study.data_shapes import UNKNOWN, shape_of
from shapaudit_audit.study.explanations import Blocks, run_study
from shapaudit_audit.study.layout import batches, explanation_batches
from shapaudit_audit.study.overlays import ConfigError, load_study
from shapaudit_audit.study.rates import Cost
from shapaudit_audit.study.removal_studies import study_removals, world_of
from shapaudit_audit.study.study_costs import TREE_CELL, _fitting, explanation_cost, removal_cost

CONFIG = {
    "games": {},
    "datasets": {"made-up": {"loader": "gaussian-law", "params": {"n_rows": 90, "n_features": 4}}},
    "models": {"net": {"dataset": "made-up", "trainer": "network", "params": {"epochs": 4}}},
    "estimators": {"paired": {"estimator": "paired-kernel-shap"}},
    "explainers": {"dasp": {"explainer": "dasp"}, "rescale": {"explainer": "deeplift"}},
    "removals": {
        "marginal": {"removal": "marginal"},
        "gaussian": {"removal": "gaussian", "params": {"draws": 20}},
        "surrogate": {"removal": "surrogate", "params": {"hidden": [4], "epochs": 3}},
    },
    "explanation_studies": {
        "one": {
            "dataset": "made-up",
            "models": {
                "net": {"trainer": "network", "params": {"hidden": [4], "epochs": 3, "batch": 16}},
                "shap": {"trainer": "deep-shapnet", "params": {"epochs": 2, "batch": 16}},
                "trees": {"trainer": "forest", "params": {"trees": 5}},
            },
            "units": 3,
            "explicands": 2,
            "background": 1,
            "truth": {"method": "enumeration"},
            "explainers": ["dasp", "rescale"],
            "estimators": ["paired"],
            "rows": [4, 6],
        }
    },
    "removal_studies": {
        "two": {
            "model": "net",
            "rows": [30, 60],
            "fits": 2,
            "explicands": 3,
            "estimator": "paired",
            "budgets": [8, 12],
            "row_limits": [500],
            "runs": 2,
            "per_job": 3,
            "fewer": {"surrogate": {"fits": 1, "rows": [60]}},
            "removals": ["marginal", "gaussian", "surrogate"],
        }
    },
}


def jobs_of(config):
    explained = [
        ("study_explainers", {"explanation": name, "first": first})
        for name, study in config["explanation_studies"].items()
        for first in explanation_batches(study)
    ]
    removed = [
        ("study_removals", {"removal_study": name, "removal": first})
        for name, study in config["removal_studies"].items()
        for first in batches(study, "removals")
    ]
    return explained + removed


def changed(path, value):
    config = deepcopy(CONFIG)
    *parents, last = path
    block = config
    for key in parents:
        block = block.setdefault(key, {})
    block[last] = value
    return config


def test_an_explanation_study_takes_no_more_than_is_counted_and_not_much_less(monkeypatch):
    steps, step = [], Adam.step

    def counted(adam, gradient):
        steps.append(1)
        step(adam, gradient)

    monkeypatch.setattr(Adam, "step", counted)
    study = CONFIG["explanation_studies"]["one"]
    blocks = Blocks(CONFIG["datasets"]["made-up"], CONFIG["explainers"], CONFIG["estimators"])
    table, _ = run_study("one", study, study["models"], blocks, 1)
    truths = 3 * 3 * 2 * 2**4  # models, units, explicands, coalitions
    spent = 2 * table["rows"].sum() + truths
    cost = explanation_cost(CONFIG, "one", "net")
    assert 0.8 * cost.rows <= spent <= cost.rows
    trees = 3 * 5
    assert 0.6 * (cost.steps - trees) <= len(steps) <= cost.steps - trees
    assert cost.evaluations == 0


def test_a_removal_study_takes_no_more_than_is_counted_and_not_much_less():
    study = CONFIG["removal_studies"]["two"]
    rng = np.random.default_rng(0)
    data = datasets.load("gaussian-law", CONFIG["datasets"]["made-up"]["params"], rng)
    model = models.train("network", data, {"epochs": 4}, 0)
    world = world_of("two", study["explicands"], data, model, 1)
    fits = study_removals(study, CONFIG["removals"], CONFIG["estimators"]["paired"], world)["fits"]
    of_tables = 3 * (fits["coalitions"] * fits["rows_per_value"]).sum()
    of_fits = fits["fit_rows"][fits["size"] == 0].sum()
    cost = removal_cost(CONFIG, "two", study["removals"])
    assert 0.7 * cost.rows <= of_tables + of_fits <= cost.rows
    assert cost.steps == 3 * -(-60 * 8 // 128)  # epochs, and batches of rows with eight masks each


def test_jobs_of_a_study_add_up_under_its_place():
    apart = changed(["explanation_studies", "one", "per_job"], 1)
    costs, expected = (costs_of(jobs_of(config), config, {}) for config in (apart, CONFIG))
    assert list(costs) == ["explanation_studies.one", "removal_studies.two"]
    for name, cost in costs.items():
        assert (cost.rows, cost.steps) == (expected[name].rows, expected[name].steps)
        assert cost.seconds == pytest.approx(expected[name].seconds)


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (["one", "units"], 10**10, "of explanation_studies.one, and .*; lower units"),
        (["one", "explicands"], 10**11, "lower units, explicands"),
        (["one", "rows"], [4, 10**13], "lower units, explicands or rows,"),
        (["one", "truth"], {"method": "permutations", "params": {"shuffles": 10**13}},
         "lower units, explicands, or shuffles under params of truth"),
        (["one", "models", "net", "params", "epochs"], 10**12, "or epochs or trees under"),
        (["one", "models", "trees", "params", "trees"], 10**12, "or epochs or trees under"),
        (["two", "fits"], 10**10, "of removal_studies.two, and .*; lower .*fits"),
        (["two", "explicands"], 10**10, "lower explicands"),
        (["two", "rows"], [30, 10**12], "lower explicands, fits or rows|lower fits, rows"),
        (["two", "runs"], 10**12, "lower explicands, fits or rows"),
    ],
)  # fmt: skip
def test_absurd_sizes_are_refused_with_the_setting_to_change(path, value, told):
    place = {"one": "explanation_studies", "two": "removal_studies"}[path[0]]
    config = changed([place, *path], value)
    with pytest.raises(ConfigError, match=f"model rows.*training steps.*{told}.* or raise most_h"):
        price(costs_of(jobs_of(config), config, {}), "2 cores", 1000)


def test_absurd_training_of_a_removal_is_refused():
    config = changed(["removals", "surrogate", "params", "epochs"], 10**13)
    with pytest.raises(ConfigError, match="or epochs under params of its removals"):
        price(costs_of(jobs_of(config), config, {}), "2 cores", 1000)


def test_games_and_studies_are_one_table():
    head = "evaluations  model rows  training steps  about, on one core"
    costs = {"a": Cost(12345, 61.0), "b": Cost(0, 7200.0, rows=10**6, steps=50)}
    assert price(costs, "2 cores", 1000).splitlines() == [
        f"games and studies        {head}",
        f"a                             12,345{' ' * 39}1 min 1 s",
        f"b                                      1,000,000              50{' ' * 11}2 h 0 min",
        f"all; 2 cores share them       12,345   1,000,000              50{' ' * 11}2 h 1 min",
    ]


@pytest.mark.parametrize(("name", "minutes"), [("smoke", 1), ("config", 15), ("full", 180)])
def test_the_studies_of_the_project_take_no_more_than_is_meant(name, minutes):
    config = load_study(ROOT / "config" / f"{name}.yaml")
    costs = costs_of(jobs_of(config), config, {})
    assert set(costs) == {
        f"{place}.{study}"
        for place in ("explanation_studies", "removal_studies")
        for study in config[place]
    }
    assert all(cost.seconds > 0 and cost.rows for cost in costs.values())
    assert sum(cost.seconds for cost in costs.values()) < 60 * minutes


@pytest.mark.parametrize(
    "block",
    [
        {"loader": "digits"},
        {"loader": "diabetes", "params": {"zero_features": 3}},
        {"loader": "breast-cancer"},
        {"loader": "breast-cancer", "params": {"n_features": 30}},
        {"loader": "discrete-law", "params": {"n_rows": 40}},
        {"loader": "chain-law", "params": {"n_rows": 50, "n_features": 5}},
    ],
    ids=str,
)
def test_data_have_the_size_that_is_known_of_them(block):
    data = datasets.load(block["loader"], block.get("params", {}), np.random.default_rng(0))
    assert shape_of(block) == (data.n_rows, data.n_features)


def test_the_size_of_a_file_is_that_of_its_lines(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("a,b,c,y\n1,2,3,4\n5,6,7,8\n", encoding="utf-8")
    assert shape_of({"loader": "csv", "params": {"path": str(path)}}) == (2, 3)
    assert shape_of({"loader": "csv", "params": {"path": str(tmp_path / "none.csv")}}) == UNKNOWN


def test_a_boosted_model_for_each_coalition_costs_a_fit_to_the_rows():
    removal = removals.create("separate", {"trainer": "xgboost"})
    costs = [_fitting(removal, count, 4) for count in (1000, 3000)]
    assert [cost.steps for cost in costs] == [2**4 * removal.n_estimators] * 2
    each = costs[0].steps * TREE_CELL * 4
    assert costs[1].seconds - costs[0].seconds == pytest.approx(2000 * each)
