"""What the report shows of LS-SPA: loading, tables, values, figures."""

import re

import numpy as np
import pandas as pd
import pytest
from drawn import READABLE, shown, smallest_letters
from matplotlib import pyplot as plt
from places import ROOT
from small_site import own_study

import recorded
from shapaudit_audit.audit.context import Context
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.latex import NOT_RUN
from shapaudit_audit.report.style import WIDTH
from shapaudit_audit.study.reading import MissingExperiment
from shapaudit_papers.bell_devanathan_boyd_2024 import tables
from shapaudit_papers.bell_devanathan_boyd_2024.evidence.printed import gather_toy
from shapaudit_papers.bell_devanathan_boyd_2024.evidence.risk import BARS
from shapaudit_papers.bell_devanathan_boyd_2024.figures import chains as figures
from shapaudit_papers.bell_devanathan_boyd_2024.findings import (
    MONTE_CARLO,
    Attribution,
    BellReplication,
    Chains,
    corrected_half_widths,
    load,
)

SECTIONS = ROOT / "paper"
KEY = "bell_devanathan_boyd_2024"
PUBLISHED = {KEY: ROOT / "config" / "published" / f"{KEY}.csv"}
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in sorted(SECTIONS.glob("*/*.tex")))


LABELS = {MONTE_CARLO: "Walks", "sobol": "Sobol walks", "cyclic": "Cyclic orbits"}


def chains(name, label="R², p = 5", factors=(1.0, 0.4, 1.02), runs=(12, 1)):
    """Errors of runs around 0.2 and, at 512 chains, 0.1, times a factor of each sampler."""
    noise = np.random.default_rng(0).lognormal(sigma=0.1, size=(len(factors), 2, max(runs)))
    errors = noise * np.outer(factors, (0.2, 0.1))[:, :, None]
    errors[:, 0, runs[0] :] = errors[:, 1, runs[1] :] = np.nan
    index = pd.MultiIndex.from_product([LABELS, (256, 512)], names=["estimator", "chains"])
    table = pd.DataFrame(errors.reshape(len(index), -1), index)
    return Chains(name, label, 5, 1000, 12.5, 0.8, table, 0.003, LABELS, 0.05)


@pytest.fixture
def replication():
    toy = np.array([0.0, 0.8143, 0.6937, 0.9222, -0.4311, 0.8173, 0.6864, 0.9238])
    widths = np.array([0.2, 0.1]), np.array([0.4, 0.35])
    diabetes = Attribution(("a_b", "c"), np.array([0.1, 0.3]), *widths, 20, 0.4)
    covered = dict.fromkeys(BARS, 190) | {"mc": 192, "argsort": 200, "cyclic walks": 160}
    risk = pd.DataFrame(
        {
            "regression": [1, 2] * len(BARS),
            "sampler": np.repeat(list(BARS), 2),
            "runs": 100,
            "covered": np.repeat(list(covered.values()), 2) // 2,
            "true_quantile": [0.1, 0.2] * len(BARS),
            "estimated": [0.2, 0.4] * len(BARS),
            "ratio": 2.0,
        }
    )
    rows = pd.DataFrame(gather_toy(Context("test", 1, published=PUBLISHED))["rows"])
    medium = {"bdb-medium": chains("bdb-medium")}
    return BellReplication(toy, "generated", medium, diabetes, risk, rows, 0.05)


def test_values_are_those_the_section_speaks_of(replication):
    used = set(re.findall(r"\\val\{(ls-spa\.[^}]*)\}", TEXT))
    values = tables.values(replication)
    assert used <= set(values)
    assert values["ls-spa.medium.best"] == "Sobol walks"
    assert values["ls-spa.medium.chains"] == "512"
    assert values["ls-spa.large.best"] == NOT_RUN
    assert values["ls-spa.risk.argsort.covered"] == r"100\,\%"
    covers = {"mc": "95 is within", "argsort": "more than 95", "cyclic-walks": "fewer than 95"}
    for key, words in covers.items():
        assert values[f"ls-spa.risk.{key}.covers"].startswith(words)
    assert values["ls-spa.diabetes.clear"] == "c (0.30)"
    assert values["ls-spa.diabetes.clear-jointly"] == "none"
    assert values["ls-spa.diabetes.unclear"] == "1"
    assert values["ls-spa.toy.1"] == "0.597"


