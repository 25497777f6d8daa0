"""Audits read back from the results of a study."""

import json

import pytest

from shapaudit.audit.reading import find_claim, load_audit, load_repetitions


def test_audits_of_a_study_and_its_repetitions_are_read_from_their_folders(tmp_path):
    for folder, seed in ((tmp_path, 1), (tmp_path / "repetitions" / "7", 7)):
        (folder / "claims").mkdir(parents=True)
        (folder / "claims" / "claims.json").write_text(json.dumps({"seed": seed}), encoding="utf-8")
    assert load_audit(tmp_path) == {"seed": 1}
    assert load_repetitions(tmp_path, {"repetition": {"seeds": [7]}}) == {7: {"seed": 7}}
    assert load_repetitions(tmp_path, {}) == {}


def test_a_claim_is_found_by_its_id():
    audited = {"study": "own", "claims": [{"id": "xx99-01"}, {"id": "xx99-02"}]}
    assert find_claim(audited, "xx99-02") is audited["claims"][1]
    with pytest.raises(ValueError, match="the audit of study 'own' has no claim 'xx99-03'"):
        find_claim(audited, "xx99-03")
