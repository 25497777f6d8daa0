"""The results of a study as a Workflow Run RO-Crate, which archives and other programs read.

A folder becomes a crate by a file of JSON-LD that says what each file is, with its checksum
(RO-Crate 1.1; profiles Workflow RO-Crate 1.0, Process Run Crate 0.5 and Workflow Run Crate 0.5).
"""

import json
import shutil
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from shapaudit.datasets.download import Source, file_sha256

from ..study.sealed import read_document

METADATA = "ro-crate-metadata.json"
WORKFLOW = "source/Snakefile"
LICENCE = "https://spdx.org/licenses/BSD-3-Clause"
CONTEXT = [
    "https://w3id.org/ro/crate/1.1/context",
    "https://w3id.org/ro/terms/workflow-run/context",
]
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": ("Workflow RO-Crate", "1.0"),
}
LEFT_OUT = ("paper/build/", "source/")  # what LaTeX leaves; copies that are described apart
TYPES = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".parquet": "application/vnd.apache.parquet",
    ".pdf": "application/pdf",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".yaml": "application/yaml",
    **dict.fromkeys((".rst", ".smk", ".tex"), "text/plain"),
}

Entity = dict[str, Any]


def write_crate(
    results: str | Path,
    root: str | Path,
    rules: Mapping[str, str],
    benchmarks: str | Path,
    sources: Iterable[Source] = (),
) -> Path | None:
    """Describe the results of a study; the path of the description, or None for an unfinished one.

    Parameters
    ----------
    results, root, benchmarks : folders of the results, of the workflow, and of the times of jobs
    rules : what each rule does, by its name; left out where it depends on wildcards
    sources : files that the study has downloaded
    """
    results, root = Path(results), Path(root)
    if not all((results / name).is_file() for name in ("study.yaml", "provenance.json")):
        return None
    _copy_workflow(root, results / "source")
    told = read_document(results / "provenance.json")
    files = [_file(results, path) for path in _files(results)]
    changed = max((results / entity["path"]).stat().st_mtime for entity in files)
    ended = datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds")
    inputs = [_configuration(files), *map(_downloaded, sources)]
    parameters = [_parameter(entity) for entity in inputs]
    software = _software(told)
    steps = _steps(rules, Path(benchmarks))
    sourced = [_file(results, path) for path in sorted((results / "source").rglob("*.smk"))]
    workflow = _workflow(results, parameters, steps, software[1:], sourced)
    outputs = [entity for entity in files if entity is not inputs[0]]
    action = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"Run of the study {told['study']}",
        "description": f"Base seed {told['seed']}, commit {told['git']['commit']}, "
        f"{told['system']}, {told['processor']}.",
        "instrument": {"@id": WORKFLOW},
        "actionStatus": "http://schema.org/CompletedActionStatus",
        "endTime": ended,
        "object": _ids(inputs),
        "result": _ids(outputs),
    }
    parts = [workflow, *sourced, *files, *inputs[1:]]
    described = [_root(told, ended, parts), *parts, *parameters, *steps, *software, action]
    for entity in files + sourced:
        entity.pop("path", None)
    workflow.pop("path", None)
    graph = [_descriptor(), *described, *_profiles(), _licence()]
    text = json.dumps({"@context": CONTEXT, "@graph": graph}, indent=1, ensure_ascii=False)
    (results / METADATA).write_text(text + "\n", encoding="utf-8")
    return results / METADATA


def _copy_workflow(root: Path, target: Path) -> None:
    (target / "workflow" / "rules").mkdir(parents=True, exist_ok=True)
    names = [path.relative_to(root) for path in (root / "workflow" / "rules").glob("*.smk")]
    for name in (Path("Snakefile"), *names):
        shutil.copyfile(root / name, target / name)


def _files(results: Path) -> list[Path]:
    names = {path.relative_to(results).as_posix(): path for path in results.rglob("*")}
    hidden = {name for name in names if any(part.startswith(".") for part in name.split("/"))}
    return [
        path
        for name, path in sorted(names.items())
        if path.is_file() and name != METADATA and not name.startswith(LEFT_OUT)
        if name not in hidden
    ]


def _file(results: Path, path: Path) -> Entity:
    name = path.relative_to(results).as_posix()
    return {
        "@id": quote(name),
        "@type": "File",
        "path": name,
        "name": name,
        "contentSize": str(path.stat().st_size),
        "encodingFormat": TYPES.get(path.suffix, "application/octet-stream"),
        "sha256": file_sha256(path),
    }


def _configuration(files: list[Entity]) -> Entity:
    (entity,) = [entity for entity in files if entity["@id"] == "study.yaml"]
    entity["description"] = "The whole configuration of the study"
    return entity


