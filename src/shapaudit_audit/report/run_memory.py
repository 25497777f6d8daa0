"""Memory that the jobs of a run took at their peak, beside what their rules ask for."""

import csv
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..study.logs import PEAK

NEAR = 0.8  # of what a rule asks for
ROOM = 1.5  # what is proposed, over the peak
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
    """The most that a job of a rule took, in megabytes, and which of its jobs it was."""

    rule: str
    asked: int | None
    jobs: int
    measured: int
    megabytes: float
    job: str

    @property
    def share(self) -> float:
        """Of what the rule asks for; 0 where it asks for nothing."""
        return self.megabytes / self.asked if self.asked else 0.0


def peaks(jobs: Iterable[Job]) -> list[Peak]:
    """The peak of each rule, the largest share first; none of a rule without a measured job."""
    of_rule: dict[str, list[Job]] = {}
    for job in jobs:
        of_rule.setdefault(job.rule, []).append(job)
    found = []
    for rule, own in of_rule.items():
        measured = [(taken, job) for job in own if (taken := _taken(job)) is not None]
        if measured:
            most, job = max(measured, key=lambda one: one[0])
            name = Path(job.benchmark).with_suffix("").as_posix()
            found.append(Peak(rule, job.asked, len(own), len(measured), most, name))
    return sorted(found, key=lambda one: (-one.share, one.rule))


def _taken(job: Job) -> float | None:
    """Megabytes at the peak: what the process said at its end, or what was seen of it.

    Snakemake looks at a job now and then, and may miss the peak; the process knows it exactly, but
    says nothing where it was killed.
    """
    seen = [_benchmarked(Path(job.benchmark)), *(_logged(Path(log)) for log in job.logs)]
    return max((one for one in seen if one is not None), default=None)


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
    found = _LOGGED.findall(path.read_text(encoding="utf-8", errors="replace"))
    return max(map(float, found), default=None)


def record(found: Sequence[Peak], path: str | Path) -> None:
    """Write the peaks into a CSV file; it is for people, and no result depends on it.

    What it holds of other rules, which a run of a part of the study did not look at, stays.
    """
    path, now = Path(path), {one.rule for one in found}
    rows: list[Sequence] = [row for row in _recorded(path) if row[0] not in now]
    for one in found:
        share = f"{one.share:.2f}" if one.asked else ""
        row = (one.rule, one.asked, f"{one.megabytes:.0f}", share, one.jobs, one.measured)
        rows.append((*row, one.job))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *sorted(rows, key=lambda row: row[0])])


def _recorded(path: Path) -> list[list[str]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.reader(file) if len(row) == len(COLUMNS)][1:]


def near(found: Sequence[Peak]) -> str:
    """Lines on the rules whose peak is near what they ask for, or above; empty if there is none."""
    close = [one for one in found if one.share >= NEAR]
    if not close:
        return ""
    lines = ["Memory: these rules used nearly all of the memory that they request, or more."]
    for one in close:
        lines.append(
            f"  {one.rule}: {one.megabytes:,.0f} of {one.asked:,} MB ({one.job}); "
            f"next time {more(one.rule, ROOM * one.megabytes)}"
        )
    return "\n".join(lines)


def more(rule: str, megabytes: float) -> str:
    """The flag by which a rule asks for so much, rounded up."""
    return f"--set-resources {rule}:mem_mb={_STEP * -(-int(megabytes) // _STEP)}"


def installed() -> int:
    """Megabytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20


def advice(rule: str, asked: Mapping[str, int | None], scheduled: bool) -> str:
    """What helps a job that was killed for memory, in flags of the command.

    ``asked`` are megabytes by rule. ``scheduled``: on a cluster, which gives a job what it asks
    for; on one machine jobs share what there is.
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
