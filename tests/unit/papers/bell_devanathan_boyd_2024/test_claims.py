"""Claims of Bell, Devanathan & Boyd 2024: each check in a true world and in a false one."""

from fractions import Fraction

import numpy as np
import pytest
from parts import part
from synthetic import PUBLISHED

from shapaudit.datasets.linear import load
from shapaudit.estimators.risk import LiftMoments, gaussian_risk, norm_risk, replicate_risk
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_audit.papers import claims_of
from shapaudit_papers.bell_devanathan_boyd_2024.claims import (
    costs,
    elementary,
    extensions,
    identities,
    printed,
    risk,
    stability,
    stopping,
)
from shapaudit_papers.bell_devanathan_boyd_2024.evidence import costs as costs_evidence
from shapaudit_papers.bell_devanathan_boyd_2024.evidence import risk as risk_evidence
from shapaudit_papers.bell_devanathan_boyd_2024.evidence.common import exact_games, quick
from shapaudit_papers.bell_devanathan_boyd_2024.evidence.correlated import common_column
from shapaudit_papers.bell_devanathan_boyd_2024.evidence.elementary import at_least
from shapaudit_papers.theory import regression_costs
from shapaudit_papers.theory.regression import chain_parameters, lifts, merged, shapley, subsets

ALPHA = 0.01
SETTINGS = Settings(random_games=2, brute_force_dimension=3, radial_explicands=10, repetitions=100)
CONTEXT = Context("test", 1, (), SETTINGS, published=PUBLISHED)
BY_ID = {claim.id: claim for claim in claims_of("bell_devanathan_boyd_2024")}


@pytest.fixture(scope="module")
def context():
    return CONTEXT


def status(claim_id, evidence):
    return BY_ID[f"bdb24-{claim_id}"].judge(evidence, ALPHA).status


@pytest.mark.parametrize(
    ("claim_id", "gather", "wrong"),
    [
        ("16a", extensions.gather_folds, lambda splits, order: 2 * lifts(*splits[0], order)),
        ("16a", extensions.gather_reduced, lambda rest: 2 * rest + 1),
        ("01a", identities.gather_efficiency, lambda *world: 2 * lifts(*world)),
        ("02a", identities.gather_chain, lambda *train: chain_parameters(*train) + 1),
        ("03a", identities.gather_batches, lambda rows: [2 * x for x in merged(rows)]),
        ("16a", extensions.gather_ridge, lambda root, n: root * n),
    ],
)
def test_identities(context, claim_id, gather, wrong):
    check = dict(BY_ID[f"bdb24-{claim_id}"].parts)[gather]
    assert check(gather(context), ALPHA).status == "proved"
    assert check(gather(context, wrong), ALPHA).status == "refuted"


def test_uncorrelated_features_need_both_sets(context):
    both = identities.gather_uncorrelated(context)
    train_only = identities.gather_uncorrelated_in_training(context)
    assert part("gather_uncorrelated").judge(both, ALPHA).status == "proved"
    assert part("gather_uncorrelated").judge(train_only, ALPHA).status == "refuted"
    assert status("05b", train_only) == "refuted"
    assert status("05b", both) == "inconclusive"


def test_rational_shapley_values_are_means_of_lifts():
    rows = np.array([[Fraction(x) for x in row] for row in ([1, 2], [0, 1], [3, -1], [2, 2])])
    target = np.array([Fraction(x) for x in (1, 2, 0, 3)])
    data = (rows, target), (rows[::-1], target)
    walked = [lifts(*data, order) for order in ((0, 1), (1, 0))]
    values = {(): Fraction(0), (0,): walked[0][0], (1,): walked[1][1], (0, 1): sum(walked[0])}
    assert list(subsets(2)) == list(values)
    assert (shapley(values, 2) == (walked[0] + walked[1]) / 2).all()


def test_stability(context):
    rows = stability.gather_conditions(context)
    assert stability.check_equal(rows, ALPHA).status == "proved"
    assert status("06a", rows) == "supported"
    same = stability.gather_conditions(context, methods=("qr",))
    same = {"rows": [row | {"cholesky": row["qr"]} for row in same["rows"]]}
    assert stability.check_unstable(same, ALPHA).status == "refuted"
    bad = {"rows": [row | {"cholesky": 0.1} for row in same["rows"]]}
    assert status("06a", bad) == "refuted"


def test_costs(context):
    assert costs.check_complexity(costs.gather_counts(context), ALPHA).status == "proved"
    for wrong in ({"chain": lambda p: p**4}, {"reduction": lambda n, p: n * p**3}):
        assert (
            costs.check_complexity(costs.gather_counts(context, **wrong), ALPHA).status == "refuted"
        )
    assert costs.check_metrics(printed.gather_metrics(context), ALPHA).status == "inconsistent"
    right = printed.gather_metrics(context, models=lambda p: [p])
    assert costs.check_metrics(right, ALPHA).status == "exact"
    assert status("15a", costs.gather_exact(context)) == "refuted"
    assert status("15a", costs.gather_exact(context, lambda p: 10**p)) == "supported"


