"""An explanation: its parts, its intervals and its table."""

import numpy as np
import pandas as pd
import pytest
import scipy

from shapaudit import Explanation
from shapaudit.datasets.mixed import TableError

DATA = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", "y", None]}, index=[10, 20, 30])


def made(outputs=(), **changes):
    shape = (3, 2, *([len(outputs)] if outputs else []))
    rng = np.random.default_rng(0)
    parts = {
        "values": rng.normal(size=shape),
        "standard_errors": rng.random(shape),
        "base_values": rng.normal(size=(shape[0], *shape[2:])),
        "data": DATA,
        "feature_names": ("a", "b"),
        "output_names": tuple(outputs),
        "how": "by hand",
        "method": "auto",
        "evaluations": np.array([4, 5, 6]),
    }
    return Explanation(**parts | changes)


def test_a_row_is_without_the_first_axis():
    table, row = made(), made()[1]
    assert row.is_row
    assert not table.is_row
    assert row.values.shape == (2,)
    assert row.base_values.shape == ()
    np.testing.assert_array_equal(row.values, table.values[1])
    assert row.data["b"] == "y"
    assert len(row) == 1
    assert row.evaluations == 5
    np.testing.assert_allclose(row.predictions, table.predictions[1])
    np.testing.assert_array_equal(made()[-1].values, table.values[2])


def test_rows_are_chosen_by_slices_masks_and_numbers():
    table = made()
    for chosen in (slice(1, 3), [1, 2], np.array([False, True, True])):
        np.testing.assert_array_equal(table[chosen].values, table.values[1:])
        assert list(table[chosen].data.index) == [20, 30]


def test_outputs_are_chosen_by_name():
    table = made(["low", "high"])
    np.testing.assert_array_equal(table["high"].values, table.values[..., 1])
    np.testing.assert_array_equal(table[2]["high"].values, table.values[2, :, 1])
    np.testing.assert_array_equal(table.output(-1).values, table.values[..., 1])
    with pytest.raises(TableError, match="no output 'hi': there are 'low', 'high'"):
        table["hi"]
    with pytest.raises(TableError, match="the model has one output"):
        made()["high"]


def test_what_cannot_be_chosen_is_refused():
    with pytest.raises(IndexError, match="there are 3 rows; row 3 does not exist"):
        made()[3]
    with pytest.raises(IndexError, match="the explanation of one row"):
        made()[0][0]
    for chosen in ((slice(None), 0), (1, 2), (slice(None), "high")):
        with pytest.raises(IndexError, match="are not chosen together"):
            made(["low", "high"])[chosen]
    with pytest.raises(TableError, match="no output True"):
        made(["low", "high"]).output(True)


def test_no_rows_are_chosen_by_an_empty_list():
    assert made()[[]].values.shape == made()[:0].values.shape


def test_shapes_that_contradict_each_other_are_refused():
    with pytest.raises(ValueError, match=r"values must have shape \(3, 2\)"):
        made(values=np.zeros((2, 2)))
    with pytest.raises(ValueError, match=r"base_values must have shape \(3,\)"):
        made(base_values=np.zeros(2))
    with pytest.raises(ValueError, match="method 'guess' is none of"):
        made(method="guess")


def test_intervals_hold_for_all_features_of_a_row():
    table = made()
    low, high = table.intervals(0.9)
    factor = 1.3 * scipy.stats.norm.isf(0.1 / 4)
    np.testing.assert_allclose(high - table.values, factor * table.standard_errors)
    np.testing.assert_allclose(table.values - low, factor * table.standard_errors)
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        table.intervals(95)


@pytest.mark.parametrize("outputs", [(), ("low", "high")])
def test_a_table_has_a_line_for_each_row_and_feature(outputs):
    table = made(outputs)
    frame = table.to_frame()
    assert len(frame) == table.values.size
    for _, line in frame.iterrows():
        row, feature = [10, 20, 30].index(line["row"]), "ab".index(line["feature"])
        place = (row, feature, *([outputs.index(line["output"])] if outputs else []))
        assert line["value"] == table.values[place]
        assert line["standard_error"] == table.standard_errors[place]
        assert line["low"] <= line["value"] <= line["high"]
        assert line["data"] == DATA.iloc[row, feature] or pd.isna(DATA.iloc[row, feature])
    assert len(table[1].to_frame()) == table.values[1].size


def test_entries_of_a_group_stand_together():
    frame = made(feature_names=("both", "c"), groups={"both": ("a", "b"), "c": ("a",)}).to_frame()
    assert list(frame["data"][:2]) == ["1.0, x", 1.0]


def test_exact_values_are_known_as_such():
    assert not made().exact
    assert made(standard_errors=np.zeros((3, 2))).exact
    assert made(method="trees", standard_errors=np.zeros((3, 2))).exact
