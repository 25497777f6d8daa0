"""The checker re-derives what a small study gathers, and finds what was tampered with."""

import ast
import json
import sys
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from places import ROOT
from synthetic import PUBLISHED, small_audit

import recorded
from altered import ALTERATIONS, altered
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_audit.audit.evidence import decode as evidence_of_piece
from shapaudit_audit.audit.evidence import encode, evidence_in, is_sampled, key_of, paper_of
from shapaudit_audit.audit.joining import joined
from shapaudit_audit.papers import PAPERS, package_of, registry
from shapaudit_audit.study.sealed import read_document, write_document
from shapaudit_verify.__main__ import main
from shapaudit_verify.kept import Draws, decode
from shapaudit_verify.open_pieces import REASONS
from shapaudit_verify.registry import known
from shapaudit_verify.report import (
    CONFIRMED,
    CONTRADICTED,
    IN_PART,
    OPEN,
    SAMPLED,
    STANDING,
    Finding,
    examine,
    judge,
)

SEED, STUDY = 7, "tiny"
CHECKS = known()
KAPPA = "grah_thouvenot_2020/constants.kappa.gather_kappa"


@cache
def functions():
    """Functions that gather, by paper and name of their piece."""
    return {
        f"{paper}/{name}": gather
        for paper in PAPERS
        for name, gather in evidence_in(package_of(paper)).items()
    }


@cache
def gathered(key):
    """A piece of a small study, as its file has it."""
    games = (StudyGame.from_tables("random", np.random.default_rng(2).random((1, 16))),)
    settings = Settings(max_exact_dimension=6, brute_force_dimension=4, random_games=2)
    context = Context(STUDY, SEED, games, settings, published=PUBLISHED)
    return json.dumps(encode(functions()[key](context)))


def found_in(piece, key):
    return examine(piece, CHECKS[key], Draws(SEED, STUDY))


@pytest.mark.parametrize("key", CHECKS)
def test_what_is_gathered_is_re_derived(key):
    finding = found_in(json.loads(gathered(key)), key)
    assert finding.found in (CONFIRMED, IN_PART), finding.why


