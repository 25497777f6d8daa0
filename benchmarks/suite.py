"""Errors of estimators on the suite of games, at equal counted evaluations.

A run is appended to a file as soon as it is done, and runs that the file holds are not repeated;
`suite_summary.py` makes regrets of it. A method that took too long, or asked for too much memory,
is not tried again with as many players and evaluations or more: the file says why.
"""

import argparse
import csv
import resource
import warnings
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from time import process_time

import numpy as np

from contestants import Contestant, contestants, suite_contestants
from draws import FEW_BUDGETS, MANY_BUDGETS, generator_of
from patience import MEMORY, TOO_LARGE, Patience
from shapaudit.games import CountedGame
from solved_games import PARTS, Entry, Solved, entries
from timing import TimedGame

COLUMNS = (
    *("game", "part", "kind", "players", "budget", "seed", "package", "method"),
    *("error", "evaluations", "seconds", "note", "version", "python"),
)
# Of an estimator that cannot serve the budget or the game.
SKIPPED = (ValueError, RuntimeError, MemoryError)


def relative_error(values: np.ndarray, exact: np.ndarray) -> float:
    """Euclidean norm of the error over that of the exact values."""
    return float(np.linalg.norm(values - exact) / np.linalg.norm(exact))


def one_run(contestant: Contestant, solved: Solved, budget: int, rng) -> tuple:
    """Error, evaluations, processor seconds beside the game, and why there is no error."""
    timed = TimedGame(solved.game)
    counted = CountedGame(timed, budget)
    start = process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            values = contestant(counted, budget, rng)
    except SKIPPED as refusal:
        large = f"{TOO_LARGE}: " if isinstance(refusal, MemoryError) else ""
        seconds = process_time() - start - timed.seconds
        return "", counted.evaluations, seconds, f"{large}{refusal}"[:80]
    seconds = process_time() - start - timed.seconds
    return relative_error(values, solved.values), counted.evaluations, seconds, ""


def row_of(
    entry: Entry, name: str, budget: int, seed: int, key: tuple[str, str], outcome: tuple
) -> tuple:
    """A row of the file, of a run's outcome as `one_run` gives it."""
    return (
        *(name, entry.part, entry.kind, entry.n_players, budget, seed, *key),
        *outcome,
        "" if key[0] == "shapaudit" else version(key[0]),
        python_version(),
    )


def runs(
    chosen: Sequence[Entry],
    calls: dict,
    budgets: Sequence[int] | None,
    seeds: int,
    draw: int,
    done: set,
    patience: Patience,
) -> Iterator[tuple]:
    """Rows of the file that are not yet ``done``, game by game."""
    for entry in chosen:
        name = f"{entry.name}/{draw}" if draw else entry.name
        solved = entry.drawn(draw) if draw else entry.solved
        few = entry.n_players <= 16
        for budget in budgets or (FEW_BUDGETS if few else MANY_BUDGETS):
            if few and budget >= 1 << entry.n_players:
                continue
            for seed in range(seeds):
                for key, call in calls.items():
                    if (name, budget, seed, *key) in done:
                        continue
                    lost = patience.lost(key, entry.n_players, budget)
                    if lost:
                        outcome = ("", 0, 0.0, lost)
                    else:
                        outcome = one_run(
                            call, solved, budget, generator_of(name, budget, seed, *key)
                        )
                        patience.learn(key, entry.n_players, budget, *outcome[2:])
                    yield row_of(entry, name, budget, seed, key, outcome)


def read_done(path: Path) -> tuple[set[tuple], Patience]:
    """What the file holds: game, budget, seed, package, method; and which runs were too much."""
    done, patience = set(), Patience()
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key, budget = (row["package"], row["method"]), int(row["budget"])
                done.add((row["game"], budget, int(row["seed"]), *key))
                seconds = float(row["seconds"])
                patience.learn(key, int(row["players"]), budget, seconds, row["note"])
    return done, patience


def main() -> None:
    """Append the missing runs to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="where the runs are kept, a CSV file")
    parser.add_argument("--part", choices=PARTS, default=PARTS[0])
    parser.add_argument("--players", choices=("few", "many"), help="by default both")
    parser.add_argument("--games", nargs="+", help="names, by default all of the part")
    parser.add_argument("--budgets", nargs="+", type=int)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--draw", type=int, default=0, help="0: the suite's; others: other games")
    parser.add_argument(
        "--only", nargs="+", help="methods of any contestant; by default the suite's"
    )
    arguments = parser.parse_args()
    calls = suite_contestants()
    if arguments.only:
        calls = {key: call for key, call in contestants().items() if key[1] in arguments.only}
    chosen = [
        entry
        for entry in entries()
        if entry.part == arguments.part
        and (arguments.players is None or entry.few == (arguments.players == "few"))
        and (arguments.games is None or entry.name in arguments.games)
    ]
    done, patience = read_done(arguments.file)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with arguments.file.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if file.tell() == 0:
            writer.writerow(COLUMNS)
        asked = arguments.budgets, arguments.seeds, arguments.draw
        for row in runs(chosen, calls, *asked, done, patience):
            writer.writerow(row)
            file.flush()


if __name__ == "__main__":
    main()