@pytest.mark.parametrize(
    ("claim_id", "threshold"),
    [
        ("06a", "to within 1e-8, which counts as equal"),
        ("06a", "from 1e8 on"),
        ("05a", "an exponent of at least 1.9 counts as that"),
        ("14b", "a difference of up to 10 per cent counts as agreement"),
    ],
)
def test_what_rests_on_a_threshold_names_it(context, claim_id, threshold):
    claim = BY_ID[f"bdb24-{claim_id}"]
    assert threshold in claim.judge(claim.evidence(lambda of: of(context)), ALPHA).summary


def test_cholesky_fails_where_qr_does_not(context):
    rows = stability.gather_conditions(context)["rows"]
    sound = [row | {"qr": 0.0} for row in rows]
    assert "QR nowhere" in stability.check_unstable({"rows": sound}, ALPHA).summary


def test_speed_up_is_an_order_of_growth_and_no_number(context):
    evidence, claim = costs.gather_speed_up(context), part("gather_speed_up")
    for row in evidence["rows"]:
        assert row["minimum"] / 2 <= row["orders"] < row["minimum"]
    verdict = claim.judge(evidence, ALPHA)
    assert (verdict.status, verdict.consequence) == ("proved", "loosely")
    # As a number it is less than half of the minimum, in the medium experiment too.
    p, n, chains = 100, 100_000, 8_192
    spent = 2 * regression_costs.reduction(n, p) + chains * regression_costs.chain(p)
    gain = chains * regression_costs.naive_chain(n, n, p) / spent
    assert (
        verdict.numbers["medium_counted"] == pytest.approx(gain / n) == pytest.approx(0.2185, 1e-3)
    )
    assert "0.218 times in the medium experiment" in verdict.summary
    for ratio, found in (
        (lambda n, k, p: n * k * p, ("exact", "stands")),
        (lambda n, k, p: 1, ("refuted", "slip")),
    ):
        verdict = claim.judge(costs.gather_speed_up(context, ratio), ALPHA)
        assert (verdict.status, verdict.consequence) == found


def test_degrees_are_those_of_polynomials():
    assert costs_evidence.degree(lambda p: 7) == 0
    assert costs_evidence.degree(lambda p: 2 * p**3 - p) == 3
    with pytest.raises(ValueError, match="no polynomial"):
        costs_evidence.degree(lambda p: 2**p)


def test_counts_of_small_cases():
    # p = 1: one root or division each for the factor and z, the row of two entries, its loss.
    assert regression_costs.chain(1) == 1 + 1 + 2 + 4
    assert regression_costs.reduction(5, 2) == 5 * 6
    assert regression_costs.all_subsets(1) == 2 + 4 + 1
    assert regression_costs.shift(100) < regression_costs.chain(100) / 5


def test_printed_values(context):
    verdict = BY_ID["bdb24-08a"].judge(printed.gather_toy(context), ALPHA)
    assert verdict.status == "refuted"
    assert "Shapley value 1 is 0.5967" in verdict.summary
    assert verdict.rows[6]["what"] == "R² of 1, 2, 3"
    evidence = printed.gather_toy(context)
    rounded = {"rows": [row | {"agrees": 1} for row in evidence["rows"]], "means": [0, 0, 0]}
    assert status("08a", rounded) == "supported"
    noise = printed.gather_noise(context)
    assert printed.check_noise(noise, ALPHA).status == "inconsistent"
    possible = noise | {"error_estimate": 1e-9}
    assert printed.check_noise(possible, ALPHA).status == "inconclusive"
    conditions = printed.gather_conditions(context)
    assert printed.check_conditions(conditions, ALPHA).status == "refuted"
    possible = {"rows": [row | {"printed": row["least"]} for row in conditions["rows"]]}
    assert printed.check_conditions(possible, ALPHA).status == "supported"


def test_conditions_are_of_as_many_matrices_as_are_said(context):
    rows = printed.gather_conditions(context)["rows"]
    assert [(row["p"], row["draws"]) for row in rows] == [(100, 50), (1000, 2)]
    rng = context.generator("bdb24-10", 100)
    data = load(rng, n_train=1, n_test=1, n_features=100, problems=50)
    numbers = [np.linalg.cond(data.covariance(k)) for k in range(50)]
    assert (rows[0]["least"], rows[0]["most"]) == pytest.approx((min(numbers), max(numbers)))
    assert all(row["most"] <= row["bound"] for row in rows)


