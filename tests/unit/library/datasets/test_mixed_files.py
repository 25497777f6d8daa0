"""Files of tables that do not do: each is refused in a sentence with the culprit and a remedy."""

import numpy as np
import pandas as pd
import pytest

from shapaudit.datasets.mixed import TableError, read_table

FILES = {
    "twice.csv": (b"a,b,a\n1,2,3\n4,5,6\n", "2 columns named 'a'; give each column a name"),
    "semicolons.csv": (b"a;b\n1;2\n3;4\n", "separated by semicolons; separate by commas"),
    "tabs.csv": (b"a\tb\n1\t2\n3\t4\n", "separated by tabs"),
    "junk.csv": (np.random.default_rng(0).bytes(3000), "holds binary data, not a table"),
    "latin.csv": ("a,b\nä,1\n".encode("latin1"), "is not UTF-8"),
    "empty.csv": (b"", "is not a CSV file with a header"),
    "junk.parquet": (b"PAR1", "is not a Parquet file"),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_do_not_do_are_named(tmp_path, name):
    content, message = FILES[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(TableError, match=rf"{name}.*{message}"):
        read_table(tmp_path / name, None)


def test_a_name_that_is_missing_is_told_with_those_that_there_are(tmp_path):
    table = pd.DataFrame(np.ones((3, 15)), columns=[f"c{j}" for j in range(14)] + ["y"])
    table.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(TableError) as told:
        read_table(tmp_path / "t.csv", "Y")
    assert "no column 'Y' (did you mean 'y'?); it has 'c0', 'c1'" in str(told.value)
    assert str(told.value).endswith("'c9' and 5 more")


def test_compressed_files_and_columns_that_only_look_renamed_are_read(tmp_path):
    table = pd.DataFrame({"a": [1, 2], "a.1": [3, 4]})
    table.to_csv(tmp_path / "t.csv.gz", index=False)
    assert list(read_table(tmp_path / "t.csv.gz", None).columns) == ["a", "a.1"]
