"""Peak memory of the jobs of a run, compared with the memory that they ask for."""

import os
import re
from collections.abc import Iterable
from typing import Any

from ..study.logs import PEAK
from .jobs import text_of

NEAR = 0.8  # share of what a job asks for, from which its peak is reported
ROOM = 1.5  # proposed memory over the peak
_STEP = 500  # megabytes to which a proposal is rounded up
_LOGGED = re.compile(rf"^INFO {PEAK}: (\d+) MB$", re.MULTILINE)


def near(jobs: Iterable[Any]) -> str:
    """Lines on the rules that used nearly what they ask for, or more, by their largest job.

    The peak is what a job's process has logged at its end.
    """
    most: dict[str, tuple[int, Any]] = {}
    for job in jobs:
        peaks = [int(peak) for log in job.log for peak in _LOGGED.findall(text_of(log))]
        taken, before = max(peaks, default=0), most.get(job.rule_name, (0, None))[0]
        if asked(job) and taken >= NEAR * asked(job) and taken > before:
            most[job.rule_name] = taken, job
    lines = [
        f"  {rule}: {taken:,} of {asked(job):,} MB ({job.rule_msg or rule}); "
        f"next time {more(rule, ROOM * taken)}"
        for rule, (taken, job) in sorted(most.items())
    ]
    head = "Memory: these rules used nearly all of the memory that they request, or more."
    return "\n".join([head, *lines]) if lines else ""


def asked(job: Any) -> int:
    """Megabytes that a job asks for; 0 where that is none, or not known before it runs."""
    megabytes = job.resources.get("mem_mb")
    return megabytes if isinstance(megabytes, int) else 0


def more(rule: str, megabytes: float) -> str:
    """The flag that makes a rule ask for this memory, rounded up."""
    return f"--set-resources {rule}:mem_mb={_STEP * -(-int(megabytes) // _STEP)}"


def installed() -> int:
    """Megabytes of memory of this machine."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20


def advice(job: Any, scheduled: bool) -> str:
    """A remedy for a job that was killed for memory, as flags of the command.

    ``scheduled`` says that the job ran on a cluster, which gives it the memory that it asks for;
    jobs on a single machine share its memory.
    """
    megabytes = asked(job)
    told = f"its rule requests {megabytes:,} MB" if megabytes else "its rule requests no memory"
    flags = more(job.rule_name, 2 * (megabytes or 4000))
    if scheduled:
        return f"{told}; request more: {flags}"
    share = installed() * 9 // 10
    return (
        f"{told}, and all jobs share the {installed():,} MB of this machine; run fewer at a time: "
        f"--cores 1, or {flags} --resources mem_mb={share}"
    )
