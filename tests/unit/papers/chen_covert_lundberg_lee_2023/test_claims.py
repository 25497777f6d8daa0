"""Each claim on estimation in a world where it holds and in one where it does not."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from parts import part
from synthetic import PUBLISHED

from shapaudit.estimators import KernelSHAP, PlainMonteCarlo
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_audit.papers import claims_of
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import common as common_evidence
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.decomposition import (
    FIXED_GRID,
    UNBIASED,
)
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.subsets import (
    subset_cases,
    walk_mean,
)
from shapaudit_papers.theory.normalisation import rescale
from shapaudit_papers.theory.random_order import shared_outcomes, walk_outcomes
from shapaudit_papers.theory.removal import baseline_game, mean_row
from shapaudit_papers.theory.sampled_least_squares import draw_outcomes

CLAIMS = claims_of("chen_covert_lundberg_lee_2023")
SMALL = Settings(max_exact_dimension=8, brute_force_dimension=4, random_games=2)
ALPHA = 0.05


@pytest.fixture(scope="module")
def context():
    tables = np.random.default_rng(0).normal(size=(2, 32))
    games = (StudyGame.from_tables("random", tables),)
    return Context("tiny", 3, games, SMALL, published=PUBLISHED)


def observe(claim_id, context, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(context, **world), ALPHA)


STATUS = {
    "grids.gather_name": "exact",
    "grids.gather_levels": "proved",
    "grid_bias.gather_trials": "refuted",
    "04e": "proved",
    "gather_error": "proved",
    "07b": "refuted",
    "decomposition.gather_identity": "proved",
    "08b": "proved",
    "gather_published": "supported",
    "09a": "proved",
    "09b": "refuted",
    "kernel.gather_bias": "proved",
    "kernel.gather_limit": "proved",
    "gather_unbiased": "proved",
    "10d": "proved",
    "10e": "supported",
    "11b": "refuted",
    "12a": "proved",
    "12b": "inconsistent",
    "gather_gaps": "exact",
    "removal.gather_linear": "proved",
    "13b": "proved",
    "removal.gather_average": "proved",
    "gather_gender": "inconsistent",
    "gather_encodings": "proved",
    "gather_splitting": "proved",
    "16d": "refuted",
    "18": "exact",
}


@pytest.mark.parametrize(("claim_id", "status"), STATUS.items())
def test_verdict_in_our_world(claim_id, status, context):
    assert observe(claim_id, context).status == status


def constant_size(n_players):
    return [Fraction(1), *[Fraction(0)] * (n_players - 1)]


def last_player(n_players, player):
    return {(1 << n_players) - 1 - (1 << player): Fraction(1)}


def first_player_first(values):
    """Walks in which the first player always comes first."""
    mean = walk_mean(values)
    mean[0] = values[1] - values[0]
    return mean


def shifted(outcomes):
    return lambda values, *args: [(p, x + Fraction(1)) for p, x in outcomes(values, *args)]


def exact_expectation(values, draws):
    return shapley_values(values)


def far_expectation(values, draws):
    return shapley_values(values) + Fraction(1)


def mean_baseline_game(model, explicand, background):
    return baseline_game(model, explicand, mean_row(background))


def independent_game(coefficients, explicand, correlation):
    return baseline_game(lambda row: sum(row), explicand, [Fraction(0)] * len(explicand))


def far_bias(values):
    return np.full(4, 10.0), 1.0


OTHER_WORLDS = [
    ("grids.gather_name", {"grids": ["midpoint"]}, "refuted"),
    ("grids.gather_levels", {"grid": "midpoint"}, "refuted"),
    ("grid_bias.gather_trials", {"rule": "random"}, "exact"),
    ("grid_bias.gather_trials", {"rule": "stratified"}, "exact"),
    ("04e", {"nodes": lambda d: d // 2 - 1}, "refuted"),
    ("gather_error", {"normalisation": rescale}, "refuted"),
    ("gather_error", {"normalisation": lambda phi, total: phi}, "supported"),
    ("07b", {"expectation": lambda values, levels: shapley_values(values)}, "exact"),
    ("decomposition.gather_identity", {"correction": 1}, "refuted"),
    ("08b", {"outcomes": shifted(walk_outcomes)}, "refuted"),
    ("09b", {"second": shared_outcomes}, "exact"),
    ("09b", {"second": shifted(walk_outcomes)}, "refuted"),
    ("kernel.gather_bias", {"expectation": far_expectation}, "refuted"),
    ("kernel.gather_limit", {"expectation": exact_expectation}, "refuted"),
    ("gather_unbiased", {"outcomes": shifted(draw_outcomes)}, "refuted"),
    ("10d", {"pairs": lambda values, m: shapley_values(values)}, "refuted"),
    ("10e", {"terms": far_bias}, "refuted"),
    ("09a", {"law": constant_size}, "refuted"),
    ("09a", {"predecessors": last_player}, "refuted"),
    ("09a", {"means": {"walk": first_player_first}}, "refuted"),
    ("12a", {"walking": PlainMonteCarlo()}, "refuted"),
    ("12b", {"outcomes": shared_outcomes}, "refuted"),
    ("gather_gaps", {"families": {"IME": (PlainMonteCarlo(), True)}}, "refuted"),
    ("gather_gaps", {"families": {"KernelSHAP": (KernelSHAP(), False)}}, "refuted"),
    ("gather_gaps", {"families": {"SGD-Shapley": (PlainMonteCarlo(), True)}}, "refuted"),
    ("removal.gather_linear", {"formula": lambda beta, x, mean: rationals(beta[1:])}, "refuted"),
    ("removal.gather_average", {"game": mean_baseline_game}, "refuted"),
    ("gather_gender", {"male": {"text": 0}}, "exact"),
    ("gather_gender", {"male": {"caption": 1}}, "refuted"),
    ("gather_encodings", {"mean_in_step": False}, "refuted"),
    ("gather_splitting", {"game": independent_game}, "refuted"),
    ("16d", {"correlations": [Fraction(1)]}, "exact"),
    ("18", {"players": {"nhanes": 79}}, "refuted"),
]


@pytest.mark.parametrize(
    ("claim_id", "world", "status"),
    OTHER_WORLDS,
    ids=[
        f"{claim_id}-{next(iter(world))}-{k}" for k, (claim_id, world, _) in enumerate(OTHER_WORLDS)
    ],
)
def test_verdict_in_another_world(claim_id, world, status, context):
    assert observe(claim_id, context, **world).status == status


def test_a_law_that_looks_at_the_size_alone_decides_nothing_on_its_ease(context):
    evidence = subset_cases(context, constant_size)
    assert part("11b").judge(evidence, ALPHA).status == "inconclusive"


def test_every_claim_can_be_overturned():
    changed = {claim_id for claim_id, _, status in OTHER_WORLDS if status != STATUS[claim_id]}
    elsewhere = {"gather_published", "11b", "13b"}
    judged = [part(name) for name in STATUS]
    tested = {claim.number for claim in judged}  # the other numbers have tests of their own
    ids = {claim.id for claim in CLAIMS if claim.number in tested}
    assert changed | elsewhere == set(STATUS)
    assert {claim.id for claim in judged} == ids


def published_world(cells=18, **means):
    """Ratios of all methods, exponential around the given means of the two groups."""
    rng = np.random.default_rng(1)
    groups = {"unbiased": UNBIASED, "fixed_grid": FIXED_GRID}
    ratios = {
        name: rng.exponential(means[group], cells).tolist()
        for group, names in groups.items()
        for name in names
    }
    return {"ratios": ratios, **groups}


@pytest.mark.parametrize(
    ("unbiased", "fixed_grid", "cells", "status", "reason"),
    [
        (1, 1, 18, "supported", "stands"),
        (1, 9, 18, "supported", "stands"),
        (9, 1, 18, "refuted", "wrong"),
        (9, 9, 18, "refuted", "wrong"),
        (1.5, 1, 1, "inconclusive", "undecided"),
    ],
)
def test_published_biases_are_judged_by_the_unbiased_alone(
    unbiased, fixed_grid, cells, status, reason
):
    evidence = published_world(cells, unbiased=unbiased, fixed_grid=fixed_grid)
    verdict = part("gather_published").judge(evidence, ALPHA)
    assert (verdict.status, verdict.consequence) == (status, reason)
    _, grid = verdict.limits
    assert (grid.low > 1) == (fixed_grid > 1)


def test_tables_show_the_bias_of_the_fixed_grid(context):
    chance, grid = observe("gather_published", context).limits
    assert chance.low < 1 < chance.high < grid.low


@pytest.mark.parametrize("claim_id", ["09b", "18"])
def test_what_the_paper_does_not_say_is_not_held_against_it(claim_id):
    assert part(claim_id).source == "this project"


@pytest.mark.parametrize(
    ("claim_id", "world", "consequence"),
    [
        ("grids.gather_name", {}, "loosely"),
        ("grids.gather_name", {"grids": ["trapezoid"]}, "stands"),
        ("kernel.gather_bias", {}, "loosely"),
        ("kernel.gather_bias", {"expectation": exact_expectation}, "stands"),
        ("12a", {}, "loosely"),
        ("12b", {}, "slip"),
    ],
)
def test_what_is_said_loosely_is_no_fault(claim_id, world, consequence, context):
    assert observe(claim_id, context, **world).consequence == consequence


@pytest.mark.parametrize(
    ("claim_id", "status"),
    [
        ("grid_bias.gather_trials", "inconclusive"),
        ("07b", "proved"),
        ("10e", "inconclusive"),
        ("16d", "inconclusive"),
    ],
)
def test_verdict_in_the_setting_of_the_paper(claim_id, status, context):
    assert observe(claim_id, context).setting.status == status


@pytest.fixture
def printed(context):
    tables = np.random.default_rng(1).normal(size=(2, 1 << 5))
    own = (StudyGame.from_tables("chen-diabetes", tables),)
    return replace(context, own=own)


def test_the_explicand_of_the_tables_has_a_bias_on_the_grid_and_none_without(printed):
    assert observe("grid_bias.gather_trials", printed).setting.status == "refuted"
    assert observe("grid_bias.gather_trials", printed, rule="stratified").setting.status == "exact"
    assert observe("10e", printed).setting.status == "supported"
    assert observe("10e", printed, terms=far_bias).setting.status == "refuted"


def test_walks_of_games_that_begin_at_zero_sum_to_the_prediction(context):
    claim = part("12b")
    evidence = claim.gather(context)
    assert claim.judge(evidence | {"outputs": evidence["cases"]}, ALPHA).status == "proved"


def test_projected_gradients_are_efficient(context):
    gaps = {row["family"]: row["largest_gap"] for row in observe("gather_gaps", context).rows}
    assert gaps["SGD-Shapley"] < 1e-9 < gaps["IME"]


def test_normalised_shared_draws_can_lose(context):
    claim = part("09b")
    evidence = claim.gather(context)
    assert claim.judge(evidence, ALPHA).numbers["worse_normalised"] == 0
    dearer = [{**row, "variance": 2 * row["variance"] + 1} for row in evidence["rows"]]
    worse = [{**row, "variance_of_sum": Fraction(0)} for row in dearer]
    verdict = claim.judge({**evidence, "rows": worse}, ALPHA)
    assert verdict.numbers["worse_normalised"] == len(worse)
    assert "more variance" in verdict.summary


def test_examples_beyond_linear_models_must_differ(context):
    def affine():
        rows = [[Fraction(-1)], [Fraction(1)]]
        return [("x", lambda row: row[0], [Fraction(0)], rows, True)]

    assert observe("13b", context, models=affine).status == "refuted"


def test_zero_baseline_must_notice_the_encoding(context):
    claim = part("gather_encodings")
    evidence = claim.gather(context)
    blind = [case._replace(left=case.right) for case in evidence["zero"]]
    assert claim.judge({**evidence, "zero": blind}, ALPHA).status == "refuted"


def test_unused_feature_without_credit(context):
    verdict = observe("16d", context, correlations=[Fraction(0)])
    assert (verdict.status, verdict.consequence) == ("refuted", "undecided")
    assert "receives no credit" in verdict.summary
    assert "without numbers" in verdict.setting.summary


def test_an_unused_feature_may_have_the_larger_value_elsewhere(context):
    """A world in which its value is always the smaller one: that of the figure's explicand."""
    verdict = observe("16d", context, correlations=[Fraction(4, 5)])
    (row,) = verdict.rows
    assert (row["value_2"], row["value_3"]) == ("3/5", "2/5")
    assert (row["other_2"], row["other_3"]) == ("-7/10", "4/5")
    pairs = np.random.default_rng(0).multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], 20_000)
    used, unused = pairs[:, 0] - 0.4 * pairs[:, 1], 0.4 * pairs[:, 1]
    share = (np.abs(unused) > np.abs(used)).mean()
    assert row["share_larger"] == pytest.approx(share, abs=0.015)
    assert "at others it may receive more" in part("16d").matters


def test_inexact_enumeration_is_no_reason_to_enumerate(context):
    claim = part("18")
    evidence = claim.gather(context)
    spoilt = {**evidence, "enumerated": {**evidence["enumerated"], "relative_error": 0.1}}
    assert claim.judge(spoilt, ALPHA).status == "refuted"


def test_published_tables_are_read_whole(context):
    for quantity in ("bias", "variance"):
        cells = common_evidence.published(context, quantity)
        assert {n for _, _, n in cells} == set(common_evidence.SAMPLES)
        assert {name for name, _, _ in cells} == set(common_evidence.PLAYERS)
        assert sum(name == "diabetes" for name, _, _ in cells) == 15 * len(common_evidence.SAMPLES)
