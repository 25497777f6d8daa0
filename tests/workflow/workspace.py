"""Temporary copies of the project in which Snakemake runs."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
PARTS = [
    "Snakefile",
    "config",
    "environment.yml",
    "notebooks",
    "paper",
    "profiles",
    "pyproject.toml",
    "src",
    "workflow",
]
IGNORED = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "build")


def copy_project(target: Path) -> Path:
    """Copy what a run needs; compiled kernels are shared through one cache folder."""
    target.mkdir(parents=True)
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, target / part, ignore=IGNORED)
        else:
            shutil.copy(source, target / part)
    return target


def write_tiny_study(project: Path) -> Path:
    """Write a study of seconds: two kinds of games, three estimators each."""
    config = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text(encoding="utf-8"))
    config["results"] = "results/tiny"
    config["experiments"] = {
        name: config["experiments"][name] | {"estimators": estimators}
        for name, estimators in {
            "classification": ["optimised-mc", "psgd-sqrt-tuned", "paired-kernel-shap"],
            "diabetes": ["plain-mc", "psgd-constant"],
        }.items()
    }
    config["games"] = {name: config["games"][name] for name in config["experiments"]}
    path = project / "config" / "tiny.yaml"
    path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    return path


def command(*arguments: str) -> list[str]:
    """Command line of Snakemake with the running interpreter."""
    return [sys.executable, "-m", "snakemake", *arguments]


def environment() -> dict[str, str]:
    """Environment in which the interpreter's own programs are found first."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return os.environ | {"PATH": path}


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess:
    """Run Snakemake in a copy; output and errors together in ``stdout``."""
    return subprocess.run(
        command(*arguments),
        cwd=project,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
        check=False,
    )


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder, Snakemake's own markers apart."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".snakemake" not in path.name
    }