def _downloaded(source: Source) -> Entity:
    return {
        "@id": source.url,
        "@type": "File",
        "encodingFormat": TYPES.get(Path(source.filename).suffix, "application/octet-stream"),
        "name": source.filename,
        "description": f"Of the data set {source.name}; licence: {source.licence}",
        "contentSize": str(source.size),
        "sha256": source.sha256,
    }


def _parameter(entity: Entity) -> Entity:
    """What an input is to the workflow; the input refers to it, and it to the input."""
    parameter = {
        "@id": f"#input-{quote(entity['name'], safe='')}",
        "@type": "FormalParameter",
        "name": entity["name"],
        "additionalType": "File",
        "workExample": {"@id": entity["@id"]},
    }
    entity["exampleOfWork"] = {"@id": parameter["@id"]}
    return parameter


def _steps(rules: Mapping[str, str], benchmarks: Path) -> list[Entity]:
    """A step for each rule that has run, with its jobs and their seconds."""
    times: dict[str, list[float]] = {}
    for path in sorted(benchmarks.rglob("*.tsv")):
        parts = path.relative_to(benchmarks).with_suffix("").parts
        first = parts[2] if parts[0] == "repetitions" else parts[0]
        named = [rule for rule in rules if first == rule or first.startswith(f"{rule}_")]
        if named:
            seconds = path.read_text(encoding="utf-8").splitlines()[1].split("\t")[0]
            times.setdefault(max(named, key=len), []).append(float(seconds))
    return [
        {
            "@id": f"{WORKFLOW}#{rule}",
            "@type": "HowToStep",
            "name": rule,
            "description": f"{_plain(rules[rule])}jobs: {len(own)}; seconds: {sum(own):.1f}",
            "position": str(position),
        }
        for position, (rule, own) in enumerate(sorted(times.items()), 1)
    ]


def _plain(message: str) -> str:
    return f"{message}; " if message and "{" not in message else ""


def _software(told: Mapping[str, Any]) -> list[Entity]:
    """Snakemake, which is the language, and then Python and its packages by version."""
    packages = told["packages"]
    language = {
        "@id": "https://w3id.org/workflowhub/workflow-ro-crate#snakemake",
        "@type": "ComputerLanguage",
        "name": "Snakemake",
        "url": {"@id": "https://snakemake.readthedocs.io"},
        "version": packages.get("snakemake", ""),
    }
    applications = [
        {
            "@id": f"#software-{name}",
            "@type": "SoftwareApplication",
            "name": name,
            "softwareVersion": version,
        }
        for name, version in {"python": told["python"], **packages}.items()
    ]
    return [language, *applications]


def _workflow(
    results: Path,
    parameters: list[Entity],
    steps: list[Entity],
    software: list[Entity],
    sourced: list[Entity],
) -> Entity:
    return _file(results, results / WORKFLOW) | {
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"],
        "name": "shapaudit",
        "programmingLanguage": {"@id": "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"},
        "license": {"@id": LICENCE},
        "input": _ids(parameters),
        "step": _ids(steps),
        "softwareRequirements": _ids(software),
        "isBasedOn": _ids(sourced),
    }


def _root(told: Mapping[str, Any], ended: str, parts: list[Entity]) -> Entity:
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": f"Results of the study {told['study']} of shapaudit",
        "description": "Shapley values, their estimates by many estimators, evidence, verdicts on "
        "published claims, figures and report.",
        "datePublished": ended,
        "license": {"@id": LICENCE},
        "conformsTo": [{"@id": profile} for profile in PROFILES],
        "mainEntity": {"@id": WORKFLOW},
        "mentions": {"@id": "#run"},
        "hasPart": _ids(parts),
    }


def _descriptor() -> Entity:
    return {
        "@id": METADATA,
        "@type": "CreativeWork",
        "conformsTo": [
            {"@id": "https://w3id.org/ro/crate/1.1"},
            {"@id": "https://w3id.org/workflowhub/workflow-ro-crate/1.0"},
        ],
        "about": {"@id": "./"},
    }


def _profiles() -> list[Entity]:
    return [
        {"@id": profile, "@type": "CreativeWork", "name": name, "version": version}
        for profile, (name, version) in PROFILES.items()
    ]


def _licence() -> Entity:
    return {
        "@id": LICENCE,
        "@type": "CreativeWork",
        "name": "BSD 3-Clause License",
        "identifier": "BSD-3-Clause",
    }


def _ids(entities: Iterable[Entity]) -> list[dict[str, str]]:
    return [{"@id": entity["@id"]} for entity in entities]
