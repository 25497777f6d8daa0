"""Where an estimator stands among others, by situation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd

from ..games import bank
from ..own_files import MARKER
from ..statistics.regret import Regret, regrets, summarised
from .judgement import Judgement, JudgementError, read

RECORD = Path(str(files(__package__) / "record"))  # judgements of the package's own estimators
FLOOR = 1e-4  # relative error below which nobody is better than anybody else
SMALL = 200  # evaluations up to which a budget is small
TREES = ("booster", "forest")


@dataclass(frozen=True)
class Place:
    """An estimator in a situation.

    Attributes
    ----------
    situation : kind of games and budgets
    name : of the estimator
    place, of : its rank by the median regret, and among how many
    median, low, high : regret, the error over that of the best of all; limits of 95 % by the
        bootstrap over games
    worst, where : largest regret, and the game and budget
    tasks : games and budgets
    best : the estimator that is first
    """

    situation: str
    name: str
    place: int
    of: int
    median: float
    low: float
    high: float
    worst: float
    where: str
    tasks: int
    best: str


def files_in(folder: str | Path) -> list[Path]:
    """The files of a folder that should be judgements, sorted."""
    return sorted(path for path in Path(folder).glob("*.json") if path.name != MARKER)


def on_record(folder: str | Path = RECORD) -> list[Judgement]:
    """Judgements in a folder, by name.

    Raises `JudgementError` where there is none, and where two have the same name.
    """
    if not (found := files_in(folder)):
        raise JudgementError(f"{folder} is no folder with judgements, which are files *.json.")
    return checked_names([read(path) for path in found])


def checked_names(judgements: Sequence[Judgement]) -> list[Judgement]:
    """The same, sorted by name; raises `JudgementError` where two have the same name."""
    names = sorted(own.name for own in judgements)
    if twice := {name for name in names if names.count(name) > 1}:
        raise JudgementError(f"two judgements are called {min(twice)!r}; give one another --name.")
    return sorted(judgements, key=lambda own: own.name)


def errors_of(judgements: Sequence[Judgement]) -> pd.DataFrame:
    """Root mean square of the errors over the seeds.

    A row for each game and budget, a column for each estimator; NaN where one was refused.
    """
    columns = {
        own.name: pd.Series(
            {
                (run.game, run.budget): float(np.sqrt(np.mean(np.square(run.errors))))
                for run in own.runs
                if run.errors
            },
            dtype=float,
        )
        for own in judgements
    }
    table = pd.DataFrame(columns)
    table.index = pd.MultiIndex.from_tuples(table.index, names=["game", "budget"])
    return table.sort_index()


def situations(errors: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Parts of a table of errors: all, and by kind of game and size of the budget."""
    games = errors.index.get_level_values("game")
    kinds = np.array([_kind(game) for game in games])
    small = errors.index.get_level_values("budget") <= SMALL
    yield "all", errors
    for kind in sorted(set(kinds)):
        for told, chosen in ((f"up to {SMALL}", small), (f"more than {SMALL}", ~small)):
            part = errors[(kinds == kind) & chosen]
            if len(part):
                yield f"{kind}, {told} evaluations", part


def _kind(game: str) -> str:
    kind = bank.index()[game]["kind"]
    if kind == "synthetic":
        return "games made up"
    return "models of trees" if kind in TREES else "other models"


def places(judgements: Sequence[Judgement]) -> list[Place]:
    """Every estimator in every situation, the best first."""
    standing = []
    for situation, errors in situations(errors_of(judgements)):
        spreads = _spreads(errors)
        order = sorted(spreads, key=lambda name: (spreads[name].median, spreads[name].largest))
        for place, name in enumerate(order, 1):
            spread = spreads[name]
            where = "{} with {:,} evaluations".format(*errors.index[spread.worst])
            standing.append(
                Place(
                    *(situation, name, place, len(order), spread.median, spread.low, spread.high),
                    *(spread.largest, where, spread.tasks, order[0]),
                )
            )
    return standing


def _spreads(errors: pd.DataFrame) -> Mapping[str, Regret]:
    """Medians and limits of the regrets of those that entered at least one task."""
    errors = errors.dropna(how="all")
    regret = regrets(errors.to_numpy(), FLOOR)
    games = errors.index.get_level_values("game").to_numpy()
    return {
        name: summarised(regret[:, k], games, np.random.default_rng(0))
        for k, name in enumerate(errors.columns)
        if not np.isnan(regret[:, k]).all()
    }


def table_of(standing: Sequence[Place], name: str = "") -> pd.DataFrame:
    """The places as a table, of one estimator or of all."""
    return pd.DataFrame([vars(place) for place in standing if place.name == name or not name])
