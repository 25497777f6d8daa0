"""Two runs of a study are compared: verdicts, numbers within their precision, and files."""

import json

import pytest
from places import ROOT

from shapaudit_audit.report.crate import write_crate
from shapaudit_audit.study.sealed import write_document
from shapaudit_verify.__main__ import main

PROVENANCE = {
    "study": "tiny",
    "seed": 7,
    "python": "3.12.1",
    "packages": {"numpy": "2.1.0"},
    "git": {"commit": "0" * 40, "dirty": False},
    "system": "Linux x86_64",
    "processor": "one of them",
}
LIMITS = [{"name": "ratio", "estimate": 1.0, "low": 0.5, "high": 2.0, "level": 0.95}]
EXACT = {
    "id": "gt20-01",
    "status": "exact",
    "consequence": "stands",
    "setting": {"status": "exact"},
    "statistical": False,
    "limits": [],
    "numbers": {"count": 3, "gap": 0.25, "share": "1/2"},
}
SAMPLED = EXACT | {"id": "gt20-02", "statistical": True, "limits": LIMITS, "setting": None}


def write(folder, *claims, **provenance):
    """Results of a study with these claims."""
    (folder / "claims").mkdir(parents=True)
    write_document(folder / "claims" / "claims.json", {"study": "tiny", "claims": [*claims]})
    write_document(folder / "provenance.json", PROVENANCE | provenance)
    (folder / "study.yaml").write_text("study: tiny\n")
    return folder


@pytest.fixture
def crate(tmp_path):
    """An archived run of two claims."""
    folder = write(tmp_path / "crate", EXACT, SAMPLED)
    write_crate(folder, ROOT, {}, tmp_path / "benchmarks")
    return folder


@pytest.fixture
def compared(tmp_path, crate, capsys):
    """A function that compares a run of some claims; the exit code, and what was printed."""

    def compared(*claims, **provenance):
        results = write(tmp_path / "results", *claims, **provenance)
        code = main([str(results), "--against", str(crate)])
        return code, capsys.readouterr().out

    return compared


def test_a_run_on_another_machine_may_agree(compared):
    near = EXACT | {"numbers": EXACT["numbers"] | {"gap": 0.25 + 1e-9}}
    overlapping = [LIMITS[0] | {"estimate": 1.8, "low": 1.9, "high": 3.0}]
    sampled = SAMPLED | {"limits": overlapping, "numbers": {"count": 4}}
    code, text = compared(near, sampled, processor="another one")
    assert code == 0
    assert "ours: another one" in text
    assert "archived: one of them" in text
    assert "2 claims agree, 0 have another verdict, 0 other numbers" in text


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        (EXACT | {"status": "refuted"}, "gt20-01: status refuted, archived exact"),
        (EXACT | {"consequence": "slip"}, "gt20-01: consequence slip, archived stands"),
        (
            EXACT | {"setting": {"status": "vacuous"}},
            "gt20-01: in its setting vacuous, archived exact",
        ),
        (EXACT | {"setting": None}, "gt20-01: in its setting None, archived exact"),
        (EXACT | {"numbers": {**EXACT["numbers"], "gap": 0.2501}}, "gt20-01: gap is 0.2501"),
        (EXACT | {"numbers": {**EXACT["numbers"], "count": 4}}, "gt20-01: count is 4, archived 3"),
        (EXACT | {"numbers": {**EXACT["numbers"], "share": "1/3"}}, "share is 1/3, archived 1/2"),
        (EXACT | {"numbers": {"count": 3, "gap": 0.25}}, "share is None, archived 1/2"),
        (EXACT | {"id": "gt20-03"}, "gt20-01: not judged here"),
        (EXACT | {"id": "gt20-03"}, "gt20-03: not in the archive"),
    ],
)
def test_what_differs_is_named(compared, claim, line):
    code, text = compared(claim, SAMPLED)
    assert code == 1
    assert line in text


