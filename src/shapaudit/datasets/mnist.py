"""Handwritten digits: MNIST (LeCun, Cortes & Burges)."""

import gzip
import logging
import os
from functools import cache
from pathlib import Path

import numpy as np

from ..registers import loader
from . import download
from .base import Dataset, DatasetError, three_parts

SIDE = 28
Files = tuple[download.Source, download.Source]  # images and labels
TEST_ONLY = "its 10,000 test images instead of all 70,000"

logger = logging.getLogger(__name__)


def _source(
    kind: str, size: int, sha256: str, *equivalents: str, without: str = ""
) -> download.Source:
    filename = f"{kind}-ubyte.gz"
    return download.Source(
        name="mnist",
        url=f"https://storage.googleapis.com/cvdf-datasets/mnist/{filename}",
        size=size,
        sha256=sha256,
        filename=filename,
        licence="CC BY-SA 3.0",
        mirrors=(f"https://ossci-datasets.s3.amazonaws.com/mnist/{filename}",),
        equivalents=equivalents,
        without=without,
    )


# Images and labels; the equivalents hold the same bytes, compressed another time.
TEST = (
    _source(
        "t10k-images-idx3",
        1_648_877,
        "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
        "167310007f03058885c7e95e6c0b19c20de5c7fd3031f4cbdadc9014a523d80b",
    ),
    _source(
        "t10k-labels-idx1",
        4_542,
        "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
        "fc607395669ec21321ea83e4b82c0544b7e8e63ff5b34337c06bc0a17cc0da3c",
    ),
)
TRAINING = (
    _source(
        "train-images-idx3",
        9_912_422,
        "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
        without=TEST_ONLY,
    ),
    _source(
        "train-labels-idx1",
        28_881,
        "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
        without=TEST_ONLY,
    ),
)


@loader("mnist")
def load(rng: np.random.Generator) -> Dataset:
    """Images of 28 x 28 pixels in [0, 1], row by row, and the digit.

    All 70,000 images; only the 10,000 of the published test set where the others cannot be had,
    which is logged and said by `provenance`. The split into three parts is drawn from `rng`.

    Raises
    ------
    DownloadError
        When the test set is not there and cannot be downloaded.
    """
    folder = Path(download.DIRECTORY).resolve()
    named = os.environ.get(download.DATA_VARIABLE)
    images, labels, missing = _pooled(folder, named, TEST, TRAINING)
    return Dataset(
        name="mnist",
        features=images.reshape(len(images), -1) / 255,
        target=labels,
        feature_names=tuple(f"pixel {j // SIDE + 1},{j % SIDE + 1}" for j in range(SIDE**2)),
        split=three_parts(len(images), rng),
        provenance=f"MNIST{missing}",
    )


@cache
def _pooled(
    folder: Path, named: str | None, test: Files, training: Files
) -> tuple[np.ndarray, np.ndarray, str]:
    """All images and labels, and what is missing of them, with files in ``folder`` or ``named``.

    Read once by a process, which splits them anew for each model that it trains, and which would
    otherwise wait each time for a download that fails.
    """
    pools, missing = [_read(test, folder)], ""
    try:
        pools.insert(0, _read(training, folder))
    except download.DownloadError as error:
        logger.warning("only the 10,000 test images of MNIST are used: %s", error)
        missing = ", its test images only: the training images could not be had"
    images, labels = (np.concatenate(parts) for parts in zip(*pools, strict=True))
    return images, labels, missing


def _read(sources: Files, folder: Path) -> list[np.ndarray]:
    """Images (n, 28, 28) and labels (n,) of two files."""
    arrays = []
    for source in sources:
        path = download.fetch(source, folder)
        arrays.append(_idx(gzip.decompress(path.read_bytes()), str(path)))
    images, labels = arrays
    if images.shape != (len(labels), SIDE, SIDE):
        raise DatasetError(
            f"dataset 'mnist': {images.shape} images and {labels.shape} labels do not fit together"
        )
    return arrays


def _idx(content: bytes, path: str) -> np.ndarray:
    """Array of unsigned bytes in the IDX format: two zeros, the type 8, dimensions, sizes."""
    dimensions = content[3]
    start = 4 + 4 * dimensions
    shape = np.frombuffer(content[4:start], dtype=">u4").tolist()
    if content[:3] != b"\0\0\x08" or len(content) != start + np.prod(shape):
        raise DatasetError(f"dataset 'mnist': {path} is not an IDX file of unsigned bytes")
    return np.frombuffer(content, dtype=np.uint8, offset=start).reshape(shape)
