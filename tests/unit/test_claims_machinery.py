"""Verdicts, limits, the audit and its file."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from shapaudit.audit.audit import audit, document, to_json, write_json
from shapaudit.audit.base import Claim, ClaimError, Verdict
from shapaudit.audit.context import Context, Settings, StudyGame
from shapaudit.papers import PAPERS, select
from shapaudit.statistics.limits import (
    Limit,
    bootstrap,
    clopper_pearson,
    median_with_limits,
    trials_needed,
)

SCHEMA = Path(__file__).parents[2] / "workflow/schemas/claims.schema.yaml"


def a_claim(number=1, statistical=False, check=None):
    return Claim(
        id=f"xx99-{number:02d}",
        paper="a-paper",
        title="A claim",
        where="Section 1",
        statement="$1=1$",
        gather=lambda context: {"seed": context.seed},
        check=check or (lambda evidence, alpha: verdict(alpha=alpha, seed=evidence["seed"])),
        statistical=statistical,
    )


def verdict(status="proved", **numbers):
    return Verdict(status, "It holds.", "sound", numbers, evidence="lem:x")


def test_numbers_become_plain():
    held = verdict(a=np.float64(0.5), b=np.int64(3), c=Fraction(1, 3), d=Fraction(4), e=True, f="x")
    assert held.numbers == {"a": 0.5, "b": 3, "c": "1/3", "d": 4, "e": 1, "f": "x"}
    assert type(held.numbers["a"]) is float


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, [1]])
def test_verdict_refuses_what_is_no_number(value):
    with pytest.raises(ClaimError, match="no finite number"):
        verdict(a=value)


def test_verdict_refuses_unknown_words_and_missing_evidence():
    with pytest.raises(ClaimError, match="'true' is not one of"):
        verdict("true")
    with pytest.raises(ClaimError, match="kind 'odd'"):
        Verdict("proved", "It holds.", "odd", evidence="lem:x")
    with pytest.raises(ClaimError, match="has none"):
        Verdict("proved", "It holds.", "sound")
    with pytest.raises(ClaimError, match="same keys"):
        Verdict("proved", "It holds.", "sound", rows=({"a": 1}, {"b": 2}))


def test_claim_refuses_a_malformed_id():
    with pytest.raises(ClaimError, match="'gt20-02'"):
        a_claim(number=100)


def test_limit_must_be_an_interval():
    with pytest.raises(ClaimError, match="low <= high"):
        Limit("x", 0.5, 0.6, 0.4, 0.95)


def test_statistical_claims_share_alpha():
    claims = [a_claim(1, True), a_claim(2), a_claim(3, True)]
    records = audit(claims, Context("study", 7, settings=Settings(alpha=0.1)))
    assert [record["alpha"] for record in records] == [0.05, 0.1, 0.05]
    assert [record["numbers"]["alpha"] for record in records] == [0.05, 0.1, 0.05]
    assert [record["number"] for record in records] == [1, 2, 3]


def test_a_failing_check_names_its_claim():
    def fail(evidence, alpha):
        raise ZeroDivisionError("division by zero")

    with pytest.raises(ClaimError, match=r"xx99-04 \(A claim\): division by zero"):
        audit([a_claim(4, check=fail)], Context("study", 7))


def test_json_is_validated_and_stable(tmp_path):
    context = Context("study", 7)
    audited = document(context, audit([a_claim()], context))
    write_json(tmp_path / "claims.json", audited, SCHEMA)
    text = (tmp_path / "claims.json").read_text(encoding="utf-8")
    assert text == to_json(audited)
    assert json.loads(text) == audited
    audited["claims"][0]["verdict"] = "fine"
    with pytest.raises(ClaimError, match=r"\$\.claims\[0\].*'verdict'"):
        write_json(tmp_path / "claims.json", audited, SCHEMA)


def test_summaries_hold_no_latex(tmp_path):
    def check(evidence, alpha):
        return Verdict("proved", "50% hold.", "sound", evidence="lem:x")

    context = Context("study", 7)
    audited = document(context, audit([a_claim(check=check)], context))
    with pytest.raises(ClaimError, match="summary"):
        write_json(tmp_path / "claims.json", audited, SCHEMA)


def test_select_by_paper_and_id():
    assert select() == [claim for paper in PAPERS for claim in select([paper])]
    assert [claim.id for claim in select(["gt20-05"])] == ["gt20-05"]
    with pytest.raises(ClaimError, match="unknown claims gt20-99; the papers are"):
        select(["gt20-99"])


def test_study_game_holds_exact_values():
    tables = np.random.default_rng(0).normal(size=(3, 16))
    game = StudyGame.from_tables("random", tables)
    assert game.n_players == 4
    for (table, truth), values in zip(game.pairs(), tables, strict=True):
        assert truth.sum() == pytest.approx(values[-1] - values[0])
        np.testing.assert_array_equal(table.values, values)
    assert len(list(game.pairs(2))) == 2


def test_context_draws_by_name_and_asks_for_games():
    context = Context("study", 7)
    draws = [context.generator("a", k).random() for k in (0, 1, 0)]
    assert draws[0] == draws[2] != draws[1]
    with pytest.raises(ValueError, match="'study' gives no tabulated games"):
        context.study_games()


@pytest.mark.parametrize(("count", "trials"), [(0, 10), (3, 10), (10, 10), (1, 1000)])
def test_clopper_pearson_is_the_exact_interval(count, trials):
    limit = clopper_pearson("p", count, trials, 0.05)
    expected = stats.binomtest(count, trials).proportion_ci(0.95, "exact")
    assert (limit.low, limit.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_clopper_pearson_covers_at_its_level():
    rng, p, trials = np.random.default_rng(0), 0.03, 60
    limits = {k: clopper_pearson("p", k, trials, 0.1) for k in range(trials + 1)}
    covered = [limits[k].low <= p <= limits[k].high for k in rng.binomial(trials, p, size=2000)]
    assert np.mean(covered) > 0.9 - 3 * (0.09 / 2000) ** 0.5
    with pytest.raises(ValueError, match="11 successes in 10"):
        clopper_pearson("p", 11, 10, 0.1)


def test_trials_needed_is_the_first_that_suffices():
    needed = trials_needed(0.01, 0.05)
    assert clopper_pearson("p", 0, needed, 0.05).high <= 0.01
    assert clopper_pearson("p", 0, needed - 1, 0.05).high > 0.01


def test_bootstrap_covers_the_mean():
    rng = np.random.default_rng(1)
    samples = rng.exponential(size=(100, 200))
    limits = [bootstrap("mean", sample, 0.1) for sample in samples]
    covered = np.mean([limit.low <= 1 <= limit.high for limit in limits])
    assert covered > 0.9 - 3 * 0.03 - 0.03  # a few per cent short of nominal at n = 200
    assert covered < 1.0


def test_limits_of_identical_units_and_of_medians():
    same = bootstrap("mean", np.ones(5), 0.1)
    assert (same.low, same.estimate, same.high) == (1, 1, 1)
    units = np.arange(101.0)
    limit = median_with_limits("median", units, 0.05)
    assert limit.low < limit.estimate == 50 < limit.high
