"""Labels that the report cannot print are refused before the first job, by name."""

import pytest
from msgspec.structs import replace
from places import ROOT

from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.labels import check_labels
from shapaudit_audit.study.overlays import ConfigError
from shapaudit_audit.study.reading import read_study


def study(label, block="estimators", name="plain-mc"):
    config = read_study(ROOT / "config" / "smoke.yaml")
    blocks = getattr(config, block)
    return replace(config, **{block: blocks | {name: replace(blocks[name], label=label)}})


@pytest.mark.parametrize(
    "label", ["α-SHAP", "it’s", "Łukasz", "fast 🚀", "costs $5", "100 %_&#{}~^\\"]
)
def test_what_can_be_printed_is_taken(label):
    check_labels(study(label))
    check_labels(study(label, "games", "diabetes"))


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("中文 sampling", r"estimators\.plain-mc\.label: .*中 \(cjk.*for instance 'sampling'"),
        ("Оценка", r"о|О \(cyrillic.* and 3 others; .*for instance 'plain-mc'"),
        ("a $x$ b", "several dollar signs"),
    ],
)
def test_what_cannot_be_printed_is_named(label, message):
    with pytest.raises(ConfigError, match=message):
        check_labels(study(label))


def test_a_study_without_a_report_may_have_any_script():
    config = study("中文")
    experiments = {key: replace(own, paper=None) for key, own in config.experiments.items()}
    config = replace(config, experiments=experiments)
    check_labels(config)
    assert Findings("results", config, "published").study is config


def test_figures_and_tables_have_labels_in_plain_characters():
    findings = Findings("results", study("fast 🚀"), "published")
    assert findings.study.estimators["plain-mc"].label == "fast [rocket]"
