"""The files of MNIST: what is read from them, and what is said of others."""

import gzip

import numpy as np
import pytest

from shapaudit import datasets
from shapaudit.datasets import DatasetError, download, mnist


@pytest.fixture
def files(small_files, monkeypatch):
    """The small files, read anew in each test, and no network."""
    mnist._pooled.cache_clear()

    def refused(source, directory, patience=None):
        path, _ = download._on_disk(source, small_files)
        if path is None:
            raise download.DownloadError(f"no {source.filename}")
        return path

    monkeypatch.setattr(download, "fetch", refused)
    yield small_files
    mnist._pooled.cache_clear()


def load():
    return datasets.load("mnist", {}, np.random.default_rng(0))


def content(path):
    return gzip.decompress(path.read_bytes())


def test_training_images_come_before_those_of_the_test(files):
    images = load()
    parts = [files / source[0].filename for source in (mnist.TRAINING, mnist.TEST)]
    pixels = np.concatenate([np.frombuffer(content(path)[16:], np.uint8) for path in parts])
    np.testing.assert_array_equal(images.features, pixels.reshape(-1, 784) / 255)
    assert images.target.tolist() == [k % 10 for n in (30, 12) for k in range(n)]
    assert images.provenance == "MNIST"
    assert images.feature_names[27:29] == ("pixel 1,28", "pixel 2,1")


def test_the_test_images_do_where_the_others_are_missing(files, caplog):
    (files / mnist.TRAINING[1].filename).unlink()
    images = load()
    assert len(images.features) == 12
    assert images.provenance.startswith("MNIST, its test images only: the training images could")
    assert "only the 10,000 test images of MNIST are used: no train-labels" in caplog.text


@pytest.mark.parametrize(
    "change",
    [
        lambda old: b"\1" + old[1:],
        lambda old: old[:2] + b"\x09" + old[3:],
        lambda old: old[:-1],
        lambda old: old + b"\0",
    ],
)
def test_another_format_is_refused(change):
    array = bytes([0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3]) + bytes(range(6))
    assert mnist._idx(array, "file").tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(DatasetError, match="file is not an IDX file of unsigned bytes"):
        mnist._idx(change(array), "file")


def test_images_and_labels_must_fit(files, monkeypatch):
    monkeypatch.setattr(mnist, "TEST", (mnist.TEST[0], mnist.TRAINING[1]))
    with pytest.raises(DatasetError, match=r"\(12, 28, 28\) images and \(30,\) labels do not fit"):
        load()
