"""The message at the end of a run that failed: the failed jobs, the causes, and files to read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from signal import Signals

from ..study.logs import PEAK, UNCAUGHT
from .run_memory import advice

LAST_LINES = 6  # of a failed job's log
CRASH = "Fatal Python error: "  # begins what Python says of a crash
FAILED = re.compile(
    r"^Error in rule (?P<rule>\w+):\n(?P<told>(?:    (?!log: ).*\n)*?)"
    r"    log: (?P<logs>.*) \(check",
    re.MULTILINE,
)
ENDED = re.compile(
    r"^Command '.*' (?:died with <Signals\.(?P<signal>\w+): \d+>"
    r"|returned non-zero exit status (?P<status>\d+))\.$",
    re.MULTILINE,
)
MISSING = re.compile(
    r"^MissingOutputException in rule (?P<rule>\w+) .*\n"
    r"Job (?P<job>\d+) +completed successfully.*\n"
    r"(?P<files>(?:.* \(missing locally.*\n?)*)",
    re.MULTILINE,
)
# Jobs that were one job of a cluster: which of them failed is in the cluster's log of it.
GROUP = re.compile(
    r"^    message: Error in group (?P<group>\S+)\n"
    r"(?:    log: (?P<logs>.*) \(check.*\n)?"
    r"    jobs:\n(?P<jobs>(?:        .*\n)*)",
    re.MULTILINE,
)
RULE = re.compile(r"^        rule (\w+):", re.MULTILINE)
STEPS = re.compile(r"^(\d+ of \d+ steps) \(", re.MULTILINE)
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
}
KILLED = "was killed"
LEFT_PYTHON = "code that it ran may have called sys.exit() or os._exit()"


# What a scheduler says of a job, and what it means.
STATES = {
    "OUT_OF_MEMORY": "was killed because it used more memory than it had requested",
    "TIMEOUT": "was stopped at its time limit: raise it by --set-resources {rule}:runtime=MINUTES",
    "CANCELLED": "was cancelled, by a person or by the scheduler",
    "NODE_FAIL": "was lost with its node",
    "PREEMPTED": "was preempted by another job",
}
STATE = re.compile(r"SLURM status is: '([A-Z_]+)")
# What Slurm writes into the log of a job that it ends.
ENDED_BY_SLURM = re.compile(r"\*\*\* .*(?P<cancelled>CANCELLED)(?P<late>.* DUE TO TIME LIMIT)?")
NO_MEMORY = re.compile(r"\b_?\w*MemoryError\b|\bbad_alloc\b|\boom[-_]kill")


def of_failure(
    run_logs: Sequence[str | Path], asked: Mapping[str, int | None] | None = None
) -> str:
    """Failed jobs of a run by its logs, each with the file to read and the end of that file.

    For a job that died without an exception, the signal or exit status is explained; for a job
    that ran out of memory, a remedy is named. ``asked`` are the megabytes that rules ask for.
    """
    text = "\n".join(Path(log).read_text(encoding="utf-8", errors="replace") for log in run_logs)
    failures = list(_failures(text, asked or {}))
    if not failures:
        return f"The run stopped early; its log is {', '.join(map(str, run_logs))}."
    steps = STEPS.findall(text)
    done = f" after {steps[-1]}" if steps else ""
    parts = [f"{_count(len(failures), 'job')} failed{done}."]
    parts += ["\n".join(failure) for failure in failures]
    parts.append(
        "Finished jobs are kept. After the correction, the same command continues from there."
    )
    return "\n\n".join(parts)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _failures(text: str, asked: Mapping[str, int | None]) -> Iterator[list[str]]:
    """Lines on each failed job in the order of the run's log."""
    # A job of a group tells of its failure and is told of by the group's Snakemake.
    failed = list({match["logs"]: match for match in FAILED.finditer(text)}.values())
    ends = list(ENDED.finditer(text))
    # Snakemake tells how a job's process ended before it tells of the job, and of each on its own;
    # a scheduler's jobs have no such line.
    told = ends if len(ends) == len(failed) else [None] * len(failed)
    parts = [
        (match.start(), _failure(match, end, asked))
        for match, end in zip(failed, told, strict=True)
    ]
    parts += [(match.start(), _without_output(match, text)) for match in MISSING.finditer(text)]
    for group in GROUP.finditer(text):
        parts += [(group.start(), lines) for lines in _of_group(group, asked)]
    yield from (lines for _, lines in sorted(parts))


