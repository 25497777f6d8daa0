"""Verdicts on values, and what counts as a refusal."""

import numpy as np
import pytest

from shapaudit_audit.conformance.judge import judge
from shapaudit_audit.conformance.worker import is_refusal

EXACT = {"": np.array([[2.0, -1.0]]), "the negative": np.array([[-2.0, 1.0]])}


@pytest.mark.parametrize(
    ("values", "verdict", "convention"),
    [
        ([[2.0, -1.0]], "right", ""),
        ([[-2.0, 1.0]], "right", "the negative"),
        ([[2.0 + 3e-5, -1.0]], "right", ""),
        ([[2.0 + 5e-5, -1.0]], "wrong", ""),
        ([[np.nan, -1.0]], "wrong", ""),
        ([2.0, -1.0], "crashed", ""),
        ([[2.0, -1.0, 0.0]], "crashed", ""),
        ("words", "crashed", ""),
    ],
)
def test_values_are_judged_by_the_nearest_convention(values, verdict, convention):
    found = judge(values, EXACT, 1.0, "lightgbm")
    assert (found.verdict, found.convention) == (verdict, convention)


def test_only_outputs_of_single_precision_may_be_rounded_to_it():
    values = [[2.0 + 0.5, -1.0]]
    assert judge(values, EXACT, 1e6, "xgboost").verdict == "right"
    assert judge(values, EXACT, 1e6, "scikit-learn").verdict == "wrong"


def test_errors_are_shares_of_the_values_and_of_the_output_where_these_are_zero():
    assert judge([[2.2, -1.0]], EXACT, 9.0, "game").error == pytest.approx(0.1)
    assert judge([[0.3]], {"": np.zeros((1, 1))}, 3.0, "game").error == pytest.approx(0.1)
    assert judge([[2.0, -1.0]], EXACT, 9.0, "game").digits == 15
    assert judge([[2.002, -1.0]], EXACT, 9.0, "game").digits == 3


def caught(call):
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("there was no error")


def complain(kind, *words):
    raise kind(*words)


class OwnError(Exception):
    """Of a package, as compiled code raises it."""


@pytest.mark.parametrize(
    ("call", "refusal"),
    [
        (lambda: complain(ValueError, "no such model"), True),
        (lambda: complain(OwnError, "no such model"), True),
        (lambda: complain(ValueError), False),
        (lambda: complain(KeyError, "model"), False),
        (lambda: np.zeros(2).reshape(3), False),
        (lambda: None.model, False),
        (lambda: "text" + 1, False),
    ],
)
def test_refusals_are_raised_on_purpose_and_have_words(call, refusal):
    assert is_refusal(caught(call)) == refusal
