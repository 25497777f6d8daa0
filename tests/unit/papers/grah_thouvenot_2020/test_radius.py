"""The checks of the radius D, in true and false worlds."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from shapaudit.estimators.projections import project_ball, project_hyperplane
from shapaudit.samplers.gradients import importance_sizes
from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_audit.audit.verdict import ClaimError
from shapaudit_papers.grah_thouvenot_2020.claims.constants import radius, radius_effect
from shapaudit_papers.grah_thouvenot_2020.evidence.constants import radius as radius_evidence
from shapaudit_papers.theory.bounds import inverse_rate
from shapaudit_papers.theory.constants import kappa, norm_ceiling
from shapaudit_papers.theory.gradients import second_moment, squares_by_size
from shapaudit_papers.theory.recursion import expected_squared_errors, square_root_steps

ALPHA = 0.05
SMALL = Settings(max_exact_dimension=20, brute_force_dimension=4, random_games=2)
CHECKS = {claim.id: claim.judge for claim in (*radius.CLAIMS, *radius_effect.CLAIMS)}


@pytest.fixture(scope="module")
def context():
    # Games with some structure and some noise, as in a study: bounded by C, away from the ceiling.
    rng = np.random.default_rng(0)
    sizes = np.bitwise_count(np.arange(64))
    tables = rng.normal(size=(4, 64)) + sizes * (rng.random(size=(4, 64)) > 0.4)
    return Context("tiny", 3, (StudyGame.from_tables("random", tables),), SMALL)


@pytest.fixture(scope="module")
def solution(context):
    return radius.gather_solution(context)


@pytest.fixture(scope="module")
def container(context):
    return radius.gather_container(context)


@pytest.fixture(scope="module")
def effect(context):
    return radius_effect.gather(context)


def judge(claim_id, world):
    return CHECKS[claim_id](world, ALPHA)


def test_minimisers_over_k(solution):
    verdict = judge("gt20-04e", solution)
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
    world = radius.gather_solution(context, projection)
    assert judge("gt20-04e", world).status == "refuted"


def test_another_least_norm_is_found_out(solution):
    norms = [{**solution["norms"][0], "found": 2.0, "expected": 1.0}, *solution["norms"][1:]]
    verdict = judge("gt20-04e", {**solution, "norms": norms})
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


def test_effects_are_those_of_theory(context, effect):
    game, truth = next(iter(context.games[0].explicands()))
    explicand = effect["explicands"][0]
    bound = np.abs(game.values - game.values[0]).max()
    assert explicand["least"] == pytest.approx(np.linalg.norm(truth) / (bound * 6**0.5))
    assert radius_effect.GRID[radius_effect.PUBLIC] == pytest.approx(1)
    for place, ratio in ((0, explicand["least"]), (-1, 100), (1 + radius_effect.PUBLIC, 1)):
        sizes = importance_sizes(6, ratio * 6**0.5)
        moment = second_moment(squares_by_size(game.values, truth), sizes, projected=True)
        steps = square_root_steps(6, ratio * 6**0.5, radius_effect.STEPS)
        errors = expected_squared_errors(game.values, truth, sizes, steps, "uniform")
        assert explicand["moment"][place] * bound**2 == pytest.approx(moment)
        assert explicand["square_root"][place] * bound**2 == pytest.approx(errors[-1])
    rows = judge("gt20-04g", effect).rows
    assert len(rows) == len(radius_effect.GRID)
    last = inverse_rate(radius_effect.STEPS, kappa(6, 100 * 6**0.5, 1.0))
    assert rows[-1]["inverse_bound"] == pytest.approx(last)
    assert len({row["mu"] for row in rows}) == 1


def test_effects_in_our_world(effect):
    verdict = judge("gt20-04g", effect)
    assert (verdict.status, verdict.consequence) == ("exact", "stands")
    verdict = judge("gt20-04h", effect)
    assert verdict.status == "refuted"
    assert verdict.numbers["largest_gain"] > 1


def altered(world, **changes):
    first, *others = world["explicands"]
    return {"explicands": [{**first, **changes}, *others]}


@pytest.mark.parametrize("name", ["moment", "moment_at_start"])
def test_a_moment_that_depends_on_the_radius_is_refuted(name, effect):
    moments = effect["explicands"][0][name] * np.geomspace(1, 5, 1 + len(radius_effect.GRID))
    assert judge("gt20-04g", altered(effect, **{name: moments})).status == "refuted"


def test_a_game_of_singletons_has_a_moment_that_depends_on_the_radius():
    # So the claim is one about the games of the study.
    table = np.zeros((1, 1 << 8))
    table[0, 1 << np.arange(8)] = [0.999, *[1.0] * 7]
    context = Context("rare", 1, (StudyGame.from_tables("rare", table),), SMALL)
    verdict = judge("gt20-04g", radius_effect.gather(context))
    assert verdict.status == "refuted"
    assert verdict.numbers["largest_change_of_the_moment"] > radius_effect.LARGEST_CHANGE


def test_a_bound_that_hardly_grows_is_refuted(effect):
    assert judge("gt20-04g", altered(effect, least=50.0)).status == "refuted"


def test_what_lies_below_the_least_radius_does_not_count(effect):
    explicand = effect["explicands"][0]
    below = np.concatenate([[False], explicand["least"] > radius_effect.GRID])
    assert below.any()
    moments = np.where(below, 100 * explicand["moment"], explicand["moment"])
    assert judge("gt20-04g", altered(effect, moment=moments)).status == "exact"


def test_errors_that_grow_with_the_radius_confirm_the_order(effect):
    growing = np.geomspace(1, 2, 1 + len(radius_effect.GRID))
    explicands = [{**explicand, "square_root": growing} for explicand in effect["explicands"]]
    assert judge("gt20-04h", {"explicands": explicands}).status == "exact"
    growing = growing.copy()
    growing[-1] = 0.9
    assert (
        judge("gt20-04h", altered({"explicands": explicands}, square_root=growing)).status
        == "refuted"
    )
    for claim_id in ("gt20-04g", "gt20-04h"):
        with pytest.raises(ClaimError, match="other than zero"):
            judge(claim_id, {"explicands": []})


def test_flat_games_are_left_out():
    flat = Context("flat", 1, (StudyGame.from_tables("flat", np.ones((2, 8))),), SMALL)
    assert radius_effect.gather(flat) == {"explicands": []}
    assert radius.gather_container(flat)["studied"] == []


def test_an_additive_game_is_left_out(context):
    weights = np.array([3.0, -1.0, 2.0, 0.5, 1.0, 4.0])
    additive = (np.arange(64)[:, None] >> np.arange(6) & 1) @ weights
    tables = np.stack([context.games[0].games[0].values, additive])
    both = Context("tiny", 3, (StudyGame.from_tables("random", tables),), SMALL)
    assert [explicand["explicand"] for explicand in radius_effect.gather(both)["explicands"]] == [1]
