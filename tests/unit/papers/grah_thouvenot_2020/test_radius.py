"""The checks of the radius D, in true and false worlds."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from parts import part

from shapaudit.estimators.projections import project_ball, project_hyperplane
from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_audit.audit.verdict import ClaimError
from shapaudit_papers.grah_thouvenot_2020.claims.constants import radius
from shapaudit_papers.grah_thouvenot_2020.evidence.constants import radius as radius_evidence
from shapaudit_papers.theory.constants import norm_ceiling

ALPHA = 0.05
SMALL = Settings(max_exact_dimension=20, brute_force_dimension=4, random_games=2)


@pytest.fixture(scope="module")
def context():
    # Games with some structure and some noise, as in a study: bounded by C, away from the ceiling.
    rng = np.random.default_rng(0)
    sizes = np.bitwise_count(np.arange(64))
    tables = rng.normal(size=(4, 64)) + sizes * (rng.random(size=(4, 64)) > 0.4)
    return Context("tiny", 3, (StudyGame.from_tables("random", tables),), SMALL)


@pytest.fixture(scope="module")
def solution(context):
    return radius_evidence.gather_solution(context)


@pytest.fixture(scope="module")
def container(context):
    return radius.gather_container(context)


def judge(claim_id, world):
    return part(claim_id).judge(world, ALPHA)


def test_minimisers_over_k(solution):
    verdict = judge("radius.gather_solution", solution)
    assert verdict.status == "proved"
    expected = {row["radius_in_k1"]: max(0, 1 - row["radius_in_k1"]) for row in verdict.rows}
    for row in verdict.rows:
        assert row["smallest_distance"] == pytest.approx(expected[row["radius_in_k1"]], abs=1e-9)


@pytest.mark.parametrize(
    "projection",
    [
        lambda phi, total, radius: project_hyperplane(phi, total),
        lambda phi, total, radius: project_ball(phi, radius),
    ],
)
def test_minimisers_over_another_set_are_found_out(projection, context):
    world = radius_evidence.gather_solution(context, projection)
    assert judge("radius.gather_solution", world).status == "refuted"


def test_another_least_norm_is_found_out(solution):
    norms = [{**solution["norms"][0], "found": 2.0, "expected": 1.0}, *solution["norms"][1:]]
    verdict = judge("radius.gather_solution", {**solution, "norms": norms})
    assert (verdict.status, verdict.numbers["mismatches"]) == ("refuted", 1)


def test_largest_norms_are_those_of_a_slow_search():
    for d, expected in ((2, Fraction(5, 2)), (3, Fraction(3))):
        norms = [
            radius_evidence.shapley_square((0, *values))
            for values in product((-1, 1), repeat=(1 << d) - 1)
        ]
        square, game = radius_evidence.largest_norm(d)
        assert square == max(norms) == expected
        assert radius_evidence.shapley_square(game) == expected
    assert radius_evidence.largest_norm(4)[0] == Fraction(13, 4)


def test_no_game_exceeds_its_ceiling_and_one_comes_close():
    rng = np.random.default_rng(1)
    for d in (2, 3, 5, 8):
        ceiling = norm_ceiling(d)
        tables = rng.choice([-1.0, 1.0], size=(50, 1 << d))
        norms = [
            radius_evidence.shapley_square((0, *map(int, table[1:]))) for table in tables[: 60 // d]
        ]
        assert max(norms) <= ceiling * (1 + 1e-12)
        game = [0, *(1 if index & 1 else -1 for index in range(1, 1 << d))]
        assert (
            Fraction(4 * d - 3, d) == radius_evidence.shapley_square(game) <= ceiling * (1 + 1e-12)
        )


def test_public_radius_in_our_world(container):
    verdict = judge("gt20-04f", container)
    assert verdict.status == "refuted"
    assert verdict.numbers["dimensions_broken"] == 1
    assert "5/2" in verdict.summary
    assert "From $d=3$ onwards" in verdict.summary
    # The counterexample is one: bounded by 1, and its norm above the square root of 2.
    values = container["enumerated"][2][1]
    star = shapley_values(values)
    assert max(map(abs, values)) == 1
    assert (star * star).sum() > 2


def test_the_table_of_norms_is_that_of_the_evidence(container):
    """All bounded games of the shown numbers of players, exact ones first, and the study's."""
    *bounded, studied = judge("gt20-04f", container).rows
    exact, ceilings = container["enumerated"], container["ceilings"]
    assert [row["players"] for row in bounded] == [2, 3, 4, 8, 16]  # 20 players at most
    for row in bounded:
        d = row["players"]
        # Beyond enumeration the largest norm that is known is that of a game with one switch.
        square = exact[d][0] if d in exact else Fraction(4 * d - 3, d)
        assert row["largest"] == pytest.approx(float(square / d) ** 0.5)
        assert row["ceiling"] == pytest.approx(float(exact.get(d, [ceilings[d]])[0] / d) ** 0.5)
        assert (row["games"], row["smallest"]) == ("all bounded by C", 0)
    (record,) = container["studied"]
    shown = studied["smallest"], studied["largest"], studied["players"]
    assert shown == (record["ratios"].min(), record["ratios"].max(), 6)


def test_public_radius_in_other_worlds(context, container):
    def halved(d):
        square, values = radius_evidence.largest_norm(d)
        return square / 2, values

    assert judge("gt20-04f", radius.gather_container(context, halved)).status == "exact"
    high = {**container, "ceilings": {**container["ceilings"], 7: 7.5}}
    assert judge("gt20-04f", high).status == "inconclusive"
    beyond = {**container, "beyond": 1e3}
    assert judge("gt20-04f", beyond).status == "inconclusive"
    with pytest.raises(ClaimError, match="two different values"):
        judge("gt20-04f", {**container, "studied": []})


def test_flat_games_are_left_out():
    flat = Context("flat", 1, (StudyGame.from_tables("flat", np.ones((2, 8))),), SMALL)
    assert radius.gather_container(flat)["studied"] == []
