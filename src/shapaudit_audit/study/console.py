"""Output of a run while it lasts: one line of progress with the time left, and errors.

Snakemake reports the start and the end of each job, the jobs that it selects, and the number of
steps that are done. All of this is in its log; the terminal shows one line instead.
"""

import logging
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, TextIO

from shapaudit.progress import OneLine, duration

TERMINAL = "DefaultStreamHandler"  # Snakemake's name of the handler that writes to the terminal
LATER = 30.0  # seconds between two lines in a file; on a terminal each line replaces the last
# Seconds of a job of a rule beside one that takes a second or two, in the default study.
HEAVY = {"gather_evidence": 30.0, "compile_report": 30.0, "study_removals": 10.0}
HEAVY |= {"study_explainers": 10.0, "run_estimators": 4.0, "render": 10.0, "judge_claims": 4.0}
SHOWN = (
    "Complete log",
    "Nothing to be done",
)  # beginnings of what is shown though nothing is wrong
COUNTS = ("run_info", "resources_info")  # which the estimate of the cost replaces
SETTINGS = ("Assuming unrestricted", "Using shell", "Conda environments", "Rules claiming more")


class Progress:
    """The share of a run that is done, weighted by the rules of its jobs.

    Parameters
    ----------
    rules : how many jobs of which rule there are, by its name
    """

    def __init__(self, rules: Mapping[str, int]):
        self._left = Counter(rules)
        self._total = sum(map(_weight, self._left.elements()))
        self._jobs, self._done = sum(rules.values()), 0
        self._rule_of: dict[int, str] = {}
        self._doing = ""
        self._started = time.monotonic()

    def begin(self, job: int, rule: str, message: str) -> None:
        """A job has begun."""
        self._rule_of[job], self._doing = rule, message

    def end(self, job: int) -> None:
        """A job has ended."""
        rule = self._rule_of.pop(job, "")
        self._left[rule] -= 1
        self._done += 1

    def line(self) -> str:
        """Jobs, time left and what has begun last."""
        left = sum(map(_weight, (+self._left).elements()))
        spent, done = time.monotonic() - self._started, self._total - left
        remaining = f"about {duration(spent * left / done)} left" if done > 0 else "begun"
        doing = f": {self._doing}" if self._doing else ""
        return f"{self._done} of {self._jobs} jobs, {remaining}{doing}"


def _weight(rule: str) -> float:
    return HEAVY.get(rule, 1.0)


class OnTerminal(logging.Filter):
    """Passes warnings and errors to the terminal, and shows progress in place of other messages.

    Parameters
    ----------
    stream : of the terminal
    """

    def __init__(self, stream: TextIO):
        super().__init__()
        self._line = OneLine(stream)
        self._terminal = stream.isatty()
        self._told = float("-inf")
        self.progress: Progress | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the terminal shows the message as it is."""
        event = getattr(getattr(record, "event", None), "value", None)
        told: Any = record  # which has further attributes by its event
        if event == "job_info" and self.progress:
            message = told.rule_msg or told.rule_name
            self.progress.begin(told.jobid, told.rule_name, message)
            self._show(self.progress)
        elif event == "job_finished" and self.progress:
            self.progress.end(told.job_id)
            self._show(self.progress)
        if self.progress is None:
            return event not in COUNTS and not str(record.msg).startswith(SETTINGS)
        shown = record.levelno >= logging.WARNING or str(record.msg).startswith(SHOWN)
        if shown:
            self._line.end()
        return shown

    def _show(self, progress: Progress) -> None:
        now = time.monotonic()
        if self._terminal or now - self._told >= LATER:
            self._told = now
            record = logging.makeLogRecord({"msg": progress.line(), "args": None})
            self._line.emit(record)


def quiet(logger: logging.Logger) -> OnTerminal | None:
    """Keep details from the terminal; None where Snakemake does not write there."""
    for handler in logger.handlers:
        if handler.name == TERMINAL and isinstance(handler, logging.StreamHandler):
            terminal = OnTerminal(handler.stream)
            handler.addFilter(terminal)
            return terminal
    return None
