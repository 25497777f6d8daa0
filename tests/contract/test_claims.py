"""What every registered claim promises, on a tiny study."""

import re
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
import yaml

import recorded
from altered import ALTERATIONS, altered
from shapaudit_audit.audit.audit import audit, document, to_json
from shapaudit_audit.audit.context import Context, Settings, StudyEstimates, StudyGame
from shapaudit_audit.audit.evidence import (
    KeptEvidence,
    evidence_in,
    gather_all,
    is_sampled,
    key_of,
    paper_of,
    write_evidence,
)
from shapaudit_audit.papers import PAPERS, package_of, registry
from shapaudit_audit.report.site.text import mathematics
from shapaudit_audit.schemas import schema_file

ROOT = Path(__file__).parents[2]
SCHEMA = yaml.safe_load(schema_file("claims").read_text(encoding="utf-8"))
CLAIMS = list(registry().values())
PIECES = {paper: evidence_in(package_of(paper)) for paper in PAPERS}
OF_ROUNDING = {"stability.gather_conditions"}  # how exact regressions are, on this processor
ALPHA = 0.05
TINY = Settings(
    max_exact_dimension=8,
    brute_force_dimension=4,
    random_games=2,
    random_points=40,
    simulated_explicands=1,
    repetitions=80,
    iterations=20,
    interaction_games=10,
    radial_explicands=20,
    generated_players=10,
    fitted_worlds=10,
    fitted_rows=30,
)
ESTIMATORS = {
    "plain": {"estimator": "plain-monte-carlo", "params": {}, "tuning": None},
    "walk": {"estimator": "optimised-monte-carlo", "params": {}, "tuning": None},
    "tuned": {
        "estimator": "projected-sgd",
        "params": {"step": "constant", "average": "uniform"},
        "tuning": {"evaluations": 1000},
    },
    "published": {
        "estimator": "projected-sgd",
        "params": {"step": "constant", "scale": 0.005, "average": "uniform"},
        "tuning": None,
    },
}


def tiny_estimates():
    names, explicands = list(ESTIMATORS), range(12)
    frame = pd.DataFrame(
        [(n, p) for n in names for p in explicands], columns=["estimator", "explicand"]
    )
    errors = np.random.default_rng(1).exponential(size=len(frame))
    frame = frame.assign(repetition=0, budget=100, evaluations=100, squared_error=errors)
    return StudyEstimates(frame.assign(truth_variance=0.0, coverage=np.nan), ESTIMATORS)


def tiny_context(paper):
    """What the evidence of a paper may look at, as its package says, and nothing else."""
    looked_at, rng = PAPERS[paper].evidence_from, np.random.default_rng(0)
    games = [StudyGame.from_tables(f"random-{d}", rng.normal(size=(3, 1 << d))) for d in (4, 6)]
    return Context(
        "tiny",
        1,
        tuple(games) if "games" in looked_at else (),
        TINY,
        {"classification": tiny_estimates()} if "estimates" in looked_at else {},
        {key: ROOT / "config" / "published" / f"{key}.csv" for key in PAPERS[paper].reads},
    )


def gathered(pieces):
    """Evidence by paper, of pieces by paper."""
    return {
        paper: gather_all(functions, tiny_context(paper), paper)
        for paper, functions in pieces.items()
    }


def written(evidence, folder):
    """Files by paper."""
    files = {paper: folder / f"{paper}.json" for paper in evidence}
    for paper, path in files.items():
        schema = schema_file("evidence")
        write_evidence(path, paper, "tiny", 1, evidence[paper], schema)
    return files


@pytest.fixture(scope="module")
def evidence():
    return gathered(PIECES)


@pytest.fixture(scope="module")
def files(evidence, tmp_path_factory):
    return written(evidence, tmp_path_factory.mktemp("evidence"))


@pytest.fixture(scope="module")
def audited(files):
    return document("tiny", ALPHA, audit(CLAIMS, KeptEvidence(files).of, ALPHA))


def name(claim):
    return claim.id


