"""Provenance of results: commit, versions, machine, seed and configuration."""

import hashlib
import json
import platform
import subprocess
from importlib import metadata
from pathlib import Path

from msgspec import to_builtins

from .blocks.study import Study

PACKAGES = (
    "numpy",
    "scipy",
    "pandas",
    "numba",
    "scikit-learn",
    "xgboost",
    "matplotlib",
    "snakemake",
    "papermill",
)
ALTERNATIVES = {"xgboost": ("xgboost-cpu", "py-xgboost")}  # the same package under other names
SHARING = ("experiments", "explanation_studies", "removal_studies")  # whose jobs may be shared


def git_state(root: str | Path) -> dict[str, str | bool | None]:
    """Commit of the working tree at ``root`` and whether tracked files differ from it.

    Both are None outside a repository, without git, or before the first commit.
    """
    commit = _git(root, "rev-parse", "--verify", "HEAD")
    if commit is None:
        return {"commit": None, "dirty": None}
    changes = _git(root, "status", "--porcelain", "--untracked-files=no")
    return {"commit": commit, "dirty": None if changes is None else bool(changes)}


def _git(root: str | Path, *arguments: str) -> str | None:
    command = ["git", "-C", str(root), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def config_hash(study: Study) -> str:
    """SHA-256 of a configuration, whatever the order of its keys, and whether defaults are written.

    How many estimators or models share a job (``per_job``) is left out: no number depends on it.
    """
    config = to_builtins(study)
    for part in SHARING:
        for block in config.get(part, {}).values():
            block.pop("per_job", None)
    text = json.dumps(config, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def versions() -> dict[str, str]:
    """Versions of the packages that compute the results; missing packages are left out."""
    installed = {}
    for name in PACKAGES:
        for distribution in (name, *ALTERNATIVES.get(name, ())):
            try:
                installed[name] = metadata.version(distribution)
            except metadata.PackageNotFoundError:
                continue
            break
    return installed


def processor() -> str:
    """Model of the processor where the system names it, otherwise its architecture."""
    path = Path("/proc/cpuinfo")
    if path.exists():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def collect(study: Study, git: dict[str, str | bool | None]) -> dict:
    """Provenance of a study, without a time stamp: the same inputs give the same record."""
    return {
        "study": study.study,
        "seed": study.seed,
        "configuration_sha256": config_hash(study),
        "git": git,
        "python": platform.python_version(),
        "packages": versions(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
    }
