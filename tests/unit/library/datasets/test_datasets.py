"""Datasets: shapes and splits are checked, files are equal for equal data, errors name names."""

import time
import zipfile
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import sklearn.datasets

from shapaudit import datasets
from shapaudit.datasets import Dataset, DatasetError, mnist
from shapaudit.datasets.base import TEST_FRACTION, random_split, standardised


@pytest.fixture
def dataset():
    rng = np.random.default_rng(5)
    return Dataset(
        name="example",
        features=rng.standard_normal((8, 3)),
        target=rng.standard_normal(8),
        feature_names=("a", "b", "ç"),
        split={"train": np.arange(6), "test": np.array([7, 6])},
        provenance="generated",
    )


def test_rows_of_a_part(dataset):
    features, target = dataset.rows("test")
    np.testing.assert_array_equal(features, dataset.features[[7, 6]])
    np.testing.assert_array_equal(target, dataset.target[[7, 6]])


def test_rows_without_target(dataset):
    features, target = replace(dataset, target=None).rows("train")
    assert features.shape == (6, 3)
    assert target is None


def test_unknown_part_is_named(dataset):
    with pytest.raises(DatasetError, match=r"has no part 'validation'.*'train', 'test'"):
        dataset.rows("validation")


def test_memory_layout_does_not_matter(dataset, tmp_path):
    turned = replace(dataset, features=np.asfortranarray(dataset.features))
    dataset.save(tmp_path / "c.npz")
    turned.save(tmp_path / "f.npz")
    assert (tmp_path / "c.npz").read_bytes() == (tmp_path / "f.npz").read_bytes()


def test_bytes_do_not_depend_on_the_clock(dataset, tmp_path, monkeypatch):
    dataset.save(tmp_path / "now.npz")
    later = time.localtime(time.time() + 5e8)
    monkeypatch.setattr(time, "time", lambda: time.mktime(later))
    monkeypatch.setattr(time, "localtime", lambda *_: later)
    dataset.save(tmp_path / "later.npz")
    assert (tmp_path / "now.npz").read_bytes() == (tmp_path / "later.npz").read_bytes()
    with zipfile.ZipFile(tmp_path / "now.npz") as archive:
        assert {entry.date_time[0] for entry in archive.infolist()} == {1980}


def test_nothing_is_pickled(dataset, tmp_path):
    dataset.save(tmp_path / "d.npz")
    with np.load(tmp_path / "d.npz", allow_pickle=False) as file:
        assert all(file[key].dtype != object for key in file.files)


def test_save_writes_the_given_path(dataset, tmp_path):
    dataset.save(tmp_path / "no_suffix")
    assert Dataset.load(tmp_path / "no_suffix").feature_names == ("a", "b", "ç")


@pytest.mark.parametrize("content", [b"", b"not a zip archive", b"PK\x03\x04 cut short"])
def test_another_file_is_refused(content, tmp_path):
    path = tmp_path / "other.npz"
    path.write_bytes(content)
    with pytest.raises(DatasetError, match=r"other\.npz is not a saved dataset"):
        Dataset.load(path)


def test_another_archive_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", numbers=np.arange(3))
    with pytest.raises(DatasetError, match="not a saved dataset"):
        Dataset.load(tmp_path / "other.npz")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": np.zeros(8)}, "features must be a table"),
        ({"features": np.zeros((8, 0))}, "features must be a table"),
        ({"target": np.zeros(7)}, r"target must have shape \(8,\)"),
        ({"feature_names": ("a", "b")}, "3 features need as many distinct names"),
        ({"feature_names": ("a", "b", "b")}, "distinct names"),
        ({"split": {"train": np.arange(8)}}, "split lacks 'test'"),
        ({"split": {"train": np.arange(7), "test": np.arange(6, 8)}}, "exactly once"),
        ({"split": {"train": np.arange(6), "test": np.array([6])}}, "exactly once"),
        ({"split": {"train": np.arange(6), "test": np.array([6, 8])}}, "exactly once"),
    ],
)
def test_parts_must_fit_together(dataset, change, message):
    with pytest.raises(DatasetError, match=message) as caught:
        replace(dataset, **change)
    assert "'example'" in str(caught.value)


def test_random_split_sizes_and_randomness():
    splits = [random_split(400, np.random.default_rng(seed)) for seed in (0, 0, 1)]
    assert len(splits[0]["test"]) == TEST_FRACTION * 400
    np.testing.assert_array_equal(splits[0]["test"], splits[1]["test"])
    assert not np.array_equal(splits[0]["test"], splits[2]["test"])


