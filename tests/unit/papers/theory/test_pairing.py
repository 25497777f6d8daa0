"""Variances of sampling in pairs from the odd and even parts of a game, and claim ccll23-03."""

from itertools import permutations

import numpy as np
import pytest
import scipy
from synthetic import PUBLISHED

from shapaudit.estimators import (
    AntitheticMonteCarlo,
    KernelSHAP,
    OptimisedMonteCarlo,
    PairedKernelSHAP,
)
from shapaudit.estimators.unbiased_kernel import UnbiasedKernelSHAP
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.samplers.sizes import kernel_sizes, leverage_sizes
from shapaudit.statistics import simultaneous
from shapaudit.truth import shapley_from_table
from shapaudit.truth.rational import rationals
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_audit.papers import registry
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import mild as on_diabetes
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import pairing
from shapaudit_papers.theory.pairing import (
    draw_parts,
    kernel_law,
    predecessor_weights,
    split,
    walk_parts,
)

ALPHA = 0.05


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def integers(rng, d):
    return rationals(rng.integers(-9, 10, size=1 << d).tolist())


def walks(values, orders):
    return TabularGame(np.asarray(values, dtype=float)).walk(np.array(orders))


def test_split_adds_up_and_shapley_values_are_those_of_the_odd_part(rng):
    values = rng.normal(size=(3, 32))
    odd, even = split(values)
    np.testing.assert_allclose(odd + even, values)
    np.testing.assert_allclose(odd, -odd[:, ::-1])
    np.testing.assert_allclose(shapley_from_table(odd), shapley_from_table(values))
    np.testing.assert_allclose(shapley_from_table(even), 0, atol=1e-14)


@pytest.mark.parametrize("d", [1, 2, 4, 5])
def test_walks_and_reversed_walks_have_the_variances_of_the_parts(rng, d):
    values = rng.normal(size=1 << d)
    orders = list(permutations(range(d)))
    forwards, backwards = (walks(values, [o[::step] for o in orders]) for step in (1, -1))
    parts = walk_parts(values)
    np.testing.assert_allclose(parts.plain, forwards.var(axis=0), atol=1e-13)
    np.testing.assert_allclose(parts.odd, ((forwards + backwards) / 2).var(axis=0), atol=1e-13)


@pytest.mark.parametrize("sizes", [kernel_sizes, leverage_sizes])
def test_draws_have_the_variances_of_the_parts(rng, sizes):
    d = 5
    values, law = rng.normal(size=1 << d), sizes(d)
    members = all_coalitions(d)[1:-1].astype(float)
    size = members.sum(axis=1).astype(int)
    chances = (law / [5, 10, 10, 5])[size - 1]
    directions = (members - size[:, None] / d) * (d / (size * (d - size) * law[size - 1]))[:, None]
    phi = shapley_from_table(values)
    plain, residual = values[1:-1] - values[0], values[1:-1] - values[0] - members @ phi
    for fitted, y in ((False, plain), (True, residual)):
        parts = draw_parts(values, law, fitted)
        for z, variance in ((y, parts.plain), ((y - y[::-1]) / 2, parts.odd)):
            units = directions * z[:, None]
            mean = chances @ units
            expected = phi - phi.mean() if not fitted else 0
            np.testing.assert_allclose(mean, expected, atol=1e-13)
            np.testing.assert_allclose(variance, chances @ units**2 - mean**2, atol=1e-12)


def test_a_value_of_the_empty_coalition_enters_the_part_that_changes_its_sign():
    """Without an even part, E of a draw vanishes if v(empty) = 0, and not otherwise."""
    d, law = 4, kernel_sizes(4)
    odd, _ = split(np.random.default_rng(2).normal(size=1 << d))
    assert odd[0] != 0
    even = draw_parts(odd, law, False).even
    assert even.max() > 0.01
    level = odd.copy()
    level[[0, -1]] = 0
    np.testing.assert_allclose(draw_parts(level, law, False).even, 0, atol=1e-12)


def test_fractions_floats_and_stacks_agree(rng):
    games = [integers(rng, 4) for _ in range(2)]
    stack = np.array(games).astype(float)
    for parts in (walk_parts, draw_parts, lambda v: draw_parts(v, fitted=True)):
        exact = [parts(values) for values in games]
        of_stack = parts(stack)
        np.testing.assert_allclose(of_stack.odd, np.array([p.odd for p in exact], dtype=float))
        np.testing.assert_allclose(of_stack.even, np.array([p.even for p in exact], dtype=float))
        np.testing.assert_allclose(of_stack.ratio(), [float(p.ratio()) for p in exact])


def test_laws_sum_to_one():
    assert predecessor_weights(6).sum() == 1
    np.testing.assert_allclose(kernel_law(6).astype(float), kernel_sizes(6))


@pytest.mark.parametrize("parts", [walk_parts, lambda v: draw_parts(v, fitted=True)])
def test_ratio_is_2_without_an_even_part_0_without_an_odd_one_and_1_for_constants(parts, rng):
    d = 5
    members = all_coalitions(d).astype(float)
    majority = (members.sum(axis=1) > d / 2).astype(float)
    assert parts(majority).ratio() == pytest.approx(2)
    pairwise = np.einsum("si,ij,sj->s", members, rng.normal(size=(d, d)), members)
    assert parts(pairwise).ratio() == pytest.approx(0, abs=1e-12)
    assert parts(np.full(1 << d, 3.0)).ratio() == 1


