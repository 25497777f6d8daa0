"""What a person reads at the end of a run: what it made, and where."""

import csv
import time
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from ..audit.paper import OURS, Paper
from ..audit.reading import load_audit
from ..audit.tally import by_source, consequences
from ..audit.verdict import CONSEQUENCES
from ..progress import duration
from ..study.sealed import DamagedResult

PRODUCTS = {
    "Report": "paper/report.pdf",
    "Site": "site/index.html",
    "Claims": "claims/claims.json",
    "Figures": "figures",
    "Estimates": "estimates",
}
LONGEST = 5  # jobs that are listed


def of_success(
    results: str | Path, benchmarks: str | Path, started: float, papers: Mapping[str, Paper]
) -> str:
    """Jobs, time, products, verdicts and longest jobs of a run that began at ``started``.

    ``results`` and ``benchmarks`` are folders of the study; what is older was not made by this run.
    ``papers`` are those that are audited, by key.
    """
    jobs = _jobs(Path(benchmarks), started)
    spent = duration(time.time() - started)
    parts = [
        [f"Done: {len(jobs)} jobs in {spent}."],
        _products(Path(results), started),
        _verdicts(Path(results), papers),
        _longest(jobs),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _jobs(benchmarks: Path, started: float) -> list[tuple[float, str]]:
    """Seconds and name of every job whose benchmark was written since ``started``."""
    jobs = []
    for path in sorted(benchmarks.rglob("*.tsv")):
        if path.stat().st_mtime >= started:
            with path.open(encoding="utf-8", newline="") as file:
                (row, *_) = csv.DictReader(file, delimiter="\t")
            name = path.relative_to(benchmarks).with_suffix("").as_posix()
            jobs.append((float(row["s"]), name.replace("/", " ")))
    return jobs


def _products(results: Path, started: float) -> list[str]:
    rows = []
    for title, name in PRODUCTS.items():
        path = results / name
        if path.exists():
            newest = max(one.stat().st_mtime for one in chain([path], path.rglob("*")))
            rows.append((title, str(path), "" if newest >= started else "(as it was)"))
    return _aligned(rows)


def _verdicts(results: Path, papers: Mapping[str, Paper]) -> list[str]:
    """Consequences by paper, ours apart; none without an audit, and what is wrong with one."""
    if not (results / PRODUCTS["Claims"]).exists():
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


def _longest(jobs: Sequence[tuple[float, str]]) -> list[str]:
    if not jobs:
        return []
    rows = [(name, duration(seconds)) for seconds, name in sorted(jobs, reverse=True)[:LONGEST]]
    return _aligned([("Longest jobs", ""), *rows], numbers=True)


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