@pytest.mark.parametrize("n_rows", [2, 3, 5])
def test_random_split_has_no_empty_part(n_rows):
    split = random_split(n_rows, np.random.default_rng(0))
    assert len(split["train"]) >= 1
    assert len(split["test"]) >= 1


def test_random_split_needs_two_rows():
    with pytest.raises(DatasetError, match="at least 2 rows, got 1"):
        random_split(1, np.random.default_rng(0))


def test_gaussian_moments():
    params = {"n_rows": 40_000, "n_features": 3}
    features = datasets.load("gaussian", params, np.random.default_rng(2)).features
    # Five standard errors of a mean, and of a covariance of independent normals (2 on the diagonal)
    assert np.abs(features.mean(axis=0)).max() < 5 / np.sqrt(40_000)
    assert np.abs(np.cov(features.T) - np.eye(3)).max() < 5 * np.sqrt(2 / 40_000)


def test_diabetes_is_in_its_own_units():
    diabetes = datasets.load("diabetes", {}, np.random.default_rng(0))
    ages = diabetes.features[:, diabetes.feature_names.index("age")]
    assert diabetes.features.shape == (442, 10)
    assert ages.min() >= 18
    assert np.array_equal(ages, np.round(ages))
    assert diabetes.target.min() > 0


def test_the_files_of_mnist_have_the_size_that_others_give():
    # 11.06 MiB in the catalogue of TensorFlow Datasets.
    assert sum(source.size for source in mnist.TEST + mnist.TRAINING) == 11_594_722


@pytest.mark.parametrize(
    ("loader", "params", "message"),
    [
        (
            "gauss",
            {},
            "unknown dataset loader 'gauss' .did you mean 'gaussian'.*; the known ones are 'blog'",
        ),
        ("diabetes", {"scaled": True}, "no parameter 'scaled'; it knows 'zero_features'"),
        ("gaussian", {"n": 3}, "'gaussian' has no parameter 'n'; it knows 'n_rows', 'n_features'"),
        ("gaussian", {"n_rows": 3}, "'gaussian' needs the parameter 'n_features'"),
        ("gaussian", {"n_rows": 1, "n_features": 2}, "n_rows must be an integer of at least 2"),
        ("gaussian", {"n_rows": 9, "n_features": 0}, "n_features must be an integer of at least 1"),
        ("gaussian", {"n_rows": 9.5, "n_features": 1}, r"n_rows must be an integer.*got 9\.5"),
        ("gaussian", {"n_rows": True, "n_features": 1}, "n_rows must be an integer.*got True"),
    ],
)
def test_errors_name_the_culprit(loader, params, message):
    with pytest.raises(DatasetError, match=message):
        datasets.load(loader, params, np.random.default_rng(0))


def test_breast_cancer_has_as_many_features_as_are_asked_for():
    few, all_of_them = (
        datasets.load("breast-cancer", params, np.random.default_rng(0))
        for params in ({}, {"n_features": 30})
    )
    assert (few.features.shape[1], all_of_them.features.shape[1]) == (15, 30)
    np.testing.assert_array_equal(few.features, all_of_them.features[:, :15])
    np.testing.assert_array_equal(few.split["train"], all_of_them.split["train"])


@pytest.mark.parametrize(
    ("loader", "own", "scale"),
    [
        ("diabetes", partial(sklearn.datasets.load_diabetes, scaled=False), 1),
        ("breast-cancer", sklearn.datasets.load_breast_cancer, None),
        ("digits", sklearn.datasets.load_digits, 16),
    ],
)
def test_files_are_read_as_scikit_learn_reads_them(loader, own, scale):
    params, table = {"n_features": 30} if scale is None else {}, own()
    dataset = datasets.load(loader, params, np.random.default_rng(0))
    np.testing.assert_array_equal(dataset.target, table.target)
    assert dataset.feature_names == tuple(table.feature_names)
    if scale is None:
        wanted = standardised(table.data, dataset.split["train"])
    else:
        wanted = table.data / scale
    np.testing.assert_array_equal(dataset.features, wanted)


def test_one_digit_beside_the_others():
    every, eight = (
        datasets.load("digits", params, np.random.default_rng(0)) for params in ({}, {"digit": 8})
    )
    np.testing.assert_array_equal(eight.target, every.target == 8)


@pytest.mark.parametrize("loader", ["diabetes", "breast-cancer", "digits", "gaussian"])
def test_what_says_that_it_is_generated_is_listed_as_such(loader):
    params = {"n_rows": 9, "n_features": 3} if loader == "gaussian" else {}
    loaded = datasets.load(loader, params, np.random.default_rng(1))
    assert (loaded.provenance == "generated") == datasets.is_generated(loader)
