"""What the experiments of a role need is asked for before the first job."""

from copy import deepcopy

import pytest
from places import ROOT

from shapaudit_audit.papers import ROLES
from shapaudit_audit.study.config import validate
from shapaudit_audit.study.overlays import ConfigError, load_study


def study():
    return load_study(ROOT / "config" / "smoke.yaml")


def with_role(config, role):
    """Name and block of the first experiment of a role."""
    return next(
        (n, experiment)
        for n, experiment in config["experiments"].items()
        if experiment.get("role") == role
    )


ALONE = [role for roles in ROLES.values() for role in roles.values() if role.alone]


def test_some_roles_are_of_one_experiment():
    assert {role.name for role in ALONE} == {"collapsed", "toy", "attribution"}


@pytest.mark.parametrize("role", ALONE, ids=lambda role: role.name)
def test_a_second_experiment_of_such_a_role_is_named(role):
    config = study()
    name, block = with_role(config, role.name)
    config["experiments"]["second"] = deepcopy(block)
    message = rf"experiments: {name}, second have the role '{role.name}' .*, which one experiment"
    with pytest.raises(ConfigError, match=message):
        validate(config, ROLES)


def test_others_may_be_of_several():
    config = study()
    config["experiments"]["second"] = deepcopy(with_role(config, "task")[1])
    validate(config, ROLES)


@pytest.mark.parametrize(
    ("role", "estimator"),
    [
        ("samples", "optimised-mc"),
        ("samples", "owen"),
        ("samples", "halved-owen"),
        ("suite", "optimised-mc"),
        ("maps", "optimised-mc"),
        ("maps", "halved-owen"),
    ],
)
def test_an_estimator_that_the_findings_need_is_not_renamed(role, estimator):
    config = study()
    name, block = with_role(config, role)
    config["estimators"]["renamed"] = config["estimators"][estimator]
    block["estimators"] = ["renamed" if key == estimator else key for key in block["estimators"]]
    message = rf"experiments\.{name}: the role '{role}' .* needs the estimator {estimator}, by this"
    with pytest.raises(ConfigError, match=message):
        validate(config, ROLES)


@pytest.mark.parametrize("role", ["task", "best"])
def test_the_report_has_its_reference(role):
    config = study()
    name, block = with_role(config, role)
    block["reference"] = next(k for k in block["estimators"] if k != "paired-kernel-shap")
    message = rf"experiments\.{name}: the report compares .*; say reference: paired-kernel-shap"
    with pytest.raises(ConfigError, match=message):
        validate(config, ROLES)


def test_experiments_that_the_text_speaks_of_keep_their_names():
    config = study()
    config["experiments"]["renamed"] = config["experiments"].pop("regression")
    message = "the report speaks of regression with the role 'comparison' of grah_thouvenot_2020"
    with pytest.raises(ConfigError, match=message):
        validate(config, ROLES)
