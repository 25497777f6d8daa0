"""Mistakes in a configuration are found, named and explained before any work is done."""

import re
from copy import deepcopy

import numpy as np
import pytest
from places import ROOT

from shapaudit import truth
from shapaudit.games import TabularGame
from shapaudit_audit.papers import ROLES
from shapaudit_audit.study.config import check_keys, validate
from shapaudit_audit.study.consistency import MOST_PLAYERS, REFERENCES
from shapaudit_audit.study.overlays import ConfigError, load_study

# The study of one's own needs an estimator that is not there: tests/workflow/test_own_study.py.
STUDIES = sorted({path.name for path in (ROOT / "config").glob("*.yaml")} - {"my_study.yaml"})


STUDY = ["removal_studies", "gaussian"]


def study(name="smoke.yaml"):
    return load_study(ROOT / "config" / name)


@pytest.mark.parametrize("name", STUDIES)
def test_the_studies_that_come_with_the_project_are_valid(name):
    validate(study(name), ROLES)


def test_the_three_studies_exist():
    assert {"config.yaml", "smoke.yaml", "full.yaml"} <= set(STUDIES)


def test_the_study_of_ones_own_lacks_nothing_but_its_estimator():
    with pytest.raises(ConfigError) as raised:
        validate(study("my_study.yaml"), ROLES)
    assert str(raised.value).count("\n  - ") == 1
    assert "cannot import the estimator 'my_estimator.EqualSplit'" in str(raised.value)


def put(config, path, value):
    *parents, last = path
    for key in parents:
        config = config[key]
    config[last] = value


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["seeed"], 1, "did you mean 'seed'"),
        (["claims", "repetition"], 1, "did you mean 'repetitions'"),
        (["games", "diabetes", "pairs"], 3, "unknown key 'pairs' (did you mean 'explicands'?)"),
        (["games", "diabetes", "tuning_pairs"], 3, "did you mean 'tuning_explicands'"),
        (["claims", "radial_pairs"], 3, "did you mean 'radial_explicands'"),
        (["games", "diabetes", "reward"], "profit", "'profit' is not one of"),
        (["games", "diabetes", "model"], "diabetes-bosting", "did you mean 'diabetes-boosting'"),
        (["games", "diabetes", "truth", "method"], "guess", "unknown method 'guess'"),
        (["games", "diabetes", "truth", "check"], "guess", "unknown method 'guess'"),
        (["models", "regression", "dataset"], "gaussian-7", "did you mean 'gaussian-6'"),
        (["models", "regression", "trainer"], "magic", "unknown trainer 'magic'"),
        (["models", "regression", "files"], "w.txt", "models.regression.files: 'w.txt' is not of"),
        ([*STUDY, "model"], "gausian-network", "did you mean 'gaussian-network'"),
        ([*STUDY, "removals"], ["gausian"], "did you mean 'gaussian'"),
        ([*STUDY, "fits"], 2, "2 is less than the minimum of 3"),
        (["datasets", "gaussian-6", "params"], {"rows": 5}, "'rows'"),
        (["datasets", "gaussian-6", "loader"], "gaussian7", "unknown loader"),
        (["estimators", "plain-mc", "estimator"], "plain", "unknown estimator 'plain'"),
        (["estimators", "plain-mc", "params"], {"x": 1}, "takes no parameters"),
        (["estimators", "psgd-sqrt", "params"], {"stepp": 1}, "no parameter stepp"),
        (["estimators", "psgd-sqrt", "params"], {"step": "big"}, "step 'big' is none of"),
        (["estimators", "psgd-sqrt", "params"], {"batch": 0}, "batch at least 1"),
        (["estimators", "plain-mc", "estimator"], "os.path.Nothing", "cannot import"),
        (["estimators", "plain-mc", "estimator"], "pathlib.Path", "not a subclass"),
        (["experiments", "diabetes", "estimators"], ["plain-mc", "kernelshap"], "'kernelshap'"),
        (["experiments", "diabetes", "budgets"], [5, 10], "below the minimum of"),
        (["experiments", "diabetes", "budgets"], [100, 100], "budgets must increase"),
        (["games", "classification", "tuning_explicands"], 0, "has no tuning_explicands"),
        (["seed"], "one", "'one' is not of type 'integer'"),
        (["results"], "../elsewhere", "does not match"),
    ],
)
def test_a_mistake_is_named(path, value, message):
    config = study()
    put(config, path, value)
    with pytest.raises(ConfigError) as error:
        validate(config, ROLES)
    assert message in str(error.value)


