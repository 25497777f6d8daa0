"""Peak memory of the jobs of a run, compared with the memory that their rules ask for."""

import csv
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..study.logs import PEAK

NEAR = 0.8  # share of what a rule asks for, from which a peak is reported
ROOM = 1.5  # proposed memory over the peak
_STEP = 500  # megabytes to which a proposal is rounded up
COLUMNS = ("rule", "asked_mb", "peak_mb", "share", "jobs", "measured", "job")
_LOGGED = re.compile(rf"^INFO {PEAK}: (\d+) MB$", re.MULTILINE)


@dataclass(frozen=True)
class Job:
    """A job of a run: its rule, the megabytes that it asks for, its benchmark and its logs."""

    rule: str
    asked: int | None
    benchmark: str
    logs: Sequence[str] = ()


@dataclass(frozen=True)
class Peak:
    """The largest peak over the jobs of a rule, in megabytes, and the job that had it."""

    rule: str
    asked: int | None
    jobs: int
    measured: int
    megabytes: float
    job: str

    @property
    def share(self) -> float:
        """The peak over what the rule asks for; 0 where it asks for nothing."""
        return self.megabytes / self.asked if self.asked else 0.0


def peaks(jobs: Iterable[Job]) -> list[Peak]:
    """The peak of each rule, the largest share first; none of a rule without a measured job."""
    of_rule: dict[str, list[Job]] = {}
    for job in jobs:
        of_rule.setdefault(job.rule, []).append(job)
    highest = []
    for rule, own in of_rule.items():
        measured = [(taken, job) for job in own if (taken := _taken(job)) is not None]
        if measured:
            most, job = max(measured, key=lambda pair: pair[0])
            name = Path(job.benchmark).with_suffix("").as_posix()
            highest.append(Peak(rule, job.asked, len(own), len(measured), most, name))
    return sorted(highest, key=lambda peak: (-peak.share, peak.rule))


def _taken(job: Job) -> float | None:
    """Megabytes at the peak: what the process logged at its end, or what Snakemake measured.

    Snakemake measures a job at intervals and may miss the peak. The process knows it exactly, but
    logs nothing where it was killed.
    """
    seen = [_benchmarked(Path(job.benchmark)), *(_logged(Path(log)) for log in job.logs)]
    return max((megabytes for megabytes in seen if megabytes is not None), default=None)


def _benchmarked(path: Path) -> float | None:
    if not path.is_file():
        return None
    with path.open(encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file, delimiter="\t"), {})
    try:
        return float(row["max_rss"])
    except (KeyError, ValueError):  # a job too short to be looked at
        return None


def _logged(path: Path) -> float | None:
    if not path.is_file() or path.suffix == ".ipynb":
        return None
    megabytes = _LOGGED.findall(path.read_text(encoding="utf-8", errors="replace"))
    return max(map(float, megabytes), default=None)


def record(highest: Sequence[Peak], path: str | Path) -> None:
    """Write the peaks into a CSV file; it is for people, and no result depends on it.

    Its rows on rules that this run did not include are kept.
    """
    path, now = Path(path), {peak.rule for peak in highest}
    rows: list[Sequence] = [row for row in _recorded(path) if row[0] not in now]
    for peak in highest:
        share = f"{peak.share:.2f}" if peak.asked else ""
        row = (peak.rule, peak.asked, f"{peak.megabytes:.0f}", share, peak.jobs, peak.measured)
        rows.append((*row, peak.job))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *sorted(rows, key=lambda row: row[0])])


def _recorded(path: Path) -> list[list[str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.reader(file) if len(row) == len(COLUMNS)][1:]


def near(highest: Sequence[Peak]) -> str:
    """Lines on the rules whose peak is near what they ask for, or above; "" without any."""
    close = [peak for peak in highest if peak.share >= NEAR]
    if not close:
        return ""
    lines = ["Memory: these rules used nearly all of the memory that they request, or more."]
    for peak in close:
        lines.append(
            f"  {peak.rule}: {peak.megabytes:,.0f} of {peak.asked:,} MB ({peak.job}); "
            f"next time {more(peak.rule, ROOM * peak.megabytes)}"
        )
    return "\n".join(lines)


def more(rule: str, megabytes: float) -> str:
    """The flag that makes a rule ask for this memory, rounded up."""
    return f"--set-resources {rule}:mem_mb={_STEP * -(-int(megabytes) // _STEP)}"


def installed() -> int:
    """Megabytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20


def advice(rule: str, asked: Mapping[str, int | None], scheduled: bool) -> str:
    """A remedy for a job that was killed for memory, as flags of the command.

    ``asked`` are megabytes by rule. ``scheduled`` says that the job ran on a cluster, which gives
    it the memory that it asks for; jobs on a single machine share its memory.
    """
    megabytes = asked.get(rule)
    told = f"its rule requests {megabytes:,} MB" if megabytes else "its rule requests no memory"
    flags = more(rule, 2 * (megabytes or 4000))
    if scheduled:
        return f"{told}; request more: {flags}"
    share = installed() * 9 // 10
    return (
        f"{told}, and all jobs share the {installed():,} MB of this machine; run fewer at a time: "
        f"--cores 1, or {flags} --resources mem_mb={share}"
    )
