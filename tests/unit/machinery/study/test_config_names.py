"""Names, labels and keys of a configuration that later stages could not do with."""

import pytest
from places import ROOT

from shapaudit_audit.papers import ROLES
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.runs import ExperimentBlock
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.config import check_keys, validate
from shapaudit_audit.study.overlays import ConfigError, load_study


def study():
    return load_study(ROOT / "config" / "smoke.yaml")


def own(name):
    """A study of one's own with one experiment of this name."""
    config = study()
    experiment = dict(config["experiments"]["diabetes"])
    del experiment["paper"], experiment["role"]
    del config["paths"]
    config.pop("architectures", None)
    return config | {"experiments": {name: experiment}}


@pytest.mark.parametrize("name", ["regression", "diabetes", "classification", "mine"])
def test_a_study_of_ones_own_may_call_its_experiment_what_it_likes(name):
    config = own(name)
    validate(config, ROLES)
    mine = record(Study, config)
    assert not mine.reported
    assert list(mine.compared()) == [name]


def test_a_study_of_ones_own_needs_no_certain_estimator():
    config = own("mine")
    experiment = config["experiments"]["mine"]
    experiment["estimators"] = ["optimised-mc", "kernel-shap"]
    validate(config, ROLES)
    assert record(ExperimentBlock, experiment).compared_with == "optimised-mc"
    experiment["reference"] = "kernel-shap"
    validate(config, ROLES)
    assert record(ExperimentBlock, experiment).compared_with == "kernel-shap"
    experiment["reference"] = "kernel"
    with pytest.raises(ConfigError, match=r"mine: reference 'kernel' is none .*kernel-shap"):
        validate(config, ROLES)


@pytest.mark.parametrize(
    ("block", "name", "message"),
    [
        ("experiments", "n" * 300, "is too long"),
        ("games", "mine\n", r"does not match"),
        ("estimators", "Mine", r"does not match"),
        ("models", 5, "5 is not of type 'string'"),
    ],
)
def test_names_that_are_no_names_of_files_are_refused(block, name, message):
    config = study()
    config[block][name] = next(iter(config[block].values()))
    with pytest.raises(ConfigError, match=message):
        validate(config, ROLES)


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("", r"estimators\.plain-mc\.label: '' does not match"),
        ("  ", r"estimators\.plain-mc\.label: '  ' does not match"),
        ("l" * 101, "is too long"),
        ("two\nlines", r"estimators\.plain-mc\.label: 'two\\nlines' has a line break"),
        ("nothing\0", "another control character"),
        (5, "5 is not of type 'string'"),
    ],
)
def test_labels_are_short_and_in_one_line(label, message):
    config = study()
    config["estimators"]["plain-mc"]["label"] = label
    with pytest.raises(ConfigError, match=message):
        validate(config, ROLES)


@pytest.mark.parametrize(
    ("block", "name", "spec", "message"),
    [
        ("datasets", "d", {"loader": "csv", "params": {"path": 5}}, "path must be a text; got 5"),
        (
            "models",
            "m",
            {"dataset": "gaussian-6", "trainer": "function", "params": {"function": 5}},
            r"models\.m\.params: function must be a text; got 5",
        ),
        ("experiments", "e", {"keep": "all"}, "'all' is not of type 'integer'"),
        ("experiments", "e", {"keep": True}, "True is not of type 'integer'"),
        ("experiments", "e", {"keep": 1.0}, r"1\.0 is not of type 'integer'"),
    ],
)
def test_values_of_another_type_are_named(block, name, spec, message):
    config = study()
    below = config["experiments"]["diabetes"] if block == "experiments" else {}
    config[block][name] = below | spec
    with pytest.raises(ConfigError, match=message):
        validate(config, ROLES)


def test_keys_that_are_no_text_are_named():
    config = study()
    config[True] = 1
    with pytest.raises(ConfigError, match="unknown key 'True'"):
        validate(config, ROLES)


@pytest.mark.parametrize("key", ["__use_yte__", "__definitions__", "__variables__"])
def test_a_configuration_is_no_template(tmp_path, key):
    below, above = tmp_path / "below.yaml", tmp_path / "above.yaml"
    below.write_text(f"study: s\n{key}: true\n", encoding="utf-8")
    above.write_text("extends: below.yaml\n", encoding="utf-8")
    with pytest.raises(
        ConfigError, match=f"below.yaml: {key} would make the configuration a program"
    ):
        check_keys([above])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("study: café\n".encode("latin-1"), r"below\.yaml is not in UTF-8 \(byte 10 is 0xe9\)"),
        (b"extends: 5\n", "extends 5; name a file"),
        (b"extends: nothing.yaml\n", "there is no file .*nothing.yaml"),
        (b"- a list\n", "below.yaml holds no configuration"),
    ],
)
def test_files_that_cannot_be_read_are_named(tmp_path, content, message):
    (tmp_path / "below.yaml").write_bytes(content)
    (tmp_path / "above.yaml").write_text("extends: below.yaml\n", encoding="utf-8")
    for read in (load_study, lambda path: check_keys([path])):
        with pytest.raises(ConfigError, match=message):
            read(tmp_path / "above.yaml")
    with pytest.raises(ConfigError, match=r"missing\.yaml cannot be read: No such file"):
        load_study(tmp_path / "missing.yaml")
