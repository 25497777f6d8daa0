"""What Snakemake's events tell of the jobs of a run.

A job is known by the record of its event JOB_INFO, whose fields Snakemake documents: `rule_name`,
`rule_msg`, `output`, `log`, `resources`, `reason`; `created` is when it began.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from snakemake_interface_logger_plugins.common import LogEvent

from ..study.logs import PEAK, UNCAUGHT


@dataclass(frozen=True)
class Failure:
    """A failed job, or a group of jobs of which nobody knows which one failed.

    ``said`` is what Snakemake and a scheduler said of it, ``logs`` are files to read, ``missing``
    is what a process has not written that has ended as if all were well, and ``scheduled`` says
    whether the job ran on a cluster.
    """

    job: Any
    said: str = ""
    logs: Sequence[str] = ()
    missing: Sequence[str] = ()
    scheduled: bool = False


class Run:
    """The jobs of a run that have begun and failed.

    An exception and the job that it ended are two events, of the same thread.
    """

    def __init__(self) -> None:
        self.jobs: dict[int, Any] = {}
        self.finished: set[int] = set()
        self.failed: dict[int | str, Failure] = {}
        self.steps = (0, 0)
        self.stopped = False
        self._raised: dict[int | None, str] = {}

    def note(self, told: Any) -> None:
        """Take up the record of an event; others than those of jobs are passed over."""
        match getattr(told, "event", None):
            case LogEvent.JOB_INFO:
                self.failed.pop(told.jobid, None)  # what failed is tried again
                self.jobs[told.jobid] = told
            case LogEvent.JOB_FINISHED:
                self.finished.add(told.job_id)
            case LogEvent.PROGRESS:
                self.steps = told.done, told.total
            case LogEvent.ERROR:
                self.stopped = bool(self.jobs)
                self._raised[told.thread] = told.getMessage()
                if told.exception == "MissingOutputException":
                    self._without_output(told.getMessage())
            case LogEvent.JOB_ERROR if not told.indent:  # jobs of a group are told of with it
                said = f"{self._raised.pop(told.thread, '')}\n{told.rule_msg}"
                scheduled = "external_jobid" in told.aux
                failure = Failure(self.jobs[told.jobid], said, told.log, scheduled=scheduled)
                self.failed.setdefault(told.jobid, failure)  # some versions repeat it at the end
            case LogEvent.GROUP_ERROR:
                self._group(told)

    def _without_output(self, said: str) -> None:
        named = {line.strip().partition(" (missing")[0] for line in said.splitlines()}
        for number, job in self.jobs.items():
            missing = [path for path in job.output if path in named]
            if missing and number not in self.finished:
                self.failed[number] = Failure(job, missing=missing)

    def _group(self, told: Any) -> None:
        """The jobs of a group that failed, by their logs; the group where these do not tell."""
        said = "\n".join(map(text_of, told.aux_logs))
        jobs = {info["jobid"]: self.jobs[info["jobid"]] for info in told.job_error_info}
        failed: dict = {number: job for number, job in jobs.items() if _broken_off(job)}
        if not failed:
            rules = ", ".join(dict.fromkeys(job.rule_name for job in jobs.values()))
            name = f"{told.groupid}: {rules}"
            group = SimpleNamespace(rule_name=name, rule_msg=None, log=[], resources={})
            failed = {told.groupid: group}
        for number, job in failed.items():
            logs = [*job.log, *told.aux_logs]
            self.failed.setdefault(number, Failure(job, said, logs, scheduled=True))


def _broken_off(job: Any) -> bool:
    """Whether a job has begun its log in this run, and the log does not end well."""
    files = [path for path in map(Path, job.log) if path.is_file()]
    texts = [text_of(path) for path in files if path.stat().st_mtime >= job.created]
    return any(UNCAUGHT in text or PEAK not in text for text in texts)


def text_of(log: str | Path) -> str:
    """The text of a log; empty for an executed notebook, or without a file."""
    path = Path(log)
    if not path.is_file() or path.suffix == ".ipynb":
        return ""
    return path.read_text(encoding="utf-8", errors="replace")