def test_sizes_that_do_not_fit_their_equations(context):
    shapes = printed.gather_shapes(context)
    assert printed.check_shapes(shapes, ALPHA).status == "inconsistent"
    mended = {"rows": [row | {"printed": row["needed"]} for row in shapes["rows"]]}
    assert printed.check_shapes(mended, ALPHA).status == "exact"
    # Three features: six points of a plane, on a circle.
    assert {"what": "sphere", "p": 3, "printed": 2, "needed": 1} in shapes["rows"]
    right = printed.gather_shapes(context, sphere=lambda p: p - 2)
    assert "sphere" not in printed.check_shapes(right, ALPHA).summary


def test_printed_coefficients_of_uncorrelated_features(context):
    check = identities.check_coefficients
    verdict = check(printed.gather_coefficients(context), ALPHA)
    assert (verdict.status, verdict.consequence) == ("refuted", "slip")
    assert verdict.numbers == {"factor": 4}
    right = printed.gather_coefficients(context, lambda n: Fraction(1, n))
    assert check(right, ALPHA).status == "exact"
    other = right | {"cases": [case._replace(left=case.left + 1) for case in right["cases"]]}
    assert check(other, ALPHA).consequence == "wrong"


def test_weak_correlations(context):
    claim = part("gather_weak")
    assert claim.judge(identities.gather_weak(context), ALPHA).status == "exact"
    # With one common column of a fixed share, orders matter however weak the others are.
    fixed = identities.gather_weak(context, lambda share: common_column(share + 1))
    assert claim.judge(fixed, ALPHA).status == "refuted"


def test_elementary_games_have_a_closed_form(context):
    claim = BY_ID["bdb24-19a"]
    verdict = claim.judge(elementary.gather_elementary(context), ALPHA)
    assert (verdict.status, verdict.consequence) == ("refuted", "hypothesis")
    wrong = elementary.gather_elementary(context, (at_least, at_least))
    assert claim.judge(wrong, ALPHA).status == "inconclusive"


def test_progress_of_the_large_experiment(context):
    evidence = costs.gather_progress(context)
    assert evidence["printed"]["seconds"] == 116.8
    told = BY_ID["bdb24-14b"].judge(evidence, ALPHA)
    assert told.consequence == "undecided"
    assert "from about batch 2 of 16" in told.summary
    assert "decreases by 2.83 from there" in told.summary
    assert "if that batch took the time of 2, for instance because of" in told.summary
    for change, expected in (
        ({}, "inconclusive"),
        ({"error-estimate-first": 2.0e-3 * 8**0.5}, "supported"),
        ({"error-estimate": 8.4e-3}, "inconsistent"),
        ({"seconds-first": 1.0}, "inconsistent"),
        ({"seconds": 120.0}, "inconsistent"),
    ):
        assert status("14b", evidence | {"printed": evidence["printed"] | change}) == expected


def test_a_penalty_that_is_chosen_on_the_test_rows(context):
    evidence = extensions.gather_selection(context)
    # 3/4 where both responses have the sign of the coefficient, else the 0 of the other candidate.
    assert evidence == {"fixed": [Fraction(-1, 4), 0], "chosen": Fraction(3, 16)}
    assert status("16b", evidence) == "refuted"
    assert status("16b", extensions.gather_selection(context, [Fraction(0)])) == "exact"


def coverage(shares, ratio=1.0, runs=2000, regressions=5):
    return {
        "medium": [],
        "rows": [
            {
                "regression": k,
                "sampler": name,
                "runs": runs,
                "covered": int(share * runs),
                "true_quantile": 1.0,
                "estimated": ratio,
                "ratio": ratio * (1 + 0.01 * k),
            }
            for name, share in shares.items()
            for k in range(regressions)
        ],
    }


def test_coverage_checks():
    told = BY_ID["bdb24-12a"].judge(coverage({"mc": 0.95}), ALPHA)
    assert (told.status, told.consequence) == ("proved", "stands")
    assert "95 per cent of 10000 runs of 256 permutations are covered (limits" in told.summary
    for share in (0.90, 0.99):
        assert status("12a", coverage({"mc": share})) == "refuted"
    assert status("12a", coverage({"mc": 0.90}, runs=10)) == "proved"
    enough = {"regressions": risk_evidence.REGRESSIONS}
    both = dict.fromkeys(risk.QUASI, 0.99)
    safe = BY_ID["bdb24-12b"].judge(coverage(both, 2.5, **enough), ALPHA)
    assert safe.status == "supported"
    assert "2.66 (limits 2.52 to 2.8) times the true quantile" in safe.summary
    for name in risk.QUASI:
        assert status("12b", coverage(both | {name: 0.9}, 2.5, **enough)) == "refuted"
    assert status("12b", coverage(both, 2.5, runs=10)) == "inconclusive"
    units = dict.fromkeys((*risk.UNITS, *risk.SINGLE), 0.96)
    assert status("12c", coverage(units)) == "supported"
    assert status("12c", coverage(units | {"affine orbits": 0.9})) == "refuted"
    assert status("12c", coverage(units | {"antithetic pairs": 0.9})) == "refuted"
    assert status("12c", coverage(units | {"cyclic walks": 0.8})) == "supported"
    assert status("12c", coverage(units, runs=10)) == "inconclusive"


