"""What Snakemake's events tell of the jobs of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from logging import LogRecord
from pathlib import Path

from snakemake_interface_logger_plugins.common import LogEvent

from ..study.logs import PEAK, UNCAUGHT


@dataclass(frozen=True)
class Job:
    """A job that has begun, or that a dry run would begin.

    Its files are paths, ``memory`` is in megabytes, ``reason`` is Snakemake's, and ``begun`` is in
    seconds since the epoch.
    """

    rule: str
    message: str = ""
    output: tuple[str, ...] = ()
    logs: tuple[str, ...] = ()
    benchmark: str | None = None
    memory: int | None = None
    reason: str = ""
    begun: float = 0.0

    @property
    def title(self) -> str:
        """Its message, or the rule of a job that makes nothing: its message is of the end."""
        return self.message if self.message and self.output else self.rule


def job_of(record: LogRecord) -> Job:
    """The job that an event JOB_INFO describes."""
    told = vars(record)
    memory = told["resources"].get("mem_mb")
    return Job(
        told["rule_name"],
        told["rule_msg"] or "",
        tuple(told["output"]),
        tuple(told["log"]),
        told["benchmark"],
        memory if isinstance(memory, int) else None,
        told["reason"],
        record.created,
    )


@dataclass(frozen=True)
class Failure:
    """A failed job, or a group of jobs of which nobody knows which one failed.

    ``said`` is what Snakemake and a scheduler said of it, ``logs`` are files to read, ``missing``
    is what a process has not written that has ended as if all were well, and ``scheduled`` says
    whether the job ran on a cluster.
    """

    job: Job
    said: str = ""
    logs: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    scheduled: bool = False


class Run:
    """The jobs of a run that have begun, finished and failed.

    An exception and the job that it ended are two events, of the same thread.
    """

    def __init__(self) -> None:
        self.jobs: dict[int, Job] = {}
        self.finished: dict[int, Job] = {}
        self.failed: dict[int | str, Failure] = {}
        self.steps = (0, 0)
        self.stopped = False
        self._raised: dict[int | None, str] = {}

    def note(self, record: LogRecord) -> None:
        """Take up an event; others than those of jobs are passed over."""
        told = vars(record)
        match told.get("event"):
            case LogEvent.JOB_INFO:
                self.failed.pop(told["jobid"], None)  # what failed is tried again
                self.jobs[told["jobid"]] = job_of(record)
            case LogEvent.JOB_FINISHED:
                self.finished[told["job_id"]] = self.jobs[told["job_id"]]
            case LogEvent.PROGRESS:
                self.steps = told["done"], told["total"]
            case LogEvent.ERROR:
                self.stopped = bool(self.jobs)
                self._raised[record.thread] = record.getMessage()
                if told["exception"] == "MissingOutputException":
                    self._without_output(record.getMessage())
            case LogEvent.JOB_ERROR if not told["indent"]:  # jobs of a group are told of with it
                self._job(record)
            case LogEvent.GROUP_ERROR:
                self._group(told)

    def _job(self, record: LogRecord) -> None:
        told = vars(record)
        said = f"{self._raised.pop(record.thread, '')}\n{told['rule_msg']}"
        failure = Failure(
            self.jobs[told["jobid"]],
            said,
            tuple(told["log"]),
            scheduled="external_jobid" in told["aux"],
        )
        self.failed.setdefault(told["jobid"], failure)  # some versions repeat it at the end

    def _without_output(self, said: str) -> None:
        lines = [line for line in said.splitlines() if "(missing" in line]
        for number, job in self.jobs.items():
            missing = [path for path in job.output if any(map(_names(path), lines))]
            if missing and number not in self.finished:
                self.failed[number] = Failure(job, missing=tuple(missing))

    def _group(self, told: Mapping) -> None:
        """The jobs of a group that failed, by their logs; the group where these do not tell."""
        said = "\n".join(map(text_of, told["aux_logs"]))
        jobs = {info["jobid"]: self.jobs[info["jobid"]] for info in told["job_error_info"]}
        failed = {number: job for number, job in jobs.items() if _broken_off(job)}
        rules = ", ".join(dict.fromkeys(job.rule for job in jobs.values()))
        failed = failed or {told["groupid"]: Job(f"{told['groupid']}: {rules}")}
        for number, job in failed.items():
            logs = (*job.logs, *told["aux_logs"])
            self.failed[number] = Failure(job, said, logs, scheduled=True)


def _names(path: str):
    return lambda line: line.strip().startswith(f"{path} ")


def _broken_off(job: Job) -> bool:
    """Whether a job has begun its log in this run, and the log does not end well."""
    fresh = (
        log for log in map(Path, job.logs) if log.is_file() and log.stat().st_mtime >= job.begun
    )
    return any(UNCAUGHT in text or PEAK not in text for text in map(text_of, fresh))


def text_of(log: str | Path) -> str:
    """The text of a log; empty for an executed notebook, or without a file."""
    path = Path(log)
    if not path.is_file() or path.suffix == ".ipynb":
        return ""
    return path.read_text(encoding="utf-8", errors="replace")