PATH = ["paths", "okhrati-cancer"]
SEARCH = {"dataset": "digits", "count": 1, "layers": 1, "widths": {"from": 5, "to": 2, "step": 1}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({("diabetes", "budgets"): [500.0, 1000.0]}, "500.0 is not of type 'integer'"),
        ({("diabetes", "repetitions"): 2.0}, "2.0 is not of type 'integer'"),
        (
            {("diabetes", "explicands"): 1},
            "experiments.diabetes: the limits of the report take 2 explicands",
        ),
        ({("classification", "keep"): 1}, "keep would take psgd-sqrt-tuned before it is tuned"),
    ],
)
def test_a_mistake_of_an_experiment_is_named(changes, message):
    config = study()
    for path, value in changes.items():
        put(config, ["experiments", *path], value)
    with pytest.raises(ConfigError, match=message):
        validate(config, ROLES)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            [*PATH, "explicands"],
            11,
            "paths.okhrati-cancer: explicands exceeds the 10 of okhrati-cancer",
        ),
        ([*PATH, "step"], 21, "samples is below step"),
        ([*PATH, "estimators"], ["kernel-shap"], "kernel-shap cannot be run with 10 samples: "),
        ([*PATH, "estimators"], ["psgd-sqrt-tuned"], "psgd-sqrt-tuned would not be tuned"),
        (["architectures"], {"s": SEARCH}, "architectures.s.widths: from exceeds to"),
        ([*STUDY, "model"], "diabetes-boosting", "removal_studies.gaussian: needs a model of data"),
        ([*STUDY, "rows"], [100, 50], "removal_studies.gaussian: rows must increase"),
        ([*STUDY, "budgets"], [3], "the budget 3 is below the minimum of paired-kernel-shap, "),
        ([*STUDY, "estimator"], "psgd-sqrt-tuned", "psgd-sqrt-tuned would not be tuned"),
        ([*STUDY, "fewer"], {"kernel": {"fits": 3}}, "'kernel' is none of its removals"),
        ([*STUDY, "fewer"], {"gaussian": {"fits": 9}}, "fits of gaussian exceeds the 3"),
        ([*STUDY, "fewer"], {"gaussian": {"rows": [70]}}, r"\[70\], are none of \[50, 100\]"),
        (
            ["datasets", "gaussian-law-6", "params", "n_features"],
            15,
            "removal_studies.gaussian: the law's own values are enumerated, for 14 features",
        ),
        (["games", "diabetes", "players"], 25, "truth: enumeration takes 24 players at most"),
        (["games", "bdb-toy", "players"], 26, "truth: subsets takes 25 players at most"),
        (["games", "bdb-toy", "truth", "check"], "orbits", "orbits is not exact, remove the check"),
        (
            ["games", "okhrati-digits", "truth"],
            {"method": "permutations", "check": "closed-form"},
            "permutations is not exact, remove the check",
        ),
        (
            ["games", "okhrati-digits", "truth"],
            {"method": "inversion"},
            "truth: inversion is for the reward same-class of the trainer chi-square",
        ),
        (
            ["games", "classification-large", "truth", "params", "bound"],
            0,
            "truth: the bound of inversion is 0; give one between 0 and 1",
        ),
        (
            ["games", "diabetes", "selection"],
            {"explicands": [0, 1], "baselines": [0]},
            "games.diabetes.selection: 2 explicands and 1 baselines; give equally many",
        ),
        (
            ["games", "diabetes", "selection"],
            {"explicands": [*range(7)], "baselines": [*range(7)]},
            "at most the 6 explicands",
        ),
        (
            ["games", "bdb-toy", "selection"],
            {"explicands": [0], "baselines": [1]},
            "games of r-squared have no explicands",
        ),
        (
            ["games", "diabetes", "reward"],
            "expectation",
            "games.diabetes: the reward expectation needs data drawn from a law; the loader of "
            "diabetes is diabetes",
        ),
        (
            ["games", "diabetes", "truth", "check"],
            "law-numerical",
            "games.diabetes.truth: law-numerical is for the reward expectation",
        ),
        (["games", "conditional", "baseline"], "zero", "have no baselines; leave out baseline"),
        (
            ["games", "conditional-gaussian", "truth"],
            {"method": "tree"},
            "games.conditional-gaussian.truth: tree knows no removals; take one of ",
        ),
        (["games", "conditional", "players"], 15, "law-numerical takes 14 players at most"),
    ],
)
def test_blocks_that_do_not_fit_together_are_named(path, value, message):
    config = study()
    config.setdefault("architectures", {})
    put(config, path, value)
    with pytest.raises(ConfigError, match=message):
        validate(config, ROLES)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ["experiments", "bdb-toy", "paper"],
            "bell_devanathan_2024",
            "experiments.bdb-toy: unknown paper 'bell_devanathan_2024' "
            "(did you mean 'bell_devanathan_boyd_2024'?); known: ",
        ),
        ([*PATH, "paper"], "okhrati", "paths.okhrati-cancer: unknown paper 'okhrati'"),
        (
            ["architectures"],
            {"s": {**SEARCH, "widths": {"from": 1, "to": 2, "step": 1}, "paper": "okhrati"}},
            "architectures.s: unknown paper 'okhrati'",
        ),
        (
            ["experiments", "chen-diabetes", "role"],
            "tasks",
            "unknown role 'tasks' (did you mean 'task'?); chen_covert_lundberg_lee_2023 has: "
            "protocol, task, best",
        ),
        (["experiments", "bdb-toy", "paper"], "field", "unknown role 'toy'; field has: none"),
        (
            ["experiments", "best-classification", "role"],
            "task",
            "needs one with paper: chen_covert_lundberg_lee_2023 for each role of protocol, task, "
            "best; there is none for best",
        ),
    ],
)
def test_papers_and_roles_are_checked(path, value, message):
    config = study()
    put(config, path, value)
    with pytest.raises(ConfigError, match=re.escape(message)):
        validate(config, ROLES)


