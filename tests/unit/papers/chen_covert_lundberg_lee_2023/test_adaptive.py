"""Adaptive sampling, its allocation and its bias, and SGD: true worlds, false ones, calibration."""

import numpy as np
import pytest
from parts import part
from synthetic import PUBLISHED

from shapaudit.statistics import simultaneous
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import adaptive, allocation, sgd
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import adaptive as adaptive_evidence
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import common as common_evidence
from shapaudit_papers.grah_thouvenot_2020.claims.experiments import default_step_sweep
from shapaudit_papers.grah_thouvenot_2020.evidence.experiments import (
    default_step_sweep as default_step_sweep_evidence,
)
from shapaudit_papers.theory.allocation import by_deviation

ALPHA = 0.05
CHECKS = {c.id[7:]: c.judge for c in (*adaptive.CLAIMS, *allocation.CLAIMS, *sgd.CLAIMS)}
METHODS = [*adaptive.ADAPTIVE, *adaptive.RIVALS]


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch):
    monkeypatch.setattr(simultaneous, "RESAMPLES", 499)


@pytest.fixture(scope="module")
def context():
    tables = np.random.default_rng(0).normal(size=(3, 32))
    study = StudyGame.from_tables("random", tables)
    settings = Settings(max_exact_dimension=8, interaction_games=40)
    return Context("tiny", 3, (study,), settings, published=PUBLISHED)


def log_normal(levels, games, rng):
    """Errors (games, len(levels), budgets): games differ in difficulty, which all share."""
    shape = (games, len(levels), len(adaptive.BUDGETS))
    hard = np.exp(0.5 * rng.normal(size=(games, 1, 1)))
    return np.array(levels)[:, None] * hard * np.exp(0.3 * rng.normal(size=shape))


def world(rng, most, none, games=30):
    """Errors with 100 and with 0 null players, the levels by method where they are not 1."""
    levels = {
        null: [given.get(method, 1.0) for method in METHODS]
        for null, given in {0: none, 100: most}.items()
    }
    errors = {null: log_normal(level, games, rng) for null, level in levels.items()}
    return {"errors": errors, "own": {}, "places": {500: [1, 2], 1000: [1, 2], 5000: [1, 3]}}


FIRST, SECOND = adaptive.ADAPTIVE
FREE, FREE_PAIRED = default_step_sweep.FREE
RIVAL = list(adaptive.RIVALS)[-1]
BOTH = {FIRST: 0.5, SECOND: 0.5}


@pytest.mark.parametrize(
    ("claim_id", "most", "none", "status"),
    [
        ("02a", BOTH, {}, "supported"),
        ("02a", {FIRST: 0.5}, {}, "supported"),
        ("02a", BOTH | {RIVAL: 0.2}, {}, "refuted"),
        ("02a", {FIRST: 0.5, RIVAL: 0.5}, {}, "inconclusive"),
        ("02c", BOTH, {}, "supported"),
        ("02c", {}, BOTH, "refuted"),
        ("02c", {FIRST: 0.5}, {}, "inconclusive"),
        ("02c", {FIRST: 0.5, SECOND: 2.0}, {}, "refuted"),
        ("02b", {}, BOTH, "supported"),
        ("02b", BOTH, {RIVAL: 0.4}, "refuted"),
        ("02b", BOTH, {}, "inconclusive"),
    ],
)
def test_adaptive_sampling_in_made_up_worlds(claim_id, most, none, status):
    verdict = CHECKS[claim_id](world(np.random.default_rng(2), most, none), ALPHA)
    assert verdict.status == status
    assert verdict.limits


def test_least_affected_is_not_least_error():
    most, none = {FIRST: 9.0, SECOND: 9.0}, {FIRST: 9.0, SECOND: 9.0}
    rivals = dict.fromkeys(adaptive.RIVALS, 0.1)
    evidence = world(np.random.default_rng(4), most, none | rivals)
    assert CHECKS["02a"](evidence, ALPHA).status == "refuted"
    assert CHECKS["02c"](evidence, ALPHA).status == "supported"


