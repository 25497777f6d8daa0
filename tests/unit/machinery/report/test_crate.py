"""The crate of a study says what its files are, and which inputs, steps and versions made them."""

import json
import os
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from places import ROOT

from shapaudit.datasets import toy
from shapaudit_audit.report.crate import METADATA, PROFILES, WORKFLOW, write_crate
from shapaudit_audit.study.sealed import write_document

VALIDATOR = ROOT / "build" / "crate-validator" / "bin" / "rocrate-validator"
PROVENANCE = {
    "study": "tiny",
    "seed": 7,
    "python": "3.12.1",
    "packages": {"numpy": "2.1.0", "snakemake": "9.17.0"},
    "git": {"commit": "0" * 40, "dirty": False},
    "system": "Linux x86_64",
    "processor": "one of them",
}
RULES = {
    "run_estimators": "Running estimators",
    "run": "Another",
    "render": "Drawing {wildcards.notebook}",
    "idle": "Waiting",
}


@pytest.fixture
def results(tmp_path):
    """Results of a study, and the times of its jobs beside them."""
    folder, benchmarks = tmp_path / "results", tmp_path / "benchmarks"
    for name in ("claims/my claims.json", "paper/build/report.aux", ".hidden/file"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "study.yaml").write_text("study: tiny\n")
    write_document(folder / "provenance.json", PROVENANCE)
    names = ("run_estimators/a/b", "repetitions/9/run_estimators/a/b", "render_audit", "strange")
    for name in names:
        path = benchmarks / f"{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("s\th:m:s\n1.5\t0:00:01\n")
    return folder


def write(results, sources=(toy.SOURCE,)):
    path = write_crate(results, ROOT, RULES, results.parent / "benchmarks", sources)
    return path and {entity["@id"]: entity for entity in json.loads(path.read_text())["@graph"]}


def ids(references):
    return [reference["@id"] for reference in references]


def test_every_file_is_described_with_its_checksum(results):
    graph = write(results)
    parts = ids(graph["./"]["hasPart"])
    assert {"claims/my%20claims.json", "study.yaml", "provenance.json", WORKFLOW} <= {*parts}
    assert not any("hidden" in part or "build" in part for part in parts)
    assert (
        graph["claims/my%20claims.json"]["sha256"] == sha256(b"claims/my claims.json").hexdigest()
    )
    assert graph["claims/my%20claims.json"]["contentSize"] == "21"
    on_disk = {part for part in parts if "://" not in part}
    assert all((results / part.replace("%20", " ")).is_file() for part in on_disk)
    copied = (results / WORKFLOW).read_text(encoding="utf-8")
    assert copied == (ROOT / "Snakefile").read_text(encoding="utf-8")


def test_the_run_has_inputs_steps_versions_and_outputs(results):
    graph = write(results)
    run, workflow = graph["#run"], graph[WORKFLOW]
    assert ids(run["object"]) == ["study.yaml", toy.SOURCE.url]
    assert graph[toy.SOURCE.url]["sha256"] == toy.SOURCE.sha256
    assert set(ids(run["result"])) == {"claims/my%20claims.json", "provenance.json"}
    steps = {graph[step]["name"]: graph[step]["description"] for step in ids(workflow["step"])}
    assert steps == {
        "render": "jobs: 1; seconds: 1.5",
        "run_estimators": "Running estimators; jobs: 2; seconds: 3.0",
    }
    software = [graph[key] for key in ids(workflow["softwareRequirements"])]
    versions = {entity["name"]: entity["softwareVersion"] for entity in software}
    assert versions == {"python": "3.12.1", **PROVENANCE["packages"]}
    for entity, parameter in zip(ids(run["object"]), ids(workflow["input"]), strict=True):
        assert graph[entity]["exampleOfWork"]["@id"] == parameter
        assert graph[parameter]["workExample"]["@id"] == entity


def test_nothing_is_referred_to_that_is_not_described(results):
    graph = write(results)

    def references(value):
        if isinstance(value, list):
            return [one for part in value for one in references(part)]
        return [value["@id"]] if isinstance(value, dict) else []

    outside = {"https://w3id.org/ro/crate/1.1", "https://snakemake.readthedocs.io"}
    found = {one for entity in graph.values() for own in entity.values() for one in references(own)}
    assert found - outside <= {*graph}
    assert ids(graph["./"]["conformsTo"]) == [*PROFILES]


def test_the_crate_does_not_describe_itself_and_is_the_same_when_written_again(results):
    first = write(results)
    again = write(results)
    assert first == again
    assert METADATA not in ids(again["./"]["hasPart"])


@pytest.mark.parametrize("missing", ["study.yaml", "provenance.json"])
def test_unfinished_results_are_no_crate(results, missing):
    (results / missing).unlink()
    assert write(results) is None
    assert not (results / METADATA).exists()


@pytest.mark.skipif(
    not VALIDATOR.exists() and "CI" not in os.environ, reason="`make test` installs the validator"
)
@pytest.mark.parametrize(
    ("lost", "told"), [("", "is a valid"), ("file", "study.yaml"), ("workflow", "mainEntity")]
)
def test_the_validator_accepts_it_unless_something_is_missing(results, lost, told):
    write(results)
    if lost == "file":
        (results / "study.yaml").unlink()
    if lost == "workflow":
        document = json.loads((results / METADATA).read_text(encoding="utf-8"))
        (root,) = (entity for entity in document["@graph"] if entity["@id"] == "./")
        del root["mainEntity"]
        (results / METADATA).write_text(json.dumps(document), encoding="utf-8")
    program = [VALIDATOR.parent / "python", Path(__file__).parent / "validate_offline.py"]
    arguments = ["-y", "validate", "--no-paging", "--no-cache", "--skip-availability-check", "-v"]
    profile = ["--profile-identifier", "workflow-run-crate-0.5"]
    done = subprocess.run(
        [*program, *arguments, *profile, results], capture_output=True, text=True, check=False
    )
    assert done.returncode == bool(lost), done.stdout + done.stderr
    words = " ".join(done.stdout.split())
    assert "Unexpected error" not in words
    assert told in words
