"""Seeds of repetitions that follow from the code of the checks."""

import ast

import pytest
from msgspec.structs import replace
from small_site import own_study

from shapaudit_audit.papers import PAPERS, folder_of
from shapaudit_audit.study.blocks.study import RepetitionBlock
from shapaudit_audit.study.fresh_seeds import (
    SHOWN,
    logic_of,
    repetition_seeds,
    seed_of_checks,
)

PARTS = ("audit", "papers", "statistics")
SOURCE = (
    '"""A check."""\n\nLIMIT = 0.5\n\n\ndef check(x):\n    return "yes" if x < LIMIT else "no"\n'
)


@pytest.fixture
def package(tmp_path):
    for part in PARTS:
        (tmp_path / part).mkdir()
        (tmp_path / part / "check.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def seed_after(package, part, source):
    (package / part / "check.py").write_text(source, encoding="utf-8")
    seed_of_checks.cache_clear()
    folders = tuple(package / name for name in PARTS)
    return seed_of_checks(folders, package / "kept")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ('"yes"', '"it does"', True),
        ("A check.", "Another text.", True),
        ("x < LIMIT", "x  <  LIMIT", True),
        ("0.5", "0.6", False),
        ("<", "<=", False),
        ("x < LIMIT", "x > LIMIT", False),
    ],
)
def test_the_seed_follows_the_logic_and_not_the_words(package, part, before, after, same):
    first = seed_after(package, part, SOURCE)
    second = seed_after(package, part, SOURCE.replace(before, after))
    assert (first == second) == same
    assert 0 <= second < 2**32
    assert seed_after(package, part, SOURCE) == first


def test_a_seed_is_kept_by_the_contents_of_the_files(package):
    seed = seed_after(package, "audit", SOURCE)
    (kept,) = (package / "kept").iterdir()
    kept.write_text("5\n", encoding="utf-8")
    assert seed_after(package, "audit", SOURCE) == 5 != seed
    assert seed_after(package, "audit", SOURCE + "\n") == seed


def test_seeds_are_those_of_the_configuration_in_its_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    seed_of_checks.cache_clear()
    repetition = RepetitionBlock(seeds=[7, "from-checks", 3], estimators=[])
    study = own_study("a")
    first, fresh, last = repetition_seeds(replace(study, repetition=repetition))
    assert (first, last) == (7, 3)
    assert fresh == seed_of_checks()
    assert repetition_seeds(study) == []


def test_texts_do_not_count_as_logic():
    assert logic_of('x = "a"') == logic_of("x = 'b'  # said otherwise")
    assert logic_of("x = 1") != logic_of("x = 2")


def test_the_place_of_what_is_imported_does_not_count_as_logic():
    text = "from {} import bound\n\nx = bound(1)"
    assert logic_of(text.format("theory")) == logic_of(text.format("..theory.constants"))
    assert logic_of(text.format("theory")) != logic_of("x = bound(1)")


@pytest.mark.parametrize("name", ["figures/plot.py", "tables/values.py", "originals.py"])
def test_what_a_paper_only_shows_changes_no_seed(package, name):
    first = seed_after(package, "audit", SOURCE)
    path = package / "papers" / "one" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SOURCE, encoding="utf-8")
    assert seed_after(package, "audit", SOURCE) == first
    path.replace(path.with_name("evidence.py"))
    assert (seed_after(package, "audit", SOURCE) == first) == ("/" in name)


@pytest.mark.parametrize("part", ["claims", "evidence"])
def test_nothing_that_judges_reads_what_is_only_shown(part):
    modules = {f"{paper}.{shown}" for paper in PAPERS for shown in SHOWN}
    folders = {folder_of(paper).parent for paper in PAPERS}
    for path in (file for folder in folders for file in folder.glob(f"*/{part}/**/*.py")):
        here = path.relative_to(path.parents[-1]).parent.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                above = here[: len(here) + 1 - node.level] if node.level else ()
                asked = ".".join([*above, *filter(None, [node.module])])
                named = {asked, *(f"{asked}.{alias.name}" for alias in node.names)}
                assert not [name for name in named if any(module in name for module in modules)]