@pytest.mark.parametrize(
    ("places", "status"),
    [({500: [1, 2], 1000: [1, 3]}, "refuted"), ({500: [1, 2], 1000: [1, 2]}, "supported")],
)
def test_the_printed_tables_decide_on_the_blog_data(places, status):
    evidence = world(np.random.default_rng(2), BOTH, {}) | {"places": places}
    assert CHECKS["02a"](evidence, ALPHA).setting.status == status


def test_adaptive_methods_lead_in_the_tables_from_ten_thousand_samples_on(context):
    """Tables 4 and 7, added up by hand at 10,000: 500.0 and 703.4, then 770.2 (ME_ANTI)."""
    ranked = common_evidence.ranked_printed(context, "blog")
    assert ranked[10_000][:3] == ["MEF_ADAPT", "ROF_ADAPT", "ME_ANTI"]
    leads = [n for n, methods in ranked.items() if set(methods[:2]) == adaptive_evidence.PRINTED]
    assert leads == [10_000, 50_000, 100_000]


@pytest.mark.parametrize(
    ("factor", "status"), [(0.2, "supported"), (1.0, "inconclusive"), (5.0, "refuted")]
)
def test_runs_on_the_printed_explicand_decide_who_is_affected(factor, status):
    rng = np.random.default_rng(3)
    runs = {null: np.exp(0.3 * rng.normal(size=(40, len(METHODS)))) for null in (0, 100)}
    runs[100][:, : len(adaptive.ADAPTIVE)] *= factor
    evidence = world(rng, {}, {}) | {"own": {"chen-diabetes": runs}}
    verdict = CHECKS["02c"](evidence, ALPHA)
    assert verdict.setting.status == status
    assert CHECKS["02c"](evidence | {"own": {}}, ALPHA).setting.status == "inconclusive"


def test_null_players_leave_the_others_as_they_were(context, monkeypatch):
    monkeypatch.setattr(adaptive_evidence, "RUNS", 3)
    values = np.random.default_rng(5).normal(size=1 << 6)
    runs = [adaptive_evidence.runs_with(context, "made-up", values, null) for null in (0, 60)]
    assert [part.shape for part in runs] == [(3, len(METHODS))] * 2
    assert (runs[1].mean(axis=0) > runs[0].mean(axis=0)).all()


def test_the_budget_from_which_a_method_wins():
    evidence = world(np.random.default_rng(3), BOTH, {})
    errors = evidence["errors"][100]
    errors[:, METHODS.index(FIRST), :2] *= 10
    errors[:, METHODS.index(SECOND), -1] *= 10
    numbers = CHECKS["02a"](evidence, ALPHA).numbers
    budgets = [
        numbers[f"adaptive_{m}_{k}_100"] for m in ("IME", "multilinear") for k in ("ahead", "sure")
    ]
    assert budgets == [adaptive.BUDGETS[2]] * 2 + [0, 0]


def test_no_advantage_is_hardly_ever_called_one():
    """All methods alike: a verdict for either side comes at most at its error rate."""
    runs, level = 120, 0.1
    for claim_id in ("02a", "02b"):
        worlds = (world(np.random.default_rng(k), {}, {}, 25) for k in range(runs))
        decided = sum(
            CHECKS[claim_id](evidence, level).status != "inconclusive" for evidence in worlds
        )
        assert decided <= runs * level + 4 * np.sqrt(runs * level * (1 - level))


def test_the_runs_show_both_sides(context, monkeypatch):
    monkeypatch.setattr(adaptive_evidence, "BUDGETS", (4_000,))
    monkeypatch.setattr(adaptive_evidence, "NULL", (0, 100))
    errors = adaptive.gather_errors(context)["errors"]
    assert errors[0].shape == (10, len(METHODS), 1)
    means = {
        null: dict(zip(METHODS, e[..., 0].mean(axis=0), strict=True)) for null, e in errors.items()
    }
    assert means[100][SECOND] < means[100][RIVAL]
    assert means[0][SECOND] > 1.3 * means[0][RIVAL]


