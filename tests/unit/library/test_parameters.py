"""Types of parameters are those that functions declare."""

from collections.abc import Sequence

import pytest

from shapaudit.parameters import type_faults


def declared(
    *,
    n: int = 1,
    x: float = 1.0,
    path: str = "",
    on: bool = False,
    target: str | None = None,
    drop: Sequence[str] = (),
    ridge: float | Sequence[float] = 0.0,
    other: dict | None = None,
):
    """A function with parameters of every kind."""


@pytest.mark.parametrize(
    "params",
    [
        {"n": 3, "x": 3, "path": "a", "on": True, "target": None, "drop": ["a"], "other": 5},
        {"x": 0.5, "target": "y", "drop": (), "ridge": [1, 2.0]},
        {"ridge": 1},
    ],
)
def test_right_types_are_taken(params):
    assert type_faults(declared, params) == []


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"path": 5}, "path must be a text; got 5"),
        ({"path": ["a"]}, "path must be a text; got ['a']"),
        ({"n": 2.5}, "n must be a whole number; got 2.5"),
        ({"n": True}, "n must be a whole number; got True"),
        ({"x": "fast"}, "x must be a number; got 'fast'"),
        ({"on": 1}, "on must be true or false; got 1"),
        ({"target": 3}, "target must be a text or null; got 3"),
        ({"drop": "a"}, "drop must be a list, each entry a text; got 'a'"),
        ({"drop": [1]}, "drop must be a list, each entry a text; got [1]"),
        ({"ridge": "a"}, "ridge must be a number or a list, each entry a number; got 'a'"),
    ],
)
def test_wrong_types_are_named(params, message):
    assert type_faults(declared, params) == [message]
