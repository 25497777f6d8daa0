"""What a run costs is counted before it starts, and what is absurd is not begun."""

import time

import numpy as np
import pytest
from places import ROOT

from shapaudit.games import TabularGame
from shapaudit.truth import compute
from shapaudit_audit.study import costs
from shapaudit_audit.study.costs import (
    costs_of,
    price,
    run_evaluations,
    run_seconds,
    truth_evaluations,
)
from shapaudit_audit.study.experiments import run_spec
from shapaudit_audit.study.layout import batches, repeated
from shapaudit_audit.study.overlays import ConfigError, load_study
from shapaudit_audit.study.rates import BOOSTED, OWN, ROWS, Cost
from shapaudit_audit.study.samples import deviations, path_evaluations

GAME = {"players": 6, "explicands": 4, "tuning_explicands": 2}


class Collection:
    """Six games, two of them to choose a parameter on."""

    n_players, n_experiment = 6, 4

    def __init__(self):
        values = np.random.default_rng(0).random((6, 64))
        self.games = [TabularGame(table) for table in values]

    def game(self, explicand):
        return self.games[explicand]

    def experiment_games(self):
        return self.games[:4]

    def tuning_games(self):
        return self.games[4:]


@pytest.mark.parametrize(
    "spec",
    [
        {"estimator": "optimised-monte-carlo"},
        {"estimator": "multilinear"},
        {
            "estimator": "projected-sgd",
            "params": {"step": "constant"},
            "tune": {"parameter": "scale", "grid": [0.01, 0.02, 0.03]},
        },
    ],
)
def test_a_run_takes_no_more_evaluations_than_are_counted_and_not_much_less(spec):
    experiment = {"budgets": [3, 60, 120], "repetitions": 2, "explicands": 3}
    collection = Collection()
    rng = np.random.default_rng(0)
    truths = [compute("enumeration", game, rng) for game in collection.games]
    table, setting = run_spec(spec, experiment, collection, truths, 1, ("e", "k"))
    counted = run_evaluations(spec, experiment, GAME)
    per_run = {}
    anytime = spec["estimator"] != "multilinear"
    for explicand, repetition, spent in zip(
        table["explicand"], table["repetition"], table["evaluations"], strict=True
    ):
        key = explicand, repetition
        per_run[key] = max(per_run.get(key, 0), spent) if anytime else per_run.get(key, 0) + spent
    tuned = setting["tuning"]["evaluations"] if setting["tuning"] else 0
    assert 0.8 * counted <= sum(per_run.values()) + tuned <= counted


@pytest.mark.parametrize(
    ("truth", "count"),
    [
        ({"method": "enumeration"}, 6 * 64),
        ({"method": "enumeration", "check": "diagonal"}, 2 * 6 * 64),
        ({"method": "permutations", "params": {"shuffles": 100}}, 6 * 100 * 7),
        ({"method": "orbits", "params": {"orbits": 10}}, 6 * 10 * 6 * 7),
        ({"method": "tree"}, 0),
    ],
)
def test_truth_is_counted(truth, count):
    assert truth_evaluations({**GAME, "truth": truth}) == count


def test_inversion_takes_time_and_no_evaluations():
    config = study()
    game = config["games"]["classification-large"]
    jobs = [("compute_truth", {"run": "", "game": "classification-large"})]
    cost = costs_of(jobs, config, repeated(config))["classification-large"]
    assert cost == Cost(0, costs.inversion_seconds(game))
    assert cost.seconds > 0
    finer = {**game, "truth": {"method": "inversion", "params": {"bound": 1e-6}}}
    assert costs.inversion_seconds(finer) > cost.seconds
    assert costs.inversion_seconds({**game, "truth": {"method": "permutations"}}) == 0
    built = [*jobs, ("run_estimators", EXPERIMENT_JOB)]
    both = costs_of(built, config, repeated(config))["classification-large"]
    assert both.evaluations > 0
    assert both.seconds > cost.seconds


def test_surrogates_take_time_beside_their_evaluations():
    experiment = {"budgets": [3, 50, 100], "repetitions": 2, "explicands": 5}
    once, each = OWN["odd-fourier"]
    told = run_seconds({"estimator": "OddSHAP"}, experiment, {**GAME, "players": 6})
    assert told == pytest.approx(2 * 5 * (2 * once + each * 6 * 150))  # 3 evaluations are too few
    assert run_seconds({"estimator": "antithetic-monte-carlo"}, experiment, GAME) == 0


def test_the_time_of_surrogates_is_part_of_the_price():
    config = load_study(ROOT / "config" / "config.yaml")
    first = next(key for key, names in batches(config["experiments"]["many-digits"]).items()
                 if "auto" in names)  # fmt: skip
    job = [("run_estimators", {"run": "", "experiment": "many-digits", "batch": first})]
    cost = costs_of(job, config, {})["many-digits"]
    alone = cost.evaluations * costs.seconds_per_evaluation(config, "many-digits")
    assert cost.seconds > 10 * alone


