"""The files that loaders download: what is known of each, and having all of them at once."""

import re
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

import pytest

from shapaudit import datasets
from shapaudit.datasets import LOADERS, blog, inventory, toy
from shapaudit.datasets.download import DATA_VARIABLE, Patience, Source, file_sha256, held

PLACES = datasets.__path__

FILES = inventory.files_of(LOADERS)
ONCE = Patience(attempts=1, timeout=0.1)


@pytest.mark.parametrize("source", FILES, ids=lambda source: source.filename)
def test_each_file_has_a_size_a_licence_and_two_places(source):
    assert source.size > 0
    assert re.fullmatch(r"CC BY.* \d\.0|Apache-2\.0|public domain", source.licence)
    hosts = [re.fullmatch(r"https://([^/]+)/.+", url)[1] for url in source.addresses]
    assert len(set(hosts)) >= 2
    assert not re.search(r"/(master|main)/", source.url)  # what a branch holds changes
    assert all("{" not in url for url in source.addresses)


def test_files_have_names_of_their_own():
    names = [source.filename for source in FILES]
    assert len(set(names)) == len(names)


def test_loaders_that_download_nothing_have_no_files():
    assert inventory.files_of(["diabetes", "gaussian", "csv"]) == ()
    assert inventory.files_of(["blog", "blog"]) == (blog.SOURCE,)


def test_every_source_of_a_module_is_in_the_inventory():
    modules = (import_module(f"{datasets.__name__}.{info.name}") for info in iter_modules(PLACES))
    values = (value for module in modules for value in vars(module).values())
    each = (item for value in values for item in (value if isinstance(value, tuple) else [value]))
    assert {item for item in each if isinstance(item, Source)} == set(FILES)


def test_what_is_there_is_found_and_the_others_are_told(small_files, tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    nowhere = {"url": "http://127.0.0.1:1/data", "mirrors": ("http://127.0.0.1:1/other",)}
    (small_files / blog.SOURCE.filename).unlink()
    files = [replace(blog.SOURCE, **nowhere), toy.SOURCE]
    lacking, there = inventory.supply(files, tmp_path / "data", patience=ONCE)
    assert there.paths == (small_files / toy.SOURCE.filename,)
    assert not lacking.paths
    assert lacking.fault.count("127.0.0.1:1: no connection") == 2
    assert inventory.supply(files[:1], tmp_path, offline=True)[0].fault == "not on disk"


def test_other_files_serve_instead_only_together_and_unchanged(tmp_path, monkeypatch):
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    names = ("a.csv", "b.csv")
    for name in names:
        (tmp_path / name).write_text(name)
    instead = tuple((name, file_sha256(tmp_path / name)) for name in names)
    source = replace(toy.SOURCE, instead=instead)
    assert held(source, tmp_path) == tuple(tmp_path / name for name in names)
    for name in names:  # of the first one some digests are below that which is wanted
        for number in range(4):
            (tmp_path / name).write_text(f"changed {number}")
            assert held(source, tmp_path) == ()
        (tmp_path / name).write_text(name)
    (tmp_path / "b.csv").unlink()
    assert held(source, tmp_path) == ()


def test_a_folder_that_is_a_file_is_told(tmp_path, monkeypatch):
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    (tmp_path / "data").write_text("")
    (supply,) = inventory.supply([blog.SOURCE], tmp_path / "data", patience=ONCE)
    assert supply.fault == f"{tmp_path / 'data'}: File exists"
    assert (supply.paths, supply.fetched) == ((), False)
