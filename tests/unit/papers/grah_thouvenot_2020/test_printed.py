"""What the paper prints besides, each claim in a world where it holds and in one where not."""

from fractions import Fraction
from math import comb, log

import pytest
from parts import part

from shapaudit_audit.audit.context import Context, Settings
from shapaudit_audit.papers import registry
from shapaudit_papers.grah_thouvenot_2020.evidence.algorithms import walk
from shapaudit_papers.grah_thouvenot_2020.evidence.probability import printed_deviation

ALPHA = 0.05
PAPER = "grah_thouvenot_2020"


@pytest.fixture(scope="module")
def context(request):
    path = request.config.rootpath / "config" / "published" / f"{PAPER}.csv"
    settings = Settings(max_exact_dimension=8, brute_force_dimension=4, random_games=2)
    return Context("tiny", 3, (), settings, published={PAPER: path})


def observe(claim_id, context, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(context, **world), ALPHA)


def judge(claim_id, evidence):
    return part(claim_id).judge(evidence, ALPHA)


STATUS = {
    "gather_improvement": "proved",
    "online_average.gather_average": "proved",
    "gt20-08e": "proved",
    "gt20-11e": "refuted",
    "walk.gather_walk": "proved",
    "gt20-18f": "refuted",
    "gt20-21": "refuted",
    "gather_falls": "inconsistent",
}


@pytest.mark.parametrize(("claim_id", "status"), STATUS.items())
def test_verdict_in_our_world(claim_id, status, context):
    assert observe(claim_id, context).status == status


def test_importance_sampling_improves_nothing_where_all_norms_are_equal(context):
    # With w_l = 1/l the coefficient of D is the same for all coalitions.
    flat = observe(
        "gather_improvement",
        context,
        weight=lambda d, size: Fraction(1, size),
    )
    assert flat.status == "refuted"
    assert "$d=3$" in flat.summary


def test_bounds_at_three_players_are_those_worked_out_by_hand(context):
    rows = part("gather_improvement").gather(context)["rows"]
    three = next(row for row in rows if row["players"] == 3)
    assert (three["uniform_d"], three["importance_d"]) == (8, 6)
    assert three["uniform_c"] == pytest.approx(4 * 2**0.5)
    assert three["importance_c"] == pytest.approx(2 + 2 * 2**0.5)


@pytest.mark.parametrize("rate", [lambda t: Fraction(1, t + 1), lambda t: Fraction(2, t + 1)])
def test_other_rates_of_the_average_are_found_out(rate, context):
    assert observe("online_average.gather_average", context, rate=rate).status == "refuted"


def test_small_steps_need_a_limit_and_the_experiments_steps_below_it(context):
    verdict = observe("gt20-08e", context)
    assert (verdict.setting.status, verdict.consequence) == ("supported", "loosely")
    # q_l = z_l / Z with z_l = (4 + 1/sqrt(l))/(16 - l), limit d / sum 1/q_l; 0.01 is printed.
    parts = [(4 + size**-0.5) / (16 - size) for size in range(1, 16)]
    limit = 16 / sum(sum(parts) / part for part in parts)
    row = next(r for r in verdict.rows if (r["step"], r["reading"]) == ("constant", "as printed"))
    assert row["first_over_limit"] == pytest.approx(0.01 / limit)
    assert row["amplification"] == 1
    evidence = registry()["gt20-08e"].gather(context)
    wild = [row | {"amplification": 1e6} for row in evidence["rows"]]
    assert judge("gt20-08e", {**evidence, "rows": wild}).setting.status == "refuted"
    assert observe("gt20-08e", context, limit_of=lambda sizes: -1.0).status == "refuted"


def test_path_of_one_player_stays_where_it_is():
    errors, largest = printed_deviation.one_player_path(printed_deviation.inverse_step)
    assert set(errors[2:]) == {Fraction(1, 2)}
    assert largest == Fraction(5, 2) < printed_deviation.RADIUS**2


