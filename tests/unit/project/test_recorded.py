"""Values on record: any number, its place, or a text that differs is told."""

import json

import numpy as np
import pytest
from matplotlib.figure import Figure

import recorded
from recorded import FOLDER, MARGIN, SPREADS, TOLERANCE, compare, matched, shortened
from shapaudit_audit.audit.verdict import Verdict
from unit.papers import conftest as told

VALUES = {
    "many": np.linspace(-2.0, 5.0, 40),
    "few": [1.5, "a", None, True, 3],
    "nested": {"x": [{"y": 2.0}] * 9, "z": "of 3.1e-17"},
    "unknown": np.array([np.nan, np.inf, 1.0, 10.0**305, 1, 1, 1, 1]),
}


@pytest.fixture
def record(tmp_path, monkeypatch):
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)
    monkeypatch.setattr(recorded, "SPREADS", tmp_path / "spreads.json")
    monkeypatch.setenv("SHAPAUDIT_RECORD", str(tmp_path))
    compare("some", {"one": VALUES})
    monkeypatch.delenv("SHAPAUDIT_RECORD")


def changed(key, value):
    return {"one": VALUES | {key: value}}


def swapped():
    exchanged = VALUES["many"].copy()
    exchanged[[3, 9]] = exchanged[[9, 3]]
    return exchanged


def test_equal_values_and_residues_of_rounding_are_the_same(record):
    compare("some", {"one": VALUES})
    compare("some", changed("many", VALUES["many"] * (1 + 1e-12)))
    compare("some", changed("nested", VALUES["nested"] | {"z": "of 5e-16"}))


def test_residues_of_rounding_are_the_same_in_latex_and_on_pages(record):
    for residue, other in ((r"2.31\times10^{-16}", r"10^{-18}"), ("4.1 × 10⁻¹³", "10⁻¹⁸")):
        assert shortened(f"of {residue}") == shortened(f"of {other}")
    for residue, other in ((r"2.31\times10^{-6}", r"2.32\times10^{-6}"), ("4 × 10⁻⁷", "4 × 10⁻⁸")):
        assert shortened(f"of {residue}") != shortened(f"of {other}")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("many", VALUES["many"] * 1.0001),
        ("many", swapped()),
        ("many", VALUES["many"][:-1]),
        ("many", VALUES["many"].reshape(4, 10)),
        ("few", [1.5, "b", None, True, 3]),
        ("few", [1.5, "a", None, True, 4]),
        ("few", [1.5, "a", None, 1, 3]),
        ("nested", VALUES["nested"] | {"x": [{"y": 2.0}] * 8 + [{"y": 2.01}]}),
        ("nested", VALUES["nested"] | {"x": [{"w": 2.0}] * 9}),
        ("unknown", VALUES["unknown"][[1, 0, 2, 3, 4, 5, 6, 7]]),
    ],
)
def test_another_value_is_told(record, key, value):
    with pytest.raises(AssertionError, match=f"(?s)one/{key}.*make records"):
        compare("some", changed(key, value))


def test_a_key_without_a_record_and_one_that_is_gone_are_told(record):
    with pytest.raises(AssertionError, match="holds no 'two'"):
        compare("some", {"two": VALUES})
    with pytest.raises(AssertionError, match=r"one/few: .* on record, 'nothing' now"):
        compare("some", {"one": {key: VALUES[key] for key in VALUES if key != "few"}})


def test_a_record_of_which_a_spread_was_measured_has_a_tolerance_of_its_own(record, tmp_path):
    spreads = {"some": {"one/many": 3e-5, "one/few": 2e-4}, "others": {"one/nested": 1.0}}
    (tmp_path / "spreads.json").write_text(json.dumps(spreads))
    compare("some", changed("many", VALUES["many"] * (1 + 1e-4)))
    compare("some", changed("few", [1.5 * 1.0019, "a", None, True, 3]))
    for key, value in (
        ("many", VALUES["many"] * (1 + 1e-2)),
        ("many", VALUES["many"][:-1]),
        ("few", [1.5 * 1.0021, "a", None, True, 3]),
        ("few", [1.5, "a", None, True, 4]),
        ("nested", VALUES["nested"] | {"x": [{"y": 2.0}] * 8 + [{"y": 2.001}]}),
    ):
        with pytest.raises(AssertionError, match=f"(?s)one/{key}.*make records"):
            compare("some", changed(key, value))


def test_what_is_no_number_now_is_told(record):
    for value in (np.nan, None, "1.5"):
        with pytest.raises(AssertionError, match=r"one/few/1: 1\.5 on record"):
            compare("some", changed("few", [value, "a", None, True, 3]))


def test_spreads_are_those_of_records_and_small():
    """A record that may be anything tells nothing."""
    for name, parts in json.loads(SPREADS.read_text()).items():
        records = json.loads((FOLDER / f"{name}.json").read_text())
        seen = {
            part
            for key, content in records.items()
            for _, part, *_ in matched(content, content, key)
        }
        assert parts.keys() <= seen, name
        assert all(TOLERANCE / MARGIN < spread <= 1e-3 for spread in parts.values()), name


def test_a_record_is_short():
    assert len(str(shortened({"rows": np.random.default_rng(0).normal(size=10_000)}))) < 150


def test_what_is_on_record_and_found_no_more_is_told_where_all_is_asked_for(record):
    compare("some", {}, whole="two")
    with pytest.raises(AssertionError, match="'one', which is no more"):
        compare("some", {}, whole="on")
    compare("some", {})


def test_verdicts_and_figures_of_tests_of_papers_are_noted_and_compared(tmp_path, monkeypatch):
    with told.noted() as (verdicts, figures):
        verdict = Verdict("exact", "It holds.", reach="d up to 4", rows=({"d": 4},))
        figure = Figure()
    Verdict("exact", "Later.", reach="d up to 4", rows=({"d": 4},))
    assert (verdicts, figures) == ([verdict], [figure])
    monkeypatch.setattr(told, "FOLDER", tmp_path)
    monkeypatch.setenv("SHAPAUDIT_RECORD", str(tmp_path))
    told.on_record("test_one.py", [["It holds.", 2.0]])
    told.on_record("test_one.py", [["It falls.", 1e-12]])
    monkeypatch.delenv("SHAPAUDIT_RECORD")
    told.records_of.cache_clear()
    told.on_record("test_one.py", [["It falls.", -1e-13], ["It holds.", 2.0000001]])
    for other in (["It holds!", 2.0], ["It holds.", 2.01], ["It falls.", 1e-3]):
        with pytest.raises(AssertionError, match=r"(?s)Not on record:.*make records"):
            told.on_record("test_one.py", [other])
    with pytest.raises(AssertionError, match="Not on record"):
        told.on_record("test_two.py", [["It holds.", 2.0]])
    told.records_of.cache_clear()
