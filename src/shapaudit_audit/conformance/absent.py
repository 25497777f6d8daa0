"""Why packages are absent: what is said when they are installed or imported."""

import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

ADDRESS = re.compile(r"://|\w\.(io|org|com|net)\b")
PLACE = re.compile(r"\s*\(/[^)]*\)")  # of a file on this machine
LONGEST = 240  # characters of a reason
MINUTES = 10
REASONS = ("require", "not found", "Could not", "cannot", "No module", "Unable", "failed to")


def tried(wanted: Path, uv: Sequence[str], python: str) -> dict[str, str]:
    """The reason by package, of names and modules in a file; without those that are imported."""
    found = {}
    for line in wanted.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, module = line.split()
            if reason := attempt(name, module, uv, python):
                found[name] = reason
    return found


def attempt(name: str, module: str, uv: Sequence[str], python: str) -> str:
    """What stops a package from being installed and imported; nothing if it works."""
    with tempfile.TemporaryDirectory() as folder:
        interpreter = f"{folder}/own/bin/python"
        steps = {
            "makes no environment": [*uv, "venv", "--python", python, f"{folder}/own"],
            "does not install": [*uv, "pip", "install", "--python", interpreter, name],
            "does not import": [interpreter, "-c", f"import {module}"],
        }
        for what, command in steps.items():
            try:
                done = subprocess.run(
                    command,
                    cwd=folder,
                    capture_output=True,
                    text=True,
                    check=False,
                    timeout=60 * MINUTES,
                )
            except subprocess.TimeoutExpired:
                return f"{what} within {MINUTES} minutes"
            if done.returncode:
                return f"{what}: {telling(done.stderr)}"
    return ""


def telling(words: str) -> str:
    """The last line of some output that gives a reason, or the last one; none with addresses."""
    lines = [" ".join(line.split()) for line in words.splitlines() if line.strip()]
    local = [PLACE.sub("", line) for line in lines if not ADDRESS.search(line)]
    known = [line for line in local if any(part in line for part in REASONS)]
    return (known or local or ["no message"])[-1][:LONGEST]
