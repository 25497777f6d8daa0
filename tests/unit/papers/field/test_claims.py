"""Claims of the field: each check in a world where the claim holds and in one where it does not."""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from msgspec import structs

from shapaudit import samplers
from shapaudit.estimators import Estimate, KernelSHAP, OptimisedMonteCarlo, PlainMonteCarlo
from shapaudit.estimators.least_squares import StratifiedLeastSquares
from shapaudit.estimators.svarm import SVARM
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.samplers import sizes
from shapaudit.statistics import simultaneous
from shapaudit.truth import shapley_from_table
from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.papers import claims_of, registry
from shapaudit_papers.field import claims
from shapaudit_papers.field.claims import bias, leverage, pairing, polynomial, recovery, svarm
from shapaudit_papers.field.evidence import polynomial as polynomial_evidence
from shapaudit_papers.theory import least_squares
from shapaudit_papers.theory.pairing import Parts, walk_parts
from shapaudit_papers.theory.polynomial import polynomial_shapley
from shapaudit_papers.theory.recovery import full_rank_probability, rank_of
from shapaudit_papers.theory.svarm import mean_reciprocal

ALPHA = 0.05
SMALL = Settings(max_exact_dimension=6, brute_force_dimension=4, random_games=1, repetitions=60)


def context(explicands=12, d=5, seed=0, names=("a", "b")):
    rng = np.random.default_rng(seed)
    games = [StudyGame.from_tables(name, rng.normal(size=(explicands, 1 << d))) for name in names]
    return Context("made-up", 3, tuple(games), SMALL)


def judge(claim_id, evidence):
    return registry()[claim_id].judge(evidence, ALPHA)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(simultaneous, "RESAMPLES", 999)


def test_every_heading_has_its_claims():
    assert {claim.heading for claim in claims_of("field")} == set(claims.HEADINGS)


def test_pairs_do_not_always_help():
    verdict = judge("field26-01", pairing.gather_always(context()))
    assert (verdict.status, verdict.consequence, verdict.numbers["largest_ratio"]) == (
        "refuted",
        "hypothesis",
        2,
    )


@pytest.mark.parametrize("largest", [4, 5, 6])
def test_odd_numbers_of_players_end_where_enumeration_does(largest):
    world = replace(context(), settings=structs.replace(SMALL, brute_force_dimension=largest))
    ratios = pairing.gather_always(world)["ratios"]
    named = {key for key in ratios if key.startswith(("majority", "parity"))}
    odd = [3] if largest < 5 else [3, 5]
    assert named == {f"{name}, d = {d}" for d in odd for name in ("majority", "parity of 3")}


def test_a_world_in_which_pairs_help_and_one_with_a_wrong_theory():
    evidence = pairing.gather_always(context())
    helped = {name: (Fraction(1, 2),) * 3 for name in evidence["ratios"]}
    assert pairing.check_always(evidence | {"ratios": helped}, ALPHA).status == "supported"

    def swapped(values):
        parts = walk_parts(values)
        return Parts(parts.even, parts.odd)

    wrong = pairing.check_always(pairing.gather_always(context(), swapped), ALPHA)
    assert wrong.status == "inconclusive"
    assert "not confirmed" in wrong.summary


def errors(ratio, explicands=30, noise=0.1, seed=0):
    rng = np.random.default_rng(seed)
    hard = np.exp(rng.normal(size=(explicands, 1, 1)))
    shape = (explicands, len(leverage.PER_PLAYER), 1 + len(leverage.RIVALS))
    values = hard * np.exp(noise * rng.normal(size=shape))
    values[..., 0] *= ratio
    return {"errors": {"a": values, "b": values[::-1]}}


@pytest.mark.parametrize(
    ("ratio", "status"), [(0.4, "supported"), (0.8, "refuted"), (0.6, "inconclusive")]
)
def test_half_of_the_error(ratio, status):
    verdict = leverage.check_half(errors(ratio), ALPHA)
    assert verdict.status == status
    assert len(verdict.rows) == 2 * len(leverage.PER_PLAYER) * len(leverage.RIVALS)


