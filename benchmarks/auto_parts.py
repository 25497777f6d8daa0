"""`auto` with and without one of its parts: errors with equal seeds, intervals and time.

    python benchmarks/auto_parts.py benchmarks/results --tables FOLDER

The games are those of the bank and, with ``--tables``, the files of values (npz) in a folder, whose
names begin with what they are about: "bikesharing_ensembleselection-10-0". One run with a part is
followed by the same without it, or the other way round. Runs go to ``auto_parts.csv``, and what
follows from them to ``auto_parts.md``.
"""

import argparse
import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import process_time
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import pandas as pd

from draws import generator_of
from pages import machine, markdown
from shapaudit import TabularGame, create, shapley_from_table
from shapaudit.estimators import auto
from shapaudit.estimators.fits import adaptive, profile
from shapaudit.estimators.fits.adaptive import SPARE
from shapaudit.estimators.fits.cubic import coefficients
from shapaudit.estimators.fits.mixture import ProcessMixture
from shapaudit.estimators.fits.value_trees import LEAST_PAIRS
from shapaudit.games import bank
from shapaudit.samplers import spread
from shapaudit.statistics.limits import bootstrap_limits

LEVEL, NORMAL = 0.95, 1.96
FLOOR = 1e-4  # relative errors below count as this one: ratios of what is nearly exact say little
ROUNDING = 1e-12
# What the names of published tables contain, in words.
ABOUT = {
    "datasetvaluation": "data sets in training",
    "featureselection": "features in training",
    "ensembleselection": "members of ensembles",
    "datavaluation": "rows in training",
}
OTHERS = "other published tables"


class Part(NamedTuple):
    """What is left out, in a word and in several, how, and with how many evaluations.

    ``pairs`` tells whether `auto` uses the part at so many pairs and players.
    """

    key: str
    name: str
    without: Callable[[], AbstractContextManager]
    budgets: tuple[int, ...]
    pairs: Callable[[int, int], bool]


PARTS = (
    Part(
        "spread",
        "pairs that are chosen, not only drawn",
        lambda: patch.object(spread, "MOST_PAIRS", 0),
        (30, 60, 100, 200, 500, 1000),
        spread.pays,
    ),
    Part(
        "profile",
        "the functions of the number of players",
        lambda: patch.object(profile, "SPARE", math.inf),
        (60, 100, 200, 500),
        profile.enough_pairs,
    ),
    Part(
        "few",
        "the processes of the values with fewer than d + 5 pairs",
        lambda: patch.object(auto, "VALUE_PAIRS", 0),
        (10, 16, 24, 36),
        lambda pairs, players: pairs < players + SPARE,
    ),
    Part(
        "values",
        "the process of the values with d + 5 to 128 pairs",
        lambda: patch.object(auto, "VALUE_PAIRS", 0),
        (60, 100, 200),
        lambda pairs, players: players + SPARE <= pairs <= auto.VALUE_PAIRS,
    ),
    Part(
        "trees",
        "boosted trees of the values",
        lambda: patch.object(auto, "LEAST_PAIRS", math.inf),
        (20, 30, 40, 50),
        lambda pairs, players: LEAST_PAIRS <= pairs < auto.FEW * players,
    ),
    Part(
        "cubic",
        "the polynomial of order three",
        lambda: patch.object(auto, "coefficients", lambda _: math.inf),
        (200, 500, 1000),
        lambda pairs, players: pairs >= coefficients(players) + SPARE,
    ),
    Part(
        "process",
        "the process of all sets and all that is built on it",
        lambda: patch.object(auto, "adapt", lambda *_: []),
        (60, 200, 500, 1000),
        lambda pairs, players: pairs >= players + SPARE,
    ),
    Part(
        "index",
        "a function of one weighted sum",
        lambda: patch.multiple(adaptive, SHARE=math.inf, SIGMOID=-math.inf),
        (60, 200, 500, 1000),
        lambda pairs, players: pairs >= players + SPARE,
    ),
    Part(
        "sets",
        "single sets with variances of their own",
        lambda: patch.object(adaptive, "mixed", lambda plain, _: ProcessMixture(plain, plain, 0.0)),
        (60, 200, 500, 1000),
        lambda pairs, players: pairs >= players + SPARE,
    ),
)


def games(tables: Path | None) -> Iterator[tuple[str, str, TabularGame, np.ndarray]]:
    """Kind, name, game and Shapley values: of the bank, and of the files in a folder."""
    for name in bank.names():
        solved = bank.load(name)
        kind = "bank, synthetic" if solved.kind == "synthetic" else "bank, models"
        yield kind, name, solved.game, solved.values
    for path in sorted(tables.glob("*.npz")) if tables else ():
        with np.load(path) as file:
            values = file["values"]
        kind = next((words for key, words in ABOUT.items() if key in path.stem), OTHERS)
        yield kind, path.stem, TabularGame(values), shapley_from_table(values)


