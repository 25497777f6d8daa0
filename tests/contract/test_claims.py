"""What every registered claim promises, on a tiny study."""

import re
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
import yaml

from shapaudit.audit.audit import audit, document, to_json
from shapaudit.audit.context import Context, Settings, StudyEstimates, StudyGame
from shapaudit.papers import registry

ROOT = Path(__file__).parents[2]
SCHEMA = yaml.safe_load((ROOT / "workflow/schemas/claims.schema.yaml").read_text(encoding="utf-8"))
CLAIMS = list(registry().values())
TINY = Settings(
    max_exact_dimension=8,
    brute_force_dimension=4,
    random_games=2,
    random_points=40,
    simulated_pairs=1,
    repetitions=80,
    iterations=20,
    interaction_games=10,
    radial_pairs=20,
    generated_players=10,
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
    names, pairs = list(ESTIMATORS), range(12)
    frame = pd.DataFrame([(n, p) for n in names for p in pairs], columns=["estimator", "pair"])
    errors = np.random.default_rng(1).exponential(size=len(frame))
    frame = frame.assign(repetition=0, budget=100, evaluations=100, squared_error=errors)
    return StudyEstimates(frame.assign(truth_variance=0.0, coverage=np.nan), ESTIMATORS)


def tiny_context():
    rng = np.random.default_rng(0)
    games = [StudyGame.from_tables(f"random-{d}", rng.normal(size=(3, 1 << d))) for d in (4, 6)]
    return Context("tiny", 1, tuple(games), TINY, {"classification": tiny_estimates()})


@pytest.fixture(scope="module")
def audited():
    context = tiny_context()
    return document(context, audit(CLAIMS, context))


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
    assert getattr(claim.gather, "func", claim.gather).__doc__
    assert claim.check.__doc__


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


def test_audit_is_the_same_bytes_twice(audited):
    context = tiny_context()
    assert to_json(document(context, audit(CLAIMS, context))) == to_json(audited)


def test_evidence_leads_somewhere(audited):
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "paper/sections").glob("*.tex")]
    labels = set(re.findall(r"\\label\{([^}]*)\}", "".join(sources)))
    for record in audited["claims"]:
        assert record["rows"] if record["evidence"] == "rows" else record["evidence"] in labels


def test_statistical_verdicts_carry_limits(audited):
    for record in audited["claims"]:
        if record["statistical"]:
            assert record["limits"]
            assert record["sample"]
