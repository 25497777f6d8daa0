"""An estimator in two versions of this project: errors with equal seeds, and time.

    git worktree add ../before <commit>
    python benchmarks/versions.py benchmarks/results/versions.md --before ../before --note "..."

Each version runs in a process of its own, on the suite's games with few players on which estimators
are developed. One call of the one is followed by the same of the other, and the least of several
rounds counts, since other jobs only add. Without ``--before`` there is the time of this version.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

from draws import FEW_BUDGETS, generator_of
from pages import machine, markdown
from shapaudit.estimators import create
from shapaudit.statistics.limits import bootstrap_limits
from solved_games import entries
from timing import TimedGame

LEVEL = 0.95
FLOOR = 1e-4  # relative errors below count as this one: ratios of what is nearly exact say little
HERE, BEFORE = "this version", "the version before"


def answers() -> None:
    """Error and seconds for each game, budget and seed on a line of the input, until it ends."""
    known = {entry.name: entry for entry in entries()}
    for line in sys.stdin:
        method, name, budget, seed = json.loads(line)
        solved, estimator = known[name].solved, create(method)
        timed = TimedGame(solved.game)
        rng = generator_of(name, budget, seed, "shapaudit", method)
        start = process_time()
        values = estimator.estimate(timed, budget, rng).values
        seconds = process_time() - start - timed.seconds
        error = np.linalg.norm(values - solved.values) / np.linalg.norm(solved.values)
        print(json.dumps([float(error), seconds]), flush=True)


class Version:
    """A checkout of this project whose estimators run in a process of their own."""

    def __init__(self, tree: Path):
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        environment = os.environ | threads | {"PYTHONPATH": str(tree.resolve() / "src")}
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--answer"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, *asked) -> tuple[float, float]:
        """Relative error and processor seconds beside the game."""
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"a version stopped at {asked}: its message is above")
        return tuple(json.loads(answer))

    def stop(self) -> None:
        """End its process."""
        self._process.stdin.close()
        self._process.wait()


def tasks(budgets: Sequence[int], seeds: int) -> Iterator[tuple[str, int, int]]:
    """Games for development with few players, evaluations and seeds."""
    for entry in entries():
        if entry.part == "development" and entry.few:
            for budget in budgets:
                if budget < 1 << entry.n_players:
                    yield from ((entry.name, budget, seed) for seed in range(seeds))


def measure(versions: dict[str, Version], method: str, asked, rounds: int) -> pd.DataFrame:
    """Columns: game, budget, version, error, micro (microseconds per evaluation); seed by seed."""
    rows = []
    for name, budget, seed in asked:
        by_version = {label: [] for label in versions}
        for round_ in range(-1, rounds):
            for label, version in versions.items():
                once = version.run(method, name, budget, seed)
                if round_ >= 0:  # the first round compiles and builds the game
                    by_version[label].append(once)
        for label, runs in by_version.items():
            error, seconds = np.min(runs, axis=0)
            rows.append((name, budget, label, error, 1e6 * seconds / budget))
    return pd.DataFrame(rows, columns=["game", "budget", "version", "error", "micro"])


def by_game(runs: pd.DataFrame) -> pd.DataFrame:
    """Root mean square of the errors over seeds, and mean microseconds, by budget and game."""
    squared = runs.assign(error=np.square(runs["error"]))
    means = squared.groupby(["version", "budget", "game"]).mean()
    return means.assign(error=np.sqrt(means["error"]))


def ratio(first: pd.Series, second: pd.Series) -> str:
    """Geometric mean of the ratios by game, with limits of the bootstrap over games."""
    logs = np.log(first.to_numpy() / second.to_numpy())
    limits = bootstrap_limits(logs, np.mean, LEVEL)
    mean, low, high = np.exp([logs.mean(), *limits])
    return f"{mean:.2f} ({low:.2f} to {high:.2f})"


def page(runs: pd.DataFrame, method: str, rounds: int, note: str) -> str:
    """The measurements in words and as a table."""
    games = by_game(runs)
    two = BEFORE in set(runs["version"])
    rows = []
    for budget in sorted(runs["budget"].unique()):
        here = games.loc[HERE, budget]
        row = [f"{budget:,}", str(len(here)), f"{here['micro'].median():.0f}"]
        if two:
            before = games.loc[BEFORE, budget].loc[here.index]
            row += [f"{before['micro'].median():.0f}", ratio(here["micro"], before["micro"])]
            row += [ratio(here["error"].clip(FLOOR), before["error"].clip(FLOOR))]
        rows.append(row)
    header = ["Evaluations", "Games", "Microseconds"]
    header += ["Before", "Ratio of times", "Ratio of errors"] if two else []
    said = [
        f"# {method} in two versions" if two else f"# Time of {method}",
        "Processor microseconds per evaluation beside the game, the median over the games with few "
        f"players on which estimators are developed, with one thread; the least of {rounds} "
        f"rounds. {machine()} {note}".rstrip(),
    ]
    if two:
        said.append(
            "Ratios are those of this version to the one before, geometric means over the games "
            "with limits of 95 % of the bootstrap over games. Both versions have the same "
            f"seeds. Errors below {FLOOR:g} of the norm of the values count as that."
        )
    return "\n\n".join([*said, markdown(header, rows)])


def main() -> None:
    """Measure, and write the page; or answer to the process that measures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("page", type=Path, nargs="?", help="where the page goes")
    parser.add_argument("--before", type=Path, help="a checkout of another version")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--budgets", type=int, nargs="+", default=FEW_BUDGETS)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--note", default="", help="a sentence on the versions")
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.answer:
        answers()
        return
    if given.page is None:
        parser.error("where should the page go?")
    if given.before and not (given.before / "src" / "shapaudit").is_dir():
        parser.error(f"{given.before} is no checkout of this project")
    trees = {HERE: Path(__file__).resolve().parents[1]}
    if given.before:
        trees[BEFORE] = given.before
    versions = {label: Version(tree) for label, tree in trees.items()}
    runs = measure(versions, given.method, tasks(given.budgets, given.seeds), given.rounds)
    for version in versions.values():
        version.stop()
    given.page.write_text(page(runs, given.method, given.rounds, given.note) + "\n", "utf-8")


if __name__ == "__main__":
    main()
