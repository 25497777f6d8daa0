"""Progress of a long loop: how much of it is done, how fast, and how long the rest may take.

Messages go to the logger `shapaudit.progress`; without a handler nothing is shown. Results never
depend on them.
"""

import logging
import shutil
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TextIO, TypeVar

SOON = 0.5  # seconds between two states of a bar, at least
INTERVAL = 10.0  # seconds between two messages, at least
Item = TypeVar("Item")
logger = logging.getLogger("shapaudit.progress")


def progress(items: Collection[Item], label: str, unit: str) -> Iterator[Item]:
    """Yield the items and log how far they are, at most every `INTERVAL` seconds.

    "classification, plain-mc: 37 of 200 explicands, 4.1/s, 40 s left". A loop that ends before the
    first message says nothing.
    """
    total, started = len(items), time.monotonic()
    told = started
    for done, item in enumerate(items):
        now = time.monotonic()
        if done and now - told >= INTERVAL:
            told, spent = now, now - started
            left = duration(spent / done * (total - done))
            logger.info(
                "%s: %d of %d %s, %s, %s left", label, done, total, unit, _rate(done, spent), left
            )
        yield item
    if told > started:
        spent = time.monotonic() - started
        logger.info("%s: all %d %s in %s", label, total, unit, duration(spent))


def _rate(done: int, seconds: float) -> str:
    return f"{done / seconds:.3g}/s" if done > seconds else f"{seconds / done:.3g} s each"


def duration(seconds: float) -> str:
    """Seconds in the two largest units that a person would use."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


class Bar:
    """How many of some items are done, in one line that is written again and again.

    Parameters
    ----------
    unit : what is counted, such as "rows"
    shown : None: on a terminal and in a notebook
    """

    def __init__(self, unit: str, shown: bool | None = None):
        self._stream = sys.stderr
        self._shown = _is_watched(self._stream) if shown is None else shown
        self._unit = unit
        self._total = self._done = self._before = 0
        self._started = self._told = time.monotonic()
        self._width = 0

    @property
    def done(self) -> str:
        """What is done, in words."""
        return f"{self._done} of {self._total} {self._unit}"

    def begin(self, total: int, done: int) -> None:
        """The number of items, and of those that were done before."""
        self._total, self._done, self._before = total, done, done
        self._started = self._told = time.monotonic()

    def advance(self, count: int = 1) -> None:
        """So many more items are done."""
        self._done += count
        self.tell()

    def tell(self, more: str = "") -> None:
        """Show how far it is, at most twice a second."""
        now = time.monotonic()
        if not self._shown or now - self._told < SOON:
            return
        self._told = now
        own = self._done - self._before
        rest = (now - self._started) / own * (self._total - self._done) if own else None
        left = f", {duration(rest)} left" if rest is not None else ""
        self._write(f"{self.done} explained{left}{more}")

    def end(self) -> None:
        """Remove the line."""
        if self._width:
            self._write("")
            self._width = 0

    def _write(self, text: str) -> None:
        self._stream.write(f"\r{text.ljust(self._width)}" + ("" if text else "\r"))
        self._stream.flush()
        self._width = max(self._width, len(text))


def _is_watched(stream: TextIO) -> bool:
    """Whether somebody sees what is written: on a terminal, or in a notebook."""
    return stream.isatty() or type(stream).__module__.startswith("ipykernel")


class OneLine(logging.StreamHandler[TextIO]):
    """Messages below each other in a file; on a terminal each in the place of the one before."""

    _open = False  # whether a terminal shows a line

    def emit(self, record: logging.LogRecord) -> None:
        """Show a message."""
        if not self.stream.isatty():
            super().emit(record)
            return
        width = shutil.get_terminal_size().columns - 1
        self.stream.write(f"\r\x1b[2K{self.format(record)[:width]}")
        self.flush()
        self._open = True

    def end(self) -> None:
        """End the line that a terminal shows."""
        if self._open:
            self.stream.write("\n")
            self.flush()
            self._open = False


@contextmanager
def shown_on(stream: TextIO) -> Iterator[None]:
    """Show progress on a stream, which is a terminal or a file."""
    handler = OneLine(stream)
    handler.setFormatter(logging.Formatter("%(message)s"))
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        handler.end()
        logger.removeHandler(handler)
        logger.propagate = before[1]
        logger.setLevel(before[0])
