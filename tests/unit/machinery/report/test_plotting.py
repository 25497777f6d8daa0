"""Figures: what they show, and that equal inputs give equal bytes."""

import re
from dataclasses import dataclass

import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from shapaudit.estimators import Estimator
from shapaudit_audit.audit import reading, verdict
from shapaudit_audit.report import palette, style, verdicts
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_papers.grah_thouvenot_2020.findings import load


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@dataclass(frozen=True)
class Mine(Estimator):
    """An estimator of one's own, without a card."""

    id = "mine"

    def minimum_budget(self, n_players):
        return 1

    def estimate(self, game, budget, rng):
        raise AssertionError("nothing is estimated here")


@pytest.mark.parametrize(
    ("estimator", "family"),
    [
        ("plain-monte-carlo", "Monte Carlo"),
        ("RO_ANTI", "Monte Carlo"),
        ("projected-sgd", "PSGD"),
        ("paired-kernel-shap", "KernelSHAP"),
        ("Leverage SHAP", "KernelSHAP"),
        ("multilinear", "Other"),
        (f"{__name__}.Mine", "Other"),
    ],
)
def test_the_family_is_that_of_the_card(estimator, family):
    assert palette.family_of(EstimatorBlock(estimator=estimator)) == family


def test_estimators_of_a_family_share_the_colour_and_differ_in_dashes(made_up):
    specs = made_up["study"].estimators
    styles = style.line_styles(["plain-mc", "optimised-mc", "kernel-shap"], specs)
    assert styles["plain-mc"]["color"] == styles["optimised-mc"]["color"]
    assert styles["plain-mc"]["color"] != styles["kernel-shap"]["color"]
    assert styles["plain-mc"]["linestyle"] != styles["optimised-mc"]["linestyle"]


def test_consequences_are_those_of_the_audit():
    assert list(palette.CONSEQUENCES) == list(verdict.CONSEQUENCES)


def test_each_verdict_stands_in_the_column_of_its_consequence(made_up):
    records = made_up["audit"]["claims"]
    figure = verdicts.verdicts_figure(records)
    names = list(palette.CONSEQUENCES)
    squares = [line for line in figure.axes[0].lines if line.get_marker() == "s"]
    marks = {
        (int(line.get_ydata()[0]), names[int(line.get_xdata()[0])], to_hex(line.get_color()))
        for line in squares
    }
    assert marks == {
        (k, r["consequence"], palette.CONSEQUENCES[r["consequence"]].lower())
        for k, r in enumerate(records)
    }


def test_verdicts_stand_in_rows_from_the_top_with_words_beside(made_up):
    records = made_up["audit"]["claims"]
    figure = verdicts.verdicts_figure(records)
    ax = figure.axes[0]
    columns = len(verdict.CONSEQUENCES)
    assert ax.get_ylim() == (len(records) - 0.5, -0.5)
    assert ax.get_xlim()[0] == -0.5
    assert ax.get_xlim()[1] > columns
    assert [text.get_text() for text in ax.get_yticklabels()] == [
        record["title"] for record in records
    ]
    left = [text for text in ax.texts if text.get_position()[0] < 0]
    assert [text.get_position()[1] for text in left] == list(range(len(records)))
    assert figure.get_figwidth() == style.WIDTH


def claims_of(made_up):
    """Those that the notebook draws."""
    return [
        claim for claim in made_up["audit"]["claims"] if claim["paper"] == "grah_thouvenot_2020"
    ]


def test_a_notebook_shows_what_was_saved_and_the_figure_is_closed(made_up, tmp_path):
    figure = verdicts.verdicts_figure(claims_of(made_up))
    assert plt.fignum_exists(figure.number)
    saved = style.save(figure, tmp_path, "figure")
    assert saved._repr_svg_() == (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert not plt.fignum_exists(figure.number)


def test_equal_inputs_give_equal_bytes_with_fonts_and_without_dates(made_up, tmp_path):
    for name in ("first", "second"):
        figure = verdicts.verdicts_figure(claims_of(made_up))
        style.save(figure, tmp_path / name, "figure")
    for suffix in ("pdf", "svg"):
        once, again = (
            (tmp_path / name / f"figure.{suffix}").read_bytes() for name in ("first", "second")
        )
        assert once == again
        assert not re.search(rb"CreationDate|<dc:date>|\b20\d\d-\d\d-\d\d", once)
    pdf = (tmp_path / "first" / "figure.pdf").read_bytes()
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf


def test_an_unknown_claim_is_named(made_up):
    with pytest.raises(ValueError, match="no-such"):
        reading.find_claim(made_up["audit"], "no-such")


def test_what_several_ask_for_is_read_once(made_up):
    findings, asked = made_up["findings"], []
    for _ in range(2):
        assert findings.once(asked.append) is None
    assert asked == [findings]
    assert findings.once(load) is made_up["grah"]
