"""The message at the end of a run: what it made, and where."""

import time
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from shapaudit.progress import duration

from ..audit.paper import OURS, Paper
from ..audit.reading import load_audit
from ..audit.tally import by_source, consequences
from ..audit.verdict import CONSEQUENCES
from ..study.sealed import DamagedResult

FOUND = "findings.txt"
CLAIMS = "claims/claims.json"
PRODUCTS = {
    "Report": "paper/report.pdf",
    "Supplement": "paper/supplement.pdf",
    "Site": "site/index.html",
    "Claims": CLAIMS,
    "Estimates": "estimates",
}


def of_success(
    results: str | Path,
    benchmarks: str | Path,
    started: float,
    papers: Mapping[str, Paper],
) -> str:
    """Findings, products, verdicts, jobs and time of a run that began at ``started``.

    ``results`` and ``benchmarks`` are folders of the study; files older than the start were not
    made by this run. ``papers`` are the audited papers by key.
    """
    spent = duration(time.time() - started)
    parts = [
        _findings(Path(results), started),
        _products(Path(results), started),
        _verdicts(Path(results), papers),
        [f"Done: {_jobs(Path(benchmarks), started)} jobs in {spent}."],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _findings(results: Path, started: float) -> list[str]:
    """The headlines as a numbered list, where this run has written them."""
    path = results / FOUND
    if not path.exists() or path.stat().st_mtime < started:
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [f"  {number}. {line}" for number, line in enumerate(lines, 1)]


def _jobs(benchmarks: Path, started: float) -> int:
    """Jobs whose benchmark was written since ``started``."""
    return sum(path.stat().st_mtime >= started for path in benchmarks.rglob("*.tsv"))


def _products(results: Path, started: float) -> list[str]:
    rows = []
    for title, name in PRODUCTS.items():
        path = results / name
        if path.exists():
            newest = max(file.stat().st_mtime for file in chain([path], path.rglob("*")))
            rows.append((title, str(path), "" if newest >= started else "(unchanged)"))
    return _aligned(rows)


def _verdicts(results: Path, papers: Mapping[str, Paper]) -> list[str]:
    """Consequences by paper, ours apart; empty without an audit, the fault where it is damaged."""
    if not (results / CLAIMS).exists():
        return []
    try:
        claims = load_audit(results)["claims"]
    except DamagedResult as error:
        return [str(error)]
    sources = {key: own for key, own in by_source(claims).items() if own}
    counts = {
        OURS if key == OURS else papers[own[0]["paper"]].name: consequences(own)
        for key, own in sources.items()
    }
    shown = [key for key in CONSEQUENCES if any(count[key] for count in counts.values())]
    rows = [(name, *(str(count[key] or "-") for key in shown)) for name, count in counts.items()]
    return _aligned([("Claims", *shown), *rows], numbers=True)


def _aligned(rows: Sequence[Sequence[str]], numbers: bool = False) -> list[str]:
    """Lines with the columns below each other, all but the first to the right for numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *rest in rows:
        cells = [first.ljust(widths[0])]
        for cell, width in zip(rest, widths[1:], strict=True):
            cells.append(cell.rjust(width) if numbers else cell.ljust(width))
        lines.append("  " + "  ".join(cells).rstrip())
    return lines
