"""The fastest estimator, in made-up worlds and on games where the winner is known."""

import numpy as np
import pytest
from synthetic import PUBLISHED, study

from shapaudit.estimators import create
from shapaudit.statistics import simultaneous
from shapaudit_audit.audit.context import Context, StudyGame
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import fastest
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims.common import named
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import fastest as fastest_evidence
from shapaudit_papers.theory.benchmark import expected_errors

ALPHA = 0.05
CHECKS = {claim.id[7:]: claim.judge for claim in fastest.CLAIMS}
METHODS = [*fastest.PAPER, *fastest.SINCE]
BUDGETS = [100, 300]
BARE = {"expected": {}, "picked": [], "best_printed": {"diabetes": [fastest.WINNER, "RO"]}}


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch):
    monkeypatch.setattr(simultaneous, "RESAMPLES", 499)


def world(levels, explicands=30, seed=0):
    """Errors around the levels by method, 2 where none is given; explicands differ."""
    rng = np.random.default_rng(seed)
    level = np.array([levels.get(name, 2.0) for name in METHODS])[:, None]
    hard = np.exp(0.5 * rng.normal(size=(explicands, 1, 1)))
    noise = np.exp(0.3 * rng.normal(size=(explicands, len(METHODS), len(BUDGETS))))
    errors = {name: np.array(level * hard * noise) for name in fastest.DATA}
    return BARE | {"errors": errors, "budgets": dict.fromkeys(errors, BUDGETS)}


WINS = {fastest.WINNER: 1.0}


@pytest.mark.parametrize(
    ("claim_id", "levels", "status"),
    [
        ("01a", WINS, "supported"),
        ("01a", WINS | {"RO_ANTI": 0.5}, "refuted"),
        ("01a", WINS | {"RO_ANTI": 1.0}, "inconclusive"),
        ("01a", WINS | {"Leverage SHAP": 0.5}, "supported"),
        ("01b", WINS, "supported"),
        ("01b", WINS | {"Leverage SHAP": 0.5}, "refuted"),
        ("01b", WINS | {"RO_ANTI": 0.5}, "supported"),
    ],
)
def test_verdicts_in_made_up_worlds(claim_id, levels, status):
    verdict = CHECKS[claim_id](world(levels), ALPHA)
    assert verdict.status == status
    assert verdict.limits
    assert "_" not in verdict.summary


def test_the_methods_are_those_of_the_papers_names_and_of_the_study():
    """Those since then by the labels that the default study gives the same estimators."""
    specs = study("config").estimators.values()
    made = {spec.label: create(spec.estimator, spec.params) for spec in specs}
    labels = {
        "Leverage SHAP": "Leverage SHAP",
        "outer sizes in full": "KernelSHAP, outer sizes in full",
        "order 3 polynomials": "Polynomial, order 3, paired",
        "complementary contributions": "Complementary contributions",
        "Sobol walks": "Sobol walks",
    }
    assert {name: made[label] for name, label in labels.items()} == fastest.SINCE
    known = {name: create(name) for name in fastest.PAPER if name not in ("LS_SGD", "ROF_ADAPT")}
    assert {name: estimator for name, estimator in fastest.PAPER.items() if name in known} == known


def test_an_estimator_that_is_faster_is_named():
    verdict = CHECKS["01a"](world(WINS | {"MEF": 0.4}), ALPHA)
    assert "Significantly less error: MEF." in verdict.summary
    assert "(MEF at " in verdict.summary


def test_games_are_named_in_words():
    assert named("chen-diabetes-hundred") == "the paper's diabetes data with 100 trees"
    assert named("anything-else") == "anything-else"
    assert "chen-" not in CHECKS["01a"](world(WINS), ALPHA).summary


def test_names_in_the_text_have_hyphens():
    verdict = CHECKS["01a"](world(WINS | {"RO_ANTI": 0.4}), ALPHA)
    assert "Significantly less error: RO-ANTI." in verdict.summary


def test_equals_are_hardly_ever_told_apart():
    runs, level = 60, 0.1
    equal = dict.fromkeys(METHODS, 1.0)
    decided = sum(
        CHECKS["01a"](world(equal, 25, seed), level).status != "inconclusive"
        for seed in range(runs)
    )
    assert decided <= runs * level + 4 * np.sqrt(runs * level * (1 - level))


@pytest.mark.parametrize(
    "evidence", [BARE | {"errors": {}, "budgets": {}}, world(WINS, explicands=5)]
)
def test_too_few_explicands_decide_nothing(evidence):
    assert CHECKS["01a"](evidence, ALPHA).status == "inconclusive"