def measure(part: Part, tables: Path | None, seeds: int) -> Iterator[tuple]:
    """A line of `COLUMNS` for each run with and each without a part."""
    _compile(part)
    for kind, name, game, truth in games(tables):
        players = game.n_players
        for budget in part.budgets:
            if budget >= 1 << players or not part.pairs(budget // 2 - 1, players):
                continue
            for seed in range(seeds):
                for used in (True, False) if seed % 2 else (False, True):
                    rng = generator_of(name, budget, seed, "shapaudit", "auto")
                    with nullcontext() if used else part.without():
                        measured = once(game, truth, budget, rng)
                    yield (part.key, kind, name, budget, seed, used, *measured)


COLUMNS = ["part", "kind", "game", "budget", "seed", "used", "error", "inside", "seconds"]


def _compile(part: Part) -> None:
    """Runs whose time does not count, in which functions are compiled."""
    solved = bank.load(bank.names()[0])
    for budget in part.budgets:
        once(solved.game, solved.values, budget, np.random.default_rng(0))


def once(
    game: TabularGame, truth: np.ndarray, budget: int, rng: np.random.Generator
) -> tuple[float, float, float]:
    """Relative error, share of the values inside of their intervals, processor seconds."""
    start = process_time()
    estimate = create("auto").estimate(game, budget, rng)
    seconds = process_time() - start
    off = np.abs(estimate.values - truth)
    allowed = NORMAL * estimate.standard_errors + ROUNDING * np.abs(truth).max()
    error = np.linalg.norm(off) / np.linalg.norm(truth)
    return float(error), float((off <= allowed).mean()), seconds


def cells(runs: pd.DataFrame) -> pd.DataFrame:
    """By part, kind, game and budget: the ratio of errors, root mean squares over seeds.

    Columns: ratio, with over without; inside and without, the shares inside of intervals.
    """
    keys = ["part", "kind", "game", "budget"]
    squared = runs.assign(error=np.square(runs["error"]))
    means = squared.groupby([*keys, "used"])[["error", "inside"]].mean().unstack("used")
    errors = np.sqrt(means["error"]).clip(FLOOR)
    return pd.DataFrame(
        {
            "ratio": errors[True] / errors[False],
            "inside": means["inside"][True],
            "without": means["inside"][False],
        }
    )


def row(name: str, own: pd.DataFrame) -> list[str]:
    """A line of the page: games, mean ratio with limits over games, worst cell, intervals."""
    logs = np.log(own["ratio"]).groupby("game").mean().to_numpy()
    mean = f"{np.exp(logs.mean()):.2f}"
    if len(logs) > 2:
        low, high = np.exp(bootstrap_limits(logs, np.mean, LEVEL))
        mean += f" ({low:.2f} to {high:.2f})"
    inside = [f"{100 * own[column].mean():.1f} %" for column in ("inside", "without")]
    return [name, str(len(logs)), mean, f"{own['ratio'].max():.2f}", *inside]


HEADER = ["Games", "Number", "Ratio of errors", "Worst", "Intervals hold", "Without"]


def page(runs: pd.DataFrame, note: str = "") -> str:
    """What the runs say of each part, as a page in Markdown."""
    ratios, said = cells(runs), ["# auto with and without its parts"]
    seeds, budgets = runs["seed"].nunique(), runs.groupby("part")["budget"]
    said.append(
        "Ratios of errors are those with a part to those without it, on the same coalitions unless "
        f"the part is their choice: root mean squares over {seeds} seeds, geometric means over "
        "games and numbers of evaluations, with limits of 95 % of the bootstrap over games where "
        "there are more than two. Worst is the largest ratio of a game at a number of evaluations. "
        f"Errors below {FLOOR:g} of the norm of the values count as that. Intervals are nominally "
        "of 95 %, shares are means over players, seeds, games and numbers of evaluations. "
        f"{machine()} {note}".rstrip()
    )
    for part in PARTS:
        if part.key not in ratios.index:
            continue
        own = ratios.loc[part.key]
        rows = [row(kind, own.loc[kind]) for kind in own.index.unique("kind")]
        by_budget = [
            row(f"all, {budget} evaluations", own.xs(budget, level="budget"))
            for budget in budgets.get_group(part.key).unique()
        ]
        time = runs[runs["part"] == part.key].groupby("used")["seconds"].sum()
        said += [
            f"## With {part.name}",
            markdown(HEADER, [*rows, *by_budget, row("all", own)]),
            f"All runs together take {time[True] / time[False]:.2f} times as long with it.",
        ]
    return "\n\n".join(said)


def main() -> None:
    """Measure, and write the runs and the page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("results", type=Path, help="folder of the runs and the page")
    parser.add_argument("--tables", type=Path, help="folder of further games, npz with values")
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--note", default="", help="a sentence on the tables")
    given = parser.parse_args()
    lines = [line for part in PARTS for line in measure(part, given.tables, given.seeds)]
    runs = pd.DataFrame(lines, columns=COLUMNS)
    runs.to_csv(given.results / "auto_parts.csv", index=False, float_format="%.4g")
    (given.results / "auto_parts.md").write_text(page(runs, given.note) + "\n", "utf-8")


if __name__ == "__main__":
    main()
