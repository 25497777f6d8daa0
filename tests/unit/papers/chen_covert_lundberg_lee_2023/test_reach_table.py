"""Evaluations for an error, as a table and in words."""

from dataclasses import replace

import pytest

from shapaudit_audit.report.reach import Reach
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables import reach

ROW = Reach("auto", "Auto", 0.05, 20, 1234.0, 60.0, float("inf"), least=60, most=2000)


def test_bounds_have_a_sign_in_cells_and_a_word_in_the_text():
    assert reach._cell(ROW) == r"1\,234"
    assert reach._cell(replace(ROW, median=60.0)) == "$<$60"
    assert reach._cell(replace(ROW, median=float("inf"))) == r"$>$2\,000"
    assert reach._told(ROW) == r"1\,234 (under 60 to over 2\,000)"
    assert reach._told(replace(ROW, median=float("inf"), low=float("inf"))) == r"over 2\,000"


@pytest.mark.parametrize(("name", "label"), [("auto", "Auto (ours)"), ("other", "Auto")])
def test_our_estimator_is_said_to_be_ours(name, label):
    assert reach._label(replace(ROW, estimator=name)) == label
