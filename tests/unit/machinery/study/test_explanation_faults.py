"""Mistakes in explanation studies are told before any work."""

import re
from copy import deepcopy

import pytest
from msgspec.structs import replace
from places import ROOT

from shapaudit_audit.jobs.sources import sources_of
from shapaudit_audit.papers import ROLES
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.studies import ExplainerBlock, ExplanationStudyBlock
from shapaudit_audit.study.config import validate
from shapaudit_audit.study.overlays import ConfigError, load_study

CONFIG = load_study(ROOT / "config" / "config.yaml")
OTHER = {"label": "x", "trainer": "xgboost"}


def faults(path, value):
    config = deepcopy(CONFIG)
    *parents, last = path
    block = config
    for key in parents:
        block = block[key]
    if value is None:
        del block[last]
    else:
        block[last] = value
    with pytest.raises(ConfigError) as raised:
        validate(config, ROLES)
    return str(raised.value)


@pytest.mark.parametrize(
    ("study", "key", "value", "message"),
    [
        ("depth-10", "dataset", "factors", "depth-10: dataset 'factors' is not in the config"),
        ("depth-10", "explainers", ["rescle"], "explainer 'rescle' is not in the configuration (d"),
        ("depth-10", "estimators", ["auta"], "estimator 'auta' is not in the configuration (did"),
        ("linear-10", "removal", "gauss", "removal 'gauss' is not in the configuration"),
        ("linear-10", "removal", None, "play a conditional game by a removal; name one"),
        ("depth-10", "removal", "gaussian", "a removal is for the target conditional; leave it"),
        ("depth-10", "background", 5, "the target baseline has one; say background: 1, mean or"),
        ("depth-10", "background", 5, "depth-10: dasp-four explains against one baseline"),
        ("depth-10", "target", "conditional", "the method law is for the target conditional"),
        ("linear-10", "truth", {"method": "enumeration"}, "this study has enumeration and condit"),
        ("linear-10", "dataset", "diabetes", "the loader of diabetes is diabetes, choose one of c"),
        ("depth-10", "explainers", ["rescale", "linear"], "linear explains models of the kind lin"),
        ("depth-10", "truth", {"method": "explainer"}, "none of its explainers is exact for mode"),
        ("trees-10", "truth", {"method": "explainer", "params": {"n": 1}}, "takes no params"),
        ("digits", "truth", {"method": "permutations", "params": {"n": 1}}, "parameter 'n'"),
        ("digits", "truth", {"method": "tree"}, "'tree' is not one of"),
        ("digits", "truth", {"method": "enumeration"}, "24 features at most, and digits has 64"),
        ("digits", "rows", [4, 4], "explanation_studies.digits: rows must increase"),
        ("digits", "rows", [], "estimators and rows go together; give both or none"),
        ("digits", "estimators", ["psgd-sqrt-tuned"], "psgd-sqrt-tuned would not be tuned"),
        ("digits", "keep", 50, "keep exceeds the 12 units"),
        ("digits", "per_job", 2, "per_job exceeds the 1 models"),
        ("shapnets-8", "background", "zero", "deep-shapnet has the mean of the training rows as"),
        ("digits", "paper", "chen", "explanation_studies.digits: unknown paper 'chen'"),
        ("digits", "label", "a\nb", "explanation_studies.digits.label: 'a\\nb' has a line break"),
        ("digits", "unit", 3, "unknown key 'unit' (did you mean 'units'?)"),
    ],
)
def test_faults_of_a_study_are_told(study, key, value, message):
    assert message in faults(["explanation_studies", study, key], value)


@pytest.mark.parametrize(
    ("study", "model", "message"),
    [
        ("depth-10", OTHER | {"trainer": "radial"}, "no explainer reads what the trainer 'radial'"),
        ("trees-10", OTHER | {"params": {"depth": 3}}, "models.extra: trainer 'xgboost' has no"),
        ("trees-10", OTHER | {"params": {"max_depth": "3"}}, "models.extra.params: max_depth"),
        (
            "trees-conditional",
            OTHER | {"trainer": "histogram-boosting"},
            "conditional values of histogram-boosting are not known",
        ),
    ],
)
def test_faults_of_its_models_are_told(study, model, message):
    told = faults(["explanation_studies", study, "models", "extra"], model)
    assert re.search(re.escape(message), told)


def test_faults_of_an_explainer_are_told():
    assert "explainers.dasp: unknown explainer 'daps' (did you mean 'dasp'?)" in faults(
        ["explainers", "dasp", "explainer"], "daps"
    )
    assert "has no parameter 'size'" in faults(["explainers", "dasp", "params"], {"size": 3})


def test_models_share_jobs():
    digits = record(ExplanationStudyBlock, CONFIG["explanation_studies"]["digits"])
    (model,) = digits.models.values()
    study = replace(digits, models=dict.fromkeys("abcde", model))
    assert study.batches() == {"a": [*"abcde"]}
    assert replace(study, per_job=2).batches() == {"a": ["a", "b"], "c": ["c", "d"], "e": ["e"]}


def test_files_of_an_explainer_are_its_module():
    files = sources_of([ExplainerBlock(explainer="DeepLIFT RevealCancel")])
    assert files == ["shapaudit/explainers/deeplift.py"]
