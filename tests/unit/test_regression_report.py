"""What the report shows of LS-SPA: loading, tables, values, figures."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from shapaudit.claims import Context
from shapaudit.claims.bell_devanathan_boyd import printed
from shapaudit.findings.ls_spa import LSSPA, Attribution, Chains, corrected_half_widths, load_ls_spa
from shapaudit.findings.reporting import MissingExperiment
from shapaudit.plotting import regression as figures
from shapaudit.tables import regression as tables
from shapaudit.tables.prose import NOT_RUN

SECTION = Path(__file__).parents[2] / "paper" / "sections" / "ls_spa.tex"


def chains(name, label="R², p = 5"):
    errors = pd.DataFrame([[0.2, 0.1], [0.1, 0.04]], index=["walks", "sobol"], columns=[256, 512])
    labels = {"walks": "Walks", "sobol": "Sobol walks"}
    return Chains(name, label, 5, 1000, 12.5, 0.8, errors, 0.003, labels)


@pytest.fixture
def found():
    toy = np.array([0.0, 0.8143, 0.6937, 0.9222, -0.4311, 0.8173, 0.6864, 0.9238])
    diabetes = Attribution(("a_b", "c"), np.array([0.1, 0.3]), np.array([0.2, 0.1]), 20, 0.4)
    risk = pd.DataFrame(
        {
            "regression": [1, 2] * 5,
            "sampler": np.repeat(list(figures.SAMPLERS), 2),
            "runs": 100,
            "covered": [95, 97, 100, 100, 100, 99, 98, 96, 99, 99],
            "true_quantile": [0.1, 0.2] * 5,
            "estimated": [0.1, 0.2, 0.3, 0.6, 0.2, 0.4, 0.12, 0.22, 0.15, 0.25],
            "ratio": [1.0, 1.0, 3.0, 3.0, 2.0, 2.0, 1.2, 1.1, 1.5, 1.25],
        }
    )
    rows = pd.DataFrame(printed.gather_toy(Context("test", 1))["rows"])
    return LSSPA(toy, "generated", {"bdb-medium": chains("bdb-medium")}, diabetes, risk, rows)


def test_values_are_those_the_section_speaks_of(found):
    used = set(re.findall(r"\\val\{(ls-spa\.[^}]*)\}", SECTION.read_text(encoding="utf-8")))
    values = tables.values(found)
    assert used <= set(values)
    assert values["ls-spa.medium.best"] == "Sobol walks"
    assert values["ls-spa.medium.chains"] == "512"
    assert values["ls-spa.large.best"] == NOT_RUN
    assert values["ls-spa.risk.argsort.covered"] == r"100\,\%"
    assert values["ls-spa.diabetes.clear"] == "c (0.30)"
    assert values["ls-spa.diabetes.unclear"] == "1"
    assert values["ls-spa.toy.1"] == "0.597"


def test_tables_are_those_the_section_shows(found):
    made = tables.tables(found)
    text = SECTION.read_text(encoding="utf-8")
    assert set(re.findall(r"\\input\{tables/(ls_spa_\w+)\}", text)) == set(made)
    assert "Shapley value 1 & 0.59 & 0.5967 & no" in made["ls_spa_toy"]
    assert "Sobol walks & 0.10 & 0.040" in made["ls_spa_errors"]


@pytest.mark.parametrize("panels", [1, 2])
def test_figures_draw(found, panels):
    extra = {f"bdb-{k}": chains(f"bdb-{k}") for k in range(panels)}
    drawn = [
        figures.lattice_figure(found),
        figures.chains_figure(LSSPA(**{**vars(found), "chains": extra})),
        figures.risk_figure(found),
        figures.attribution_figure(found.diabetes),
    ]
    assert len(drawn[1].axes) == panels
    labels = [text.get_text() for text in drawn[0].axes[0].texts]
    assert sum(label.startswith("{") for label in labels) == 7
    assert "\N{MINUS SIGN}0.43" in labels
    assert not any("\N{MINUS SIGN}0.00" in label for label in labels)
    for figure in drawn:
        plt.close(figure)


def test_intervals_over_splits_are_wider_than_over_independent_samples():
    values = np.random.default_rng(0).normal(size=(20, 3))
    plain, corrected = (corrected_half_widths(values, ratio) for ratio in (0.0, 0.25))
    np.testing.assert_allclose(corrected / plain, np.sqrt(6.0))
    spread = values.std(axis=0, ddof=1) / np.sqrt(20)
    np.testing.assert_allclose(plain, 2.093024 * spread, rtol=1e-6)


def test_a_study_without_the_experiments_is_refused():
    with pytest.raises(MissingExperiment, match="bdb-diabetes, bdb-toy"):
        load_ls_spa("results", {"study": "other", "experiments": {"one": {}}}, {})