def _of_group(match: re.Match, asked: Mapping[str, int | None]) -> list[list[str]]:
    """Lines on the failed jobs of a group, or on the group where its log names no failed job."""
    rules = ", ".join(dict.fromkeys(RULE.findall(match["jobs"])))
    logs = match["logs"].split(", ") if match["logs"] else []
    text = "\n".join(line for log in logs for line in _lines(log)) + "\n"
    failures = [[*lines, f"  in {logs[0]}"] for lines in _failures(text, asked)]
    if failures:
        return failures
    end = ENDED_BY_SLURM.search(text)
    state = end and ("TIMEOUT" if end["late"] else end["cancelled"])
    told = f"one of them {_cause('RULE', None, state)}"
    return [[f"{match['group']}: {rules}", *(f"  see {log}" for log in logs), f"  {told}"]]


def _failure(match: re.Match, end: re.Match | None, asked: Mapping[str, int | None]) -> list[str]:
    logs = match["logs"].split(", ")
    written = [lines for lines in map(_lines, logs) if lines]
    raised = any(UNCAUGHT in line for line in chain(*written))
    state = STATE.search(match["told"])
    cause = [] if raised else [f"  its process {_cause(match['rule'], end, state and state[1])}"]
    last = _decisive(written[0]) if written else ["(nothing was logged)"]
    if any(KILLED in line for line in cause) or NO_MEMORY.search("\n".join(last)):
        cause.append(f"  memory: {advice(match['rule'], asked, state is not None)}")
    return [
        match["rule"],
        *(f"  see {log}" for log in logs),
        *cause,
        *(f"    {line}" for line in last),
    ]


def _cause(rule: str, end: re.Match | None, state: str | None) -> str:
    """The end of a process that logged no exception, and its likely cause."""
    if state in STATES:
        return f"{STATES[state].format(rule=rule)} ({state})"
    if end is None:
        return "logged no exception; it may have crashed, or been killed for memory or time"
    name = end["signal"] or _signal(int(end["status"]))
    if name is None:
        return f"ended with exit status {end['status']} and no exception: {LEFT_PYTHON}"
    return f"{CAUSES.get(name, 'was ended by a signal')} ({name})"


def _signal(status: int) -> str | None:
    """The signal that a shell reports as an exit status of 128 plus its number."""
    known = {128 + signal.value: signal.name for signal in Signals}
    return known.get(status)


def _without_output(match: re.Match, text: str) -> list[str]:
    message = re.search(rf"^Job {match['job']}: (.*)$", text, re.MULTILINE)
    files = re.findall(r"^(.*) \(missing locally", match["files"], re.MULTILINE)
    return [
        match["rule"],
        *([f"  {message[1]}"] if message else []),
        f"  its process ended without an error: {LEFT_PYTHON}. It did not write",
        *(f"    {file}" for file in files),
    ]


def _lines(log: str) -> list[str]:
    """Lines of a log that are not empty; none of an executed notebook, or without a file."""
    path = Path(log)
    if not path.exists() or path.suffix == ".ipynb":
        return []
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line for line in lines if line.strip() and PEAK not in line]


def _decisive(lines: Sequence[str]) -> Sequence[str]:
    """The last lines, or those on a crash, which names the call at its top."""
    crash = next((k for k, line in enumerate(lines) if line.startswith(CRASH)), None)
    return lines[-LAST_LINES:] if crash is None else lines[crash : crash + LAST_LINES]