def test_printed_bound_fails_at_the_steps_given_and_holds_early(context):
    evidence = registry()["gt20-11e"].gather(context)
    for reading in evidence["readings"]:
        quotient = float(reading["steps"] / reading["factor"]) / 2
        assert (quotient - 2) ** 2 / 16 > float(reading["steps"]) * log(2)
    # After a thousand steps the path contradicts nothing.
    early = [reading | {"steps": Fraction(1000)} for reading in evidence["readings"]]
    assert judge("gt20-11e", {**evidence, "readings": early}).status == "inconclusive"
    # Nor does a path that leaves the ball.
    outside = {**evidence, "largest_square_norm": Fraction(5)}
    assert judge("gt20-11e", outside).status == "inconclusive"


def test_printed_deviation_bounds_are_vacuous_in_the_experiments(context):
    evidence = registry()["gt20-11e"].gather(context)
    verdict = judge("gt20-11e", evidence)
    assert (verdict.setting.status, verdict.consequence) == ("vacuous", "wrong")
    readings = r"Of its readings (two versions, $\kappa$ as $B/\mu$ or as printed) all 4 fail"
    assert readings in verdict.summary
    assert "The error here is bounded, so that a light tail does not save" in verdict.summary
    harmonic = sum(1 / k for k in range(1, 16))
    assert evidence["experiments"][0]["inverse"] == pytest.approx(32_000 / (32 * harmonic) ** 2)
    longer = [experiment | {"inverse": 6.0} for experiment in evidence["experiments"]]
    assert judge("gt20-11e", {**evidence, "experiments": longer}).setting.status == "inconclusive"


def increasing(n_players):
    """The one order in which the players are numbered."""
    return [tuple(range(n_players))]


@pytest.mark.parametrize("claim_id", ["walk.gather_walk", "gt20-18f"])
def test_a_walk_in_one_order_has_another_law(claim_id, context):
    assert observe(claim_id, context, orders=increasing).status == "refuted"


def test_law_of_a_single_draw_is_that_of_the_formula():
    # Unanimity game of all: the last of d players brings 1.
    values = [Fraction(index == 15) for index in range(16)]
    law = walk.single_draw(values, 4, 0)
    assert law == {0: 1 - Fraction(1, 4), 1: Fraction(1, 4 * comb(3, 3))}


def test_gain_of_the_walk_is_that_of_its_permutations(context):
    evidence = registry()["gt20-18f"].gather(context)
    verdict = judge("gt20-18f", evidence)
    rows = verdict.rows
    assert (verdict.setting.status, verdict.consequence) == ("proved", "setting")
    assert [row["ratio"] for row in rows if row["evaluations"] == 32_000] == ["1000/1999"]
    equal = [row | {"permutations": row["draws"]} for row in evidence["rows"]]
    assert judge("gt20-18f", {**evidence, "rows": equal}).setting.status == "refuted"
    # A ratio that keeps falling would be a faster rate.
    more = [row | {"permutations": 100 * row["permutations"]} for row in evidence["rows"]]
    verdict = judge("gt20-18f", {**evidence, "rows": more})
    assert (verdict.status, verdict.consequence) == ("inconclusive", "stands")


def test_evaluations_that_are_needed_twice_do_not_refute(context):
    assert observe("gt20-21", context, rounds=2).status == "inconclusive"
    evidence = registry()["gt20-21"].gather(context)
    wrong = [row | {"largest_difference": 0.1} for row in evidence["rows"]]
    assert judge("gt20-21", {**evidence, "rows": wrong}).status == "inconclusive"


def test_axis_judged_by_the_slopes(context):
    falls = part("gather_falls").gather(context)["falls"]
    assert {fall["experiment"] for fall in falls} == {
        "classification",
        "regression",
        "classification-large",
    }
    squares = [fall | {"slope": 2 * fall["slope"]} for fall in falls]
    assert judge("gather_falls", {"falls": squares}).status == "supported"
    assert judge("gather_falls", {"falls": [*squares[:1], *falls[1:]]}).status == "inconclusive"


def test_the_axis_is_told_of_optimised_monte_carlo(context):
    claim = part("gather_falls")
    summary = judge("gather_falls", claim.gather(context)).summary
    assert summary.startswith("The mean squared error of optimised Monte Carlo is exactly")
