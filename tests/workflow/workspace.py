"""Temporary copies of the project in which Snakemake runs."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

from shapaudit_audit.report.crate import METADATA
from shapaudit_audit.study.overlays import load_study

ROOT = Path(__file__).parents[2]
PARTS = [
    "Snakefile",
    "benchmarks/results/minutes.csv",
    "benchmarks/results/overhead.csv",
    "benchmarks/results/suite.csv",
    "config",
    "environment.yml",
    "notebooks",
    "paper",
    "profiles",
    "pyproject.toml",
    "src",
    "tests",
    "workflow",
]
IGNORED = shutil.ignore_patterns(".ipynb_checkpoints", "build")


def copy_project(target: Path, origin: Path = ROOT) -> Path:
    """Copy what a run needs, compiled kernels included: their cache goes by the files' times."""
    for part in PARTS:
        source = origin / part
        (target / part).parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target / part, ignore=IGNORED)
        else:
            shutil.copy2(source, target / part)
    return target


def write_tiny_study(project: Path) -> Path:
    """Write a study of a few jobs: one kind of games, two estimators, one of them tuned."""
    config = load_study(ROOT / "config" / "smoke.yaml")
    config["results"] = "results/tiny"
    experiment = config["experiments"]["classification"]
    del experiment["paper"], experiment["role"]  # it has no report
    experiment |= {"estimators": ["optimised-mc", "psgd-sqrt-tuned"], "per_job": 1}
    config["experiments"] = {"classification": experiment}
    for block in ("games", "models"):
        config[block] = {"classification": config[block]["classification"]}
    for block in ("paths", "explanation_studies", "removal_studies"):
        config.pop(block, None)
    path = project / "config" / "tiny.yaml"
    path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    return path


def command(*arguments: str) -> list[str]:
    """Command line of Snakemake with the running interpreter."""
    return [sys.executable, "-m", "snakemake", *arguments]


def environment(**variables: str) -> dict[str, str]:
    """Environment in which the interpreter's own programs are found first, with ``variables``.

    Snakemake finds the logger plug-in whether or not the project is installed.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    given = variables.get("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    modules = {"PYTHONPATH": os.pathsep.join(filter(None, [given, str(ROOT / "src")]))}
    return os.environ | {"PATH": path} | variables | modules


def run(project: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
    """Run Snakemake in a copy; output and errors together in ``stdout``."""
    return subprocess.run(
        command(*arguments),
        cwd=project,
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder, without Snakemake's markers and the dated crate."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".snakemake" not in path.name and path.name != METADATA
    }
