"""Mistakes in a configuration are found, named and explained before any work is done."""

from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from shapaudit.study.config import SCHEMA, ConfigError, validate

ROOT = Path(__file__).parents[2]
# The study of one's own needs an estimator that is not there: tests/workflow/test_own_study.py.
STUDIES = sorted({path.name for path in (ROOT / "config").glob("*.yaml")} - {"my_study.yaml"})


def study(name="smoke.yaml"):
    return yaml.safe_load((ROOT / "config" / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", STUDIES)
def test_the_studies_that_come_with_the_project_are_valid(name):
    validate(study(name))


def test_the_three_studies_exist():
    assert {"config.yaml", "smoke.yaml", "full.yaml"} <= set(STUDIES)


def test_the_study_of_ones_own_lacks_nothing_but_its_estimator():
    with pytest.raises(ConfigError) as raised:
        validate(study("my_study.yaml"))
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
        (["games", "diabetes", "reward"], "profit", "'profit' is not one of"),
        (["games", "diabetes", "model"], "diabetes-bosting", "did you mean 'diabetes-boosting'"),
        (["games", "diabetes", "truth", "method"], "guess", "unknown method 'guess'"),
        (["games", "diabetes", "truth", "check"], "guess", "unknown method 'guess'"),
        (["models", "regression", "dataset"], "gaussian-7", "did you mean 'gaussian-6'"),
        (["models", "regression", "trainer"], "magic", "unknown trainer 'magic'"),
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
        (["games", "classification", "tuning_pairs"], 0, "has no tuning_pairs"),
        (["seed"], "one", "'one' is not of type 'integer'"),
        (["results"], "../elsewhere", "does not match"),
    ],
)
def test_a_mistake_is_named(path, value, message):
    config = study()
    put(config, path, value)
    with pytest.raises(ConfigError) as error:
        validate(config)
    assert message in str(error.value)


def test_all_mistakes_are_listed_at_once():
    config = study()
    config["seeed"], config["claims"]["x"] = 1, 2
    with pytest.raises(ConfigError) as error:
        validate(config)
    assert str(error.value).count("\n  - ") == 2


def test_validation_changes_nothing():
    config = study()
    before = deepcopy(config)
    validate(config)
    assert config == before


def described(schema, prefix=""):
    """Dotted keys of a schema, with <dataset> and the like for names that a study chooses."""
    for key, value in schema.get("properties", {}).items():
        yield prefix + key, value
        yield from described(value, f"{prefix}{key}.")
        named = value.get("additionalProperties") or {}
        yield from described(named, f"{prefix}{key}.<{key.removesuffix('s')}>.")


def test_every_key_of_the_schema_is_described_and_listed_in_the_readme():
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    readme = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    for key, value in described(schema):
        assert "description" in value or value.get("$ref") == "#/$defs/params", key
        assert f"`{key}`" in readme, f"config/README.md does not list {key}"