def test_estimators_have_the_predicted_variances(rng):
    values = rng.normal(size=64)
    d, runs, units = 6, 3000, 3
    game = TabularGame(values)
    cases = [
        (OptimisedMonteCarlo(), units * d + 1, walk_parts(values).plain / units),
        (AntitheticMonteCarlo(), 2 * units * d + 1, walk_parts(values).odd / units),
        (UnbiasedKernelSHAP(), 22, draw_parts(values).plain / 20),
        (UnbiasedKernelSHAP(paired=True), 42, draw_parts(values).odd / 20),
    ]
    for estimator, budget, variances in cases:
        estimates = np.array([estimator.estimate(game, budget, rng).values for _ in range(runs)])
        ratio = estimates.var(axis=0, ddof=1).sum() / variances.sum()
        assert ratio == pytest.approx(1, abs=4 * (2 / runs) ** 0.5)


def test_kernel_shap_tends_to_the_predicted_variances(rng):
    values = rng.normal(size=64)
    game, parts, runs, draws = TabularGame(values), draw_parts(values, fitted=True), 1000, 2000
    for estimator, budget, variance in (
        (KernelSHAP(), draws + 2, parts.plain),
        (PairedKernelSHAP(), 2 * draws + 2, parts.odd),
    ):
        estimates = np.array([estimator.estimate(game, budget, rng).values for _ in range(runs)])
        ratio = estimates.var(axis=0, ddof=1).sum() * draws / variance.sum()
        assert ratio == pytest.approx(1, abs=4 * (2 / runs) ** 0.5)


def world(name="diabetes", explicands=12, even=1.0, odd=1.0, seed=0):
    """Games whose odd and even parts have the given sizes, about the same for all explicands."""
    rng = np.random.default_rng(seed)
    parts = split(rng.normal(size=(explicands, 32)))
    additive = rng.normal(size=(explicands, 5)) @ all_coalitions(5).T
    game = StudyGame.from_tables(name, additive + odd * parts[0] + even * parts[1])
    return Context("made-up", 1, (game,), Settings(repetitions=60), published=PUBLISHED)


def mild(context, alpha=ALPHA):
    return on_diabetes.check_mild(on_diabetes.gather_study(context), alpha)


def test_mild_help_large_help_and_harm_are_told_apart():
    assert mild(world(even=0.95, explicands=200)).status == "supported"
    assert mild(world(even=4.0)).status == "refuted"
    harm = mild(world(even=0.3))
    assert harm.status == "refuted"
    assert "hurt" in harm.summary
    assert mild(world(even=1.1)).status == "inconclusive"


def test_too_few_explicands_and_other_data_leave_the_claim_open():
    few = mild(world(explicands=4, even=9.0))
    assert (few.status, few.limits[0].low, few.limits[0].high) == ("inconclusive", 0, 2)
    assert "no game of the diabetes data" in mild(world(name="other", even=9.0)).summary


def test_typical_ratio_is_covered_at_the_level():
    rng = np.random.default_rng(0)
    missed, runs = 0, 150
    for _ in range(runs):
        ratios = {"diabetes": rng.beta(2, 4, size=(25, 2)) * 2}
        limits = on_diabetes.typical_ratios(ratios, 0.1)[0]
        missed += not all(r.low <= 2 * scipy.stats.beta.median(2, 4) <= r.high for r in limits)
    assert missed / runs < 0.1 + 3 * (0.09 / runs) ** 0.5


@pytest.fixture(scope="module")
def evidence():
    return pairing.gather_kinds(world())


def test_both_claims_look_at_the_same_ratios_of_the_study():
    context = world()
    kinds = pairing.gather_kinds(context)
    assert kinds["ratios"] is context.once(on_diabetes.gather_study)["ratios"]


def test_pairs_hurt_where_they_are_predicted_to(evidence):
    verdict = registry()["ccll23-03c"].judge(evidence, ALPHA)
    assert (verdict.status, verdict.consequence) == ("refuted", "hypothesis")
    words = {(row["kind"], row["method"]): row for row in verdict.rows}
    assert words["majority", "random order"]["low"] > 1
    assert words["2-additive", "least squares"]["high"] < 1e-9
    assert words["product", "random order"]["predicted"] < 1


def test_a_world_in_which_pairs_help(evidence):
    errors = evidence["errors"]["product"].copy()
    errors[:, 1::2] *= 0.5
    predicted = [0.5 * ratio for ratio in evidence["predicted"]["product"]]
    kept = {"errors": {"product": errors}, "predicted": {"product": predicted}}
    kept = {k: v | {"2-additive": evidence[k]["2-additive"]} for k, v in kept.items()}
    assert pairing.check_helps(evidence | kept, ALPHA).status == "supported"


def test_a_wrong_prediction_is_noticed(evidence):
    wrong = evidence["predicted"] | {"majority": [0.5, 0.5]}
    verdict = pairing.check_helps(evidence | {"predicted": wrong}, ALPHA)
    assert (verdict.status, verdict.numbers["predictions_missed"]) == ("inconclusive", 1)


def test_without_any_effect_pairs_are_called_harmful_at_most_at_the_error_rate(monkeypatch):
    monkeypatch.setattr(simultaneous, "RESAMPLES", 999)
    rng = np.random.default_rng(1)
    base = {"ratios": {"x": np.ones((12, 2))}, "predicted": {"a": [1.0, 1.0], "b": [1.0, 1.0]}}
    wrong, runs = 0, 100
    for _ in range(runs):
        errors = {name: rng.chisquare(3, size=(30, 4)) for name in "ab"}
        wrong += pairing.check_helps(base | {"errors": errors}, ALPHA).status != "inconclusive"
    assert wrong / runs < ALPHA + 3 * (ALPHA / runs) ** 0.5
