"""Models of explanation studies that another package trains."""

import sys

import lightgbm
import numpy as np
import pytest
from msgspec import to_builtins
from places import ROOT

from shapaudit import datasets
from shapaudit.models import ModelError
from shapaudit_audit.papers import ROLES
from shapaudit_audit.study import explanation_faults
from shapaudit_audit.study.blocks.studies import ExplainedModelBlock
from shapaudit_audit.study.config import validate
from shapaudit_audit.study.explained_models import trained
from shapaudit_audit.study.overlays import ConfigError, load_study

SPEC = ExplainedModelBlock(label="LightGBM", trainer="lightgbm", params={"trees": 4, "leaves": 5})


@pytest.fixture(scope="module")
def diabetes():
    return datasets.load("diabetes", {}, np.random.default_rng(0))


def test_lightgbm_is_trained_and_read(diabetes):
    fitted = trained(SPEC, diabetes, 3)
    peer = lightgbm.LGBMRegressor(n_estimators=4, num_leaves=5, n_jobs=1, verbose=-1)
    expected = peer.fit(*diabetes.rows("train")).predict(diabetes.features)
    np.testing.assert_allclose(fitted.model.predict(diabetes.features), expected, rtol=1e-12)
    assert fitted.kind == "trees"
    assert 0 < fitted.score < 1


def test_without_lightgbm_the_remedy_is_told(diabetes, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(ModelError, match=r"'lightgbm': .*pip install 'shapaudit\[trees\]'"):
        trained(SPEC, diabetes, 3)
    config = load_study(ROOT / "config" / "config.yaml")
    config["explanation_studies"]["trees-10"]["models"]["boosted"] = to_builtins(SPEC)
    monkeypatch.setattr(explanation_faults, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"models\.boosted: LightGBM is an extra: pip install"):
        validate(config, ROLES)
    monkeypatch.setattr(explanation_faults, "find_spec", lambda name: name)
    validate(config, ROLES)
