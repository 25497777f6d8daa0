"""The datasets of the benchmark of Chen et al. (2023): what is kept, left out and filled in."""

import zipfile
from dataclasses import replace

import numpy as np
import pytest

from shapaudit import datasets, models
from shapaudit.datasets import DatasetError, blog, communities, download, generated, nhanes
from shapaudit.datasets.base import fill_with_medians


def load(loader, seed=0, **params):
    return datasets.load(loader, params, np.random.default_rng(seed))


@pytest.fixture(scope="module")
def survey():
    return load("generated", kind="survey", n_rows=3000, n_features=79)


@pytest.fixture(scope="module")
def counts():
    return load("generated", kind="counts", n_rows=3000, n_features=280)


def test_zero_features_follow_the_others_and_change_nothing():
    plain, padded = load("diabetes"), load("diabetes", zero_features=100)
    assert padded.features.shape == (442, 110)
    np.testing.assert_array_equal(padded.features[:, :10], plain.features)
    assert not padded.features[:, 10:].any()
    np.testing.assert_array_equal(padded.split["test"], plain.split["test"])
    nodes = models.train("xgboost", padded, {"n_estimators": 5}, 0).ensemble.nodes
    assert nodes.feature.max() < 10


def test_blog_is_the_table_of_the_archive(small_files):
    with zipfile.ZipFile(small_files / blog.SOURCE.filename) as archive:
        table = np.loadtxt(archive.open("blogData_train.csv"), delimiter=",")
    dataset = load("blog")
    np.testing.assert_array_equal(dataset.features, table[:, :280])
    np.testing.assert_array_equal(dataset.target, table[:, 280])
    assert dataset.feature_names[276] == "attribute 277"


def test_a_table_of_another_width_is_no_blog(small_files, monkeypatch):
    monkeypatch.setattr(blog, "N_FEATURES", 279)
    with pytest.raises(DatasetError, match="281 columns instead of 280"):
        load("blog")


@pytest.mark.parametrize("loader", ["blog", "communities", "nhanes"])
def test_another_file_is_not_taken(small_files, tmp_path, monkeypatch, loader):
    monkeypatch.chdir(tmp_path)
    for path in small_files.glob("*.*"):
        path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(download.DownloadError, match=f"'{loader}'.* is another file"):
        load(loader)


def test_the_same_content_packed_another_time_is_taken(small_files, monkeypatch):
    before = load("blog")
    path = small_files / blog.SOURCE.filename
    path.write_bytes(path.read_bytes() + b"\n")
    known = replace(blog.SOURCE, equivalents=(download.file_sha256(path),))
    monkeypatch.setattr(blog, "SOURCE", known)
    np.testing.assert_array_equal(load("blog").features, before.features)


def test_a_checksum_of_an_equivalent_is_checked():
    with pytest.raises(ValueError, match="not a SHA-256 in lower case: 'ABC'"):
        replace(blog.SOURCE, equivalents=("ABC",))


def test_nhanes_leaves_out_who_was_not_followed_for_five_years(small_files):
    dataset = load("nhanes")
    rows = np.genfromtxt(small_files / nhanes.FEATURES.filename, delimiter=",", skip_header=1)
    # Of seven in a row: dead after 0, 3, 5 years; last seen alive after 0, 3, 5, 20 years.
    kept = np.isin(np.arange(42) % 7, [0, 1, 2, 5, 6])
    assert dataset.target.tolist() == [1, 1, 0, 0, 0] * 6
    np.testing.assert_array_equal(dataset.features[:, 0], rows[kept, 1])
    assert dataset.feature_names == ("Age", "BMI", "Iron")
    known = rows[kept, 2][~np.isnan(rows[kept, 2])]
    filled = dataset.features[[0, 5], 1]
    np.testing.assert_array_equal(filled, np.median(known))


def test_communities_have_no_identifiers_crimes_or_sparse_columns(small_files):
    dataset = load("communities")
    path = small_files / communities.SOURCE.filename
    rows = np.genfromtxt(path, delimiter=",", skip_header=1, usecols=(5, 6, 7, 24))
    kept = np.delete(np.arange(40), 2)  # the third has no target
    assert dataset.feature_names == ("population", "income")  # police is known of three only
    np.testing.assert_array_equal(dataset.features[:, 0], rows[kept, 0])
    np.testing.assert_array_equal(dataset.target, rows[kept, 3])
    assert dataset.features[1, 1] == np.nanmedian(rows[kept, 1])


