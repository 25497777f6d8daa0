"""What every registered dataset loader must do."""

import numpy as np
import pytest

from mixed_table import mixed_table
from shapaudit import datasets

# Of loaders that need some, or are large without.
PARAMS = {
    "gaussian": {"n_rows": 60, "n_features": 5},
    "gaussian-law": {"n_rows": 60, "n_features": 5},
    "mixture-law": {"n_rows": 60, "n_features": 5},
    "copula-law": {"n_rows": 60, "n_features": 5},
    "discrete-law": {"n_rows": 60, "n_features": 4, "levels": 3},
    "chain-law": {"n_rows": 60, "n_features": 5},
    "diabetes": {"zero_features": 2},
    "breast-cancer": {"bias": True},
    "generated": {"kind": "counts", "n_rows": 60, "n_features": 12},
}


MECHANISMS = {"linear"}  # tests/unit/library/datasets/test_linear.py
PUBLISHED_SPLIT = {"toy"}


@pytest.fixture(scope="module")
def own_table(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "table.csv"
    table = np.random.default_rng(0).normal(size=(40, 3))
    np.savetxt(path, table, delimiter=",", header="a,b,y", comments="")
    PARAMS["csv"] = {"path": str(path), "target": "y"}
    games = path.with_name("game.npy")
    np.save(games, np.arange(8.0))
    PARAMS["game-tables"] = {"path": str(games)}
    mixed = path.with_name("mixed.csv")
    mixed_table(40).to_csv(mixed, index=False)
    groups = {"place": ["city", "street"]}
    PARAMS["mixed"] = {"path": str(mixed), "target": "rent", "groups": groups}


@pytest.fixture(params=sorted(set(datasets.LOADERS) - MECHANISMS))
def loader(request, small_files, own_table):
    return request.param


def load(loader, seed=11):
    return datasets.load(loader, PARAMS.get(loader, {}), np.random.default_rng(seed))


def assert_same(dataset, other):
    assert (dataset.name, dataset.feature_names, dataset.provenance) == (
        other.name,
        other.feature_names,
        other.provenance,
    )
    np.testing.assert_array_equal(dataset.features, other.features)
    assert (dataset.target is None) == (other.target is None)
    if dataset.target is not None:
        np.testing.assert_array_equal(dataset.target, other.target)
    assert list(dataset.split) == list(other.split)
    for part, rows in dataset.split.items():
        np.testing.assert_array_equal(rows, other.split[part])


def test_same_generator_same_dataset(loader):
    assert_same(load(loader), load(loader))


def test_another_generator_another_split(loader):
    first, other = load(loader, 11).split["test"], load(loader, 12).split["test"]
    assert np.array_equal(first, other) == (loader in PUBLISHED_SPLIT)


def test_global_random_state_is_left_alone(loader):
    before = np.random.get_state()[1].copy()  # noqa: NPY002 (read, to see that it stays)
    load(loader)
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002


def test_values_are_finite(loader):
    dataset = load(loader)
    assert np.isfinite(dataset.features).all()
    assert dataset.target is None or np.isfinite(dataset.target).all()


def test_shapes_and_types(loader):
    dataset = load(loader)
    assert dataset.features.dtype == np.float64
    assert dataset.features.shape == (dataset.n_rows, dataset.n_features)
    assert len(dataset.feature_names) == dataset.n_features
    assert dataset.target is None or dataset.target.shape == (dataset.n_rows,)
    assert dataset.target is None or dataset.target.dtype == np.float64
    assert dataset.provenance


def test_split_is_disjoint_and_covers(loader):
    dataset = load(loader)
    assert {"train", "test"} <= set(dataset.split)
    assert all(len(rows) > 0 for rows in dataset.split.values())
    rows = np.concatenate(list(dataset.split.values()))
    assert len(rows) == len(set(rows.tolist()))
    assert set(rows.tolist()) == set(range(dataset.n_rows))


def test_round_trip_is_byte_identical(loader, tmp_path):
    dataset = load(loader)
    dataset.save(tmp_path / "once.npz")
    again = datasets.read(tmp_path / "once.npz")
    assert_same(dataset, again)
    again.save(tmp_path / "twice.npz")
    assert (tmp_path / "once.npz").read_bytes() == (tmp_path / "twice.npz").read_bytes()
