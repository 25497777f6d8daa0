"""Tables are validated where they are written and come back as they were."""

import numpy as np
import pandas as pd
import pytest

from shapaudit.results import TableError, read_truths, truth_table, write_table
from shapaudit.truth import Truth


def truths():
    return [
        Truth(np.array([1.0, 2.0]), "exact", "enumeration"),
        Truth(np.array([0.5, -2.0]), "reference", "permutations", np.array([0.1, 0.2])),
    ]


def test_truths_survive_the_table(tmp_path):
    path = tmp_path / "truth.parquet"
    write_table(truth_table(truths(), None, [np.nan, np.nan]), path, "truth")
    for read, written in zip(read_truths(path), truths(), strict=True):
        np.testing.assert_array_equal(read.values, written.values)
        assert (read.certificate, read.method) == (written.certificate, written.method)
        assert (read.standard_errors is None) == (written.standard_errors is None)


def test_equal_tables_give_equal_bytes(tmp_path):
    for name in ("a", "b"):
        write_table(truth_table(truths(), "tree", [0.0, 1e-14]), tmp_path / name, "truth")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("standard_error", -1.0, "below 0"),
        ("value", np.nan, "is missing in row 0"),
        ("certificate", "guess", "'guess', none of"),
        ("player", 0.5, "not integer"),
        ("method", 3, "not string"),
    ],
)
def test_a_wrong_column_is_named(tmp_path, column, value, message):
    frame = truth_table(truths(), None, [np.nan, np.nan])
    frame[column] = value
    with pytest.raises(TableError, match=message) as error:
        write_table(frame, tmp_path / "t.parquet", "truth")
    assert column in str(error.value)
    assert not (tmp_path / "t.parquet").exists()


def test_missing_and_unknown_columns_are_refused(tmp_path):
    frame = truth_table(truths(), None, [np.nan, np.nan])
    for wrong in (frame.drop(columns="value"), frame.assign(extra=1)):
        with pytest.raises(TableError, match="columns"):
            write_table(pd.DataFrame(wrong), tmp_path / "t.parquet", "truth")
