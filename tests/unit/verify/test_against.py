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
