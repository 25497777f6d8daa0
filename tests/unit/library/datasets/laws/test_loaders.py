"""Data from laws: the law that rows come from is kept beside them, and read as it was written."""

import numpy as np
import pytest

from shapaudit import datasets
from shapaudit.datasets import DatasetError, LawDataset
from shapaudit.datasets.laws import ChainLaw, DiscreteLaw, GaussianLaw

PARAMS = {
    "gaussian-law": {"n_features": 4},
    "mixture-law": {"n_features": 4},
    "copula-law": {"n_features": 4},
    "discrete-law": {"n_features": 4, "levels": 3},
    "chain-law": {"n_features": 4},
}


def load(loader, seed=0, **params):
    params = PARAMS.get(loader, {}) | {"n_rows": 400} | params
    return datasets.load(loader, params, np.random.default_rng(seed))


@pytest.mark.parametrize("loader", PARAMS)
def test_the_law_is_kept_and_read_again(loader, tmp_path):
    made = load(loader)
    made.save(tmp_path / "made.npz")
    again = datasets.read(tmp_path / "made.npz")
    assert type(again.law) is type(made.law)
    for name, array in made.law.arrays().items():
        np.testing.assert_array_equal(again.law.arrays()[name], array)
    np.testing.assert_array_equal(again.features, made.features)
    again.save(tmp_path / "again.npz")
    assert (tmp_path / "made.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()


@pytest.mark.parametrize("loader", PARAMS)
def test_rows_have_the_moments_of_the_law(loader):
    made = load(loader, n_rows=4000)
    others = made.law.sample(np.random.default_rng(9), 4000)
    spread = np.hypot(made.features.std(axis=0), others.std(axis=0)) / np.sqrt(4000)
    assert (np.abs(made.features.mean(axis=0) - others.mean(axis=0)) < 5 * spread + 1e-12).all()


def test_the_target_depends_on_the_rows():
    made = load("gaussian-law", noise=0.0)
    z = made.features / made.features.std(axis=0)
    basis = np.column_stack([np.ones(len(z)), z, z[:, 0] * z[:, 1], np.abs(z[:, 2])])
    fitted = basis @ np.linalg.lstsq(basis, made.target, rcond=None)[0]
    assert np.var(made.target - fitted) < 0.05 * np.var(made.target)


def test_a_file_that_was_edited_is_not_read(tmp_path):
    made = load("gaussian-law")
    arrays = made.arrays()
    arrays["law_mean"] = arrays["law_mean"] + 1
    np.savez(tmp_path / "edited.npz", **arrays)
    with pytest.raises(DatasetError, match="checksum"):
        datasets.read(tmp_path / "edited.npz")


def test_shapes_and_tables_by_name():
    pairs = load("gaussian-law", shape="pairs").law
    assert isinstance(pairs, GaussianLaw)
    assert pairs.covariance[0, 1] != 0 == pairs.covariance[0, 2]
    equal = load("gaussian-law", shape="equicorrelated", correlation=0.3).law
    assert equal.covariance[1, 3] == 0.3
    square = load("discrete-law", n_features=2, levels=2, table="square").law
    np.testing.assert_array_equal(square.support, DiscreteLaw.square().support)
    assert len(load("discrete-law", table="independent").law.support) == 81
    assert isinstance(load("chain-law").law, ChainLaw)


@pytest.mark.parametrize(
    ("loader", "params", "told"),
    [
        ("gaussian-law", {"shape": "round"}, "unknown shape 'round'"),
        ("gaussian-law", {"shape": "pairs", "n_features": 3}, "even"),
        ("gaussian-law", {"noise": -1.0}, "negative"),
        ("gaussian-law", {"n_rows": 1}, "n_rows"),
        ("copula-law", {"margins": ["beta"]}, "unknown margin"),
        ("copula-law", {"margins": []}, "one or more"),
        ("discrete-law", {"table": "round"}, "unknown table"),
        ("discrete-law", {"table": "square"}, "2 features"),
        ("discrete-law", {"n_features": 30}, "fewer features"),
        ("chain-law", {"n_features": 20}, "14 features"),
        ("chain-law", {"persistence": 2.0}, "negative"),
    ],
)
def test_what_cannot_be_drawn_is_refused(loader, params, told):
    with pytest.raises(DatasetError, match=told):
        load(loader, **params)


def test_a_law_of_other_features_is_refused():
    made = load("gaussian-law")
    with pytest.raises(DatasetError, match="its law 2"):
        LawDataset(
            made.name,
            made.features,
            made.target,
            made.feature_names,
            made.split,
            made.provenance,
            GaussianLaw.equicorrelated(2, 0.5),
        )
