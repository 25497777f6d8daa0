"""Universal Binary JSON, by the examples of its specification and by XGBoost's own files."""

import json

import numpy as np
import pytest
import xgboost

from shapaudit.models.ubjson import UBJSONError, loads


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b"Z", None),
        (b"T", True),
        (b"i\xff", -1),
        (b"U\xff", 255),
        (b"I\x01\x00", 256),
        (b"I\xff\xfe", -2),
        (b"l\xff\xff\xff\xfe", -2),
        (b"L\x00\x00\x00\x01\x00\x00\x00\x00", 2**32),
        (b"d\x3f\xc0\x00\x00", 1.5),
        (b"D\x3f\xf8\x00\x00\x00\x00\x00\x00", 1.5),
        (b"Ca", "a"),
        (b"Si\x03\xc3\xa9a", "éa"),
        (b"Hi\x021" + b"2", "12"),
        (b"[]", []),
        (b"[i\x01Z[T]]", [1, None, [True]]),
        (b"[#i\x02i\x01F", [1, False]),
        (b"[$I#i\x02\x00\x01\x00\x02", [1, 2]),
        (b"[$S#i\x02i\x01ai\x01b", ["a", "b"]),
        (b"{}", {}),
        (b"{i\x01a{i\x01bU\x07}}", {"a": {"b": 7}}),
        (b"{#i\x01i\x01aT", {"a": True}),
        (b"{$U#i\x02i\x01a\x01i\x01b\x02", {"a": 1, "b": 2}),
    ],
)
def test_values_are_read(content, value):
    assert loads(content) == value


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cut off at byte 0"),
        (b"I\x01", "cut off"),
        (b"Si\xff", "cut off"),
        (b"X", "unknown marker b'X' at byte 0"),
        (b"TT", "1 bytes too many"),
        (b"Sd\x3f\xc0\x00\x00", "no length at byte 1"),
        (b"[$ii\x01", "a type without a number of values"),
        (b"[#i\x05T", "cut off"),
        (b"Si\x01\xff", "damaged at byte 4"),
        (b"[" * 100_000, "damaged"),
        (b"[$U#L\x7f\xff\xff\xff\xff\xff\xff\xff", "cut off"),
        (b"[$U#i\xff", "cut off"),
    ],
)
def test_what_is_damaged_is_told(content, message):
    with pytest.raises(UBJSONError, match=message):
        loads(content)


def test_a_booster_is_the_same_in_both_formats():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(80, 4))
    booster = xgboost.XGBRegressor(n_estimators=3, max_depth=3).fit(rows, rows[:, 0]).get_booster()
    text = json.loads(booster.save_raw("json"))
    read = loads(bytes(booster.save_raw("ubj")))
    assert set(read["learner"]) == set(text["learner"])
    trees = (document["learner"]["gradient_booster"]["model"]["trees"] for document in (read, text))
    for ours, theirs in zip(*trees, strict=True):
        assert set(ours) == set(theirs)
        for key in ("left_children", "split_indices", "default_left"):
            assert ours[key] == theirs[key]
        np.testing.assert_array_equal(
            np.float32(ours["split_conditions"]), np.float32(theirs["split_conditions"])
        )
