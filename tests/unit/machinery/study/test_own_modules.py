"""What one's own code is made of is found without being imported, and its content is digested."""

import os
import sys

import pytest

from shapaudit_audit.houses import SOURCE, house_of
from shapaudit_audit.study import dependencies
from shapaudit_audit.study.blocks.games import ModelBlock
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_audit.study.dependencies import code_of, outside_files, source_files
from shapaudit_audit.study.own import data_files, own_sources
from shapaudit_audit.study.own_estimators import estimator_files

FILES = {
    "mine.py": "import helper\nfrom nets.layers import wide\nfrom shapaudit import seeding\n",
    "helper.py": "import numpy\nimport mine\nimport statistics\n",  # a cycle
    "nets/__init__.py": "raise RuntimeError('imported')\n",
    "nets/layers.py": "from . import shapes\nfrom .deep.inner import f as wide\nimport beside\n",
    "nets/shapes.py": "",
    "nets/beside.py": "",
    "nets/deep/__init__.py": "",
    "nets/deep/inner.py": "def broken(:\n",
    "nets/deep/other.py": "",
    "other.py": "",
    "plain/model.py": "from ..other import x\nfrom plain import tools\n",
    "plain/tools.py": "",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of modules on Python's path."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def model(function=None, files=(), **params):
    """A model of one's own."""
    params |= {} if function is None else {"function": function}
    return ModelBlock(dataset="d", trainer="function", params=params, files=[*files])


def followed(folder, *sources):
    files = source_files(*sources)
    own = {path.relative_to(folder).as_posix() for path in files if path.is_relative_to(folder)}
    return own, {path for path in files if house_of(path)}


def test_modules_are_followed_at_any_depth_and_none_is_imported(folder):
    own, package = followed(folder, *own_sources(model("mine.predict")))
    nets = ("__init__", "layers", "shapes", "beside", "deep/__init__", "deep/inner")
    assert own == {"mine.py", "helper.py", *(f"nets/{name}.py" for name in nets)}
    assert SOURCE / "shapaudit" / "seeding.py" in package
    assert not {"mine", "helper", "nets"} & set(sys.modules)


def test_folders_without_init_are_packages_too(folder):
    own, _ = followed(folder, *own_sources(model("plain.model.predict")))
    assert own == {"plain/model.py", "plain/tools.py", "other.py"}


def test_what_is_installed_or_of_python_is_not_ones_own(folder):
    for dotted in ("numpy.sum", "statistics.mean", "sys.exit", "nowhere.f", "shapaudit.seeding.x"):
        assert outside_files(dotted) == []
    assert outside_files("nets.layers.f") == [
        folder / "nets" / "__init__.py",
        folder / "nets" / "layers.py",
    ]


def digest(block):
    dependencies._file_digest.cache_clear()
    dependencies._imports.cache_clear()
    code_of.cache_clear()
    return code_of(SOURCE / "shapaudit" / "seeding.py", *own_sources(block))


@pytest.mark.parametrize(
    "changed", ["helper.py", "nets/deep/inner.py", "w.txt", "more/a/b.bin", "table.csv"]
)
def test_a_change_of_content_is_seen_whatever_the_time_of_the_file(folder, changed):
    (folder / "more" / "a").mkdir(parents=True)
    for name in ("w.txt", "more/a/b.bin", "table.csv"):
        (folder / name).write_bytes(b"1")
    block = model("mine.predict", path="table.csv", files=["w.txt", "more"])
    before, path = digest(block), folder / changed
    assert digest(block) == before
    times = path.stat()
    path.write_bytes(path.read_bytes() + b"#")
    os.utime(path, (times.st_atime, times.st_mtime - 1e6))
    assert digest(block) != before


def test_a_file_that_is_missing_is_left_to_the_rule_that_needs_it(folder):
    block = model(path="no.json", files=["no.txt"])
    assert data_files(block) == ["no.json", "no.txt"]
    assert source_files(*own_sources(block)) == []
    assert data_files(model(path=3)) == own_sources(model(3)) == []


def test_an_estimator_of_ones_own_brings_its_modules_and_files(folder):
    (folder / "unique_nets").mkdir()
    for name in ("unique_nets/__init__.py", "unique_other.py", "w.txt"):
        (folder / name).write_text("", encoding="utf-8")
    (folder / "unique_nets" / "own.py").write_text(
        "import unique_other\nfrom dataclasses import dataclass\n"
        "from shapaudit.estimators import Estimator\n\n\n"
        "@dataclass(frozen=True)\nclass Mine(Estimator):\n    pass\n",
        encoding="utf-8",
    )
    named = {"estimator": "unique_nets.own.Mine"}
    for block in (named, {"estimator": "normalised", "params": named}):
        mine = EstimatorBlock(**block, files=["w.txt"])
        own, _ = followed(folder, *estimator_files({"mine": mine}))
        nets = {"unique_nets/__init__.py", "unique_nets/own.py"}
        assert own == {*nets, "unique_other.py", "w.txt"}
    files = estimator_files({"k": EstimatorBlock(estimator="kernel-shap")})
    assert files == ["shapaudit/estimators/kernel.py"]
