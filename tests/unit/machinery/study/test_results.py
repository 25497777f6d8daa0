"""Tables are validated where they are written and come back as they were."""

import os
import subprocess
import sys
import textwrap
from collections import Counter

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from places import ROOT

from shapaudit.truth import Truth
from shapaudit_audit.study.results import SchemaError, read_truths, truth_table, write_table


def truths():
    return [
        Truth(np.array([1.0, 2.0]), "exact", "enumeration"),
        Truth(np.array([0.5, -2.0]), "reference", "permutations", np.array([0.1, 0.2])),
        Truth(np.array([0.4, -1.0]), "bounded", "inversion", bounds=np.array([1e-5, 2e-5])),
    ]


def test_truths_survive_the_table(tmp_path):
    path = tmp_path / "truth.parquet"
    write_table(truth_table(truths(), None, [np.nan] * 3), path, "truth")
    for read, written in zip(read_truths(path), truths(), strict=True):
        np.testing.assert_array_equal(read.values, written.values)
        assert (read.certificate, read.method) == (written.certificate, written.method)
        pairs = (read.standard_errors, written.standard_errors), (read.bounds, written.bounds)
        for before, other in pairs:
            assert (before is None) == (other is None)
            if before is not None:
                np.testing.assert_array_equal(before, other)


def test_a_bound_is_zero_of_exact_values_and_missing_of_references():
    table = truth_table(truths(), None, [np.nan] * 3)
    np.testing.assert_array_equal(table["bound"], [0, 0, np.nan, np.nan, 1e-5, 2e-5])


def test_equal_tables_give_equal_bytes(tmp_path):
    for name in ("a", "b"):
        write_table(truth_table(truths(), "tree", [0.0, 1e-14, np.nan]), tmp_path / name, "truth")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_columns_have_the_types_of_the_schema_and_nulls_for_missing_numbers(tmp_path):
    path = tmp_path / "truth.parquet"
    table = truth_table(truths(), "tree", [np.nan, 1e-14, 1e-14])
    write_table(table, path, "truth")
    read = pq.read_table(path)
    kinds = {"int64": 2, "double": 4, "large_string": 3}
    assert Counter(str(kind) for kind in read.schema.types) == kinds
    assert read["difference"].to_pylist() == [None, None, *[1e-14] * 4]
    pd.testing.assert_frame_equal(pd.read_parquet(path), pd.DataFrame(table))


def test_a_frame_is_a_table(tmp_path):
    table = truth_table(truths(), None, [np.nan] * 3)
    write_table(table, tmp_path / "columns", "truth")
    write_table(pd.DataFrame(table), tmp_path / "frame", "truth")
    assert (tmp_path / "columns").read_bytes() == (tmp_path / "frame").read_bytes()


def test_tables_need_no_pandas(tmp_path):
    """It would double the time of most jobs of the workflow."""
    script = (
        "import sys; from shapaudit import truth; "
        "from shapaudit_audit.study import experiments, ground_truth, results; "
        "exact = truth.Truth([1.0], 'exact', 'none'); "
        "table = results.truth_table([exact], None, [float('nan')]); "
        "results.write_table(table, sys.argv[1], 'truth'); "
        "assert results.read_truths(sys.argv[1])[0].values == [1.0]; "
        "print(*sorted({'pandas', 'scipy.stats', 'jsonschema', 'matplotlib'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", script, tmp_path / "truth.parquet"]
    path = {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env=os.environ | path
    )
    assert done.stdout.split() == []


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
    table = truth_table(truths(), None, [np.nan] * 3)
    table[column] = np.full(len(table["explicand"]), value)
    with pytest.raises(SchemaError, match=message) as error:
        write_table(table, tmp_path / "t.parquet", "truth")
    assert column in str(error.value)
    assert not (tmp_path / "t.parquet").exists()


def test_a_column_of_objects_holds_strings(tmp_path):
    table = truth_table(truths(), None, [np.nan] * 3)
    table["method"] = np.array(["tree", "tree", "tree", 3, "tree", "tree"], dtype=object)
    with pytest.raises(SchemaError, match="method has type object, not string"):
        write_table(table, tmp_path / "t.parquet", "truth")
    table["method"][3] = None
    with pytest.raises(SchemaError, match="method is missing in row 3"):
        write_table(table, tmp_path / "t.parquet", "truth")


def test_missing_and_unknown_columns_are_refused(tmp_path):
    table = truth_table(truths(), None, [np.nan] * 3)
    fewer = {name: column for name, column in table.items() if name != "value"}
    for wrong in (fewer, {**table, "extra": table["value"]}):
        with pytest.raises(SchemaError, match="columns"):
            write_table(wrong, tmp_path / "t.parquet", "truth")


def test_reading_leaves_no_thread_behind(tmp_path):
    """One that is left may abort the process when it ends."""
    code = """
        import os
        import numpy as np
        from shapaudit_audit.study.results import read_truths, truth_table, write_table
        from shapaudit.truth import Truth
        truth = Truth(values=np.array([1.0, 2.5]), certificate="exact", method="enumeration")
        write_table(truth_table([truth], None, [np.nan]), "truth.parquet", "truth")
        def threads():  # of libraries too, where the system lists them
            return os.listdir("/proc/self/task") if os.path.exists("/proc/self/task") else []
        before = threads()
        read_truths("truth.parquet")
        print(len(threads()) - len(before))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        **{"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(ROOT / "src")}},
        **{"capture_output": True, "text": True, "check": True},
    )
    assert done.stdout.strip() == "0"
