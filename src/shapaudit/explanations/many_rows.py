"""Rows explained one after the other or at the same time, and remembered as they finish."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pickle import PicklingError

import numpy as np
import pandas as pd

from ..datasets.mixed import TableError
from ..optional import needed
from ..progress import Bar
from .memory import Memory
from .reading import Reading
from .row_games import RowGames
from .sampling import RowValues, averaged_row
from .stopping import Stopping

CHUNKS = 8  # that each process gets, at least, so that all end at about the same time
READ_AT_ONCE = 16  # rows, after which progress is shown
MOST_IN_CHUNK = 16  # rows; what is finished is remembered after each chunk


@dataclass(frozen=True)
class Work:
    """What is needed to explain any of the rows.

    Attributes
    ----------
    games : what makes the game of a row
    table, codes : rows to explain (n, p), and the numbers of their entries
    names : of the rows, under which they are remembered
    spread : (k,) of the outputs
    stop : when a row ends
    seed : of all that is drawn
    """

    games: RowGames
    table: pd.DataFrame
    codes: np.ndarray
    names: Sequence[str]
    spread: np.ndarray
    stop: Stopping
    seed: int

    def row(self, number: int) -> RowValues:
        """The explanation of a row."""
        own = slice(number, number + 1)
        games = self.games.of(self.table.iloc[own], self.codes[own], self.seed)
        return averaged_row(games, self.spread, self.stop, self.seed, self.names[number])

    def rows(self, numbers: Sequence[int]) -> list[RowValues]:
        """The explanations of some rows."""
        return [self.row(number) for number in numbers]


def explained_rows(
    work: Work, memory: Memory, n_jobs: int, in_threads: bool, bar: Bar
) -> list[RowValues]:
    """The explanations of all rows; those that are finished when it is stopped are remembered."""
    new: dict[str, int] = {}
    for number, name in enumerate(work.names):
        if memory.finished(name) is None:
            new.setdefault(name, number)
    bar.begin(len(work.names), len(work.names) - len(new))
    for numbers, rows in _finished(work, list(new.values()), n_jobs, in_threads):
        for number, row in zip(numbers, rows, strict=True):
            memory.finish(work.names[number], row)
        bar.advance(len(numbers))
    bar.end()
    return [memory.explanation(name) for name in work.names]


def read_rows(
    reading: Reading, table: pd.DataFrame, background: pd.DataFrame, n_jobs: int, bar: Bar
) -> list[RowValues]:
    """The explanations of all rows, read from a model."""
    base = reading.base(background)
    parts = [table[start : start + READ_AT_ONCE] for start in range(0, len(table), READ_AT_ONCE)]
    bar.begin(len(table), 0)
    rows: list[RowValues] = []
    if n_jobs == 1 or len(parts) < 2:
        done = (reading.values(part, background) for part in parts)
    else:
        joblib = needed("joblib", "n_jobs other than 1")
        parallel = joblib.Parallel(n_jobs, return_as="generator", prefer="threads")
        done = parallel(joblib.delayed(reading.values)(part, background) for part in parts)
    for values in done:
        rows += [RowValues(row, np.zeros_like(row), base, 0) for row in values]
        bar.advance(len(values))
    bar.end()
    return rows


def _finished(
    work: Work, numbers: Sequence[int], n_jobs: int, in_threads: bool
) -> Iterator[tuple[Sequence[int], list[RowValues]]]:
    """Some of the rows at a time, with their explanations, in their order."""
    if n_jobs == 1 or len(numbers) < 2:
        yield from (([number], work.rows([number])) for number in numbers)
        return
    joblib = needed("joblib", "n_jobs other than 1")
    jobs = joblib.effective_n_jobs(n_jobs)
    size = 1 if in_threads else min(MOST_IN_CHUNK, math.ceil(len(numbers) / (CHUNKS * jobs)))
    chunks = [numbers[start : start + size] for start in range(0, len(numbers), size)]
    parallel = joblib.Parallel(
        jobs, return_as="generator", prefer="threads" if in_threads else "processes"
    )
    done = parallel(joblib.delayed(work.rows)(chunk) for chunk in chunks)
    try:
        yield from zip(chunks, done, strict=True)
    except PicklingError as error:
        raise TableError(
            "the model cannot be sent to other processes, as pickle does not take all that it "
            "holds; take n_jobs=1"
        ) from error
