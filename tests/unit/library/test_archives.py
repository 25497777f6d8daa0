"""A damaged archive of arrays is refused in words, whatever NumPy raises for it."""

import numpy as np
import pytest

from shapaudit import Explanation
from shapaudit.archives import UNREADABLE
from shapaudit.datasets import DatasetError, LinearMechanism, read
from shapaudit.datasets.game_files import read_game
from shapaudit.explanations.saving import ExplanationFileError
from shapaudit.models import ModelError
from shapaudit.models.read_layers import read_layers


@pytest.fixture(params=[np.savez, np.savez_compressed], ids=["plain", "compressed"])
def archive(request, tmp_path):
    """The bytes of an archive with two arrays."""
    path = tmp_path / "whole.npz"
    rng = np.random.default_rng(0)
    request.param(path, weights0=rng.normal(size=(4, 1)), values=np.arange(8.0))
    return path.read_bytes()


def load(path):
    """All arrays of an archive."""
    with np.load(path, allow_pickle=False) as file:
        return [file[key] for key in file.files]


def damaged(content, seed):
    """The bytes with a few others in some places, or cut off."""
    rng = np.random.default_rng(seed)
    changed = bytearray(content)
    for place in rng.integers(len(changed), size=rng.integers(1, 40)):
        changed[place] = rng.integers(256)
    return bytes(changed[: rng.integers(len(changed))] if seed % 4 == 0 else changed)


READERS = {
    "arrays": (load, UNREADABLE),
    "game": (read_game, DatasetError),
    "data set": (read, DatasetError),
    "mechanism": (LinearMechanism.load, DatasetError),
    "network": (read_layers, ModelError),
    "explanation": (Explanation.load, ExplanationFileError),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_raises_its_own_error_for_what_is_damaged(archive, tmp_path, reader):
    reads, error = READERS[reader]
    path = tmp_path / "damaged.npz"
    refused = 0
    for seed in range(60):
        path.write_bytes(damaged(archive, seed))
        try:
            reads(path)
        except error:
            refused += 1
    assert refused > 40
