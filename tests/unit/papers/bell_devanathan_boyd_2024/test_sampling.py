"""Which permutations, and how many: on small regressions and in the paper's setting."""

import numpy as np
import pandas as pd
import pytest

from shapaudit_audit.audit.context import Context, Settings, StudyEstimates
from shapaudit_audit.papers import claims_of
from shapaudit_papers.bell_devanathan_boyd_2024.claims import risk, sampling
from shapaudit_papers.bell_devanathan_boyd_2024.evidence.medium import medium_runs

ALPHA = 0.01
SETTINGS = Settings(random_games=2, brute_force_dimension=3, radial_explicands=12, repetitions=100)
BY_ID = {claim.id: claim for claim in claims_of("bell_devanathan_boyd_2024")}
KINDS = ("mc", "antithetic", "argsort", "permutohedron")
ESTIMATORS = {
    "walks": ("optimised-monte-carlo", {}),
    "reversed": ("antithetic-monte-carlo", {}),
    "sobol": ("quasi-random-order", {"permutations": "sobol", "antithetic": False}),
    "both": ("quasi-random-order", {"permutations": "sobol", "antithetic": True}),
    "cyclic": ("random-order", {"permutations": "cyclic"}),
}


def judged(claim_id, evidence):
    """Status in the paper's setting, and in general."""
    verdict = BY_ID[f"bdb24-{claim_id}"].judge(evidence, ALPHA)
    return verdict.setting.status, verdict.status


def medium(runs=12, at=1024, **factors):
    """Runs of each kind of permutations: errors around its factor, all of the same law."""
    rng = np.random.default_rng(1)
    return [
        {
            "permutations": k,
            "chains": at,
            "errors": factors.get(k, 1.0) * rng.uniform(0.9, 1.1, runs),
        }
        for k in KINDS
    ]


def small(**factors):
    """Mean errors on 40 small regressions."""
    noise = np.random.default_rng(2).uniform(0.9, 1.1, (40, len(KINDS)))
    scale = [factors.get(kind, 1.0) for kind in KINDS]
    return [dict(zip(KINDS, row, strict=True)) for row in (noise * scale).tolist()]


@pytest.mark.parametrize(
    ("claim_id", "kind"), [("11a", "argsort"), ("11b", "argsort"), ("11c", "antithetic")]
)
def test_samplers_are_judged_in_the_setting_and_in_general(claim_id, kind):
    better, worse = {kind: 0.5}, {kind: 2.0}
    undecided = "inconclusive"
    for setting, general, expected in (
        (better, better, ("supported", "supported")),
        (worse, worse, ("refuted", "refuted")),
        (worse, better, ("refuted", "refuted")),
        ({kind: 1.04}, better, (undecided, undecided)),
    ):
        evidence = {"rows": small(**general), "medium": medium(**setting)}
        assert judged(claim_id, evidence) == expected
    few = {"rows": small(**better), "medium": medium(runs=2, **better)}
    assert judged(claim_id, few) == (undecided, "supported")
    assert judged(claim_id, {"rows": small(**better), "medium": []}) == (undecided, "supported")


def test_the_largest_number_of_chains_with_enough_runs_decides():
    runs = [*medium(argsort=0.5), *medium(at=256, argsort=2), *medium(2, 4096, argsort=2)]
    verdict = BY_ID["bdb24-11a"].judge({"rows": small(argsort=0.5), "medium": runs}, ALPHA)
    assert verdict.setting.status == "supported"
    assert "runs of 1,024 chains" in verdict.setting.summary
    assert verdict.numbers["ratio_100"] == pytest.approx(0.5, rel=0.1)


def test_ten_regressions_are_too_few_for_limits_and_told_so():
    evidence = {"rows": small(argsort=0.5)[:10], "medium": []}
    verdict = BY_ID["bdb24-11a"].judge(evidence, 0.001)
    assert verdict.status == "inconclusive"
    assert "(too few units for limits)" in verdict.summary


def powers(after, setting):
    rows = [{"power": row["mc"], "after": row["argsort"]} for row in small(argsort=after)]
    runs = [*medium(at=sampling.ON), *medium(at=sampling.OFF, argsort=setting)]
    return {"rows": rows, "medium": runs}


def test_stopping_off_powers_of_two():
    assert judged("13b", powers(0.8, 0.8)) == ("supported", "supported")
    assert judged("13b", powers(1.5, 0.8)) == ("supported", "refuted")
    assert judged("13b", powers(0.8, 1.5)) == ("refuted", "refuted")
    assert judged("13b", powers(0.8, 0.8) | {"medium": medium()}) == ("inconclusive", "supported")


def test_estimates_of_argsort_are_those_of_independent_permutations():
    rows = [
        {"regression": k, "sampler": name, "runs": 100, "covered": 98, "ratio": 1 + 0.01 * k}
        for k in range(20)
        for name in risk.QUASI
    ]
    # The estimate is too large, and therefore safe, where the errors of argsort are smaller.
    for factor, expected in ((1.0, "inconclusive"), (0.5, "supported"), (2.0, "refuted")):
        evidence = {"rows": rows, "medium": medium(argsort=factor)}
        assert judged("12b", evidence) == (expected, "supported")
    assert judged("12b", {"rows": rows, "medium": []}) == ("inconclusive", "supported")
    verdict = BY_ID["bdb24-12b"].judge({"rows": rows, "medium": medium(argsort=0.5)}, ALPHA)
    assert verdict.consequence == "loosely"


def estimates(players, runs=2):
    chosen = [(name, r) for name in ESTIMATORS for r in range(runs)]
    frame = pd.DataFrame(chosen, columns=["estimator", "repetition"])
    frame = frame.assign(budget=1 + 256 * players, error=np.arange(len(frame)) + 1.0)
    names = ("estimator", "params")
    settings = {key: dict(zip(names, spec, strict=True)) for key, spec in ESTIMATORS.items()}
    return StudyEstimates(frame, settings, players)


def test_runs_of_the_paper_size_are_put_together():
    experiments = {"one": estimates(100), "again": estimates(100, 1), "small": estimates(24)}
    context = Context("test", 1, (), SETTINGS, experiments)
    assert medium_runs(context) == [
        {"permutations": "antithetic", "chains": 256, "errors": [3.0, 4.0, 2.0]},
        {"permutations": "argsort", "chains": 256, "errors": [5.0, 6.0, 3.0]},
        {"permutations": "mc", "chains": 256, "errors": [1.0, 2.0, 1.0]},
    ]


def test_small_regressions_are_run():
    context = Context("test", 1, (), SETTINGS)
    evidence = sampling.gather_errors(context)
    assert len(evidence["rows"]) == SETTINGS.radial_explicands
    assert evidence["medium"] == []
    assert judged("11a", evidence) == ("inconclusive", "supported")
    # A quarter of the chains err more, and are told so.
    assert judged("13b", sampling.gather_powers(context, (256, 64)))[1] == "refuted"
