"""External files of a study: what is missing, what that holds up, what is smaller without them."""

import pytest
from places import ROOT

from shapaudit.datasets import blog, download, mnist
from shapaudit_audit.study import external
from shapaudit_audit.study.overlays import ConfigError
from shapaudit_audit.study.reading import read_study

FULL = read_study(ROOT / "config" / "full.yaml")


@pytest.fixture
def tests_only(small_files):
    """Every file but the training images of MNIST and their labels; the folder."""
    for source in mnist.TRAINING:
        (small_files / source.filename).unlink()
    return small_files


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """No file on disk, and no network."""
    monkeypatch.delenv(download.DATA_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)

    def refused(source, directory, patience=None):
        raise download.DownloadError("no", {"https://one/x": "down", "https://two/x": "gone"})

    monkeypatch.setattr(download, "fetch", refused)


def test_the_default_study_downloads_nothing_and_the_full_one_does():
    assert external.datasets_of(read_study(ROOT / "config" / "config.yaml")) == {}
    assert set(external.datasets_of(FULL)) == {
        "bdb-toy", "blog", "communities", "credit", "credit-bias", "mnist", "nhanes"
    }  # fmt: skip
    assert external.datasets_of(FULL, ["diabetes", "blog"]) == {"blog": (blog.SOURCE,)}


def test_a_run_is_refused_with_what_each_file_holds_up(offline):
    with pytest.raises(ConfigError) as caught:
        external.fetched_or_refused(FULL, ["blog", "diabetes"])
    told = str(caught.value)
    assert blog.SOURCE.sha256 in told
    assert "of blog (for chen-published-blog, chen-blog): one: down; two: gone" in told
    assert "nhanes" not in told
    assert "shapaudit-audit data" in told


def test_what_can_be_done_without_is_left_out_and_said(offline, tests_only, monkeypatch):
    monkeypatch.setenv(download.DATA_VARIABLE, str(tests_only))
    (line,) = external.fetched_or_refused(FULL, ["mnist"])
    assert line.startswith("Left out: mnist (for okhrati-maps-mnist, okhrati-mnist, mnist) is its")
    assert mnist.TEST_ONLY in line
    assert all(source.filename in line for source in mnist.TRAINING)


def test_nothing_is_said_where_everything_is_there(offline, small_files, monkeypatch):
    monkeypatch.setenv(download.DATA_VARIABLE, str(small_files))
    assert external.fetched_or_refused(FULL, ["blog", "credit-bias", "bdb-toy"]) == []
    assert external.fetched_or_refused(FULL, []) == []


def test_the_account_has_a_row_for_each_file(offline, tests_only, monkeypatch):
    monkeypatch.setenv(download.DATA_VARIABLE, str(tests_only))
    supplies = external.supply_study(FULL, ["blog", "mnist"], offline=True)
    rows = external.account(supplies)
    assert [row[3] for row in rows] == [
        str(tests_only / blog.SOURCE.filename),
        *(str(tests_only / source.filename) for source in mnist.TEST),
        "missing",
        "missing",
    ]


@pytest.mark.parametrize(
    ("count", "text"), [(999, "999 bytes"), (1000, "1.0 kB"), (1_648_877, "1.6 MB")]
)
def test_sizes_are_in_units_that_are_read_easily(count, text):
    assert external.size(count) == text
