"""How evidence decides: each judge in worlds where a claim is true, false, and open."""

from fractions import Fraction

import numpy as np
import pytest
import scipy

from shapaudit.statistics.limits import Limit, clopper_pearson
from shapaudit_audit.audit.evidence import Case
from shapaudit_audit.audit.judges import (
    by_bound,
    by_coverage,
    by_identity,
    by_own_limits,
    by_ratios,
    tell,
)

ROW = ({"cases": 2},)
SAME, OTHER = Case("a", Fraction(1, 3), Fraction(1, 3)), Case("b", Fraction(1), Fraction(2))


def limit(low, high, estimate=None):
    return Limit("made up", low if estimate is None else estimate, low, high, 0.95)


def test_equal_sides_prove_and_other_sides_refute():
    held = by_identity([SAME, SAME], "All.", rows=ROW, numbers={"cases": 2}, reach="d = 2")
    assert (held.status, held.summary, held.consequence, held.rows) == (
        "exact",
        "All.",
        None,
        ROW,
    )
    wrong = by_identity([SAME, OTHER], "All agree.", rows=ROW, numbers={"cases": 2})
    assert (wrong.status, wrong.summary, wrong.consequence) == ("refuted", "b: 1, not 2.", "wrong")
    assert wrong.rows == ({"case": "b", "left": 1, "right": 2},)
    assert held.numbers == wrong.numbers == {"cases": 2}
    assert by_identity([SAME], "All.", shown_by="lem:x").status == "proved"


def test_either_verdict_on_an_identity_has_its_sample():
    for case in (SAME, OTHER):
        verdict = by_identity([case], "", sample={"cases": 1}, rows=ROW, reach="one case")
        assert verdict.sample == {"cases": 1}


def test_an_identity_may_stand_for_less_and_fall_for_a_reason_of_its_own():
    assert by_identity([SAME], "Some.", standing="supported", rows=ROW).status == "supported"
    fallen = by_identity([OTHER], "", lambda case: f"Not {case.label}.", consequence="slip")
    assert (fallen.summary, fallen.consequence) == ("Not b.", "slip")


@pytest.mark.parametrize(
    ("ends", "status"),
    [
        ([(0.2, 0.9), (0.5, 0.99)], "supported"),
        ([(0.2, 0.9), (0.5, 1.0)], "inconclusive"),
        ([(0.2, 0.9), (1.0, 1.4)], "inconclusive"),
        ([(0.2, 0.9), (1.01, 1.4)], "refuted"),
    ],
)
def test_ratios_decide_by_their_limits(ends, status):
    assert by_ratios([limit(*pair) for pair in ends]) == status


def test_a_margin_moves_what_supports_and_not_what_refutes():
    assert by_ratios([limit(0.9, 1.04)], below=1.05) == "supported"
    assert by_ratios([limit(1.01, 1.04)], below=1.05) == "refuted"
    assert by_ratios([limit(1.01, 1.04)], below=1.05, above=1.02) == "supported"


@pytest.mark.parametrize(
    ("rows", "status"),
    [
        ([(0.2, 1.2, 0.9), (0.5, 1.1, 0.99)], "supported"),
        ([(0.2, 1.2, 0.9), (0.5, 1.1, 1.0)], "inconclusive"),
        ([(0.2, 1.2, 0.9), (1.0, 1.4, 1.3)], "inconclusive"),
        ([(0.2, 1.2, 0.9), (1.01, 1.4, 1.3)], "refuted"),
    ],
)
def test_all_at_once_refute_and_each_alone_supports(rows, status):
    """The same of the reciprocals, for a claim that they are above 1, and at another bound."""
    below = [{"low": low, "high": high, "high_alone": alone} for low, high, alone in rows]
    above = [
        {"low": 1 / high, "high": 1 / low, "low_alone": 1 / alone} for low, high, alone in rows
    ]
    assert by_own_limits(below) == by_own_limits(above, larger=True) == status
    doubled = [{key: 2 * end for key, end in row.items()} for row in below]
    assert by_own_limits(doubled, bound=2.0) == status


