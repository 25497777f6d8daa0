"""The message at the end of a run that failed: the failed jobs, the causes, and files to read."""

import re
from collections.abc import Sequence
from signal import Signals

from ..study.logs import PEAK, UNCAUGHT
from .jobs import Failure, Run, text_of
from .memory import advice

LAST_LINES = 6  # of a failed job's log
CRASH = "Fatal Python error: "  # begins what Python says of a crash
IN_COMPILED_CODE = "crashed in compiled code, of a library or of your own"
FROM_OUTSIDE = "was stopped from outside, by a person, a scheduler or a time limit"
CAUSES = {
    "SIGKILL": "was killed, most likely because memory ran out",
    "SIGSEGV": IN_COMPILED_CODE,
    "SIGBUS": IN_COMPILED_CODE,
    "SIGFPE": IN_COMPILED_CODE,
    "SIGABRT": "was aborted by compiled code, which may have printed the reason above",
    "SIGILL": "met an instruction that this processor does not have",
    "SIGTERM": FROM_OUTSIDE,
    "SIGINT": FROM_OUTSIDE,
    "SIGHUP": FROM_OUTSIDE,
    "SIGXCPU": "was stopped at a limit of processor time",
    # What a scheduler says of a job.
    "OUT_OF_MEMORY": "was killed because it used more memory than it had requested",
    "TIMEOUT": "was stopped at its time limit: raise it by --set-resources {rule}:runtime=MINUTES",
    "CANCELLED": "was cancelled, by a person or by the scheduler",
    "NODE_FAIL": "was lost with its node",
    "PREEMPTED": "was preempted by another job",
}
KILLED = ("SIGKILL", "OUT_OF_MEMORY")
LEFT_PYTHON = "code that it ran may have called sys.exit() or os._exit()"
UNKNOWN = "logged no exception; it may have crashed, or been killed for memory or time"
# How a job ended: the executor of Slurm, Slurm in the log of a job that it ends, and Python.
STATE = re.compile(r"SLURM status is: '(\w+)'")
ENDED_BY_SLURM = re.compile(r"\*\*\* .*CANCELLED(?P<late>.* DUE TO TIME LIMIT)?")
ENDED = re.compile(r"died with <Signals\.(\w+): \d+>|returned non-zero exit status (\d+)")
NO_MEMORY = re.compile(r"\b_?\w*MemoryError\b|\bbad_alloc\b|\boom[-_]kill")


def of_failure(run: Run) -> str:
    """The failed jobs of a run, each with the file to read and the end of that file.

    For a job that died without an exception, the signal or exit status is explained; for a job
    that ran out of memory, a remedy is named.
    """
    failed = list(run.failed.values())
    if not failed:
        return "The run stopped early."
    done, total = run.steps
    after = f" after {done} of {total} steps" if total else ""
    parts = [f"{len(failed)} {'job' if len(failed) == 1 else 'jobs'} failed{after}."]
    parts += ["\n".join(_told(failure)) for failure in failed]
    parts.append(
        "Finished jobs are kept. After the correction, the same command continues from there."
    )
    return "\n\n".join(parts)


def _told(failure: Failure) -> list[str]:
    """Lines on a failed job: rule and message, files to read, the likely cause, the log's end."""
    job, rule = failure.job, failure.job.rule_name
    title = f"{rule}: {job.rule_msg}" if job.rule_msg else rule
    if failure.missing:
        cause = f"  its process ended without an error: {LEFT_PYTHON}. It did not write"
        return [title, cause, *(f"    {path}" for path in failure.missing)]
    texts = [text for text in map(text_of, failure.logs) if text.strip()]
    lines = _decisive(texts[0]) if texts else ["(nothing was logged)"]
    end = _end(failure.said)
    told = [title, *(f"  see {log}" for log in failure.logs)]
    if not any(UNCAUGHT in text for text in texts):
        told.append(f"  its process {_cause(end).format(rule=rule)}")
    if end in KILLED or NO_MEMORY.search("\n".join(lines)):
        told.append(f"  memory: {advice(job, failure.scheduled)}")
    return [*told, *(f"    {line}" for line in lines)]


def _end(said: str) -> str | None:
    """The signal, the exit status or the scheduler's state with which a job ended."""
    if state := STATE.search(said):
        return state[1]
    if stopped := ENDED_BY_SLURM.search(said):
        return "TIMEOUT" if stopped["late"] else "CANCELLED"
    end = ENDED.search(said)
    signals = {str(128 + signal): signal.name for signal in Signals}  # as a shell reports them
    return end and (end[1] or signals.get(end[2], end[2]))


def _cause(end: str | None) -> str:
    """What such an end means, of a process that has logged no exception."""
    if end is None or end == "FAILED":
        return UNKNOWN
    if end.isdigit():
        return f"ended with exit status {end} and no exception: {LEFT_PYTHON}"
    return f"{CAUSES.get(end, 'was ended by a signal')} ({end})"


def _decisive(text: str) -> Sequence[str]:
    """The last lines of a log, or those on a crash, which names the call at its top."""
    lines = [line for line in text.splitlines() if line.strip() and PEAK not in line]
    crash = next((k for k, line in enumerate(lines) if line.startswith(CRASH)), None)
    return lines[-LAST_LINES:] if crash is None else lines[crash : crash + LAST_LINES]