def all_to_the_largest(variances, done, total):
    return np.where(np.arange(len(variances)) == variances.argmax(), total, 0)


def half_to_one(variances):
    """The factor when all of the second half goes to one player of largest variance."""
    shares = variances / variances.sum()
    return 2 * (1 - shares.max()) + 2 * shares.max() / (1 + len(shares))


@pytest.mark.parametrize(
    ("name", "given", "status"),
    [
        ("allocation.gather_gain", {}, "refuted"),
        ("allocation.gather_gain", {"rule": "uniform"}, "proved"),
        ("allocation.gather_gain", {"factor": half_to_one}, "refuted"),
        ("allocation.gather_best", {}, "refuted"),
        ("allocation.gather_best", {"allot": all_to_the_largest}, "refuted"),
        ("allocation.gather_best", {"allot": by_deviation}, "exact"),
        ("allocation.gather_bias", {}, "refuted"),
        ("allocation.gather_bias", {"rule": "deviation"}, "refuted"),
        ("allocation.gather_bias", {"rule": "uniform"}, "exact"),
    ],
)
def test_allocation_in_our_world_and_in_others(name, given, status, context):
    claim = part(name)
    assert claim.judge(claim.gather(context, **given), ALPHA).status == status


def test_estimated_variances_are_the_hypothesis_that_adaptive_sampling_lacks(context):
    judge = CHECKS["05a"]
    verdict = judge(allocation.gather_gain(context), ALPHA)
    assert verdict.consequence == "hypothesis"
    assert verdict.numbers["largest_factor"] == 1 < verdict.numbers["least_loss"]
    known = judge(allocation.gather_gain(context, factor=half_to_one), ALPHA)
    assert known.consequence == "wrong"


SWEEP = [default_step_sweep_evidence.EQUAL, *default_step_sweep_evidence.estimators(10)]


def sweep(levels, games=20, printed=(1.5, 40.0)):
    rng = np.random.default_rng(8)
    level = np.array([levels.get(method, 1.0) for method in SWEEP])
    budgets = len(default_step_sweep.PER_PLAYER)
    errors = {
        (kind, d): np.array([50.0, *level[1:]])[:, None]
        * np.exp(0.2 * rng.normal(size=(games, len(SWEEP), budgets)))
        for kind in default_step_sweep_evidence.KINDS
        for d in (10, 79)
    }
    cell = {"data": "diabetes", "players": 10, "samples": 500, "LS": 2.0}
    columns = [cell | {"LS_SGD": 2.0 * ratio} for ratio in printed]
    return {"errors": errors, "methods": SWEEP, "printed": columns}


@pytest.mark.parametrize(
    ("claim_id", "levels", "status", "reason"),
    [
        ("06a", {default_step_sweep_evidence.DEFAULT: 3.0}, "supported", "stands"),
        ("06a", {default_step_sweep_evidence.DEFAULT: 0.5}, "refuted", "setting"),
        ("06a", {}, "inconclusive", "stands"),
    ],
)
def test_sgd_in_made_up_worlds(claim_id, levels, status, reason):
    verdict = CHECKS[claim_id](sweep(levels), ALPHA)
    assert (verdict.status, verdict.consequence) == (status, reason)
    assert verdict.numbers["larger"] + verdict.numbers["smaller"] + verdict.numbers[
        "undecided"
    ] == len(verdict.rows)


def test_sgd_is_ruled_on_by_the_printed_tables():
    def rule(printed):
        return CHECKS["06a"](sweep({}, printed=printed), ALPHA).setting

    assert rule((1.5, 40.0)).status == "supported"
    assert "2 of 2 columns. It is at least 1.5 times" in rule((1.5, 40.0)).summary
    assert "about 6.67 per cent" in rule((1.5, 40.0)).summary
    assert rule((0.9, 40.0)).status == "refuted"


def test_sgd_shares_the_runs_of_the_other_paper():
    shared = {claim.gather for claim in sgd.CLAIMS if claim.id != "ccll23-06c"}
    assert shared == {default_step_sweep.gather_sweep}
