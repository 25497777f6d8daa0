"""The descriptions of the environment agree: project, lock files, conda, image, citation."""

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from places import ROOT

import shapaudit

# The two builds of XGBoost on the index are one package on conda-forge.
CONDA_NAMES = {"xgboost": "py-xgboost", "xgboost-cpu": "py-xgboost"}

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text())
LOCK = (ROOT / "requirements.lock").read_text()
LOCKED = [
    (Requirement(entry.split("\\")[0].strip()), entry)
    for entry in re.split(r"\n(?=\S)", LOCK)
    if not entry.startswith("#")
]


def requirements():
    extras = PROJECT["optional-dependencies"].values()
    groups = (PROJECT["dependencies"], *extras)
    named = [Requirement(text) for group in groups for text in group]
    return [
        requirement for requirement in named if requirement.name != PROJECT["name"]
    ]  # an extra may name others


def test_versions_agree():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert PROJECT["version"] == shapaudit.__version__ == citation["version"]


@pytest.mark.parametrize("requirement", requirements(), ids=lambda r: r.name)
def test_each_dependency_is_locked_within_its_range(requirement):
    pins = [locked.specifier for locked, _ in LOCKED if locked.name == requirement.name]
    versions = [clause.version for pin in pins for clause in pin]
    assert versions
    assert all(requirement.specifier.contains(version) for version in versions)


def test_lock_pins_every_entry_with_a_hash():
    assert len(LOCKED) > len(requirements())
    for locked, entry in LOCKED:
        assert [clause.operator for clause in locked.specifier] == ["=="], locked.name
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry), locked.name


def test_the_lock_of_the_peers_has_their_versions_with_hashes():
    entries = re.split(r"\n(?=\S)", (ROOT / "benchmarks" / "requirements.lock").read_text())
    locked = [(Requirement(entry.split("\\")[0].strip()), entry) for entry in entries[2:]]
    assert all("--hash=sha256:" in entry for _, entry in locked)
    pins = {
        (requirement.name.replace("-", "_"), str(requirement.specifier))
        for requirement, _ in locked
    }
    lines = (ROOT / "benchmarks" / "requirements.txt").read_text().splitlines()
    wanted = [Requirement(text) for line in lines if (text := line.split("#")[0].strip())]
    assert {
        (requirement.name.replace("-", "_"), str(requirement.specifier)) for requirement in wanted
    } <= pins
    assert {name for name, _ in pins} >= {
        requirement.name.replace("-", "_") for requirement in requirements()[:3]
    }


def test_the_image_is_made_of_what_is_there():
    text = (ROOT / "Dockerfile").read_text()
    scripts = re.findall(r"workflow/setup/\S+\.sh", text)
    assert len(set(scripts)) == 2
    assert all((ROOT / script).is_file() for script in scripts)
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert {".venv", "results", "logs", "data", ".snakemake"} <= set(ignored)


def test_lock_names_no_address():
    text = re.sub(r"^#.*$", "", LOCK, flags=re.MULTILINE)
    options = set(re.findall(r"--[a-z-]+", text))
    assert options == {"--hash"}
    assert not re.search(r"://| @ |/", LOCK)


def test_conda_names_and_ranges_are_those_of_the_project():
    wanted = {(CONDA_NAMES.get(r.name, r.name), str(r.specifier)) for r in requirements()}
    wanted.add(("python", PROJECT["requires-python"]))
    *listed, by_pip = ENVIRONMENT["dependencies"]
    listed.remove("pip")
    listed = [dependency.split(" ") for dependency in (*listed, *by_pip["pip"])]
    assert sorted((name, str(SpecifierSet(range_))) for name, range_ in listed) == sorted(wanted)
