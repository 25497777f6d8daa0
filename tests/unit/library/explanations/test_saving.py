"""Explanations in files and in pickles: the same comes back, or one error says what is wrong."""

import copy
import datetime
import json
import pickle
import zipfile

import numpy as np
import pandas as pd
import pytest

from explained_rows import made
from shapaudit.datasets.mixed import TableError
from shapaudit.explanations import saving
from shapaudit.explanations.explanation import Explanation
from shapaudit.explanations.saving import ExplanationFileError, load_explanation

ARRAYS = ("values", "standard_errors", "base_values", "evaluations")
TEXTS = ("feature_names", "output_names", "how", "method", "groups", "unit")
ROWS = 5
NUMBERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "?"]
TYPES = [*NUMBERS, "M8[s]", "M8[ms]", "M8[us]", "M8[ns]", "m8[s]", "m8[ns]"]
NULLABLE = ["Int8", "Int64", "UInt16", "UInt64", "Float32", "Float64", "boolean"]
SHAPES = {
    "rows": made(),
    "no row": made()[:0],
    "one row": made()[3],
    "outputs": made(outputs=("a", "b")),
    "one row of outputs": made(outputs=("a", "b"))[2],
    "exact": made(exact=True),
}


def assert_same(actual, wanted):
    for name in ARRAYS:
        own, other = getattr(actual, name), getattr(wanted, name)
        assert isinstance(own, np.ndarray)
        assert own.dtype == other.dtype
        np.testing.assert_array_equal(own, other, strict=True)
    for name in TEXTS:
        assert getattr(actual, name) == getattr(wanted, name)
        assert type(getattr(actual, name)) is type(getattr(wanted, name))
    assert_same_rows(actual.data, wanted.data)


def assert_same_rows(actual, wanted):
    if isinstance(wanted, pd.Series):
        pd.testing.assert_series_equal(actual, wanted)
        assert list(map(type, actual)) == list(map(type, wanted))
    else:
        pd.testing.assert_frame_equal(actual, wanted)


def of(data):
    """An explanation of the first column of a table."""
    zeros = np.zeros(len(data))
    return Explanation(
        values=zeros[:, None],
        standard_errors=zeros[:, None],
        base_values=zeros,
        data=data,
        feature_names=(str(data.columns[0]),),
        output_names=(),
        how="",
        method="trees",
        evaluations=zeros.astype(int),
    )


def columns():
    """Columns (5,) of every type that a file can hold, by name."""
    given = {kind: pd.Series(np.arange(ROWS).astype(kind)) for kind in TYPES}
    given["f4"][1], given["M8[ns]"][2], given["m8[s]"][0] = np.nan, pd.NaT, pd.NaT
    given |= {kind: pd.Series([1, None, 0, 1, None], dtype=kind) for kind in NULLABLE}
    texts = ["a\x00", None, "ü\n", "", "😀"]
    given |= {kind: pd.Series(texts, dtype=kind) for kind in ("str", "string")}
    time = pd.Timestamp("2020-01-01 00:00:00.123456789")
    objects = {
        "mixed": [1, None, "a", 2.5, pd.NA],
        "scalars": [np.nan, pd.NaT, np.float32(1.5), np.int8(3), True],
        "times": [time, time.tz_localize("Europe/Berlin"), pd.Timedelta("1D"), np.inf, 10**30],
    }
    given |= {name: pd.Series(entries, dtype=object) for name, entries in objects.items()}
    ordered = pd.CategoricalDtype(["hi", "lo", "unused"], ordered=True)
    given["ordered"] = pd.Series(["lo", None, "hi", "lo", "hi"], dtype=ordered)
    given["numbers"] = pd.Series([1, 2, None, 1, 2]).astype("category")
    given["days"] = pd.Series(pd.date_range("2020", periods=ROWS)).astype("category")
    given["cut"] = pd.Series(pd.cut(np.arange(ROWS), 3))
    hour = datetime.timezone(datetime.timedelta(hours=2))
    for zone in ("UTC", "Europe/Berlin", "+05:30", hour):
        given[f"zone {zone}"] = pd.Series(
            pd.date_range("2021-10-31", periods=ROWS, freq="h", tz=zone)
        )
    return given


COLUMNS = columns()
INDICES = [
    pd.RangeIndex(3, 3 + 2 * ROWS, 2, name="row"),
    pd.Index([5, 3, 3, 2, 1], name="k"),
    pd.Index(list("abcde"), name=7),
    pd.Index([1, "a", None, 2.5, True]),
    pd.date_range("2020", periods=ROWS, freq="MS", name="month"),
    pd.date_range("2020", periods=ROWS, freq="D", tz="Europe/Berlin"),
    pd.CategoricalIndex(list("abcab")),
]


@pytest.mark.parametrize("shape", SHAPES)
def test_an_explanation_comes_back(shape, tmp_path):
    explanation = SHAPES[shape]
    path = explanation.save(tmp_path / "first.v1")
    assert path == tmp_path / "first.v1.npz"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    for again in (path, str(path), tmp_path / "first.v1"):
        assert_same(Explanation.load(again), explanation)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "again", [lambda original: pickle.loads(pickle.dumps(original)), copy.deepcopy]
)
def test_pickles_and_copies_are_the_same(shape, again):
    copied = again(SHAPES[shape])
    assert_same(copied, SHAPES[shape])
    assert not np.shares_memory(copied.values, SHAPES[shape].values)


