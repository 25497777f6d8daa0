"""Logging of a workflow job to its log file, uncaught exceptions and crashes included."""

import faulthandler
import logging
import sys
import traceback
from pathlib import Path

UNCAUGHT = "uncaught exception"  # in the log of a job that has failed by raising one
MOST = 2000  # characters of a message


def shortened(text: str, most: int = MOST) -> str:
    """A text, without its middle where it has more than ``most`` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]} [... {len(text) - 2 * half} characters left out ...] {text[-half:]}"


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

    The exception's message and the progress of long loops also go to standard error, where the
    person who started the run sees them. When compiled code crashes, the log says where.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    file = logging.FileHandler(path, mode="w", encoding="utf-8")
    file.setFormatter(ShortFormatter("%(levelname)s %(message)s"))
    logging.basicConfig(handlers=[file], level=logging.INFO)
    faulthandler.enable(file.stream)
    logging.captureWarnings(True)
    logger = logging.getLogger("shapaudit")
    terminal = logging.StreamHandler()
    terminal.setFormatter(logging.Formatter(f"{path}: %(message)s"))
    logging.getLogger("shapaudit.progress").addHandler(terminal)

    def report(kind, error, trace):
        logger.critical(UNCAUGHT, exc_info=(kind, error, trace))
        print(f"{kind.__name__}: {shortened(str(error))} (details: {path})", file=sys.stderr)

    sys.excepthook = report
    return logger
