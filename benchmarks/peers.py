"""Errors of this project's estimators and of other packages at equal counted evaluations.

The games are those of the default study at d = 16. A run is appended to a file as soon as it is
done, and runs that the file holds are not repeated; `peers_summary.py` makes the tables of it.
"""

import argparse
import csv
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from time import process_time

import numpy as np

from contestants import Contestant, contestants
from shapaudit.games import CountedGame
from shapaudit.seeding import generator
from shapaudit_audit.study.blocks.study import Study
from study import collection, configuration, solved

GAMES = ("classification", "regression")
BUDGETS = (1_000, 10_000)
SLOW = ("SPEX", "ProxySPEX", "ShaplEIG")
LABELS = ("game", "explicand", "tuning", "budget", "package", "method")
COLUMNS = (*LABELS, "error", "evaluations", "seconds", "version", "python")


def one_run(contestant: Contestant, game, truth, budget: int, rng) -> tuple[float, int, float]:
    """Euclidean norm of the error, evaluations and processor seconds."""
    counted = CountedGame(game, budget)
    start = process_time()
    values = contestant(counted, budget, rng)
    seconds = process_time() - start
    return float(np.linalg.norm(values - truth.values)), counted.evaluations, seconds


def version_of(package: str) -> str:
    """Version of a peer; nothing for this project, which the commit tells."""
    return "" if package == "shapaudit" else version(package)


def runs(
    config: Study, name: str, calls: dict, budgets: list[int], explicands: int, done: set[tuple]
) -> Iterator[tuple]:
    """Rows of the file that are not yet ``done``, explicand by explicand.

    This project's estimators also run on the tuning explicands, where the best of them is chosen.
    """
    games = collection(config, name)
    own = {key: call for key, call in calls.items() if key[0] == "shapaudit"}
    tasks = [(False, k, games.game(k), calls) for k in range(explicands)]
    tasks += [(True, k, game, own) for k, game in enumerate(games.tuning_games())]
    warm = set()
    for tuning, explicand, game, entrants in tasks:
        truth = solved([game])[0][1]
        for key, call in entrants.items():
            for budget in budgets:
                label = (name, explicand, tuning, budget, *key)
                if label in done:
                    continue
                if key not in warm:  # what is compiled or imported at first is not counted
                    call(CountedGame(game), budgets[0], generator(config.seed, "warm", *key))
                    warm.add(key)
                rng = generator(config.seed, "peers", name, int(tuning), explicand, *key, budget)
                outcome = one_run(call, game, truth, budget, rng)
                yield (*label, *outcome, version_of(key[0]), python_version())


def read_done(path: Path) -> set[tuple]:
    """Labels of the runs in the file; empty where there is none."""
    if not path.exists():
        return set()
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows, None)
        return {
            (game, int(explicand), tuning == "True", int(budget), package, method)
            for game, explicand, tuning, budget, package, method, *_ in rows
        }


def wanted(method: str, only: list[str] | None) -> bool:
    """Whether a method is one of those asked for; the slow ones need to be asked for."""
    return method not in SLOW if only is None else method in only


def main() -> None:
    """Append the missing runs to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="where the runs are kept, a CSV file")
    parser.add_argument("--explicands", type=int, default=20)
    parser.add_argument("--games", nargs="+", default=GAMES, choices=GAMES)
    parser.add_argument("--budgets", nargs="+", type=int, default=BUDGETS)
    parser.add_argument("--only", nargs="+", help=f"methods; by default all but {SLOW}")
    arguments = parser.parse_args()
    calls = {key: call for key, call in contestants().items() if wanted(key[1], arguments.only)}
    done = read_done(arguments.file)
    with arguments.file.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if file.tell() == 0:
            writer.writerow(COLUMNS)
        for name in arguments.games:
            settings = name, calls, arguments.budgets, arguments.explicands
            for row in runs(configuration(), *settings, done):
                writer.writerow(row)
                file.flush()


if __name__ == "__main__":
    main()