@pytest.mark.parametrize(
    ("ends", "status"),
    [
        ([(0.1, 1.0), (0.1, 2.0)], "supported"),
        ([(0.1, 1.1), (0.1, 2.0)], "inconclusive"),
        ([(1.1, 1.2), (0.1, 2.0)], "refuted"),
        ([(0.1, 0.2), (2.1, 2.2)], "refuted"),
    ],
)
def test_bounds_are_those_of_their_own_quantity(ends, status):
    assert by_bound([limit(*pair) for pair in ends], [1.0, 2.0]) == status


def test_as_many_bounds_as_quantities_are_wanted():
    with pytest.raises(ValueError, match="argument 2 is longer"):
        by_bound([limit(0, 1)], [1.0, 2.0])


@pytest.mark.parametrize(
    ("ends", "options", "status"),
    [
        ((0.93, 0.97), {}, "supported"),
        ((0.89, 0.97), {}, "inconclusive"),
        ((0.85, 0.94), {}, "refuted"),
        ((0.96, 0.99), {}, "refuted"),
        ((0.96, 0.99), {"least": True}, "supported"),
        ((0.85, 0.94), {"least": True}, "refuted"),
        ((0.92, 0.945), {"margin": 0.01}, "supported"),
        ((0.955, 0.99), {"margin": 0.01}, "supported"),
        ((0.89, 0.95), {}, "inconclusive"),
        ((0.95, 0.97), {}, "supported"),
    ],
)
def test_coverage_is_compared_with_its_level(ends, options, status):
    assert by_coverage([limit(*ends)], 0.95, **options) == status


@pytest.mark.parametrize("judge", [by_ratios, by_own_limits, lambda none: by_bound(none, []), None])
def test_nothing_decides_nothing(judge):
    with pytest.raises(ValueError, match="there is no"):
        (judge or (lambda none: by_coverage(none, 0.95)))([])


def test_wrong_verdicts_on_coverage_are_as_rare_as_the_limits_promise():
    """Binomial runs at the level itself: refuted with probability alpha at most."""
    trials, alpha, level = 300, 0.1, 0.95
    counts = np.arange(trials + 1)
    chances = scipy.stats.binom.pmf(counts, trials, level)
    refuted = [
        by_coverage([clopper_pearson("", int(k), trials, alpha)], level) == "refuted"
        for k in counts
    ]
    assert 0.01 < chances @ refuted <= alpha


def test_only_the_text_that_is_told_is_made():
    texts = {"supported": "Yes.", "refuted": lambda: 1 / 0}
    verdict = tell("supported", texts, numbers={"n": 1}, rows=ROW)
    assert (verdict.summary, verdict.numbers, verdict.consequence) == ("Yes.", {"n": 1}, None)
    assert tell("refuted", {"refuted": lambda: "No."}, "slip", rows=ROW).consequence == "slip"
    with pytest.raises(KeyError):
        tell("inconclusive", texts, rows=ROW)


def test_a_verdict_that_falls_has_no_reach():
    texts = dict.fromkeys(("exact", "refuted"), "So it is.")
    assert tell("exact", texts, rows=ROW, reach="d up to 3").reach == "d up to 3"
    assert tell("refuted", texts, rows=ROW, reach="d up to 3").reach == ""


def test_a_verdict_shows_where_its_status_does():
    texts = {"proved": "Yes.", "refuted": "No."}
    proof = {"proved": "prop:one"}
    assert tell("proved", texts, shown_by=proof).shown_by == "prop:one"
    assert tell("refuted", texts, shown_by=proof, rows=ROW).shown_by == "rows"
    assert tell("refuted", texts, shown_by="prop:one").shown_by == "prop:one"
