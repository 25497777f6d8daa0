"""Claims of Okhrati & Lipani 2021: each check in a true and in a false world."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from parts import part
from synthetic import PUBLISHED

from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_audit.papers import claims_of
from shapaudit_papers.okhrati_lipani_2021.claims import (
    comparisons,
    convergence,
    description,
    integral,
    others,
)
from shapaudit_papers.okhrati_lipani_2021.claims import weights as weighting
from shapaudit_papers.okhrati_lipani_2021.evidence import description as description_evidence
from shapaudit_papers.okhrati_lipani_2021.evidence import notation as notation_evidence
from shapaudit_papers.okhrati_lipani_2021.evidence.common import algorithm_1, algorithm_2
from shapaudit_papers.theory.exact_errors import multilinear_errors, walk_errors
from shapaudit_papers.theory.grids import Grid, size_law_of

ALPHA = 0.05
CLAIMS = claims_of("okhrati_lipani_2021")
PARTS = ("weights.gather_weights", "gather_line", "gather_appendix", "gather_random_numbers")
CHECKS = {claim.id: claim.judge for claim in CLAIMS} | {name: part(name).judge for name in PARTS}


@pytest.fixture(scope="module")
def context():
    rng = np.random.default_rng(4)
    games = (StudyGame.from_tables("random", rng.normal(size=(2, 1 << 6))),)
    settings = Settings(max_exact_dimension=8, brute_force_dimension=4, random_games=2)
    own = (StudyGame.from_tables("a perceptron", rng.normal(size=(3, 1 << 6))),)
    return Context("tiny", 1, games, settings, own=own, published=PUBLISHED)


def trapezoid(q):
    return Grid(range(q + 1), q, [1, *[2] * (q - 1), 1], 2 * q)


def mean(q):
    return Grid(range(q + 1), q, [1] * (q + 1), q + 1)


def same(q):
    return algorithm_1(q)


def without_the_ends(q):
    """As many levels as the text counts."""
    return Grid(range(q), q, [1] * q, q)


# Equation 5 with a plus, the sum from i = 0, its factor inside the limits, and Q levels drawn.
MENDED = {
    "fifth": same,
    "last": without_the_ends,
    "factor": lambda q: Fraction(1, q),
    "loop": without_the_ends,
}
EARLIER = ("somebody 1999", 1999, True, False, "draws q")
WORLDS = {
    "ol21-01a": (convergence.gather_limit, {"loops": (lambda q: Grid([1], 2, [1], 1),)}),
    "ol21-01b": (convergence.gather_fixed_draws, {"grid": "midpoint"}),
    "weights.gather_weights": (weighting.gather_weights, {"first": mean, "second": mean}),
    "gather_appendix": (weighting.gather_appendix, MENDED),
    "gather_random_numbers": (
        weighting.gather_random_numbers,
        {"loop": lambda q: Grid([], 1, [], 1)},
    ),
    "gather_line": (weighting.gather_line, {"readings": (notation_evidence.corrected,)}),
    "ol21-06b": (integral.gather_efficiency, {"total": lambda v: v[-1] - v[0]}),
    "ol21-10": (description.gather_first, {"sources": (EARLIER, *description_evidence.SOURCES)}),
    "ol21-12": (others.gather_others, {"explicand": (1, 1, 1)}),
}
EXPECTED = {
    "ol21-01a": ("proved", "refuted"),
    "ol21-01b": ("refuted", "exact"),
    "weights.gather_weights": ("inconsistent", "exact"),
    "gather_appendix": ("inconsistent", "exact"),
    "gather_random_numbers": ("inconsistent", "exact"),
    "gather_line": ("inconsistent", "exact"),
    "ol21-06b": ("refuted", "proved"),
    "ol21-10": ("inconclusive", "refuted"),
    "ol21-12": ("exact", "inconclusive"),
}


@pytest.mark.parametrize("name", WORLDS)
def test_another_world_has_another_verdict(context, name):
    gather, other = WORLDS[name]
    statuses = [CHECKS[name](gather(context, **world), ALPHA).status for world in ({}, other)]
    assert tuple(statuses) == EXPECTED[name]


def test_the_printed_rows_are_those_that_remain(context):
    evidence = description.gather_rows(context)
    verdict = CHECKS["ol21-11"](evidence, ALPHA)
    assert (verdict.status, verdict.consequence) == ("refuted", "slip")
    assert evidence["remaining"] == 29_351
    assert "29,351 rows remain, which is the printed number" in verdict.summary
    assert CHECKS["ol21-11"](evidence | {"printed": 30_000}, ALPHA).status == "exact"
    unexplained = CHECKS["ol21-11"](evidence | {"printed": 29_000}, ALPHA)
    assert "another number still" in unexplained.summary


def test_each_fault_of_the_weights_is_told_by_itself(context):
    check = CHECKS["weights.gather_weights"]
    both = check(weighting.gather_weights(context), ALPHA)
    assert (both.status, both.consequence) == ("inconsistent", "slip")
    assert "$1+1/Q$" in both.summary
    assert "no number of draws removes it" in both.summary
    # The trapezoid rule has another bias than the one in closed form, and no doubled level.
    other = check(weighting.gather_weights(context, trapezoid, trapezoid), ALPHA)
    assert (other.status, other.consequence) == ("inconsistent", "wrong")
    assert "counts twice" not in other.summary


@pytest.mark.parametrize("part", MENDED)
def test_each_slip_of_the_appendix_is_one_fault(context, part):
    check = CHECKS["gather_appendix"]
    assert check(weighting.gather_appendix(context), ALPHA).numbers["faults"] == 4
    mended = {part: algorithm_2 if part == "last" else MENDED[part]}
    assert check(weighting.gather_appendix(context, **mended), ALPHA).numbers["faults"] == 3


def test_a_kernel_of_other_weights_has_another_limit(context):
    evidence = others.gather_others(context, weight=lambda d, size: Fraction(size))
    assert CHECKS["ol21-12"](evidence, ALPHA).status == "refuted"
    # By hand: the first input, 3, adds 1 to nothing, 3 and 2 to one of the others, 3 to both.
    first = others.gather_others(context)["others"][0]
    assert (first.left, first.right) == (2, Fraction(13, 6))


@pytest.mark.parametrize("name", ["ol21-03a", "ol21-04a", "ol21-04b"])
def test_comparisons_follow_their_rows(context, name):
    claim = next(claim for claim in CLAIMS if claim.id == name)
    evidence = claim.gather(context)
    keys = {
        "ol21-03a": ("castro", "owen", "halved"),
        "ol21-04a": ("plain", "halved"),
        "ol21-04b": ("antithetic", "halved"),
    }[name]
    falling = dict(zip(keys, (4.0, 3.0, 2.0, 1.0), strict=False))
    rising = dict(zip(keys, (1.0, 2.0, 3.0, 4.0), strict=False))
    verdicts = [
        claim.judge(evidence | {"rows": [row | world for row in evidence["rows"]]}, ALPHA).status
        for world in (falling, rising)
    ]
    assert verdicts == ["exact", "refuted"]
    assert claim.judge(evidence, ALPHA).status == "refuted"


@pytest.mark.parametrize(
    ("name", "columns"),
    [("ol21-03a", ("castro", "owen", "halved")), ("ol21-04a", ("plain", "halved"))],
)
def test_the_papers_models_are_judged_by_their_means(context, name, columns):
    claim = next(claim for claim in CLAIMS if claim.id == name)
    evidence = claim.gather(context)
    (row,) = evidence["models"]
    assert row["explicands"] == 3
    falling = row | dict(zip(columns, (4.0, 3.0, 2.0), strict=False))
    level = row | dict.fromkeys(columns, 1.0)
    for models, status in (
        ([falling], "supported"),
        ([falling, level], "refuted"),
        ([], "inconclusive"),
    ):
        verdict = claim.judge(evidence | {"models": models}, ALPHA)
        assert verdict.setting.status == status
        assert verdict.status == "refuted"


def test_means_over_explicands_are_those_of_the_exact_errors(context):
    (row,) = comparisons.gather_samples(context)["models"]
    tables = [game.values / game.values.std() for game, _ in context.own[0].explicands()]
    castro = np.mean([walk_errors(table, 2000).total for table in tables])
    owen = np.mean([multilinear_errors(table, "printed", 1001, 2).total for table in tables])
    assert (row["castro"], row["owen"]) == pytest.approx((castro, owen), rel=1e-12)


def test_both_errors_fall_like_the_inverse_of_the_samples(context):
    evidence = comparisons.gather_speed_of_decay(context)
    verdict = CHECKS["ol21-03d"](evidence, ALPHA)
    assert (verdict.status, verdict.consequence) == ("refuted", "setting")
    assert verdict.setting.stand_in
    assert "on other data than the paper's, every game in units" in verdict.setting.summary
    own = [row | {"game": "okhrati-credit"} for row in evidence["models"]]
    assert not CHECKS["ol21-03d"](evidence | {"models": own}, ALPHA).setting.stand_in
    rows = [row for row in evidence["rows"] if row["game"] == "majority"]
    for before, after in pairwise(rows):
        # Without a bias both are variances over independent draws.
        assert before["castro"] / after["castro"] == pytest.approx(4.0)
        assert before["owen"] / after["owen"] == pytest.approx(4.0, rel=0.01)
    faster = [row | {"owen": row["owen"] * 2000 / row["samples"]} for row in evidence["rows"]]
    slow = [row | {"owen": 2 * row["castro"]} for row in evidence["models"]]
    other = CHECKS["ol21-03d"]({"rows": faster, "models": slow}, ALPHA)
    assert (other.status, other.setting.status) == ("inconclusive", "refuted")
    # A change that does not fade is no constant, however small.
    steady = [row | {"owen": row["castro"] * row["samples"] ** -0.01} for row in evidence["rows"]]
    steady = CHECKS["ol21-03d"](evidence | {"rows": steady}, ALPHA)
    assert steady.status == "inconclusive"


def test_what_owen_sampling_lacks_is_what_its_losses_have(context):
    """On majority its mean contributions vary with the size, and levels help; pairs do not."""
    evidence, check = comparisons.gather_samples(context), CHECKS["ol21-03a"]
    majority = next(row for row in evidence["rows"] if row["game"] == "majority")
    assert majority["owen"] < majority["castro"] < majority["halved"]
    assert majority["even_share"] == pytest.approx(0, abs=1e-20)
    assert majority["owen_squared_bias"] < 1e-12
    summary = check(evidence, ALPHA).summary
    assert "Pairs lose what the levels save where the even part of the game is small" in summary
    lost = {"castro": 1.0, "owen": 1.1, "halved": 0.5, "even_share": 0.4}
    for bias, told in (
        (0.2, "Without the bias of the ends, Owen sampling would lose on none"),
        (0.05, "Its variance alone is larger than the error of Castro sampling on 1."),
    ):
        rows = [
            row | {"owen_squared_bias": 0.0}
            for row in evidence["rows"]
            if row["owen"] < row["castro"]
        ]
        world = evidence | {"rows": [*rows, majority | lost | {"owen_squared_bias": bias}]}
        assert told in check(world, ALPHA).summary


def test_the_limit_stands_where_the_own_bit_is_left_out(context):
    limit = CHECKS["ol21-01a"](convergence.gather_limit(context), ALPHA)
    line = CHECKS["gather_line"](weighting.gather_line(context), ALPHA)
    assert (limit.consequence, line.consequence) == ("stands", "slip")
    assert "O 2a" in limit.summary


def test_times_are_not_explained_by_evaluations(context):
    evidence = comparisons.gather_speed(context)
    assert CHECKS["ol21-03c"](evidence, ALPHA).status == "inconclusive"
    slow = [row | {"published_ms": row["evaluations"]} for row in evidence["rows"]]
    assert CHECKS["ol21-03c"]({"rows": slow}, ALPHA).status == "supported"


def test_counts_are_those_of_a_counted_game(context):
    evidence = comparisons.gather_counts(context)
    row = next(r for r in evidence["rows"] if r["samples"] == 12 and r["players"] == 16)
    assert (row["castro"], row["owen"], row["halved"]) == (12 * 16 + 1, 17 * 14, 17 * 16)
    verdict = CHECKS["ol21-05"](evidence, ALPHA)
    assert verdict.consequence == "loosely"
    # Figure 3: 784 pixels; 12 walks, and 4 levels of two coalitions with their complements.
    assert verdict.numbers["ratio_of_figure_3"] == pytest.approx(16 * 785 / (12 * 784 + 1))
    assert "1.33 times the evaluations of Castro sampling" in verdict.summary
    far = [row | {"halved_over_castro": 3.0} for row in evidence["rows"]]
    assert CHECKS["ol21-05"]({"rows": far}, ALPHA).status == "refuted"


@pytest.mark.parametrize("q", [1, 2, 3, 4, 9, 10])
def test_printed_algorithms_scale_additive_games(q):
    assert sum(size_law_of(algorithm_1(q), 5)) == 1 + Fraction(1, q)
    wanted = 1 + Fraction(1 + (q % 2 == 0), q)
    assert sum(size_law_of(algorithm_2(q), 5)) == wanted
