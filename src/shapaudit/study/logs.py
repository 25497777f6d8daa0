"""Logging of a workflow job to its log file, uncaught exceptions included."""

import logging
import sys
from pathlib import Path


def log_to(path: str | Path) -> logging.Logger:
    """Send log messages, warnings and an uncaught exception to ``path``; return the logger.

    The exception's message and the progress of long loops also go to standard error, where the
    person who started the run sees them.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(
        filename=path, filemode="w", level=logging.INFO, format="%(levelname)s %(message)s"
    )
    logging.captureWarnings(True)
    logger = logging.getLogger("shapaudit")
    terminal = logging.StreamHandler()
    terminal.setFormatter(logging.Formatter(f"{path}: %(message)s"))
    logging.getLogger("shapaudit.progress").addHandler(terminal)

    def report(kind, error, trace):
        logger.critical("uncaught exception", exc_info=(kind, error, trace))
        print(f"{kind.__name__}: {error} (details: {path})", file=sys.stderr)

    sys.excepthook = report
    return logger
