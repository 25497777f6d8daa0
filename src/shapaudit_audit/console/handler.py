"""The logger plug-in: one line of progress, what goes wrong, and in a dry run each job's reason.

Its interface is that of `snakemake_interface_logger_plugins`. Snakemake's own log file has the
details of a run; with --verbose the terminal has them as well.
"""

import atexit
import sys
import time
from logging import WARNING, LogRecord, makeLogRecord
from typing import Any

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent

from shapaudit.progress import OneLine

from .failures import of_failure
from .jobs import Run
from .memory import near
from .progress import Progress
from .reasons import reasons_of

LATER = 30.0  # seconds between two lines in a file; on a terminal each line replaces the last


class LogHandler(LogHandlerBase):
    """Shows the messages that pass Snakemake's own filter, such as --quiet, and matter."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = False
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self) -> None:
        settings = self.common_settings
        self._stream = sys.stdout if settings.stdout else sys.stderr
        self._line = OneLine(self._stream)
        self._whole = settings.verbose or (settings.dryrun and settings.printshellcmds)
        self._run = Run()
        self._progress: Progress | None = None
        self._planned: list[Any] = []
        self._counts = ""
        self._begun = self._allowed = False
        self._told = float("-inf")
        atexit.register(self.end)  # after Snakemake's own last lines

    def handle(self, record: LogRecord) -> bool:
        """Take note of an event, also of one that is not shown, and show it where it is."""
        try:
            self._run.note(record)
            self._begun |= getattr(record, "event", None) == LogEvent.RUN_INFO
            return bool(super().handle(record))
        except Exception:
            self.handleError(record)
            return False

    def emit(self, record: Any) -> None:
        """Show a message that has passed the filter."""
        event = getattr(record, "event", None)
        self._allowed = True
        if event == LogEvent.RUN_INFO:
            self._counts = "" if self._whole else self.format(record).rstrip()
            if not self.common_settings.dryrun:
                rules = {name: count for name, count in record.stats.items() if name != "total"}
                self._progress = Progress(rules)
        if event == LogEvent.JOB_INFO and self.common_settings.dryrun:
            self._planned.append(record)
        if self._shows(record, event):
            self._write(self.format(record))
        elif self._progress and event in (LogEvent.JOB_INFO, LogEvent.JOB_FINISHED):
            self._move(self._progress, record)

    def _shows(self, record: Any, event: LogEvent | None) -> bool:
        if self._whole or record.levelno >= WARNING or hasattr(record, "said"):
            return True
        if event == LogEvent.SHELLCMD:
            return bool(getattr(record, "shellcmd", None) or getattr(record, "cmd", None))
        return event is None and not self._begun

    def _move(self, progress: Progress, told: Any) -> None:
        """Show the line of progress, on a terminal in the place of the one before."""
        if told.event == LogEvent.JOB_INFO:
            progress.doing = told.rule_msg or told.rule_name
        else:
            progress.end(self._run.jobs[told.job_id].rule_name)
        now = time.monotonic()
        if self._stream.isatty() or now - self._told >= LATER:
            self._told = now
            self._line.emit(makeLogRecord({"msg": progress.line(), "args": None}))

    def _write(self, text: str) -> None:
        if text not in ("", "None"):  # the message of an event that has none
            self._line.end()
            self._stream.write(f"{text}\n")
            self._stream.flush()

    def end(self) -> None:
        """Say what failed or, in a dry run, what would be run and why."""
        self._line.end()
        if self.common_settings.dryrun:
            parts = ["\n".join(reasons_of(self._planned)), self._counts]
        else:
            run = self._run
            parts = [near(run.jobs.values()), of_failure(run) if run.stopped else ""]
        for part in filter(None, parts if self._allowed else ()):
            self._write(f"\n{part}")
