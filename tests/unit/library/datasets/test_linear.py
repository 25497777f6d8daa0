"""Mechanisms of linear regressions: their rows, files and designs."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from shapaudit import datasets
from shapaudit.datasets import DatasetError, LinearMechanism, linear, toy

PARAMS = {"n_train": 5000, "n_test": 300, "n_features": 20, "problems": 2}


@pytest.fixture(scope="module")
def mechanism():
    return datasets.load("linear", PARAMS, np.random.default_rng(3))


def test_rows_follow_the_mechanism(mechanism):
    rows, target = mechanism.rows("train", 1)
    covariance = mechanism.covariance(1)
    np.testing.assert_allclose(np.diag(covariance), 1.0)
    # Largest of 210 entries, each with a standard error of at most 0.02.
    np.testing.assert_allclose(np.cov(rows.T), covariance, atol=0.1)
    noise = target - rows @ mechanism.coefficients[1]
    assert noise.var() == pytest.approx(mechanism.noise[1], rel=0.09)
    assert sorted(mechanism.coefficients[1])[-3:] == [0.0, 2.0, 2.0]
    assert 0 < mechanism.r_squared(1) < 1


def test_blocks_are_generated_alike_every_time(mechanism):
    blocks = mechanism.blocks("train")
    assert [len(block()[1]) for block in blocks] == [4096, 904]
    np.testing.assert_array_equal(blocks[1]()[0], mechanism.rows("train")[0][4096:])
    assert not np.allclose(mechanism.rows("test")[0], mechanism.rows("test", 1)[0])
    assert not np.allclose(mechanism.rows("test")[0], mechanism.rows("train")[0][:300])


def test_mechanisms_are_saved_without_rows(mechanism, tmp_path):
    mechanism.save(tmp_path / "once.npz")
    again = datasets.read(tmp_path / "once.npz")
    assert isinstance(again, LinearMechanism)
    again.save(tmp_path / "twice.npz")
    first, second = ((tmp_path / name).read_bytes() for name in ("once.npz", "twice.npz"))
    assert hashlib.sha256(first).digest() == hashlib.sha256(second).digest()
    assert len(first) < 10_000
    np.testing.assert_array_equal(again.rows("test")[1], mechanism.rows("test")[1])
    (tmp_path / "other.npz").write_bytes(b"PK")
    with pytest.raises(DatasetError, match="not a saved dataset"):
        datasets.read(tmp_path / "other.npz")


def test_the_toy_design_is_the_printed_one():
    data = datasets.load(
        "linear", {"design": "toy", "n_train": 5, "n_test": 5}, np.random.default_rng(0)
    )
    np.testing.assert_allclose(data.covariance(0), linear.TOY_COVARIANCE)
    assert data.coefficients[0].tolist() == [2.1, 1.4, 0.1]
    for params, message in (
        ({"design": "cubic"}, "unknown design 'cubic'"),
        ({"design": "toy", "n_features": 4}, "for features; got 4"),
        ({"problems": 0}, "problems must be an integer of at least 1"),
    ):
        with pytest.raises(DatasetError, match=message):
            datasets.load("linear", {"n_train": 5, "n_test": 5} | params, np.random.default_rng(0))


def test_the_toy_is_read_from_tables_that_are_there_already(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    names = [name for name, _ in toy.SOURCE.instead]
    for name in names:
        np.savetxt(tmp_path / name, rng.normal(size=(4, 4)), delimiter=",", header="x1,x2,x3,y")
    digests = tuple((name, toy.download.file_sha256(tmp_path / name)) for name in names)
    monkeypatch.setenv("SHAPAUDIT_DATA", str(tmp_path))
    monkeypatch.setattr(toy, "SOURCE", replace(toy.SOURCE, instead=digests))
    data = toy.load(rng)
    assert data.features.shape == (8, 3)
    assert data.split["test"].tolist() == [4, 5, 6, 7]
