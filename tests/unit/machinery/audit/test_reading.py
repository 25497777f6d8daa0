"""Audits read back from the results of a study."""

import pytest
from msgspec.structs import replace
from places import ROOT

from shapaudit_audit.audit.audit import document
from shapaudit_audit.audit.paper import OURS
from shapaudit_audit.audit.reading import find_claim, load_audit, load_repetitions
from shapaudit_audit.audit.tally import added, by_source, printed
from shapaudit_audit.study.blocks.study import RepetitionBlock
from shapaudit_audit.study.reading import read_study
from shapaudit_audit.study.sealed import write_document


def test_audits_of_a_study_and_its_repetitions_are_read_from_their_folders(tmp_path):
    for folder, seed in ((tmp_path, 1), (tmp_path / "repetitions" / "7", 7)):
        (folder / "claims").mkdir(parents=True)
        write_document(folder / "claims" / "claims.json", document(f"seed {seed}", 0.1, []))
    assert load_audit(tmp_path)["study"] == "seed 1"
    study = read_study(ROOT / "config" / "smoke.yaml")
    again_from = replace(study, repetition=RepetitionBlock(seeds=[7], estimators=[]))
    (again,) = load_repetitions(tmp_path, again_from).items()
    assert (again[0], again[1]["study"]) == (7, "seed 7")
    assert load_repetitions(tmp_path, replace(study, repetition=None)) == {}


def test_a_claim_is_found_by_its_id():
    audited = {"study": "own", "claims": [{"id": "xx99-01"}, {"id": "xx99-02"}]}
    assert find_claim(audited, "xx99-02") is audited["claims"][1]
    with pytest.raises(ValueError, match="the audit of study 'own' has no claim 'xx99-03'"):
        find_claim(audited, "xx99-03")


def test_claims_of_this_project_are_those_that_say_so_and_the_others_are_printed():
    claims = [
        {"id": f"{prefix}-0{k}", "source": source}
        for k, (prefix, source) in enumerate(
            [("b20", "paper"), ("a19", OURS), ("b20", "a note"), ("a19", "web page")]
        )
    ]
    assert added(claims) == [claims[1]]
    assert printed(claims) == [claims[0], claims[2], claims[3]]
    assert by_source(claims) == {"b20": claims[::2], "a19": [claims[3]], OURS: [claims[1]]}
    assert by_source([]) == {OURS: []}
