"""What a configuration says of samples, paths and searches of architectures."""

import pytest
from places import ROOT

from shapaudit.estimators import create
from shapaudit_audit.papers import ROLES
from shapaudit_audit.study.config import validate
from shapaudit_audit.study.overlays import ConfigError, load_study
from shapaudit_audit.study.reading import read_study
from shapaudit_audit.study.samples import sample_budgets
from shapaudit_papers.okhrati_lipani_2021.findings.maps import MAP_SAMPLES
from shapaudit_papers.okhrati_lipani_2021.findings.trial import METHODS


@pytest.mark.parametrize("file", ["config", "smoke", "full"])
def test_budgets_of_the_studies_are_those_of_equal_samples(file):
    study = read_study(ROOT / f"config/{file}.yaml")
    specs = [study.estimators[method] for method in METHODS]
    three = [create(spec.estimator, spec.params) for spec in specs]
    looked_at = 0
    for name, block in study.experiments.items():
        d = study.game_of(block).players
        if block.role == "samples":
            sizes = [4, 20] if file == "smoke" else [20, 100, 400, 2000]
        elif block.role == "maps":
            sizes = [MAP_SAMPLES]
        else:
            continue
        assert block.budgets == sample_budgets(three, sizes, d), name
        looked_at += 1
    assert looked_at >= 2


@pytest.mark.parametrize(
    ("block", "change", "message"),
    [
        ("paths", {"game": "none"}, "paths.okhrati-cancer: game 'none' is not"),
        ("paths", {"estimators": ["owenn"]}, "'owenn' is not .*did you mean 'owen'"),
    ],
)
def test_references_of_paths_are_checked(block, change, message):
    study = load_study(ROOT / "config/smoke.yaml")
    study[block]["okhrati-cancer"] |= change
    with pytest.raises(ConfigError, match=message):
        validate(study, ROLES)


def test_a_search_is_checked():
    study = load_study(ROOT / "config/smoke.yaml")
    widths = {"from": 1, "to": 3, "step": 1}
    search = {"dataset": "nothing", "count": 2, "layers": 1, "widths": widths}
    study["architectures"] = {"s": search | {"params": {"depth": 3}}}
    with pytest.raises(ConfigError, match=r"architectures.s: dataset 'nothing'(.|\n)*'depth'"):
        validate(study, ROLES)