@pytest.mark.parametrize(
    ("limits", "line"),
    [
        ([LIMITS[0] | {"low": 2.1, "high": 3.0}], "ratio is 1.0 (2.1 to 3.0), archived 1.0 (0.5"),
        ([LIMITS[0] | {"low": 0.1, "high": 0.4}], "ratio is 1.0 (0.1 to 0.4)"),
        ([LIMITS[0] | {"high": "nan"}], "ratio is 1.0 (0.5 to nan)"),
        ([], "limits of ratio are in one run only"),
    ],
)
def test_limits_that_do_not_meet_are_a_difference(compared, limits, line):
    code, text = compared(EXACT, SAMPLED | {"limits": limits})
    assert code == 1
    assert line in text
    assert "1 claims agree, 0 have another verdict, 1 other numbers" in text


def test_a_file_that_is_not_the_archived_one_is_named(compared, crate):
    (crate / "study.yaml").write_text("study: other\n")
    code, text = compared(EXACT, SAMPLED)
    assert code == 1
    assert "study.yaml: not the file that was archived" in text


def test_the_comparison_can_be_written(tmp_path, crate):
    path = tmp_path / "new" / "compared.json"
    assert main([str(crate), "--against", str(crate), "--output", str(path)]) == 0
    assert json.loads(path.read_text())["agree"] == 2


def test_what_is_no_crate_is_refused(tmp_path, crate, capsys):
    (crate / "ro-crate-metadata.json").write_text("[]")
    assert main([str(crate), "--against", str(crate)]) == 2
    assert "no description of a crate" in capsys.readouterr().err
    assert main([str(crate), "--against", str(tmp_path / "none")]) == 2
    assert f"{tmp_path / 'none'} does not exist" in capsys.readouterr().err
    (crate / "ro-crate-metadata.json").unlink()
    assert main([str(crate), "--against", str(crate)]) == 2
    assert f"{crate} is no archived run, for it has no ro-crate-metadata.json" in (
        capsys.readouterr().err
    )


def entry(name, **changes):
    """What a crate says of a file."""
    return {"@id": name, "@type": "File", "sha256": "0" * 64} | changes


@pytest.mark.parametrize(
    ("graph", "why"),
    [
        ([], "has no checksum of claims/claims.json and provenance.json"),
        ([entry("study.yaml")], "has no checksum of claims/claims.json and provenance.json"),
        ([entry("claims/claims.json")], "has no checksum of provenance.json"),
        (
            [entry("https://a.org/claims/claims.json"), entry("provenance.json")],
            "has no checksum of claims/claims.json",
        ),
        (3, "its @graph is no list"),
        ({"@id": "study.yaml"}, "its @graph is no list"),
        ([1], "1 in its @graph is no entity with an @id"),
        (["sha256"], "'sha256' in its @graph is no entity"),
        ([{"sha256": "0" * 64}], "is no entity with an @id"),
        ([entry(7)], "is no entity with an @id"),
        ([entry("study.yaml", sha256=["0"])], "the sha256 of study.yaml is ['0']"),
    ],
)
def test_a_crate_that_does_not_say_what_was_archived_is_refused(crate, capsys, graph, why):
    """Nothing was checked, and all claims were said to agree."""
    path = crate / "ro-crate-metadata.json"
    path.write_text(json.dumps({"@graph": graph}))
    assert main([str(crate), "--against", str(crate)]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert str(path) in printed.err
    assert why in printed.err
    assert "fetch the archived run again" in printed.err


def test_a_description_that_lists_files_from_its_own_folder_is_read(crate):
    path = crate / "ro-crate-metadata.json"
    path.write_text(path.read_text().replace('"@id": "claims/', '"@id": "./claims/'))
    assert main([str(crate), "--against", str(crate)]) == 0


def test_a_study_without_claims_is_not_compared(crate, capsys):
    """Also inside of the results of one with claims, where a user's study has its own."""
    study = write(crate / "mine")
    (study / "claims" / "claims.json").unlink()
    for arguments in ([study, "--against", crate], [crate, "--against", study], [study]):
        assert main([*map(str, arguments)]) == 2
        assert (
            f"{study} has no claims/claims.json: a study without claims has nothing that can"
            in (capsys.readouterr().err)
        )


def test_a_run_without_provenance_is_not_compared(crate, tmp_path, capsys):
    results = write(tmp_path / "results", EXACT)
    (results / "provenance.json").unlink()
    assert main([str(results), "--against", str(crate)]) == 2
    assert f"{results / 'provenance.json'} is missing" in capsys.readouterr().err
