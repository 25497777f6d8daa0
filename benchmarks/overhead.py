"""Processor time that the estimators of a study take beside the game, by task and evaluations.

Takes a configuration whose study has run, because its games are read. The time spent in a game is
measured call by call and subtracted. Each estimator runs on a few games of a task, and the median
counts; a tuned one runs with its default, and the time of tuning is not part of it.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

from pages import machine, markdown
from shapaudit.estimators import Estimator, create
from shapaudit.games import CountedGame, Game
from shapaudit.models import load_model
from shapaudit.seeding import generator
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.collection import load_collection
from shapaudit_audit.study.places import Places
from shapaudit_audit.study.reading import read_study
from timing import TimedGame

CONFIG = Path(__file__).parents[1] / "config" / "config.yaml"
COLUMNS = ("task", "players", "budget", "estimator", "seconds", "least", "most")
SLOW = 0.1  # seconds of an explanation


def one_run(estimator: Estimator, game: Game, budget: int, rng: np.random.Generator) -> float:
    """Processor seconds beside the game."""
    timed = TimedGame(game)
    start = process_time()
    estimator.estimate(CountedGame(timed, budget), budget, rng)
    return process_time() - start - timed.seconds


def measure(study: Study, games: int) -> Iterator[tuple]:
    """Rows of `COLUMNS`; seconds are the median, the least and the most over some games."""
    places = Places(study.results)
    for task, block in (study.compared() | study.on_games_of_papers()).items():
        model = load_model(places.model(study.game_of(block).model))
        played = load_collection(places.games(block.game), model).experiment_games()[:games]
        for name in block.estimators:
            spec = study.estimators[name]
            estimator = create(spec.estimator, spec.params)
            least = estimator.minimum_budget(played[0].n_players)
            for budget in (each for each in block.part(name).budgets if each >= least):
                rng = generator(0, "overhead", task, name, budget)
                spent = [one_run(estimator, game, budget, rng) for game in (played[0], *played)]
                ends = np.median(spent[1:]), min(spent[1:]), max(spent[1:])  # the first compiles
                yield task, played[0].n_players, budget, name, *ends


def page(frame: pd.DataFrame, labels: dict[str, str], games: int) -> str:
    """The measurements in words and as a table."""
    last = frame.loc[frame.groupby(["task", "estimator"])["budget"].idxmax()]
    micro = 1e6 * last["seconds"] / last["budget"]
    wide = last.assign(micro=micro).pivot(index="estimator", columns="task", values="micro")
    wide = wide.loc[frame["estimator"].unique(), frame["task"].unique()]
    rows = [
        [labels[name], *("" if np.isnan(cell) else f"{cell:.3g}" for cell in wide.loc[name])]
        for name in wide.index
    ]
    long = frame.loc[frame["seconds"] > SLOW, "estimator"].unique()
    spread = (frame["most"] / frame["least"]).median()
    players = frame.groupby("task")["players"].first()
    return "\n\n".join(
        [
            "# Time beside the game",
            "Microseconds of processor time per evaluation that an estimator takes beside the "
            "game, at the largest number of evaluations with which the default study runs it on "
            f"a task (empty: it does not run there). Medians over {games} games; the slowest of "
            f"them takes {spread:.2g} times as long as the fastest in the median. {machine()}",
            f"More than {SLOW:g} seconds for an explanation with some number of evaluations: "
            f"{'; '.join(labels[name] for name in long) or 'none'}.",
            markdown(
                ["Estimator", *(f"{task}, d = {players[task]}" for task in wide.columns)], rows
            ),
            "The table as [CSV](overhead.csv) has the seconds at every number of evaluations.",
        ]
    )


def main() -> None:
    """Measure, and write overhead.csv and overhead.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where the results go")
    parser.add_argument("--study", default=CONFIG, help="configuration of a study that has run")
    parser.add_argument("--games", type=int, default=9, help="games of each task")
    arguments = parser.parse_args()
    study = read_study(arguments.study)
    frame = pd.DataFrame(measure(study, arguments.games), columns=COLUMNS)
    frame.to_csv(arguments.directory / "overhead.csv", index=False, float_format="%.3g")
    labels = {name: spec.label for name, spec in study.estimators.items()}
    text = page(frame, labels, arguments.games)
    (arguments.directory / "overhead.md").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