def test_paths_are_counted():
    specs = {"mc": {"estimator": "optimised-monte-carlo"}, "owen": {"estimator": "multilinear"}}
    path = {
        "explicands": 2,
        "samples": 12,
        "step": 4,
        "replicates": 3,
        "estimators": ["mc", "owen"],
    }
    table = deviations(specs, path, Collection(), 1, "p")
    along = table["evaluations"][table["kind"] == "path"].sum()
    again = 3 * table["evaluations"][table["kind"] == "replicates"].sum()
    assert path_evaluations(specs, path, 6) == along + again


EXPERIMENT_JOB = {"run": "", "experiment": "classification-large", "batch": "optimised-mc"}


def study():
    return load_study(ROOT / "config" / "smoke.yaml")


def test_jobs_are_priced_by_game_in_the_order_of_the_study():
    config = study()
    jobs = [
        ("run_estimators", {"run": "", "experiment": "diabetes", "batch": "plain-mc"}),
        ("build_games", {"run": "", "game": "classification"}),
        ("compute_truth", {"run": "repetitions/2/", "game": "classification"}),
        ("write_study", {}),
    ]
    prices = costs_of(jobs, config, repeated(config))
    assert list(prices) == ["classification", "diabetes"]
    game = config["games"]["classification"]
    tables = (game["explicands"] + game["tuning_explicands"]) * 2 ** game["players"]
    assert prices["classification"].evaluations == tables + truth_evaluations(game)
    assert all(cost.seconds > 0 for cost in prices.values())


def test_a_repetition_runs_its_part_of_the_experiments_and_any_game_that_is_asked_for():
    config = study()
    part = repeated(config)
    experiment, block = next(iter(part["experiments"].items()))
    game = block["game"]
    other = next(name for name in config["games"] if name != game)
    del part["games"][other]
    batch = next(iter(batches(block)))
    jobs = [
        ("run_estimators", {"run": "repetitions/2/", "experiment": experiment, "batch": batch}),
        ("compute_truth", {"run": "repetitions/2/", "game": other}),
    ]
    prices = costs_of(jobs, config, part)
    once = sum(
        run_evaluations(config["estimators"][name], block, config["games"][game])
        for name in batches(block)[batch]
    )
    assert prices[game].evaluations == once
    assert prices[other].evaluations == truth_evaluations(config["games"][other]) > 0


def test_every_rule_that_evaluates_is_priced():
    text = "".join(
        (ROOT / "workflow" / "rules" / f"{name}.smk").read_text(encoding="utf-8")
        for name in ("games", "truth", "estimates", "explanations", "removals")
    )
    rules = {line.split()[1].rstrip(":") for line in text.splitlines() if line.startswith("rule ")}
    # Those that gather what others made, and the fit of a game's removal, whose rows its table has.
    unpriced = {"estimates", "explanations", "removal_studies", "fit_removal"}
    assert rules - unpriced == {*costs.COUNTED, "study_explainers", "study_removals"}


def test_the_costs_are_one_table():
    shown = price({"a": Cost(12345, 61.0), "long-name": Cost(10**9, 7200.0)}, "4 cores", 1000)
    assert shown.splitlines() == [
        "games                      evaluations  about, on one core",
        "a                               12,345           1 min 1 s",
        "long-name                1,000,000,000           2 h 0 min",
        "all; 4 cores share them  1,000,012,345           2 h 1 min",
    ]


def test_an_absurd_run_is_refused_in_words():
    config = study()
    config["experiments"]["diabetes"]["budgets"] = [100, 10**15]
    jobs = [("run_estimators", {"experiment": "diabetes", "batch": "plain-mc"})]
    with pytest.raises(ConfigError, match=r"hours of one core.* of diabetes, .*raise most_hours"):
        price(costs_of(jobs, config, {}), "2 cores", costs.MOST_HOURS)


def test_a_slow_function_of_ones_own_is_timed(tmp_path, monkeypatch):
    ticks = iter(range(0, 1000, 2))
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))
    monkeypatch.syspath_prepend(str(tmp_path))
    source = "calls = []\ndef f(rows):\n    calls.append(rows.shape)\ndef g(rows):\n    1 / 0\n"
    (tmp_path / "own_and_slow.py").write_text(source, encoding="utf-8")
    config = {
        "games": {"one": {"players": 30, "model": "m"}},
        "models": {"m": {"trainer": "function", "params": {"function": "own_and_slow.f"}}},
    }
    assert costs.seconds_per_evaluation(config, "one") == 2.0
    from own_and_slow import calls

    assert calls == [(1, 30)]
    config["models"]["m"]["params"]["function"] = "own_and_slow.g"
    assert costs.seconds_per_evaluation(config, "one") == BOOSTED


@pytest.mark.parametrize(
    ("removal", "params", "rows"),
    [
        ("gaussian", {"draws": 40}, 40),
        ("marginal", {"rows": 7}, 7),
        ("marginal", {}, ROWS),
        ("kernel", {"most": 20}, 20),
        ("combined", {"draws": 30, "most": 80}, 80),
        ("surrogate", {}, 1),
    ],
)
def test_a_value_by_a_removal_takes_its_rows(removal, params, rows):
    config = study()
    game = config["games"]["diabetes"]
    before = costs.seconds_per_evaluation(config, "diabetes", built=True)
    config["removals"] = {"one": {"removal": removal, "params": params}}
    game["removal"] = "one"
    spent = costs.seconds_per_evaluation(config, "diabetes", built=True)
    assert spent == pytest.approx(rows * before)