@pytest.mark.parametrize("name", COLUMNS)
def test_types_of_columns_come_back(name, tmp_path):
    explanation = of(COLUMNS[name].to_frame(name))
    assert_same(load_explanation(explanation.save(tmp_path / "one")), explanation)


def test_single_rows_of_all_types_come_back(tmp_path):
    explanation = of(pd.DataFrame(COLUMNS))
    for number in range(ROWS):
        row = explanation[number]
        assert_same(load_explanation(row.save(tmp_path / "one", overwrite=True)), row)


@pytest.mark.parametrize(
    "index", INDICES, ids=lambda index: f"{type(index).__name__} {index.dtype}"
)
def test_the_index_comes_back_with_its_name(index, tmp_path):
    data = pd.DataFrame({"b": np.arange(ROWS), "a": 0.5}, index=index)
    data.columns.name = "columns"
    explanation = of(data)
    assert_same(load_explanation(explanation.save(tmp_path / "one")), explanation)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (pd.DataFrame({"p": pd.period_range("2020", periods=2)}), r"column 'p': .*period\[D\]"),
        (pd.DataFrame({"p": [[1], [2]]}), r"column 'p': .*\[1\] of the type list; convert it"),
        (pd.DataFrame({"p": [1j, 2j]}, dtype=object), "column 'p': .*type complex"),
        (
            pd.DataFrame({"p": [1, 2]}, pd.MultiIndex.from_tuples([(1, 2), (3, 4)])),
            "the index: a file cannot hold the 2 levels.*reset_index",
        ),
    ],
)
def test_what_a_file_cannot_hold_is_refused(data, message, tmp_path):
    with pytest.raises(TableError, match=message):
        of(data).save(tmp_path / "one")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_overwritten_only_where_that_is_asked_for(tmp_path):
    path = made().save(tmp_path / "one.npz")
    before = path.read_bytes()
    with pytest.raises(FileExistsError, match=r"one\.npz exists already; .*overwrite=True"):
        made(exact=True).save(path)
    assert path.read_bytes() == before
    made(exact=True).save(path, overwrite=True)
    assert load_explanation(path).exact


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = made().save(tmp_path / "one")
    before = path.read_bytes()

    def half(file, **arrays):
        file.write(b"half")
        raise OSError("the disk is full")

    monkeypatch.setattr(saving.np, "savez_compressed", half)
    with pytest.raises(OSError, match="full"):
        made(exact=True).save(path, overwrite=True)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_folders_and_files_that_are_missing(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"folder .*nowhere does not exist; make it"):
        made().save(tmp_path / "nowhere" / "one")
    with pytest.raises(FileNotFoundError, match=r"one\.npz"):
        load_explanation(tmp_path / "one")


def test_nothing_is_pickled(tmp_path):
    path = made().save(tmp_path / "one")
    with np.load(path, allow_pickle=False) as file:
        assert all(file[name].dtype != object for name in file.files)


def damaged(whole):
    """Contents of files that hold no explanation, by what is wrong with them."""
    middle = len(whole) // 2
    return {
        "empty": b"",
        "text": b"age,income\n1,2\n",
        "pickle": pickle.dumps({"values": 1}),
        "half": whole[:middle],
        "byte": whole[:200] + bytes([whole[200] ^ 255]) + whole[201:],
    }


@pytest.mark.parametrize("fault", damaged(b"0" * 300))
def test_a_damaged_file_is_refused(fault, tmp_path):
    path = made().save(tmp_path / "one")
    path.write_bytes(damaged(path.read_bytes())[fault])
    with pytest.raises(ExplanationFileError, match=r"one\.npz holds no explanation, or is damaged"):
        load_explanation(path)


def with_description(path, change):
    """The file with another description."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    description = json.loads(arrays["description"].tobytes())
    change(description)
    arrays["description"] = np.frombuffer(json.dumps(description).encode(), dtype=np.uint8)
    np.savez(path, **arrays)


@pytest.mark.parametrize(
    "change",
    [
        lambda description: description.update(format="another"),
        lambda description: description.pop("data"),
        lambda description: description["texts"].update(method="guess"),
        lambda description: description["texts"]["feature_names"].pop(),
        lambda description: description["data"]["columns"].__setitem__(0, {"plain": "values"}),
        lambda description: description["data"]["columns"].__setitem__(0, {"unknown": 1}),
        lambda description: description["data"]["columns"].__setitem__(
            0, {"objects": [{"unknown": 1}] * 30}
        ),
    ],
)
def test_a_description_that_does_not_fit_is_refused(change, tmp_path):
    path = made().save(tmp_path / "one")
    with_description(path, change)
    with pytest.raises(ExplanationFileError, match="holds no explanation, or is damaged"):
        load_explanation(path)


def test_arrays_of_another_program_are_no_explanation(tmp_path):
    np.savez(tmp_path / "one.npz", values=np.zeros(3))
    np.save(tmp_path / "two.npy", np.zeros(3))
    (tmp_path / "two.npy").rename(tmp_path / "two.npz")
    with zipfile.ZipFile(tmp_path / "three.npz", "w") as archive:
        archive.writestr("readme.txt", "text")
    for name in ("one", "two", "three"):
        with pytest.raises(ExplanationFileError, match="holds no explanation"):
            load_explanation(tmp_path / name)


def test_a_later_version_is_named(tmp_path):
    path = made().save(tmp_path / "one")
    with_description(path, lambda description: description.update(version=saving.VERSION + 1))
    with pytest.raises(ExplanationFileError, match="later version of shapaudit; install that"):
        load_explanation(path)
