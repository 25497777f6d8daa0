"""Peak memory of the jobs of a run, compared with the memory that they ask for."""

import csv
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ..study.logs import PEAK
from .jobs import Job, text_of

NEAR = 0.8  # share of what a job asks for, from which its peak is reported
ROOM = 1.5  # proposed memory over the peak
_STEP = 500  # megabytes to which a proposal is rounded up
_LOGGED = re.compile(rf"^INFO {PEAK}: (\d+) MB$", re.MULTILINE)


def near(jobs: Iterable[Job]) -> str:
    """Lines on the rules that used nearly what they ask for, or more, by their largest job."""
    most: dict[str, tuple[float, Job]] = {}
    for job in jobs:
        taken = peak(job)
        if job.memory and taken >= NEAR * job.memory and taken > most.get(job.rule, (0.0,))[0]:
            most[job.rule] = taken, job
    lines = [
        f"  {rule}: {taken:,.0f} of {job.memory:,} MB ({job.title}); "
        f"next time {more(rule, ROOM * taken)}"
        for rule, (taken, job) in sorted(most.items())
    ]
    head = "Memory: these rules used nearly all of the memory that they request, or more."
    return "\n".join([head, *lines]) if lines else ""


def peak(job: Job) -> float:
    """Megabytes at the peak: what the process logged at its end, or what Snakemake measured.

    Snakemake measures a job at intervals and may miss the peak. The process knows it exactly, but
    logs nothing where it was killed. 0 where neither is known.
    """
    logged = [float(found) for log in job.logs for found in _LOGGED.findall(text_of(log))]
    if job.benchmark and Path(job.benchmark).is_file():
        with Path(job.benchmark).open(encoding="utf-8", newline="") as file:
            row = next(csv.DictReader(file, delimiter="\t"), {})
        with suppress(KeyError, ValueError):  # a job too short to be looked at
            logged.append(float(row["max_rss"]))
    return max(logged, default=0.0)


def more(rule: str, megabytes: float) -> str:
    """The flag that makes a rule ask for this memory, rounded up."""
    return f"--set-resources {rule}:mem_mb={_STEP * -(-int(megabytes) // _STEP)}"


def installed() -> int:
    """Megabytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20


def advice(rule: str, megabytes: int | None, scheduled: bool) -> str:
    """A remedy for a job that was killed for memory, as flags of the command.

    ``megabytes`` is what it asks for. ``scheduled`` says that the job ran on a cluster, which gives
    it the memory that it asks for; jobs on a single machine share its memory.
    """
    told = f"its rule requests {megabytes:,} MB" if megabytes else "its rule requests no memory"
    flags = more(rule, 2 * (megabytes or 4000))
    if scheduled:
        return f"{told}; request more: {flags}"
    share = installed() * 9 // 10
    return (
        f"{told}, and all jobs share the {installed():,} MB of this machine; run fewer at a time: "
        f"--cores 1, or {flags} --resources mem_mb={share}"
    )
