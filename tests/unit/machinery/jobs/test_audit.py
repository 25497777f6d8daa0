"""Jobs that gather evidence and judge claims by it."""

import pytest

from shapaudit_audit.jobs import GatherEvidence, JudgeClaims, VerifyEvidence
from shapaudit_audit.papers import PAPERS
from shapaudit_audit.study.blocks.base import record, records
from shapaudit_audit.study.blocks.claims import Settings
from shapaudit_audit.study.blocks.runs import ExperimentBlock

GRAH, OKHRATI = "grah_thouvenot_2020", "okhrati_lipani_2021"
AGAIN = "repetitions/2/"
RESULTS = "results/smoke"


def gathered(plan, paper, run=""):
    return GatherEvidence(plan, {"paper": paper, "run": run})


def test_evidence_looks_at_audited_experiments_of_its_paper_and_games_with_tables(plan):
    job = gathered(plan(), GRAH)
    audited, games = job.study.audited()
    assert set(job.experiments) == {
        name for name, block in audited.items() if block.paper in (None, GRAH)
    }
    assert set(job.games) == {name for name, game in games.items() if game.players <= 20}
    inputs = job.inputs()
    assert inputs["games"] == [f"{RESULTS}/games/{name}" for name in job.games]
    assert f"{RESULTS}/estimates/classification/plain-mc.parquet" in inputs["estimates"]
    assert f"{RESULTS}/estimates/classification/plain-mc.json" in inputs["settings"]
    assert len(inputs["estimates"]) == len(inputs["settings"])


def test_what_evidence_is_asked_are_records_again(plan):
    """As the script of the rule reads them."""
    job = gathered(plan(), GRAH)
    asked = job.asked()
    assert record(Settings, asked["settings"]) == plan().study.claims.settings
    blocks = records(ExperimentBlock, asked["experiments"])
    assert blocks == job.experiments
    assert asked["players"]["classification"] == 6
    assert asked["explicands"] == [
        game.explicands for game in gathered(plan(), GRAH).games.values()
    ]
    assert (asked["seed"], asked["study"]) == (1, "smoke")


@pytest.mark.parametrize(
    ("above", "same"),
    [
        ({"claims": {"alpha": 0.01}}, True),
        ({"estimators": {"plain-mc": {"label": "Another label"}}}, True),
        ({"experiments": {"many-cancer": {"budgets": [250]}}}, True),
        ({"claims": {"random_games": 3}}, False),
        ({"experiments": {"classification": {"role": "collapsed"}}}, False),
        ({"experiments": {"classification": {"audit": False}}}, False),
        ({"games": {"classification": {"explicands": 5}}}, False),
    ],
    ids=str,
)
def test_evidence_is_gathered_anew_where_what_it_looks_at_changes(plan, above, same):
    assert (gathered(plan(above), GRAH).asked() == gathered(plan(), GRAH).asked()) == same


def test_a_repetition_is_about_what_rests_on_samples(plan):
    job = gathered(plan(), OKHRATI, AGAIN)
    assert job.asked()["seed"] == 2
    assert job.own_games == {}
    assert job.inputs()["own"] == []
    own = gathered(plan(), GRAH, AGAIN)
    assert {block.repetitions for block in own.experiments.values()} == {1}
    assert all(AGAIN in path for path in own.inputs()["estimates"])


def test_evidence_brings_its_own_code_and_no_claims(plan):
    code = gathered(plan(), GRAH).code()
    inside = {name for name in code if name.startswith(f"shapaudit_papers.{GRAH}.")}
    assert inside
    assert {name.split(".")[2] for name in inside} == {"evidence"}


@pytest.mark.parametrize("run", ["", AGAIN])
def test_claims_are_judged_by_the_evidence_on_all_papers(plan, run):
    job = JudgeClaims(plan(), {"run": run})
    assert job.inputs()["evidence"] == [f"{RESULTS}/{run}evidence/{key}.json" for key in PAPERS]
    assert job.asked() == {"study": "smoke", "alpha": plan().study.claims.alpha}
    changed = JudgeClaims(plan({"claims": {"alpha": 0.01}}), {"run": run})
    assert changed.asked()["alpha"] == 0.01
    assert f"shapaudit_papers.{GRAH}.claims" in job.code()


def test_the_checker_is_among_what_it_reads(plan):
    job = VerifyEvidence(plan(), {})
    assert job.asked() == {}
    assert job.inputs()["claims"] == f"{RESULTS}/claims/claims.json"
    assert not {name for name in job.code() if name.startswith("shapaudit.")}