def test_risk_is_judged_on_runs(context):
    rows = risk.gather_risk(context)["rows"]
    assert {row["sampler"] for row in rows} == set(risk.BARS)
    assert {row["runs"] for row in rows} == {round(10 * bar.effort) for bar in risk.BARS.values()}
    ratios = {
        name: np.mean([row["ratio"] for row in rows if row["sampler"] == name])
        for name in risk.BARS
    }
    assert ratios["antithetic walks"] > ratios["antithetic pairs"]
    assert ratios["permutohedron"] > ratios["permutohedron replicates"]
    assert BY_ID["bdb24-12b"].judge({"rows": rows, "medium": []}, 0.1).status != "refuted"

    def blind(moments, rng):
        return 0.0

    nothing = risk.gather_risk(context, blind)
    assert status("12a", nothing) == status("12b", nothing) == "refuted"


def test_risk_and_stopping_share_their_regressions():
    context = Context("test", 1, (), SETTINGS)
    for gather in (risk.gather_risk, stopping.gather_stopping):
        gather(context, lambda moments, rng: 1.0)
        assert list(context.shared) == [(exact_games, (risk_evidence.REGRESSIONS,))]


def test_both_error_bars_are_of_the_same_walks():
    (game, _), *_ = exact_games(CONTEXT, 1)
    pairs, walks = (risk.BARS[f"antithetic {units}"].run for units in ("pairs", "walks"))
    first, second = (
        run(quick(game), np.random.default_rng(1), norm_risk) for run in (pairs, walks)
    )
    np.testing.assert_allclose(first[0], second[0], rtol=1e-12, atol=1e-15)
    assert first[1] != second[1]


def test_stopping(context):
    honest = stopping.gather_stopping(context)
    assert status("13a", honest) in ("supported", "inconclusive")

    def hasty(moments, rng):
        return 0.0

    assert status("13a", stopping.gather_stopping(context, hasty)) == "refuted"
    sure = {"rows": [{"regression": 1, "tolerance": 1.0, "runs": 500, "within": 490}]}
    assert status("13a", sure) == "supported"


def test_moments_merge_unequal_batches():
    lift = np.random.default_rng(0).normal(size=(50, 4))
    moments = LiftMoments(4)
    for batch in np.split(lift, [7, 8, 30]):
        moments.update(batch)
    np.testing.assert_allclose(moments.mean, lift.mean(axis=0), atol=1e-14)
    np.testing.assert_allclose(moments.covariance, np.cov(lift.T), atol=1e-13)
    with pytest.raises(ValueError, match="at least 2 lifts"):
        _ = LiftMoments(4).covariance


def test_gaussian_risk_is_that_of_the_normal_law():
    moments = LiftMoments(2)
    moments.update(np.random.default_rng(1).normal(size=(100_000, 2)) * [1.0, 0.0])
    normal = gaussian_risk(moments, np.random.default_rng(2), draws=200_000)
    expected = 1.959964 * np.sqrt(moments.covariance[0, 0] / 100_000)
    assert normal.features[0] == pytest.approx(expected, rel=0.01)
    assert normal.features[1] == pytest.approx(0.0, abs=1e-12)
    assert normal.overall == pytest.approx(normal.features[0], rel=1e-9)


def test_norm_risk_is_that_of_all_features():
    moments = LiftMoments(3)
    mixing = np.array([[1.0, 0.5, 0.0], [0.0, 0.3, 0.2], [0.0, 0.0, 0.1]])
    moments.update(np.random.default_rng(1).normal(size=(50, 3)) @ mixing)
    whole = gaussian_risk(moments, np.random.default_rng(2), draws=200_000).overall
    assert norm_risk(moments, np.random.default_rng(3), 200_000) == pytest.approx(whole, rel=0.02)


def test_replicate_risk_covers_at_least_its_level():
    rng, runs, replicates = np.random.default_rng(3), 4000, 5
    for scales in ([1.0, 0.0, 0.0], [1.0, 1.0, 1.0]):
        draws = rng.normal(size=(runs, replicates, 3)) * scales
        errors = draws.std(axis=1, ddof=1) / np.sqrt(replicates)
        limits = [replicate_risk(run, replicates).overall for run in errors]
        covered = np.mean(np.linalg.norm(draws.mean(axis=1), axis=1) <= limits)
        assert covered > 0.95 - 4 * np.sqrt(0.95 * 0.05 / runs)
    with pytest.raises(ValueError, match="at least 2"):
        replicate_risk(np.ones(3), 1)