def test_medians_fill_gaps_only():
    table = np.array([[1.0, np.nan], [np.nan, 4.0], [5.0, 8.0], [6.0, 0.0]])
    expected = [[1.0, 4.0], [5.0, 4.0], [5.0, 8.0], [6.0, 0.0]]
    np.testing.assert_array_equal(fill_with_medians(table), expected)
    assert np.isnan(table).sum() == 2


def test_a_survey_is_correlated_and_mixed(survey):
    features = survey.features
    correlation = np.abs(np.corrcoef(features.T)[np.triu_indices(79, 1)])
    # Independent columns would have a mean of sqrt(2 / (pi n)).
    assert correlation.mean() > 5 * np.sqrt(2 / (np.pi * survey.n_rows))
    binary = [set(np.unique(column)) == {0.0, 1.0} for column in features.T]
    assert sum(binary) == 79 // 3
    assert 0.05 < survey.target.mean() < 0.3
    assert set(np.unique(survey.target)) == {0.0, 1.0}


class Recording:
    """A generator that remembers what it drew last, by the name of the method."""

    def __init__(self, seed):
        self.rng, self.last = np.random.default_rng(seed), {}

    def __getattr__(self, name):
        def draw(*args, **kwargs):
            self.last[name] = getattr(self.rng, name)(*args, **kwargs)
            return self.last[name]

        return draw


def test_outcomes_of_a_survey_have_the_odds_of_its_interactions():
    rng = Recording(0)
    features, target = generated._survey(rng, 2000, 40)
    signs, uniform = rng.last["choice"], rng.last["random"]
    z = features[:, rng.last["permutation"][:8]]
    score = (signs / np.sqrt(np.arange(1, 9)) * z).sum(axis=1) + z[:, 0] * z[:, 1] - 3
    score += 2 * (z[:, 3:6].min(axis=1) > 0) - np.abs(z[:, 6] * z[:, 7])
    np.testing.assert_array_equal(target, uniform < 1 / (1 + np.exp(-score)))


def test_counts_are_mostly_zero_with_a_heavy_tail(counts):
    features, target = counts.features, counts.target
    assert (features >= 0).all()
    assert (features == np.round(features)).all()
    assert (features != 0).mean() < 0.25
    assert np.median((features != 0).mean(axis=0)) < 0.05
    pairs = np.random.default_rng(0).integers(len(features), size=(2, 500))
    assert (features[pairs[0]] == features[pairs[1]]).mean() > 0.75
    assert target.max() > 20 * target.mean()


@pytest.mark.parametrize("objective", ["reg:squarederror", "binary:logistic"])
def test_generated_targets_can_be_learnt(survey, counts, objective):
    dataset = counts if objective == "reg:squarederror" else survey
    params = {"n_estimators": 50, "learning_rate": 0.1, "objective": objective}
    score = models.train("xgboost", dataset, params, 0).score(*dataset.rows("test"))
    if objective == "reg:squarederror":
        assert score["r2"] > 0.3
    else:
        share = dataset.rows("test")[1].mean()
        entropy = -share * np.log(share) - (1 - share) * np.log(1 - share)
        assert score["log_loss"] < 0.9 * entropy


@pytest.mark.parametrize(
    ("loader", "params", "message"),
    [
        ("diabetes", {"zero_features": -1}, "zero_features must be an integer of at least 0"),
        ("generated", {"kind": "x", "n_rows": 9, "n_features": 9}, "unknown kind 'x'.*'survey'"),
        ("generated", {"kind": "survey", "n_rows": 1, "n_features": 9}, "n_rows must be"),
        ("generated", {"kind": "counts", "n_rows": 9, "n_features": 7}, "at least 8, got 7"),
    ],
)
def test_errors_name_the_culprit(loader, params, message):
    with pytest.raises(DatasetError, match=message):
        load(loader, **params)
