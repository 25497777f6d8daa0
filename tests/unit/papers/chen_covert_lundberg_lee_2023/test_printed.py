"""What the paper prints of models, descent, grids, variants and equations, in several worlds."""

from fractions import Fraction

import numpy as np
import pytest
from parts import part
from synthetic import PUBLISHED

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import equations, levels, models
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.variants import star
from shapaudit_papers.theory.grids import Grid
from shapaudit_papers.theory.pairing import kernel_law

ALPHA = 0.05
CONTEXT = Context("tiny", 3, settings=Settings(random_games=2), published=PUBLISHED)


def observe(claim_id, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(CONTEXT, **world), ALPHA)


def cells(printed):
    """Cells of two models whose variances are as 1 to 2."""
    return {
        "rows": [
            {"method": "RO", "samples": 500, "printed": value, "trees_10": 1.0, "trees_100": 2.0}
            for value in printed
        ]
    }


@pytest.mark.parametrize(
    ("printed", "status", "consequence"),
    [
        ([1.1] * 20, "inconsistent", "slip"),
        ([1.9] * 20, "exact", "stands"),
        ([1.1] * 10 + [1.9] * 10, "inconclusive", "undecided"),
        ([], "inconclusive", "undecided"),
    ],
)
def test_the_number_of_trees(printed, status, consequence):
    verdict = part("19").judge(cells(printed), ALPHA)
    assert (verdict.status, verdict.consequence) == (status, consequence)


def test_cells_that_cannot_tell_the_models_are_left_out():
    close = {"rows": [row | {"trees_100": 1.2} for row in cells([1.1] * 20)["rows"]]}
    assert part("19").judge(close, ALPHA).status == "inconclusive"


def test_cells_need_both_models():
    tables = np.random.default_rng(0).normal(size=(1, 1 << 10))
    own = tuple(StudyGame.from_tables(name, tables) for name in models.TREES)
    both, single = (
        models.gather_trees(Context("tiny", 3, own=games, published=PUBLISHED))["rows"]
        for games in (own, own[:1])
    )
    assert single == []
    assert len(both) == len(models.METHODS) * 6
    assert both[0]["trees_10"] == both[0]["trees_100"]
    assert both[0]["printed"] == 29.62088  # Table 5, ME-RAND at 500 samples


def by_kernel(d, ratio):
    return kernel_law(d).astype(float)


def midpoints(count):
    return Grid(range(1, 2 * count, 2), 2 * count, [1] * count, count)


def right(values, end):
    return shapley_values(values)


def constant(values, end):
    return shapley_values(values) + Fraction(1)


def nothing(covariance, members):
    return np.array([rationals([0] * len(covariance)) for _ in covariance])


def parity_of_three(d):
    sizes = np.bitwise_count(np.arange(1 << d) & 0b111)
    return (sizes % 2).astype(float)


@pytest.mark.parametrize(
    ("claim_id", "world", "status", "consequence"),
    [
        ("gather_sizes", {}, "inconsistent", "slip"),
        ("gather_sizes", {"law": by_kernel}, "exact", "stands"),
        ("21", {}, "refuted", "undecided"),
        ("21", {"grid": midpoints}, "exact", "undecided"),
        ("22", {}, "refuted", "setting"),
        ("22", {"game": parity_of_three}, "inconclusive", "stands"),
        ("equations.gather_weights", {}, "inconsistent", "slip"),
        ("equations.gather_weights", {"fitted": right}, "exact", "stands"),
        ("equations.gather_weights", {"fitted": constant}, "refuted", "wrong"),
        ("gather_correlated", {}, "proved", "stands"),
        ("gather_correlated", {"regression": nothing}, "refuted", "wrong"),
    ],
)
def test_verdict_in_our_world_and_in_others(claim_id, world, status, consequence):
    verdict = observe(claim_id, **world)
    assert (verdict.status, verdict.consequence) == (status, consequence)


def test_a_grid_helps_in_the_tables_and_is_open_without_the_explicand():
    assert observe("21").setting.status == "inconclusive"
    evidence = part("21").gather(CONTEXT)
    for ratio, status in ((0.8, "supported"), (1.2, "refuted")):
        changed = evidence | {"expected": [{"ratio": ratio}]}
        assert part("21").judge(changed, ALPHA).setting.status == status
    seldom = [row | {"helped": 0} for row in evidence["printed"]]
    assert part("21").judge(evidence | {"printed": seldom}, ALPHA).setting.status == "refuted"


@pytest.mark.parametrize(
    ("nhanes", "blog", "status"),
    [(9, 1, "supported"), (1, 1, "refuted"), (9, 9, "refuted")],
)
def test_variants_as_printed(nhanes, blog, status):
    evidence = part("22").gather(CONTEXT)
    counts = {"diabetes": 5, "nhanes": nhanes, "blog": blog}
    rows = [{"data": data, "cells": 10, "antithetic": n} for data, n in counts.items()]
    assert part("22").judge(evidence | {"printed": rows}, ALPHA).setting.status == status


def test_variants_are_counted_in_the_tables():
    shares = {row["data"]: row["antithetic"] / row["cells"] for row in observe_printed()}
    assert shares["nhanes"] == 1
    assert shares["blog"] == 0


def observe_printed():
    return part("22").gather(CONTEXT)["printed"]


def test_errors_on_the_unanimity_game_by_listing_all_draws():
    row = levels.unanimity_row(Grid(range(3), 2, [1] * 3, 3), 3)
    chance = Fraction(1, 2) ** 9  # of the level between 0, never 1, and 1, always so
    outcomes = [(chance**k * (1 - chance) ** (2 - k), k) for k in (0, 1, 1, 2)]
    error = sum(p * ((Fraction(k, 2) + 1) / 3 - Fraction(1, 10)) ** 2 for p, k in outcomes)
    assert row["fixed"] == error


def test_a_star_has_interactions_of_two_players_only():
    values = star(3)
    np.testing.assert_array_equal(values, [0, 0, 0, 1, 0, 1, 0, 2])


def test_fit_with_the_ends_left_out_is_not_shapley():
    values = rationals([0, 1, 2, 5, -3, 4, 0, 7])
    assert (equations.fit(values, 1) != shapley_values(values)).any()
