"""Other rounding: the processor that is asked for is the one used, and games are rounded anew."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from places import ROOT

import rounding
import spreads
from recorded import TOLERANCE

TABLE = np.arange(1.0, 9.0)
ASKED = "import numpy, rounding; print(rounding.set_up())"
GAME = """
import numpy, rounding
rounding.set_up()
from shapaudit.games import TabularGame, all_coalitions
table, coalitions = numpy.arange(1.0, 9.0), all_coalitions(3)
game = TabularGame(table)
found, alone = game(coalitions), [game(coalitions[k : k + 1])[0] for k in range(8)]
print(numpy.abs(found / table - 1).max(), (found == alone).all())
"""


def libraries(used):
    return [
        {"user_api": "openmp"},
        *({"user_api": "blas", "architecture": architecture} for architecture in used),
    ]


def told(code, **variables):
    """What a new process prints."""
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    environment = os.environ | {"PYTHONPATH": paths} | variables
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_processor_that_openblas_does_not_know_is_told():
    assert told(ASKED) == ""
    assert told(ASKED, OPENBLAS_CORETYPE="Sandbridge").startswith(
        "OPENBLAS_CORETYPE asks for Sandbridge, but NumPy and SciPy use "
    )


@pytest.mark.parametrize("used", [["Katmai"], ["prescott"], ["Katmai", "Prescott"]])
def test_one_set_of_kernels_has_several_names(monkeypatch, used):
    monkeypatch.setattr(rounding, "threadpool_info", lambda: libraries(used))
    assert rounding.not_used("Prescott") == ""


@pytest.mark.parametrize("used", [["Haswell"], ["Katmai", "Haswell"], [None], []])
def test_all_libraries_have_to_be_those_of_the_processor(monkeypatch, used):
    monkeypatch.setattr(rounding, "threadpool_info", lambda: libraries(used))
    assert "asks for Prescott" in rounding.not_used("Prescott")


def test_games_are_rounded_anew_and_have_one_value_for_each_coalition():
    size, same = told(GAME, SHAPAUDIT_ROUNDING="1e-6").split()
    assert 2e-7 < float(size) <= 1e-6
    assert same == "True"
    assert told(GAME).split() == ["0.0", "True"]


def test_rounding_leaves_other_than_numbers_alone():
    rounded = rounding.rounded(lambda self, coalitions: coalitions[:, 0], 1e-3)(
        None, TABLE[:, None]
    )
    assert (rounded != TABLE).any()
    whole = rounding.rounded(lambda self, coalitions: np.arange(8), 1e-3)(None, TABLE[:, None])
    np.testing.assert_array_equal(whole, np.arange(8))


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """What is written of records (on file, then by environment) of a file "some"."""

    def measure(*records):
        first, *others = ({"some": {"one": {"few": record}}} for record in records)
        (tmp_path / "some.json").write_text(json.dumps(first["some"]))
        monkeypatch.setattr(spreads, "FOLDER", tmp_path)
        monkeypatch.setattr(spreads, "SPREADS", tmp_path / "spreads.json")
        monkeypatch.setattr(spreads, "variants", lambda: dict(enumerate(others)))
        monkeypatch.setattr(spreads, "recorded_anew", lambda tests, variables: variables)
        spreads.main([])
        return json.loads((tmp_path / "spreads.json").read_text())

    return measure


def test_the_largest_spread_is_kept_where_it_is_more_than_every_record_is_allowed(measured):
    small = TOLERANCE / 20
    assert measured([2.0, "a"], [2.0 * (1 + small), "a"]) == {}
    largest = measured([2.0, "a"], [2.0 * (1 + 3e-6), "a"], [2.0 * (1 - 4.2e-6), "a"])
    assert largest == {"some": {"one/few": 5e-6}}


def test_spreads_of_other_records_stay(measured, tmp_path):
    kept = {"one": {"few": 3e-7, "many": 2e-7}, "others": {"x": 2e-5}}
    (tmp_path / "spreads.json").write_text(json.dumps({"some": {"one/few": 1e-3}} | kept))
    assert measured([2.0], [2.0]) == kept


def test_what_differs_in_more_than_digits_is_told_and_nothing_written(measured, tmp_path):
    with pytest.raises(SystemExit, match=r"1: some: one/few/1: 'a' on record, 'b' now"):
        measured([2.0, "a"], [2.1, "a"], [2.0, "b"])
    assert not (tmp_path / "spreads.json").exists()


def test_processors_whose_instructions_are_lacking_are_left_out(monkeypatch):
    lacking = {"OPENBLAS_CORETYPE": "SkylakeX"}
    monkeypatch.setattr(spreads, "_run", lambda command, variables: variables != lacking)
    assert {"Prescott", "Haswell"} < spreads.variants().keys() - {"SkylakeX"}
    assert "SkylakeX" not in spreads.variants()
