"""Files of the user in a folder that he names are never overwritten, whatever is saved there."""

import json

import numpy as np
import pytest

from shapaudit import explainers, removals
from shapaudit.datasets import Dataset
from shapaudit.models import LinearModel, XGBoostModel
from shapaudit.models.perceptron import Perceptron
from shapaudit.own_files import MARKER, FolderError, OwnFolder

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(20, 3))
LINEAR = LinearModel(np.arange(3.0), 1.0)
DATA = Dataset(
    "mine",
    ROWS,
    None,
    ("a", "b", "c"),
    {"train": np.arange(15), "test": np.arange(15, 20)},
    "drawn",
)
FITTED = explainers.create("linear").fit(LINEAR, ROWS)
REMOVAL = removals.create("marginal", {"rows": 5}).fit(LINEAR, DATA, RNG)


def test_what_was_written_is_recognised_and_may_be_written_again(tmp_path):
    folder = OwnFolder(tmp_path / "new")
    folder.write({"a.csv": "1", "b.csv": "é"})
    folder.write({"a.csv": "2"})
    folder.write({"c.csv": "3"})
    OwnFolder(tmp_path / "new").write({"b.csv": "4", "a.csv": "2"})
    texts = {path.name: path.read_text() for path in (tmp_path / "new").glob("*.csv")}
    assert texts == {"a.csv": "2", "b.csv": "4", "c.csv": "3"}


def test_a_file_of_the_user_stays_and_so_do_all_others(tmp_path):
    (tmp_path / "b.csv").write_text("mine")
    with pytest.raises(FolderError, match=r"b\.csv was not written by shapaudit, and is not"):
        OwnFolder(tmp_path).write({"a.csv": "1", "b.csv": "2"})
    assert [path.name for path in tmp_path.iterdir()] == ["b.csv"]
    assert (tmp_path / "b.csv").read_text() == "mine"


def test_a_file_that_was_changed_belongs_to_the_user(tmp_path):
    OwnFolder(tmp_path).write({"a.yaml": "1"})
    (tmp_path / "a.yaml").write_text("edited")
    with pytest.raises(FolderError, match=r"has been changed since shapaudit wrote it"):
        OwnFolder(tmp_path).check(["a.yaml"])
    (tmp_path / "a.yaml").unlink()
    OwnFolder(tmp_path).write({"a.yaml": "2"})


def test_an_interruption_between_two_files_leaves_none_that_is_foreign(tmp_path):
    OwnFolder(tmp_path).write({"a": "1", "b": "1"})
    OwnFolder(tmp_path).write({"a": "2", "b": "2"})
    (tmp_path / "b").write_text("1")  # as it would be had the run ended after a
    OwnFolder(tmp_path).write({"a": "3", "b": "3"})


@pytest.mark.parametrize("content", ["[]", "no JSON", '{"program": "other", "files": {}}'])
def test_a_list_that_is_not_ours_is_left_alone(tmp_path, content):
    (tmp_path / MARKER).write_text(content)
    with pytest.raises(FolderError, match=f"{MARKER} was not written by shapaudit"):
        OwnFolder(tmp_path).write({"a": "1"})
    assert (tmp_path / MARKER).read_text() == content


def test_places_that_cannot_be_written_to_are_named(tmp_path):
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "file" / "below", "/proc/shapaudit"):
        with pytest.raises(FolderError, match=r"cannot be written to \(.+\); name another folder"):
            OwnFolder(place).check([])
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FolderError, match="link was not written"):
        OwnFolder(tmp_path).check(["link"])


SAVED = {
    "model.json": LINEAR.save,
    "perceptron.npz": Perceptron((np.ones((3, 1)),), (np.ones(1),)).save,
    "xgboost.json": XGBoostModel(b"{}").save,
    "explainer.json": lambda folder: explainers.save(FITTED, folder),
    "explainer.npz": lambda folder: explainers.save(FITTED, folder),
    "removal.json": REMOVAL.save,
    "removal.npz": REMOVAL.save,
}


@pytest.mark.parametrize("name", SAVED)
def test_models_explainers_and_removals_overwrite_only_their_own(tmp_path, name):
    (tmp_path / name).write_text(json.dumps({"learner": "of the user"}))
    with pytest.raises(FolderError, match=f"{name} was not written by shapaudit"):
        SAVED[name](tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert "of the user" in (tmp_path / name).read_text()
    for _ in range(2):
        SAVED[name](tmp_path / "new")
    assert (tmp_path / "new" / name).exists()
