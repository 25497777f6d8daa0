"""The printed errors against their expectations; limits, regrets, and explicands picked by hand."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from shapaudit_audit.report.latex import NOT_RUN, escape
from shapaudit_audit.report.tasks import compare_tasks
from shapaudit_papers.chen_covert_lundberg_lee_2023 import calibration
from shapaudit_papers.chen_covert_lundberg_lee_2023.figures import calibration as drawn
from shapaudit_papers.chen_covert_lundberg_lee_2023.summary import SUMMARY
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables.calibration import (
    SPREADS,
    calibration_table,
)
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables.comparison import (
    joint_table,
    regrets_table,
)
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables.values import _joint_values
from shapaudit_papers.theory.benchmark import EXPECTED, expected_errors

SAMPLES = (500, 1000, 5000)
TABLE = np.random.default_rng(2).normal(size=64)


def protocol(made_up, factors):
    """The made-up protocol with trials of ours, and means printed at factors of expectation."""
    rng = np.random.default_rng(0)
    index = pd.MultiIndex.from_product([EXPECTED, range(100)], names=["method", "repetition"])
    squares = pd.DataFrame(rng.gamma(3, size=(len(index), len(SAMPLES))), index, SAMPLES)
    printed = pd.DataFrame(
        [
            (name, n, factors.get(name, 1.0) * expected_errors(TABLE, name, n).total)
            for name in EXPECTED
            for n in SAMPLES
        ],
        columns=["method", "samples", "error"],
    )
    same = {"squares": squares, "table": TABLE, "published": printed}
    return dataclasses.replace(made_up["chen"].protocol, **same)


def test_printed_errors_at_their_expectations_are_found_there(made_up):
    experiment = protocol(made_up, {})
    assert experiment.joint.statistic == pytest.approx(0)
    assert experiment.joint.p == 1
    assert r"\textbf" not in joint_table(experiment)
    text = _joint_values(experiment.joint)["joint"]
    assert "differ from 1" not in text
    assert "no evidence against a common factor" in text
    assert "p = 1.0" in text


def test_a_method_with_a_factor_of_its_own_is_named(made_up):
    experiment = protocol(made_up, {"ROF_ANTI": 1.5})
    assert experiment.joint.p < 0.01 < experiment.joint.p_within
    text = _joint_values(experiment.joint)
    assert r"the following differ from 1: ROF\_ANTI. Compared" in text["joint"]
    assert r"\ensuremath{p\le0.0001}" in text["joint"]
    assert "on 9 degrees of freedom" in text["joint"]
    assert "suggests, without further evidence, that a different game is not" in text["joint"]
    assert r"ROF\_ANTI & \stacked{\textbf{1.50}}" in joint_table(experiment)


def test_expectations_of_first_order_are_left_out_of_the_joint_test(made_up):
    experiment = protocol(made_up, {"LS_ANTI": 1.5})
    assert experiment.joint.statistic == pytest.approx(0)
    assert not {"LS", "LS_ANTI"} & set(experiment.joint.methods.index)
    cells = (len(EXPECTED) - 2) * len(SAMPLES)
    assert _joint_values(experiment.joint)["joint-cells"] == str(cells)


def test_without_a_table_nothing_is_expected(made_up):
    experiment = made_up["chen"].protocol
    assert experiment.joint is None
    assert set(_joint_values(None).values()) == {NOT_RUN}
    assert "midrule" in joint_table(experiment)


def test_the_page_says_what_would_be_noticed(made_up):
    part = SUMMARY.of(made_up["findings"])
    assert "weak evidence" not in SUMMARY.section(part)[-1]
    joint = {"cells": 72} | dict.fromkeys(("typical", "low", "high", "noticed"), 1.05)
    alone = {"median": 1.43, "least": 1.28, "most": 1.65}
    told = SUMMARY.section(part | {"joint": joint | {"p": 1e-4}, "noticed": alone})[-1]
    assert "The expectations of 72 of them can be computed" in told
    assert "(p ≤ 0.0001)" in told
    assert "a factor of 1.43 with a probability of" in told
    assert "(1.28 to 1.65 over the entries)" in told
    told = SUMMARY.section(part | {"joint": joint | {"p": 0.0015}, "noticed": alone})[-1]
    assert "(p = 0.0015)" in told


def test_explicands_that_were_picked_by_hand_are_left_out(made_up):
    findings, study = made_up["findings"], made_up["study"]
    block = study.experiments["chen-zeros"]
    assert len(study.games["chen-zeros"].selection.explicands) == 1
    (task,) = compare_tasks(findings, {"chen-zeros": block}).tasks.values()
    assert task.explicands == study.games["chen-zeros"].explicands - 1
    assert 0 not in task.means.columns
    drawn = made_up["chen"].best.tasks["best-regression"]
    assert drawn.explicands == study.experiments["best-regression"].explicands


def test_the_table_of_calibration_has_a_row_per_law(made_up, monkeypatch):
    monkeypatch.setattr(calibration, "FEW_RUNS", 5)
    tasks = made_up["chen"].tasks.tasks
    assert calibration_table(tasks).count("log-normal") == len(SPREADS)
    monkeypatch.setattr(calibration, "MINIMUM_UNITS", 2)
    assert "Diabetes, d = 10" in calibration_table(tasks)


def test_shares_of_wrong_decisions_have_exact_limits():
    half = calibration.Share("means", 0.05, 0, 150).limits
    assert half.low == half.estimate == 0
    assert half.high == pytest.approx(1 - 0.025 ** (1 / 150))
    law = dict(calibration.generated((2.5,)))[2.5]
    shares = {(share.kind, share.level): share for share in calibration.shares(law)}
    assert shares["typical", 0.05].limits.high <= 0.05
    assert shares["means", 0.05].limits.low > 0.05
    assert shares["means, by the rule", 0.05].limits.low <= 0.05


def test_the_figure_of_calibration_marks_levels_and_every_share(made_up, monkeypatch):
    share = [calibration.Share(kind, level, 30, 1000) for kind, level in drawn.STYLES]
    nothing = [cell._replace(wrong=0) for cell in share]
    laws = {0.3: share, 0.5: nothing}
    monkeypatch.setattr(drawn, "generated", lambda spreads: laws.items())
    monkeypatch.setattr(drawn, "of_tasks", lambda tasks: [("Generated counts, d = 280", nothing)])
    monkeypatch.setattr(drawn, "shares", lambda units: units)
    left, right = drawn.calibration_figure({}).axes
    for ax, markers in ((left, len(share)), (right, 0)):
        lines = [list(map(float, line.get_ydata())) for line in ax.lines]
        assert lines.count([0.05, 0.05]) == lines.count([0.001, 0.001]) == 1
        assert lines.count([0.03]) == markers
    bars = [line.get_ydata() for line in left.lines if len(line.get_xdata()) == 2][-1]
    assert bars == pytest.approx([drawn.LEAST, nothing[0].limits.high])
    assert [tick.get_text() for tick in right.get_xticklabels()] == ["Generated\ncounts\nd = 280"]


def test_the_table_of_regrets_has_the_estimators_that_ran_everywhere(made_up):
    tasks = made_up["chen"].tasks
    text = regrets_table(tasks)
    assert all(escape(tasks.label_of(name)) in text for name in tasks.regret_ranking.index)
    assert "Polynomial, order 3, paired" not in text
    best = tasks.regret_ranking.iloc[0]
    assert f"& {int(best['near'])} & {int(best['sure'])} " in text
