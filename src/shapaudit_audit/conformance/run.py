"""Run adapters, each in a process of its own that may die or be late, and gather verdicts."""

import csv
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .judge import CRASHED

COLUMNS: tuple[str, ...] = ("adapter", "label", "package", "version", "question", "family")
COLUMNS += ("case", "verdict", "error", "digits", "convention", "message", "seconds")
LIMIT = 300.0  # seconds of a case, in which a worker may also import its packages
ENUMERATION = 1800.0  # seconds for all cases
PAUSE = 0.05  # seconds between looks at a process
SOURCE = Path(__file__).parents[2]


def enumerate_cases(python: str, path: Path, cases: Sequence[Path] | None = None) -> None:
    """Write what is known of all cases, with the models that the packages of an interpreter make.

    Raises RuntimeError with the words of the process where a recipe fails.
    """
    log = path.with_suffix(".log")
    end = _watched(_command(python, path, cases), path, log, ENUMERATION)
    if end is not None:
        raise RuntimeError(f"the cases could not be enumerated: {end}\n{log.read_text()[-2000:]}")


def ask(
    adapter: Path, python: str, enumerated: Path, cases: Sequence[Path] | None = None,
    limit: float = LIMIT,
) -> list[dict[str, Any]]:  # fmt: skip
    """Lines of one adapter: what it is, and a verdict for each case.

    A process that dies is followed by another for the cases that are left. Raises RuntimeError with
    the process's own words where it dies before its first case.
    """
    with tempfile.TemporaryDirectory() as folder:
        out, log, done = (Path(folder) / name for name in ("lines", "log", "done"))
        out.touch()
        lines: list[dict[str, Any]] = []
        while True:
            done.write_text("\n".join(key_of(line) for line in lines if "case" in line))
            command = _command(python, enumerated, cases)
            command += ["--adapter", str(adapter), "--out", str(out), "--skip", str(done)]
            end = _watched(command, out, log, limit)
            written = [json.loads(text) for text in out.read_text(encoding="utf-8").splitlines()]
            lines = [line for line in written if "began" not in line]
            if end is None:
                return lines
            if not written or "case" not in written[-1]:
                raise RuntimeError(f"{adapter.name}: {end}\n{log.read_text()[-2000:]}")
            if "began" in written[-1]:
                label = {key: written[-1][key] for key in ("family", "case")}
                lost = label | {"verdict": CRASHED, "message": end}
                with out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(lost) + "\n")
                lines.append(lost)


def _command(python: str, enumerated: Path, cases: Sequence[Path] | None) -> list[str]:
    command = [python, "-m", f"{__package__}.worker", str(enumerated)]
    return command if cases is None else [*command, "--cases", *map(str, cases)]


def key_of(line: Mapping[str, Any]) -> str:
    """The key of the recipe of a line."""
    return f"{line['family']}/{line['case']}"


def _watched(command: Sequence[str], out: Path, log: Path, limit: float) -> str | None:
    """Run a command; None if it ends well, and otherwise how it ended: what it writes tells that
    it goes on."""
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
    environment = os.environ | threads | {"PYTHONPATH": str(SOURCE), "PYTHONWARNINGS": "ignore"}
    environment["PYTHONSAFEPATH"] = "1"  # nothing of the present folder is taken for a package
    with log.open("w") as words:
        process = subprocess.Popen(command, stdout=words, stderr=words, env=environment)
        size, waited = -1, 0.0  # seconds of one's own: a machine that stood still is not counted
        while process.poll() is None:
            time.sleep(PAUSE)
            waited += PAUSE
            written = out.stat().st_size if out.exists() else 0
            if written != size:
                size, waited = written, 0.0
            elif waited > limit:
                process.kill()
                process.wait()
                return f"no answer within {limit:.0f} seconds"
    if process.returncode < 0:
        return f"the process died (signal {-process.returncode})"
    return f"the process ended with code {process.returncode}" if process.returncode else None


def rows_of(adapter: Path, lines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of the table, from lines; without cases that do not have what is asked."""
    about = next(line for line in lines if "package" in line)
    return [
        {"adapter": adapter.stem, **about, **line}
        for line in lines
        if "case" in line and line["verdict"] is not None
    ]


def write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """The table as a CSV file, errors to three digits."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _shown(row.get(name)) for name in COLUMNS})


def _shown(value: Any) -> Any:
    if isinstance(value, float):
        return "" if value != value else f"{value:.2g}"
    return " ".join(value.split())[:300] if isinstance(value, str) else value


def read(path: Path) -> list[dict[str, str]]:
    """Rows of a table that `write` wrote."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