def test_budgets_stay_below_enumeration():
    assert fastest_evidence.affordable_budgets(10) == [100, 300, 900]
    assert fastest_evidence.affordable_budgets(8) == [80, 240]
    assert fastest_evidence.affordable_budgets(4) == []


def test_runs_are_made_on_the_data_of_the_claim_only():
    rng = np.random.default_rng(0)
    tables = rng.normal(size=(2, 1 << 8))
    games = tuple(StudyGame.from_tables(name, tables) for name in ("diabetes", "random"))
    evidence = fastest.gather_errors(Context("tiny", 3, games, published=PUBLISHED))
    assert set(evidence["errors"]) == {"diabetes"}
    errors = evidence["errors"]["diabetes"]
    assert errors.shape == (2, len(METHODS), 2)
    assert np.isfinite(errors).all()


def test_explicands_whose_shapley_values_are_all_alike_are_left_out():
    alike = np.bitwise_count(np.arange(1 << 8)).astype(float) ** 2
    tables = np.array([alike, np.random.default_rng(1).normal(size=1 << 8)])
    study = StudyGame.from_tables("diabetes", tables)
    study = StudyGame("diabetes", study.games, np.array([np.full(8, 8.0), study.truths[1]]))
    evidence = fastest.gather_errors(Context("tiny", 3, (study,), published=PUBLISHED))
    assert len(evidence["errors"]["diabetes"]) == 1


def test_nothing_is_supported_while_a_data_set_is_missing():
    evidence = world(WINS)
    for kept in (evidence["errors"], evidence["budgets"]):
        del kept["nhanes"]
    verdict = CHECKS["01a"](evidence, ALPHA)
    assert verdict.status == "inconclusive"
    assert "Not run here: nhanes." in verdict.summary


def test_an_explicand_that_was_picked_is_no_draw():
    evidence = world(WINS) | {"picked": ["diabetes"]}
    rows = CHECKS["01a"](evidence, ALPHA).rows
    assert {(row["game"], row["explicands"]) for row in rows} == {("diabetes", 29), ("nhanes", 30)}


@pytest.mark.parametrize(
    ("ratio", "best", "status"),
    [
        (0.7, [fastest.WINNER, fastest.WINNER, "RO"], "supported"),
        (0.7, [fastest.WINNER, "RO"], "refuted"),
        (1.2, [fastest.WINNER, fastest.WINNER, "RO"], "refuted"),
    ],
)
def test_printed_explicand_and_tables_decide_together(ratio, best, status):
    evidence = world(WINS) | {
        "expected": {"chen-diabetes": np.array([ratio, 0.5])},
        "best_printed": {"nhanes": best},
    }
    setting = CHECKS["01a"](evidence, ALPHA).setting
    assert setting.status == status
    assert f"{best.count(fastest.WINNER)} of {len(best)} columns" in setting.summary


def test_what_stands_in_its_setting_stands_while_other_data_are_missing():
    evidence = world(WINS) | {
        "expected": {"chen-diabetes": np.array([0.7])},
        "best_printed": {"nhanes": [fastest.WINNER]},
    }
    for kept in (evidence["errors"], evidence["budgets"]):
        del kept["nhanes"]
    verdict = CHECKS["01a"](evidence, ALPHA)
    assert (verdict.status, verdict.consequence) == ("inconclusive", "stands")


def test_expected_ratio_is_that_of_the_best_rival():
    tables = np.random.default_rng(0).normal(size=(1, 1 << 10))
    study = StudyGame.from_tables("chen-diabetes", tables)
    (ratio,) = fastest_evidence.expected_ratios(study)
    plain, paired = (
        [expected_errors(tables[0], name, m).total for m in fastest_evidence.SAMPLES]
        for name in ("LS", "LS_ANTI")
    )
    assert ratio >= max(b / a for a, b in zip(plain, paired, strict=True))


def test_nobody_is_faster_on_an_additive_game():
    table = np.bitwise_count(np.arange(1 << 10) & 0b11).astype(float)
    study = StudyGame.from_tables("chen-diabetes", table[None])
    np.testing.assert_array_equal(fastest_evidence.expected_ratios(study), [1.0])


def test_printed_columns_name_their_best():
    best = fastest_evidence.least_printed(Context("tiny", 3, published=PUBLISHED), "diabetes")
    assert best == ["LS_ANTI"] * 6  # Tables 2 and 5 added up by hand