def test_errors_are_those_of_the_estimators():
    evidence = leverage.gather_errors(context(explicands=10, d=4))
    # From 16 evaluations on, all coalitions are known to a stratified sample.
    assert np.abs(evidence["errors"]["a"][:, :, 0]).max() < 1e-12
    assert evidence["errors"]["a"][:, 0, 2].min() > 1e-6
    few = leverage.check_half(leverage.gather_errors(context(explicands=3)), ALPHA)
    assert (few.status, few.sample["explicands"]) == ("inconclusive", 3)


def test_at_the_threshold_the_verdict_is_wrong_at_most_at_the_error_rate(quick):
    statuses = [
        leverage.check_half(errors(leverage.ABOUT_HALF, noise=0.4, seed=k), ALPHA).status
        for k in range(40)
    ]
    wrong = sum(status != "inconclusive" for status in statuses)
    assert wrong <= 40 * ALPHA + 3 * (40 * ALPHA) ** 0.5


def moments(share, ratio, explicands=30, noise=0.01, seed=0):
    rng = np.random.default_rng(seed)
    shape = (explicands, len(bias.PER_PLAYER))
    square = np.exp(0.3 * rng.normal(size=shape))
    variance = square * (1 - share) * np.exp(noise * rng.normal(size=shape))
    unbiased = ratio * np.exp(0.1 * rng.normal(size=shape))
    return {"moments": {"a": np.stack([variance, square, unbiased], axis=-1)}, "runs": 24}


@pytest.mark.parametrize(
    ("share", "ratio", "status", "reason"),
    [
        (0.001, 0.5, "supported", "loosely"),
        (0.2, 0.5, "refuted", "hypothesis"),
        (0.001, 1.5, "refuted", "wrong"),
        (0.02, 0.5, "inconclusive", "undecided"),
    ],
)
def test_bias_and_what_it_buys(share, ratio, status, reason):
    evidence = moments(share, ratio)
    verdict = judge("field26-04", evidence)
    assert (verdict.status, verdict.consequence) == (status, reason)
    rows = bias.bias_rows(evidence["moments"], ALPHA)
    alone = max(row["share_high_alone"] for row in rows if row["evaluations_per_player"] >= 4)
    assert (alone < 0.02) == (status == "supported" or ratio > 1)
    assert f"reach {show(100 * alone)} per cent" in verdict.summary


@dataclass(frozen=True)
class Shrunk(KernelSHAP):
    """KernelSHAP pulled halfway to zero."""

    def trajectory(self, game, checkpoints, rng):
        estimates = super().trajectory(game, checkpoints, rng)
        return [Estimate(estimate.values / 2, estimate.evaluations) for estimate in estimates]


def test_a_biased_estimator_is_seen_and_a_tiny_world_is_left_open():
    rng = np.random.default_rng(2)
    additive = 3 * rng.normal(size=(12, 5)) @ all_coalitions(5).T + rng.normal(size=(12, 32))
    world = Context("made-up", 3, (StudyGame.from_tables("a", additive),), SMALL)
    biased = bias.check_negligible(bias.gather_runs(world, Shrunk()), ALPHA)
    assert biased.status == "refuted"
    fair = bias.gather_runs(world)
    shares = [row["share"] for row in bias.bias_rows(fair["moments"], ALPHA)]
    assert max(map(abs, shares[1:])) < 0.05
    few = bias.check_negligible(bias.gather_runs(context(explicands=3)), ALPHA)
    assert (few.status, few.sample["explicands"]) == ("inconclusive", 3)


def test_at_the_threshold_bias_is_called_wrongly_at_most_at_the_error_rate(quick):
    statuses = [
        bias.check_negligible(moments(bias.NEGLIGIBLE, 0.5, noise=0.05, seed=k), ALPHA).status
        for k in range(40)
    ]
    wrong = sum(status != "inconclusive" for status in statuses)
    assert wrong <= 40 * ALPHA + 3 * (40 * ALPHA) ** 0.5


def test_svarm_bound_holds_and_fails_with_another_law_of_sizes():
    verdict = svarm.check_bound(svarm.gather_bound(context()), ALPHA)
    assert verdict.status == "proved"
    assert 0.9 < verdict.numbers["largest_share"] < 1
    # One draw serves a player with chance 1 / H, and then halves its variance.
    harmonic = sum(Fraction(1, k) for k in range(1, SMALL.max_exact_dimension + 1))
    assert verdict.numbers["smallest_share"] == float((1 - 1 / (2 * harmonic)) / harmonic)

    def uniform(d):
        return [Fraction(1, d)] * d

    assert svarm.check_bound(svarm.gather_bound(context(), uniform), ALPHA).status == "refuted"


