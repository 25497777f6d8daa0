"""Errors of ShaplEIG at small numbers of evaluations, on the first wider game of each kind.

It takes tens of seconds for an estimate. It chooses its coalitions one by one, and does not choose
the first of them otherwise when more are to follow: so one run is read at several numbers of
evaluations, each time as it would have ended there. Rows are kept as by `suite.py`, to a file that
holds none yet of the games and seeds.
"""

import argparse
import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import process_time

import numpy as np
from shapiq.approximator import ShaplEIG
from shapiq.approximator.shapleig import _shapley_math as posterior

from contestants import EXTRA, with_shapiq
from draws import generator_of
from shapaudit.games import CountedGame
from solved_games import WIDER, Entry, entries
from suite import COLUMNS, read_done, relative_error, row_of

KEY = ("shapiq", "ShaplEIG")
BUDGETS = (30, 60, 100)


class Read(ShaplEIG):
    """ShaplEIG, which tells its estimate after so many evaluations as it passes them."""

    def __init__(self, n: int, at: Sequence[int], tell: Callable, **params):
        super().__init__(n, **params)
        self.at, self.tell = at, tell

    def _eig(self, gp, *arguments, **named):
        fitted = gp.tensors()
        if len(fitted.train_X) in self.at:
            given = posterior.a_kzw(fitted.train_X, fitted.lengthscales, fitted.outputscale)
            factor = posterior.psd_chol(posterior.noisy_train_kernel(fitted))
            means = posterior.affine_posterior_mean(given, fitted, factor)
            self.tell(len(fitted.train_X), means.numpy())
        return super()._eig(gp, *arguments, **named)


def estimates(game, budgets: Sequence[int], rng: np.random.Generator) -> dict[int, tuple]:
    """Estimated values (d,) and processor seconds by evaluations, the last of which end the run."""
    started, found = process_time(), {}

    def tell(spent: int, values: np.ndarray) -> None:
        found[spent] = values, process_time() - started

    params = EXTRA[KEY[1]][1]
    estimate = with_shapiq(Read, at=budgets[:-1], tell=tell, **params)
    tell(budgets[-1], estimate(CountedGame(game, budgets[-1]), budgets[-1], rng))
    return found


def first_of_each_kind() -> list[Entry]:
    """The first wider game of each kind, all of few players."""
    firsts = {entry.kind: entry for entry in reversed(entries()) if entry.part == WIDER}
    return [entry for entry in entries() if firsts.get(entry.kind) is entry]


def rows(chosen: Sequence[Entry], seeds: int, done: set) -> Iterator[tuple]:
    """Rows of the file, seed by seed, of runs that are not done."""
    for seed in range(seeds):
        for entry in chosen:
            if (entry.name, BUDGETS[-1], seed, *KEY) in done:
                continue
            rng = generator_of(entry.name, BUDGETS[-1], seed, *KEY)
            for budget, (values, seconds) in estimates(entry.solved.game, BUDGETS, rng).items():
                outcome = relative_error(values, entry.solved.values), budget, seconds, ""
                yield row_of(entry, entry.name, budget, seed, KEY, outcome)


def main() -> None:
    """Append the missing runs to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="where the runs are kept, a CSV file")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--names", action="store_true", help="only say which games it takes")
    arguments = parser.parse_args()
    chosen = first_of_each_kind()
    if arguments.names:
        print(*(entry.name for entry in chosen))
        return
    done, _ = read_done(arguments.file)
    with arguments.file.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if file.tell() == 0:
            writer.writerow(COLUMNS)
        for row in rows(chosen, arguments.seeds, done):
            writer.writerow(row)
            file.flush()


if __name__ == "__main__":
    main()