def test_tables_are_those_the_section_shows(replication):
    made = tables.tables(replication)
    assert set(re.findall(r"\\input\{tables/(ls_spa_\w+)\}", TEXT)) == set(made)
    assert "Shapley value 1 & 0.59 & 0.5967 & no" in made["ls_spa_toy"]
    assert r"\quad runs & 12 & 1 & " in made["ls_spa_errors"]
    assert re.search(
        r"Sobol walks & 0\.0\d+ & 0\.0\d+ & \\stacked\{\\textbf", made["ls_spa_errors"]
    )
    assert re.search(r"Cyclic orbits .* \\stacked\{1", made["ls_spa_errors"])
    assert "independent & walks & normal & 96.0 & [" in made["ls_spa_coverage"]
    assert made["ls_spa_coverage"].count("fewer than 95") == 1


def test_values_and_tables_are_those_on_record(replication):
    made = {
        f"tables/{name}": text.splitlines() for name, text in tables.tables(replication).items()
    }
    made["values/regression"] = list(tables.values(replication).items())
    recorded.compare("papers", made)


def test_runs_decide_what_their_limits_say():
    panel = chains("bdb-medium")
    assert panel.compared == 256
    assert panel.leaders == ["sobol"]
    assert panel.ratios["sobol", MONTE_CARLO].word == "smaller"
    assert panel.ratios[MONTE_CARLO, "sobol"].word == "larger"
    assert panel.ratios["cyclic", MONTE_CARLO].word == "undecided"
    words = tables._compared(panel)["compared"]
    assert "12 runs of 256 chains" in words
    assert re.search(r"smaller for Sobol walks \(0\.4", words)
    assert re.search(r"different for Cyclic orbits \(1\.", words)
    equal = chains("bdb-medium", factors=(1.0, 1.0, 1.0))
    assert equal.leaders == list(LABELS)


@pytest.mark.parametrize(("runs", "words"), [(1, "one run each cannot"), (3, "3 runs each cannot")])
def test_few_runs_decide_nothing(runs, words):
    panel = chains("bdb-large", runs=(runs, 1), factors=(1.0, 0.001, 1000.0))
    assert panel.compared is None
    assert panel.ratios == {}
    assert tables._compared(panel)["compared"].startswith(words)
    assert tables._compared(panel)["leaders"] == "not decided"


@pytest.mark.parametrize("panels", [1, 2])
def test_figures_are_drawn_as_on_record(replication, panels):
    extra = {f"bdb-{k}": chains(f"bdb-{k}") for k in range(panels)}
    drawn = [
        figures.lattice_figure(replication),
        figures.chains_figure(BellReplication(**{**vars(replication), "chains": extra})),
        figures.risk_figure(replication),
        figures.attribution_figure(replication.diabetes),
    ]
    assert len(drawn[1].axes) == panels
    labels = [text.get_text() for text in drawn[0].axes[0].texts]
    assert sum(label.startswith("{") for label in labels) == 7
    assert "\N{MINUS SIGN}0.43" in labels
    assert not any("\N{MINUS SIGN}0.00" in label for label in labels)
    names = ("toy_lattice", "feature_chains", "risk_estimates", "diabetes_attribution")
    for number, (name, figure) in enumerate(zip(names, drawn, strict=True)):
        assert smallest_letters(figure, name) > READABLE, name
        parts = shown(figure).items()
        made = {f"{KEY}/{number} of {panels}/{part}": value for part, value in parts}
        recorded.compare("notebooks", made)
        assert WIDTH / 2 <= figure.get_figwidth() <= WIDTH
        plt.close(figure)


def test_intervals_over_splits_are_wider_than_over_independent_samples():
    values = np.random.default_rng(0).normal(size=(20, 3))
    plain, corrected = (corrected_half_widths(values, ratio) for ratio in (0.0, 0.25))
    np.testing.assert_allclose(corrected / plain, np.sqrt(6.0))
    spread = values.std(axis=0, ddof=1) / np.sqrt(20)
    np.testing.assert_allclose(plain, 2.093024 * spread, rtol=1e-6)


def test_a_study_without_the_experiments_is_refused(tmp_path):
    findings = Findings(tmp_path, own_study("one"), "config/published")
    with pytest.raises(MissingExperiment, match="bell_devanathan_boyd_2024 and role: toy"):
        load(findings)


def test_nothing_is_told_apart_in_words_of_significance():
    panel = chains("bdb-medium", factors=(1.0, 1.0, 1.0))
    panel.ratios.clear()
    assert (
        "no other method has a significantly smaller error than"
        in tables._compared(panel)["compared"]
    )