def test_svarm_has_the_variance_the_claim_computes():
    d, runs, spent = 4, 4000, 12
    values = np.random.default_rng(5).normal(size=1 << d)
    members = all_coalitions(d)
    expected = 0.0
    factor = float(mean_reciprocal(spent // 2, 12 * Fraction(1, 25)))  # 1 / H_4
    for player, inside in product(range(d), (True, False)):
        kept = members[:, player] == inside
        others = members[kept].sum(axis=1) - inside
        chances = 1.0 / (d * np.array([1, 3, 3, 1]))[others]
        mean = chances @ values[kept]
        expected += factor * (chances @ (values[kept] - mean) ** 2)
    rng = np.random.default_rng(6)
    game, truth = TabularGame(values), shapley_from_table(values)
    estimates = [SVARM().estimate(game, 2 * d + spent, rng).values for _ in range(runs)]
    squares = np.square(np.array(estimates) - truth).sum(axis=1)
    assert squares.mean() == pytest.approx(expected, abs=4 * squares.std() / runs**0.5)


def test_one_walk_recovers_additive_games_and_plain_sampling_does_not_at_its_cost():
    class Half(PlainMonteCarlo):
        def estimate(self, game, budget, rng):
            doubled = super().estimate(game, 2 * budget, rng)
            return Estimate(doubled.values / 2, doubled.evaluations)

    right, wrong = (
        recovery.check_ranks(recovery.gather_ranks(context(), estimator=estimator), ALPHA)
        for estimator in (OptimisedMonteCarlo(), Half())
    )
    assert (right.status, wrong.status) == ("refuted", "inconclusive")


def test_rank_of_d_pairs():
    assert full_rank_probability(3, 1) == 0
    # Three axes of equal probability, two of which are enough.
    assert full_rank_probability(3, 3) == Fraction(8, 9)
    evidence = recovery.gather_ranks(context())
    verdict = judge("field26-06b", evidence)
    assert (verdict.status, verdict.consequence) == ("refuted", "hypothesis")
    certain = dict.fromkeys(evidence["exact"], Fraction(1))
    assert recovery.check_ranks(evidence | {"exact": certain}, ALPHA).status == "supported"


def test_listed_and_sampled_probabilities_of_full_rank_agree():
    rng = np.random.default_rng(0)
    drawn = samplers.sample_sizes(sizes.kernel_sizes(4), 4 * 4000, rng)
    members = samplers.uniform_subsets(drawn, 4, rng).reshape(4000, 4, 4).astype(float)
    exact = float(full_rank_probability(4, 4))
    share = (rank_of(members) == 3).mean()
    assert share == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 4000) ** 0.5)


def test_even_orders_add_nothing_in_pairs_but_do_without():
    paired = polynomial.check_orders(polynomial.gather_orders(context()), ALPHA)
    assert paired.status == "proved"
    single = polynomial.check_orders(polynomial.gather_orders(context(), paired=False), ALPHA)
    assert single.status == "refuted"


def test_polynomial_fit_is_exact_on_its_own_games_and_the_estimators_on_all_coalitions():
    rng = np.random.default_rng(3)
    for label, order, values, counts in polynomial_evidence.samples(context(), paired=True):
        if order == 2:
            weights = rng.integers(-5, 6, size=(4, 4))
            members = all_coalitions(4).astype(int)
            additive = least_squares.rationals(
                np.einsum("si,ij,sj->s", members, weights, members).tolist()
            )
            if len(values) == 16:
                fitted = polynomial_shapley(additive, counts, 2)
                assert (fitted == shapley_values(additive)).all(), label
        if len(values) == 32:
            ones = np.ones(32, dtype=int)
            game = TabularGame(values.astype(float))
            estimate = StratifiedLeastSquares().estimate(game, 32, rng)
            exact = polynomial_shapley(values, ones, 1)
            np.testing.assert_allclose(estimate.values, exact.astype(float))