def numbers(value, place=()):
    """Places of the numbers of an encoded piece."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "$fraction":
                yield (*place, key)
            elif key not in ("shape", "dtype"):
                yield from numbers(part, (*place, key))
    elif isinstance(value, list):
        for k, part in enumerate(value):
            yield from numbers(part, (*place, k))
    elif isinstance(value, int | float):
        yield place


def tampered(piece, place):
    """The piece with another number in a place."""
    *way, last = place
    part = piece
    for key in way:
        part = part[key]
    if last == "$fraction":
        part[last] = str(Fraction(part[last]) + Fraction(1, 7))
    else:
        part[last] = not part[last] if isinstance(part[last], bool) else raised(part[last])
    return piece


def raised(number):
    """A number that is larger by more than rounding."""
    return number + 1 + abs(number)


def is_made(made, place):
    """Whether a check gives the entry in a place of an encoded piece anew."""
    for key in place:
        if isinstance(made, dict) and key not in made:
            return str(key).startswith("$")
        if not isinstance(made, dict | list | tuple) or str(key).startswith("$"):
            return True
        made = made[key]
    return True


@pytest.mark.parametrize("key", CHECKS)
def test_a_changed_number_is_contradicted(key):
    piece = json.loads(gathered(key))
    made = CHECKS[key].make(decode(piece), Draws(SEED, STUDY))
    places = [place for place in numbers(piece) if is_made(made, place)]
    for place in (places[len(places) // 2], places[-1]):
        finding = found_in(tampered(json.loads(gathered(key)), place), key)
        assert finding.found == CONTRADICTED, place


def judged():
    """Each claim with a function whose piece the checker judges."""
    return [
        pytest.param(claim, gather, id=f"{claim.id}-{name(gather)}")
        for claim in registry().values()
        for gather in claim.gathers
        if name(gather) in CHECKS and CHECKS[name(gather)].stands is not None
    ]


def name(gather):
    """Paper and name of the piece of a function."""
    return f"{paper_of(gather)}/{key_of(gather)}"


@pytest.mark.parametrize(("claim", "gather"), judged())
def test_what_is_re_derived_agrees_with_the_verdict_on_it(claim, gather):
    piece = json.loads(gathered(name(gather)))
    checks = [check for other, check in claim.parts if other is gather]
    verdict = joined([check(evidence_of_piece(piece), 0.05) for check in checks])
    assert found_in(piece, name(gather)).stands == (verdict.status in STANDING)


@pytest.mark.parametrize("key", [key for key, check in CHECKS.items() if check.stands])
def test_what_would_be_said_of_other_values_is_on_record(key):
    made = CHECKS[key].make(decode(json.loads(gathered(key))), Draws(SEED, STUDY))
    said = {
        alteration: recorded.outcome(CHECKS[key].stands, altered(made, alteration))
        for alteration in ALTERATIONS
    }
    recorded.compare("checker", {key: said})


def test_every_exact_piece_has_a_check_or_a_reason():
    """So has what is sampled and decides a verdict without an error rate."""
    exact = {key for key, gather in functions().items() if not is_sampled(gather)}
    decided = {claim.gather for claim in registry().values() if not claim.statistical}
    exact |= {f"{paper_of(gather)}/{key_of(gather)}" for gather in decided}
    assert exact == set(CHECKS) | set(REASONS)
    assert not set(CHECKS) & set(REASONS)


def test_the_checker_imports_nothing_but_numpy_and_the_standard_library():
    for path in (ROOT / "src" / "shapaudit_verify").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                names = [node.module] if getattr(node, "level", 1) == 0 else []
            for name in names:
                assert name.split(".")[0] in sys.stdlib_module_names | {"numpy"}, path


@pytest.fixture
def results(tmp_path):
    """A study with one paper, whose claims are confirmed, sampled and open."""
    audit = small_audit(
        {"id": "gt20-05", "status": "inconsistent", "gathered": [KAPPA]},
        {"id": "gt20-18", "statistical": True, "gathered": ["grah_thouvenot_2020/a.gather"]},
        {"id": "gt20-16b", "gathered": ["grah_thouvenot_2020/algorithms.counts.gather_prior"]},
        {"id": "gt20-99", "gathered": ["grah_thouvenot_2020/new.gather"]},
    )
    for folder in ("claims", "evidence"):
        (tmp_path / folder).mkdir()
    write_document(tmp_path / "claims" / "claims.json", audit)
    paper, _, name = KAPPA.partition("/")
    content = {"schema": 1, "study": STUDY, "seed": SEED, "paper": paper}
    pieces = {name: json.loads(gathered(KAPPA))}
    write_document(tmp_path / "evidence" / f"{paper}.json", content | {"pieces": pieces})
    return tmp_path


def rewritten(path, change):
    """The document with a change, under a checksum of its own."""
    content = read_document(path)
    change(content)
    write_document(path, content)


def test_a_study_is_told_claim_by_claim(results, capsys):
    output = results / "made" / "verified.json"
    assert main([str(results), "--output", str(output)]) == 0
    verified = json.loads(output.read_text(encoding="utf-8"))
    assert verified["study"] == "made-up"
    told = {record["id"]: (record["found"], record["why"]) for record in verified["claims"]}
    assert {key: name for key, (name, _) in told.items()} == {
        "gt20-05": CONFIRMED,
        "gt20-18": SAMPLED,
        "gt20-16b": OPEN,
        "gt20-99": OPEN,
    }
    assert "what a source prints" in told["gt20-16b"][1]
    assert told["gt20-99"][1] == "there is no check of its evidence yet"
    assert "2 not re-derived" in capsys.readouterr().out


def test_evidence_that_was_changed_under_its_own_checksum_fails(results, capsys):
    path = results / "evidence" / "grah_thouvenot_2020.json"

    def change(content):
        content["pieces"][KAPPA.partition("/")[2]]["cases"][0]["$case"][2] = {"$fraction": "5"}

    rewritten(path, change)
    assert main([str(results), "--quiet"]) == 1
    assert "gt20-05" in capsys.readouterr().out


def test_a_verdict_that_the_evidence_denies_fails(results, capsys):
    path = results / "claims" / "claims.json"
    rewritten(path, lambda content: content["claims"][0].update(status="proved"))
    assert main([str(results), "--quiet"]) == 1
    assert "the evidence says otherwise" in capsys.readouterr().out


def test_missing_evidence_fails(results):
    path = results / "evidence" / "grah_thouvenot_2020.json"
    rewritten(path, lambda content: content["pieces"].clear())
    assert main([str(results), "--quiet"]) == 1


def test_a_file_under_another_checksum_is_named(results, capsys):
    path = results / "evidence" / "grah_thouvenot_2020.json"
    path.write_text(path.read_text("utf-8").replace("tiny", "tine"), encoding="utf-8")
    assert main([str(results)]) == 2
    assert f"{path} is damaged or was edited" in capsys.readouterr().err
    path.unlink()
    assert main([str(results)]) == 2
    assert f"{path} is missing; finish the run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("claims/claims.json", "is inside of the folder of results; name that folder ({})."),
        ("claims", "is inside of the folder of results; name that folder ({})."),
        ("none", "does not exist; name the folder of results"),
        ("evidence", "has no claims/claims.json; name the folder of results"),
        ("evidence/grah_thouvenot_2020.json", "is a file; name the folder of results"),
    ],
)
def test_another_place_than_a_folder_of_results_is_told_from_it(results, capsys, name, why):
    assert main([str(results / name)]) == 2
    assert f"shapaudit-verify: {results / name} {why.format(results)}" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["claims", "claims/claims.json/verified.json"])
def test_an_output_that_cannot_be_written_is_named(results, capsys, name):
    assert main([str(results), "--output", str(results / name)]) == 2
    printed = capsys.readouterr()
    assert "2 not re-derived" in printed.out
    assert f"{results / name} cannot be written (" in printed.err
    assert "name another file for --output" in printed.err


@pytest.mark.parametrize(
    ("status", "stand", "found"),
    [
        ("proved", (True, True), CONFIRMED),
        ("proved", (True, False), CONTRADICTED),
        ("refuted", (True, False), CONFIRMED),
        ("refuted", (True, True), CONTRADICTED),
        ("refuted", (False, None), IN_PART),
        ("proved", (True,), IN_PART),
        ("proved", (False,), CONTRADICTED),
        ("refuted", (True,), IN_PART),
        ("refuted", (False,), IN_PART),
    ],
)
def test_a_claim_stands_if_all_its_pieces_do(status, stand, found):
    findings = {f"a_paper/{k}": Finding(CONFIRMED, "so", told) for k, told in enumerate(stand)}
    claim = {"status": status, "statistical": False, "gathered": ["a_paper/0", "a_paper/1"]}
    assert judge(claim, findings)[0] == found
