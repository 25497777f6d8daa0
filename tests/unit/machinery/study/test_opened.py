"""Files that a model reads without naming them are found while it runs."""

import os
from importlib.util import cache_from_source

import numpy as np
import pytest
from msgspec.structs import replace

from shapaudit import datasets, models
from shapaudit_audit.study.blocks.games import ModelBlock
from shapaudit_audit.study.opened import UnnamedFiles, opened_files, require_named
from shapaudit_audit.study.own import own_sources

SOURCE = """
from importlib import import_module
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
WEIGHTS = np.loadtxt(HERE / "data" / "weights.txt")
(HERE / "notes.txt").write_text("written, not read")
os_level = __import__("os").open(HERE / "data" / "low.bin", 0)
helper = import_module("dynamic_" + "helper")


def predict(rows):
    return rows @ WEIGHTS + helper.constant
"""


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """The block of a model in a folder of its own, and what it has opened."""
    name = f"own_{tmp_path.name}"
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "weights.txt").write_text("1\n2\n3\n", encoding="utf-8")
    (tmp_path / "data" / "low.bin").write_bytes(b"1")
    (tmp_path / "dynamic_helper.py").write_text("constant = 1.0\n", encoding="utf-8")
    (tmp_path / f"{name}.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "dynamic_helper", raising=False)
    dataset = datasets.load("gaussian", {"n_rows": 60, "n_features": 3}, np.random.default_rng(0))
    block = ModelBlock(dataset="d", trainer="function", params={"function": f"{name}.predict"})
    with opened_files() as noted:
        models.train("function", dataset, block.params, 0)
    return block, noted


def test_files_that_are_not_named_are_told(opened):
    block, noted = opened
    named = r"files: \[data/low.bin, data/weights.txt, dynamic_helper.py\]"
    with pytest.raises(UnnamedFiles, match=rf"^models\.mine: .* add {named} to models\.mine"):
        require_named("models.mine", own_sources(block), noted)


@pytest.mark.parametrize("files", [["data", "dynamic_helper.py"], ["data/low.bin", "."]])
def test_files_and_folders_that_are_named_are_fine(opened, files):
    block, noted = opened
    require_named("models.mine", own_sources(replace(block, files=files)), noted)


def test_nothing_is_noted_afterwards(opened, tmp_path):
    _, noted = opened
    before = len(noted)
    (tmp_path / "data" / "low.bin").read_bytes()
    assert len(noted) == before


def test_other_folders_count_but_those_of_the_system_do_not(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "weights.bin").write_bytes(b"1")
    opened = {str(tmp_path / "weights.bin"), os.path.realpath("/etc/passwd"), np.__file__}
    require_named("models.mine", [], opened)  # the folder for temporary files
    monkeypatch.setattr("shapaudit_audit.study.opened.ELSEWHERE", ())
    with pytest.raises(UnnamedFiles, match=r"\.\./weights\.bin"):
        require_named("models.mine", [], opened - {os.path.realpath("/etc/passwd")})


def test_bytecode_stands_for_the_module_that_it_was_compiled_from(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "helper.py").write_text("constant = 1.0\n", encoding="utf-8")
    compiled = cache_from_source(str(tmp_path / "helper.py"))
    (tmp_path / "alone.pyc").write_bytes(b"")
    with pytest.raises(UnnamedFiles, match=r"add files: \[alone\.pyc, helper\.py\]"):
        require_named("models.mine", [], {compiled, str(tmp_path / "alone.pyc")})
