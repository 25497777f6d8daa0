"""Numbers that modules declare, as the records hold them, and outcomes of calls."""

import math

from declared import declarations
from recorded import outcome, shortened
from shapaudit.statistics.error_split import ErrorSplit


def test_constants_and_defaults_of_a_module_are_one_text():
    declares = declarations("shapaudit.nets")
    assert declares["adam"] == (
        "FIRST_DECAY = 0.9; SECOND_DECAY = 0.999; TINY = 1E-07; Adam.__init__ = rate=0.001"
    )
    assert "network" not in declares  # which declares no number


def test_sizes_of_files_and_numbers_in_classes_are_declared():
    declares = declarations("shapaudit.datasets")
    assert "TEST = ({'size': 1648877}, {'size': 4542})" in declares["mnist"]
    assert "Patience.attempts = 4; Patience.timeout = 30" in declares["download"]


def test_an_outcome_is_a_value_or_an_error():
    assert outcome(math.sqrt, 4) == 2
    assert outcome(math.sqrt, -1).startswith("ValueError: ")
    assert outcome(math.exp, 1e9) == "OverflowError"
    assert outcome(math.sqrt) == "TypeError"


def test_a_dataclass_is_kept_by_its_fields():
    parts = ErrorSplit(1.0, 2.0, 3.0, 4.0, 5.0)
    assert shortened({"split": [parts]})["split"]["count"] == 5
