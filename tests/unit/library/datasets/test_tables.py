"""Tables of one's own: which columns are features, and the words about those that do not do."""

import numpy as np
import pandas
import pytest

from shapaudit import datasets
from shapaudit.datasets import DatasetError, mixed, table
from shapaudit.datasets.mixed import TableError, players_of

PLAIN = "a,b,y\n1,2,3\n4,5,6\n7,8,9\n"


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(content, name="own.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write


def load(loader, **params):
    return datasets.load(loader, params, np.random.default_rng(0))


@pytest.mark.parametrize("loader", ["csv", "mixed"])
def test_features_are_the_other_columns(file, loader):
    path = file(PLAIN)
    whole = load(loader, path=path)
    assert (whole.name, whole.feature_names, whole.target) == ("own", ("a", "b", "y"), None)
    some = load(loader, path=path, target="y", drop=["a"])
    assert some.feature_names == ("b",)
    assert some.target.tolist() == [3, 6, 9]
    assert some.provenance.startswith("own.csv, SHA-256 ")
    names = table.feature_names if loader == "csv" else mixed.named_players
    assert names(path=path, target="y", drop=["a"]) == ("b",)
    assert names(path=path) == ("a", "b", "y")


def test_numbers_are_read_as_they_are(file):
    data = load("csv", path=file(PLAIN), target="b")
    assert data.features.tolist() == [[1, 3], [4, 6], [7, 9]]


@pytest.mark.parametrize(
    ("content", "params", "message"),
    [
        (PLAIN, {"drop": "a"}, r"drop must be a list of columns, got 'a'; put it in \[\]"),
        (PLAIN, {"drop": 3}, "drop must be a list of columns, got 3"),
        (PLAIN, {"drop": ["a", "y"], "target": "y"}, "the target 'y' is also under drop"),
        (PLAIN, {"target": "z"}, "has no column 'z'; it has 'a', 'b', 'y'"),
        (PLAIN, {"target": "y", "drop": ["c", "d"]}, "has no column 'c', 'd'; it has"),
        ("a,b,a\n1,2,3\n4,5,6\n", {}, "has column 'a' more than once; rename them"),
        ("a,b\n1,2\n", {}, "has 1 rows; training and testing need at least 2"),
        ("a,b\n1,x\n2,y\n", {}, "column 'b' is not numeric; encode it"),
        ("a,b\n1,\n2,3\n", {}, "column 'b' has missing or infinite entries"),
        ("a,b\n1,inf\n2,3\n", {}, "column 'b' has missing or infinite entries"),
        ("a,b\n1,2,3\n2,3,4\n", {}, "cannot be read as a table"),
        ("", {}, r"cannot be read as a table \(No columns to parse"),
        (b"a,\xff\n1,2\n", {}, "cannot be read as a table|is not in UTF-8"),
    ],
)
def test_tables_of_numbers_that_do_not_do(file, content, params, message):
    path = file(content)
    with pytest.raises(DatasetError, match=message):
        load("csv", path=path, **params)


def test_names_are_refused_as_the_table_is(file):
    path = file(PLAIN)
    for params, message in (
        ({"drop": "a"}, "drop must be a list"),
        ({"target": "z"}, "has no column 'z'; it has 'a', 'b', 'y'"),
    ):
        with pytest.raises(DatasetError, match=message):
            table.feature_names(path=path, **params)
    with pytest.raises(DatasetError, match=r"none\.csv does not exist; put the table there"):
        table.feature_names(path="none.csv")
    far = PLAIN.encode() + b"1,2,3\n" * 200_000 + b"\xff,2,3\n"
    with pytest.raises(DatasetError, match=r"far\.csv is not in UTF-8 \(invalid start byte\)"):
        table.feature_names(path=file(far, "far.csv"))


def test_columns_without_a_name_are_no_column_twice(file):
    assert load("csv", path=file(",,y\n1,2,3\n4,5,6\n"), target="y").features.shape == (2, 2)


@pytest.mark.parametrize(
    ("content", "params", "message"),
    [
        (PLAIN, {"target": "z"}, "has no column 'z'"),
        (PLAIN, {"drop": ["bb"]}, "has no column 'bb'"),
        ("a\n1\n", {}, "has 1 rows and 1 features besides"),
        (PLAIN, {"drop": ["a", "b", "y"]}, "has 3 rows and 0 features besides 'a', 'b', 'y'"),
        ("", {}, "is not a CSV file with a header: No columns"),
        (b"a,\xff\n1,2\n", {}, "is not UTF-8 .*; save it as UTF-8"),
        (PLAIN, {"groups": {"g": ["c"]}}, "group 'g' names the column 'c', which the table lacks"),
        (PLAIN, {"groups": {"g": ["a"], "h": ["a"]}}, "column 'a' is in the groups 'g' and 'h'"),
        (PLAIN, {"groups": {"b": ["a", "y"]}}, "the group 'b' has the name of another column"),
    ],
)
def test_mixed_tables_that_do_not_do(file, content, params, message):
    path = file(content)
    with pytest.raises(TableError, match=message):
        load("mixed", path=path, **params)
    with pytest.raises(TableError, match=r"none\.csv does not exist; name a CSV file"):
        load("mixed", path="none.csv")


def test_a_group_takes_the_place_of_its_first_column():
    players = players_of(["a", "b", "c", "d"], {"b": ["d", "b"]})
    assert players.names == ("a", "b", "c")
    assert players.columns == ((0,), (1, 3), (2,))
    assert players.of_columns().tolist() == [0, 1, 2, 1]
    assert len(players) == 3


def test_places_are_those_of_equal_rows(file):
    content = "a,b,y\nu,1,1\nv,1,2\nu,1,3\nu,,4\nu,,5\n"
    data = load("mixed", path=file(content), target="y", groups={"g": ["a", "b"]})
    assert data.features[:, 0].tolist() == [0, 1, 0, 3, 3]
    assert data.target.tolist() == [1, 2, 3, 4, 5]
    gaps = load("mixed", path=file("a,y\n1,2\n2,\n"), target="y")
    assert gaps.target is None
    assert load("mixed", path=file("a,y\n1,u\n2,v\n"), target="y").target is None
    assert load("mixed", path=file("a,y\n1,True\n2,False\n"), target="y").target.tolist() == [1, 0]


def test_rows_are_put_together_by_column():
    given = pandas.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}, index=[7, 8, 9])
    rows = mixed.rows_from(given, np.array([[0, 2], [2, 2]]))
    assert rows.to_dict("list") == {"a": [1, 3], "b": ["z", "z"]}
    assert rows.index.tolist() == [0, 1]


def test_many_columns_do_not_overflow():
    rng = np.random.default_rng(0)
    numbers = rng.integers(0, 10**9, size=(6, 5))[[0, 1, 2, 1, 0, 5]]
    first, inverse = mixed.distinct_rows(numbers)
    assert sorted(first.tolist()) == [0, 1, 2, 5]
    assert first[inverse].tolist() == [0, 1, 2, 1, 0, 5]
