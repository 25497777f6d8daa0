"""Logging of a workflow job to its log file, uncaught exceptions and crashes included."""

import atexit
import faulthandler
import gc
import logging
import re
import resource
import sys
import traceback
from pathlib import Path

from shapaudit.parameters import shortened
from shapaudit.progress import OneLine

PEAK = "memory at its peak"  # in the log of a job that has ended by itself
UNCAUGHT = "uncaught exception"  # in the log of a job that has failed by raising one


class ShortFormatter(logging.Formatter):
    """Long messages, of warnings and exceptions for instance, are shortened."""

    def formatMessage(self, record):
        """The line of a record."""
        return shortened(super().formatMessage(record))

    def formatException(self, ei):
        """The traceback of an exception, each of its parts shortened."""
        return "".join(map(shortened, traceback.format_exception(*ei))).rstrip("\n")


def log_to(path: str | Path) -> logging.Logger:
    """Send log messages, warnings and an uncaught exception to ``path``; return the logger.

    The exception's message also goes to standard error, which the terminal shows, and so does the
    progress of long loops, in one line. When compiled code crashes, the log has the traceback. The
    last line is the peak memory of the job.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    file = logging.FileHandler(path, mode="w", encoding="utf-8")
    file.setFormatter(ShortFormatter("%(levelname)s %(message)s"))
    logging.basicConfig(handlers=[file], level=logging.INFO)
    faulthandler.enable(file.stream or sys.stderr)
    logging.captureWarnings(True)
    logger = logging.getLogger("shapaudit")
    if sys.stderr.isatty():
        terminal = OneLine(sys.stderr)
        terminal.setFormatter(logging.Formatter(f"{path}: %(message)s"))
        logging.getLogger("shapaudit.progress").addHandler(terminal)

    def report(kind, error, trace):
        logger.critical(UNCAUGHT, exc_info=(kind, error, trace))
        print(f"{kind.__name__}: {shortened(str(error))} (details: {path})", file=sys.stderr)

    sys.excepthook = report
    gc.freeze()  # imported modules stay to the end: no collection need go through them
    atexit.register(lambda: logger.info("%s: %d MB", PEAK, peak_memory()))
    return logger


def peak_memory() -> int:
    """Peak megabytes of this process, or of a process that it started and that has ended."""
    unit = 1 if sys.platform == "darwin" else 1024  # bytes that the system counts in
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    try:
        (own,) = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    except (OSError, ValueError):  # not Linux, where ru_maxrss begins at the size of the parent
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return max(int(own), children) * unit >> 20
