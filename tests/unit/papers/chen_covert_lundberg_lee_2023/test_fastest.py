"""The fastest estimator, in made-up worlds and on games where the winner is known."""

import numpy as np
import pytest

from shapaudit.audit.context import Context, StudyGame
from shapaudit.papers.chen_covert_lundberg_lee_2023.claims import fastest
from shapaudit.papers.chen_covert_lundberg_lee_2023.evidence import fastest as fastest_evidence
from shapaudit.statistics import simultaneous

ALPHA = 0.05
CHECKS = {claim.id[7:]: claim.judge for claim in fastest.CLAIMS}
METHODS = [*fastest.PAPER, *fastest.SINCE]
BUDGETS = [100, 300]


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch):
    monkeypatch.setattr(simultaneous, "RESAMPLES", 499)


def world(levels, pairs=30, seed=0):
    """Errors around the levels by method, 2 where none is given; pairs differ in difficulty."""
    rng = np.random.default_rng(seed)
    level = np.array([levels.get(name, 2.0) for name in METHODS])[:, None]
    hard = np.exp(0.5 * rng.normal(size=(pairs, 1, 1)))
    noise = np.exp(0.3 * rng.normal(size=(pairs, len(METHODS), len(BUDGETS))))
    return {"errors": {"diabetes": level * hard * noise}, "budgets": {"diabetes": BUDGETS}}


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
    assert "nhanes" in verdict.summary
    assert "_" not in verdict.summary


def test_an_estimator_that_is_faster_is_named():
    verdict = CHECKS["01a"](world(WINS | {"MEF": 0.4}), ALPHA)
    assert "Significantly less error: MEF." in verdict.summary
    assert "(MEF at " in verdict.summary


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


@pytest.mark.parametrize("evidence", [{"errors": {}, "budgets": {}}, world(WINS, pairs=5)])
def test_too_few_pairs_decide_nothing(evidence):
    assert CHECKS["01a"](evidence, ALPHA).status == "inconclusive"


def test_budgets_stay_below_enumeration():
    assert fastest_evidence.affordable_budgets(10) == [100, 300, 900]
    assert fastest_evidence.affordable_budgets(8) == [80, 240]
    assert fastest_evidence.affordable_budgets(4) == []


def test_runs_are_made_on_the_data_of_the_claim_only():
    rng = np.random.default_rng(0)
    tables = rng.normal(size=(2, 1 << 8))
    games = tuple(StudyGame.from_tables(name, tables) for name in ("diabetes", "random"))
    evidence = fastest.gather_errors(Context("tiny", 3, games))
    assert set(evidence["errors"]) == {"diabetes"}
    errors = evidence["errors"]["diabetes"]
    assert errors.shape == (2, len(METHODS), 2)
    assert np.isfinite(errors).all()


def test_pairs_whose_shapley_values_are_all_alike_are_left_out():
    alike = np.bitwise_count(np.arange(1 << 8)).astype(float) ** 2
    tables = np.array([alike, np.random.default_rng(1).normal(size=1 << 8)])
    study = StudyGame.from_tables("diabetes", tables)
    study = StudyGame("diabetes", study.games, np.array([np.full(8, 8.0), study.truths[1]]))
    evidence = fastest.gather_errors(Context("tiny", 3, (study,)))
    assert len(evidence["errors"]["diabetes"]) == 1