def balanced(text):
    depth = 0
    for character in re.sub(r"\\[{}]", "", text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0


@pytest.mark.parametrize("claim", CLAIMS, ids=name)
def test_statement_is_well_formed_latex(claim):
    assert balanced(claim.statement)
    assert claim.statement.count("$") % 2 == 0
    for part in claim.statement.split("$")[1::2]:
        assert balanced(part)
        assert part.count(r"\bigl") == part.count(r"\bigr")
    for prose in claim.statement.split("$")[::2]:
        assert not set(prose) & set(r"\_^%&#~{}")


@pytest.mark.parametrize("claim", CLAIMS, ids=name)
def test_claim_says_what_and_where(claim):
    assert registry()[claim.id] is claim
    assert claim.where
    assert claim.title
    for gather, check in claim.parts:
        assert gather.__doc__
        assert check.__doc__


def test_schema_describes_every_key():
    def keys(node):
        for name, value in node.get("properties", {}).items():
            yield name, value
            yield from keys(value)
            yield from keys(value.get("items", {}))

    described = [*keys(SCHEMA), *keys(SCHEMA["$defs"]["claim"])]
    assert len(described) > 20
    assert all("description" in value for _, value in described)
    assert SCHEMA["additionalProperties"] is False
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_audit_of_a_tiny_study_fits_the_schema(audited):
    jsonschema.Draft202012Validator(SCHEMA).validate(audited)
    assert [record["id"] for record in audited["claims"]] == [claim.id for claim in CLAIMS]


def test_formulas_of_verdicts_can_be_shown(audited):
    for record in audited["claims"]:
        settings = [record["setting"]["summary"]] if record["setting"] else []
        for text in (record["summary"], *settings):
            assert "$" not in mathematics(text), text


def test_every_claim_is_judged_by_a_piece_that_is_found():
    for gather in [gather for claim in CLAIMS for gather in claim.gathers]:
        assert PIECES[paper_of(gather)][key_of(gather)] is gather


def test_nothing_is_gathered_for_no_claim():
    used = {gather for claim in CLAIMS for gather in claim.gathers}
    idle = {
        f"{paper}/{key}"
        for paper, functions in PIECES.items()
        for key, gather in functions.items()
        if gather not in used
    }
    assert not idle


def test_a_repetition_gathers_what_statistical_claims_rest_on_and_nothing_else():
    marked = {gather for functions in PIECES.values() for gather in functions.values()}
    marked = {gather for gather in marked if is_sampled(gather)}
    statistical = {gather for claim in CLAIMS if claim.statistical for gather in claim.gathers}
    assert marked == set(filter(is_sampled, statistical))


def test_nothing_that_a_judge_needs_is_lost_in_the_files(evidence, audited):
    records = audit(CLAIMS, lambda gather: evidence[paper_of(gather)][key_of(gather)], ALPHA)
    assert to_json(document("tiny", ALPHA, records)) == to_json(audited)


def test_evidence_is_the_same_bytes_whatever_is_gathered_before_it(files, tmp_path):
    backwards = {paper: dict(reversed(pieces.items())) for paper, pieces in PIECES.items()}
    again = gathered(backwards)
    in_order = {paper: {key: again[paper][key] for key in PIECES[paper]} for paper in PIECES}
    for paper, path in written(in_order, tmp_path).items():
        assert path.read_bytes() == files[paper].read_bytes(), paper


def test_evidence_leads_somewhere(audited):
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "paper").glob("*/*.tex")]
    labels = set(re.findall(r"\\label\{([^}]*)\}", "".join(sources)))
    for record in audited["claims"]:
        shown = record["evidence"]
        assert record["rows"] if shown == "rows" else labels.issuperset(shown.split(", "))


def test_statistical_verdicts_carry_limits(audited):
    for record in audited["claims"]:
        if record["statistical"]:
            assert record["limits"], record["id"]
            assert record["sample"]


@pytest.mark.parametrize("paper", PIECES)
def test_evidence_is_that_on_record(evidence, paper):
    pieces = {key: piece for key, piece in evidence[paper].items() if key not in OF_ROUNDING}
    recorded.compare("evidence", {f"{paper}/{key}": piece for key, piece in pieces.items()})


@pytest.mark.parametrize("paper", PIECES)
def test_verdicts_are_those_on_record(audited, paper):
    told = ("status", "consequence", "reach", "summary", "setting", "numbers", "limits", "sample")
    verdicts = {
        claim["id"]: {key: claim[key] for key in (*told, "rows")}
        for claim in audited["claims"]
        if claim["paper"] == paper and not of_rounding(registry()[claim["id"]])
    }
    recorded.compare("verdicts", verdicts)


@pytest.mark.parametrize("paper", PIECES)
def test_verdicts_on_other_evidence_are_those_on_record(evidence, paper):
    verdicts = {}
    for claim in CLAIMS:
        if paper_of(claim.gather) == paper and not of_rounding(claim):
            pieces = claim.evidence(lambda gather: evidence[paper_of(gather)][key_of(gather)])
            judged = {
                alteration: recorded.outcome(claim.judge, altered(pieces, alteration), ALPHA)
                for alteration in ALTERATIONS
            }
            statuses = {alteration: status_of(verdict) for alteration, verdict in judged.items()}
            told = [verdict for verdict in judged.values() if not isinstance(verdict, str)]
            verdicts[claim.id] = statuses | {"words": told}
    recorded.compare("altered", verdicts)


def of_rounding(claim):
    return any(key_of(gather) in OF_ROUNDING for gather in claim.gathers)


def status_of(verdict):
    if isinstance(verdict, str):
        return verdict.partition(":")[0]  # the name of an error
    return f"{verdict.setting.status}, {verdict.status}" if verdict.setting else verdict.status
