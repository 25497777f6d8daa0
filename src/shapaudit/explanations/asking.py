"""A model that may be slow: asked in batches, each row once, and what it gave is kept."""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from ..datasets.mixed import TableError
from ..models.predictors import Predict
from ..progress import duration, logger

MOST_ROWS = 1 << 16  # of a call of the model
CALL = 2.0  # seconds that a call of a slow model should take
SLOW = 1e-3  # seconds per row from which outputs are remembered
FIRST_LOOK = 0.2  # seconds of the model from which its speed is read
REPEATS, ENOUGH = 3, 0.5  # calls of one size, of which the fastest counts; seconds of all of them
TRIED, FEW = 6, 2  # rows on which the model is tried; on which one that is very slow is
MOST_TIMED = 4096  # rows of a call from which it is read
PATIENCE = 0.5  # seconds of one row that make a model very slow
INTERVAL = 5.0  # seconds between two messages, at least


class SpeedTrial:
    """A model on a few rows: whether it looks at each row alone, and how fast it is.

    What a coalition is worth must depend on its row alone: a model that draws random numbers or
    looks at the other rows of a batch has no Shapley values.

    Attributes
    ----------
    outputs : (TRIED, k) of the first rows of the table, or of a very slow model (FEW, k)
    row_seconds : time per row, of batches as large as pay; of several calls the fastest counts,
        since other programs can only make a call slower

    Raises `TableError` where rows have other outputs asked again, turned round, or alone.
    """

    def __init__(self, predict: Predict, table: pd.DataFrame):
        self._predict, self._table = predict, table
        alone, first = self._timed(1)  # what is loaded or compiled at the first call is in it
        self._count = min(len(table), TRIED if first < PATIENCE else FEW)
        self.outputs, spent = self._timed(self._count)
        half = -(-self._count // 2)
        turned, before = self._timed(half, turned=True)
        self._compare("alone", alone, self.outputs[:1])
        self._compare("in another order or asked again", turned[::-1], self.outputs[:half])
        # Of a few rows and of one, the time that makes larger batches look better.
        looked = max(before, first * half**0.5)
        self.row_seconds = min(before / half, self._speed(half, looked, self._count, spent))

    def measure_again(self) -> None:
        """Another look at the speed, where the first one makes the model look too slow."""
        single, several = self._fastest(1), self._fastest(self._count)
        self.row_seconds = min(self.row_seconds, self._speed(1, single, self._count, several))

    def _timed(self, count: int, turned: bool = False) -> tuple[np.ndarray, float]:
        places = np.arange(count) % len(self._table)
        rows = self._table.iloc[places[::-1] if turned else places].reset_index(drop=True)
        started = time.perf_counter()
        return self._predict(rows), time.perf_counter() - started

    def _fastest(self, count: int) -> float:
        """Seconds of the fastest of a few calls of so many rows."""
        spent: list[float] = []
        while len(spent) < REPEATS and sum(spent) < ENOUGH:
            spent.append(self._timed(count)[1])
        return min(spent)

    def _compare(self, how: str, outputs: np.ndarray, expected: np.ndarray) -> None:
        gap = float(np.abs(outputs - expected).max())
        if gap > 1e-5 * np.abs(self.outputs).max():
            raise TableError(
                f"the model gives different numbers for the same rows {how} (they differ by "
                f"{gap:.2g}); fix its random numbers, and make it treat each row separately"
            )

    def _speed(self, fewer: int, before: float, size: int, spent: float) -> float:
        """Seconds per row of batches that grow until a call is long and larger ones do not pay.

        A call of ``fewer`` rows took ``before`` seconds, one of ``size`` rows ``spent``. They pay
        where the time per row falls by the root of the factor by which a batch has grown.
        """
        best = spent / size
        while size < MOST_TIMED:
            pays = spent / size < before / fewer * (fewer / size) ** 0.5
            if spent >= FIRST_LOOK and not pays:
                break
            fewer, before, size = size, spent, 4 * size
            spent = self._fastest(size)
            best = min(best, spent / size)
        return best


def busy() -> str:
    """Warning that load inflated the time estimate, or empty."""
    if not _LOAD:
        return ""
    processors, waiting = os.cpu_count() or 1, os.getloadavg()[0]
    if waiting <= 1.5 * processors:
        return ""
    return (
        f". About {waiting:.0f} programs share the {processors} processors of this machine now; "
        "the model may be faster when they have ended"
    )


_LOAD = hasattr(os, "getloadavg")  # which Windows lacks


class Asked:
    """The model of a comparison: counts rows and says how far it is.

    Attributes
    ----------
    rows : that were asked for
    batch : rows per call, at most
    """

    def __init__(self, predict: Predict, row_seconds: float):
        self._predict = predict
        self.rows = 0
        self.batch = int(np.clip(CALL / max(row_seconds, 1e-9), 1, MOST_ROWS))
        self._each = self._number = self._total = self._begun = self._done = 0
        self._started = self._told = time.monotonic()

    def begin(self, number: int, total: int, rows: int, resumed: int) -> None:
        """A row to explain: its number of ``total``, and the rows of the model it takes at most.

        ``resumed``: rows to explain that a run before this one has finished.
        """
        if self._total == 0:
            self._started = self._told = time.monotonic()
        self._number, self._total, self._each = number, total, rows
        self._begun, self._done = self.rows, resumed

    def __call__(self, table: pd.DataFrame) -> np.ndarray:
        """Outputs (m, k) of a table of m rows, in one call."""
        outputs = self._predict(table)
        self.rows += len(table)
        now = time.monotonic()
        if now - self._told >= INTERVAL and self._total:
            self._told = now
            logger.info("comparison: %s", self._far(now - self._started))
        return outputs

    def _far(self, spent: float) -> str:
        within = min(1.0, (self.rows - self._begun) / max(1, self._each))
        done = self._number - self._done + within
        left = spent / max(done, 1e-9) * (self._total - self._done - done)
        return (
            f"{self._number} of {self._total} rows explained, {self.rows:,} rows of the model, "
            f"{duration(left)} left"
        )


class Outputs:
    """Outputs of rows by what they are made of, each asked for once, kept in a file or in memory.

    Parameters
    ----------
    width : numbers that name a row
    each : outputs of a row
    path : file to which each batch is appended at once; what it holds is not asked for again
    largest : of the numbers that name rows
    """

    def __init__(self, width: int, each: int, path: Path | None = None, largest: int = 0):
        kinds = ("<u2", "<u4", "<u8")
        self._number = np.dtype(next(kind for kind in kinds if largest <= np.iinfo(kind).max))
        name = f"V{self._number.itemsize * width}"
        self._record = np.dtype([("row", name), ("outputs", "<f8", (each,))])
        self._each, self._path = each, path
        self._known: dict[bytes, list[float]] = {}
        self._lock = threading.Lock()
        if path is not None and path.exists():
            content = path.read_bytes()
            whole = len(content) // self._record.itemsize
            if len(content) > whole * self._record.itemsize:  # a write that was interrupted
                path.write_bytes(content[: whole * self._record.itemsize])
            records = np.frombuffer(content, self._record, whole)
            rows = [row.tobytes() for row in records["row"]]
            self._known.update(zip(rows, records["outputs"].tolist(), strict=True))

    def of(
        self, rows: np.ndarray, ask: Callable[[np.ndarray], np.ndarray], batch: int
    ) -> np.ndarray:
        """Outputs (m, each) of distinct rows (m, width).

        ``ask`` gives those of places among the rows, at most ``batch`` at a time.
        """
        keys = [row.tobytes() for row in rows.astype(self._number)]
        new = [k for k, key in enumerate(keys) if key not in self._known]
        for start in range(0, len(new), batch):
            part = new[start : start + batch]
            self._keep([keys[k] for k in part], ask(np.array(part)))
        return np.array([self._known[key] for key in keys]).reshape(len(keys), self._each)

    def _keep(self, keys: list[bytes], outputs: np.ndarray) -> None:
        self._known.update(zip(keys, outputs.tolist(), strict=True))
        if self._path is not None:
            records = np.empty(len(keys), dtype=self._record)
            records["row"] = np.frombuffer(b"".join(keys), self._record["row"])
            records["outputs"] = outputs
            with self._lock, self._path.open("ab") as file:
                file.write(records.tobytes())