def test_a_role_needs_its_paper():
    config = study()
    del config["experiments"]["bdb-toy"]["paper"]
    with pytest.raises(ConfigError, match=r"experiments\.bdb-toy: role 'toy' needs paper"):
        validate(config, ROLES)


def test_a_study_that_names_no_paper_needs_no_role():
    config = study()
    for block in ("experiments", "paths"):
        for spec in config[block].values():
            for key in ("paper", "role"):
                spec.pop(key, None)
    validate(config, ROLES)


def test_the_readme_says_what_each_role_is_for():
    readme = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:`(\w+)`)? ?\| `(\w+)` \|", readme, flags=re.MULTILINE)
    papers = [paper for paper, _ in rows if paper]
    assert papers == [paper for paper, roles in ROLES.items() if roles]
    assert [role for _, role in rows] == [role for roles in ROLES.values() for role in roles]


def test_methods_are_known_by_their_certificates():
    game = TabularGame(np.arange(8.0))
    for method in ("enumeration", "diagonal", *REFERENCES):
        values = truth.compute(method, game, np.random.default_rng(0))
        assert (values.certificate == "reference") == (method in REFERENCES)
    assert {*REFERENCES, *MOST_PLAYERS} <= set(truth.METHODS)


OWN = """
from dataclasses import dataclass
from shapaudit.estimators import Estimator


@dataclass(frozen=True)
class Own(Estimator):
    id = "own"
    fault: str = "raises"

    def __post_init__(self):
        if self.fault == "late":
            raise KeyError("lost")

    def minimum_budget(self, n_players):
        if self.fault == "raises":
            raise RuntimeError("boom")
        return {"nothing": None, "float": 3.5, "zero": 0}[self.fault]

    def estimate(self, game, budget, rng):
        raise AssertionError("nothing is estimated here")
"""


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (
            "raises",
            r"minimum_budget\(6\) of plain-mc fails \(line 17 of .*\.py\): RuntimeError: boom",
        ),
        ("nothing", r"minimum_budget\(6\) of plain-mc must be an integer of .* 1, got None"),
        ("float", r"must be an integer of at least 1, got 3\.5"),
        ("zero", "must be an integer of at least 1, got 0"),
        ("late", "estimators.plain-mc: KeyError: 'lost'"),
    ],
)
def test_a_faulty_estimator_of_ones_own_is_named(tmp_path, monkeypatch, fault, message):
    module = tmp_path.name  # another for each case
    (tmp_path / f"{module}.py").write_text(OWN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    config = study()
    config["estimators"]["plain-mc"] |= {"estimator": f"{module}.Own", "params": {"fault": fault}}
    with pytest.raises(ConfigError, match=message):
        validate(config, ROLES)


def test_estimators_go_by_their_names_in_the_literature():
    config = study()
    config["estimators"]["plain-mc"] |= {"estimator": "Leverage SHAP", "params": {"paired": True}}
    validate(config, ROLES)
    config["estimators"]["plain-mc"]["params"] = {"paired": False}
    with pytest.raises(ConfigError, match=r"plain-mc: Leverage SHAP .* paired False contradicts"):
        validate(config, ROLES)
    config["estimators"]["plain-mc"]["estimator"] = "Levrage SHAP"
    with pytest.raises(ConfigError, match=r"plain-mc: .*did you mean 'leverage-shap'"):
        validate(config, ROLES)


def test_a_module_that_cannot_be_imported_is_named(tmp_path, monkeypatch):
    (tmp_path / "own_unfinished.py").write_text("def f(:", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    config = study()
    config["estimators"]["plain-mc"]["estimator"] = "own_unfinished.Own"
    with pytest.raises(ConfigError, match=r"estimators.plain-mc: .*own_unfinished.*SyntaxError"):
        validate(config, ROLES)


@pytest.mark.parametrize(
    ("tuned", "message"),
    [
        ({"parameter": "scale", "grid": [0.1, -1]}, "tune.grid: -1 cannot be taken: projected-sgd"),
        ({"parameter": "step", "grid": [1, 2]}, "tune.grid: 1 cannot be taken: .*step 1 is none"),
        ({"parameter": "scales", "grid": [1, 2]}, "has no parameter 'scales'"),
    ],
)
def test_every_value_of_a_grid_is_tried(tuned, message):
    config = study()
    config["estimators"]["psgd-sqrt-tuned"]["tune"] = tuned
    with pytest.raises(ConfigError, match=f"estimators.psgd-sqrt-tuned.*{message}"):
        validate(config, ROLES)


def test_a_key_twice_is_refused(tmp_path):
    files = [ROOT / "config" / name for name in [*STUDIES, "my_study.yaml"]]
    check_keys(files)
    path = tmp_path / "twice.yaml"
    path.write_text(
        "estimators:\n  mine: &a {label: A}\n  its: {<<: *a, label: B}\n  mine: {label: C}\n"
        "more: [{label: A, label: B}, *a]\n",
        encoding="utf-8",
    )
    with pytest.raises(ConfigError) as raised:
        check_keys([*files, path])
    assert str(raised.value).splitlines()[1:] == [
        f"  - {path}, line 4: the block has 'mine' already; rename one",
        f"  - {path}, line 5: the block has 'label' already; rename one",
    ]


def test_all_mistakes_are_listed_at_once():
    config = study()
    config["seeed"], config["claims"]["x"] = 1, 2
    with pytest.raises(ConfigError) as error:
        validate(config, ROLES)
    assert str(error.value).count("\n  - ") == 2


def test_validation_changes_nothing():
    config = study()
    before = deepcopy(config)
    validate(config, ROLES)
    assert config == before
