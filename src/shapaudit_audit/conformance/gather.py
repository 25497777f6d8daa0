"""A run of adapters with one interpreter, and the files that come of it."""

import hashlib
import json
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .case import files
from .page import page
from .record import TABLE, read_record
from .run import ask, enumerate_cases, rows_of, write

LIBRARIES = ("numpy", "pandas", "scikit-learn", "xgboost-cpu", "xgboost", "lightgbm", "catboost")
VERSIONS = """
import json, platform
from importlib.metadata import PackageNotFoundError, version
found = {"Python": platform.python_version()}
for name in %r:
    try:
        found[name] = version(name)
    except PackageNotFoundError:
        pass
print(json.dumps(found))
"""


def gather(
    adapters: Sequence[Path], python: str, folder: Path, cases: Sequence[Path] | None = None
) -> None:
    """Ask adapters about the cases, and write table, companion and page to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    enumerated = folder / "enumerated.json"
    enumerate_cases(python, enumerated, cases)
    rows = []
    for adapter in adapters:
        rows += rows_of(adapter, ask(adapter, python, enumerated, cases))
    publish(rows, versions_of(python), {}, folder / TABLE, folder / "conformance.md")


def versions_of(python: str) -> dict[str, str]:
    """Versions of an interpreter and of the libraries whose models are explained."""
    done = subprocess.run(
        [python, "-c", VERSIONS % (LIBRARIES,)], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def publish(
    rows: Sequence[Mapping[str, Any]],
    versions: Mapping[str, str],
    absent: Mapping[str, str],
    table: Path,
    text: Path,
) -> None:
    """Write the table, its companion with date, versions and files, and the page."""
    write(table, rows)
    made_with = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "versions": versions, "absent": absent}
    content = json.dumps(made_with | {"files": digests()}, indent=1, ensure_ascii=False)
    table.with_suffix(".json").write_text(f"{content}\n", encoding="utf-8")
    record = read_record(table)
    assert record is not None
    text.write_text(page(record), encoding="utf-8")


def digests() -> dict[str, str]:
    """SHA-256 of each adapter and file of cases, by folder and name."""
    return {
        f"{kind}/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()
        for kind in ("adapters", "cases")
        for path in files(kind)
    }
