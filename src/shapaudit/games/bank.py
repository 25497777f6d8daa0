"""A bank of games with all their values: an estimator is tried on them without any model.

    from shapaudit.games import bank

    solved = bank.load("wine-linear-baseline")
    solved.game(np.zeros((1, 13), dtype=bool))  # v of the empty coalition
    solved.values  # the Shapley values (13,)

The games are the part of the project's suite that methods may be developed on, those of at most
13 players: models of six kinds on tables that scikit-learn carries or that are generated, with one
baseline or twelve, and games made up to be hard. ``benchmarks/bank.py`` builds the bank from the
recipes in ``benchmarks/solved_games``.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from ..archives import UNREADABLE
from ..parameters import hint
from .base import GameError
from .tabular import TabularGame

FOLDER = Path(__file__).parent / "tables"
INDEX, TABLES = FOLDER / "bank.json", FOLDER / "bank.npz"


@dataclass(frozen=True, eq=False)
class Solved:
    """A game of the bank.

    Attributes
    ----------
    name : data, model and removal, or what it is made of and the number of players
    kind : "booster", "forest", "kernel", "linear", "perceptron", "process" or "synthetic"
    source : the data that it is about, and their licence
    game : all its values
    values : (d,) its Shapley values, exact up to rounding
    """

    name: str
    kind: str
    source: str
    game: TabularGame
    values: np.ndarray


@cache
def index() -> Mapping[str, Mapping[str, str]]:
    """What the bank says of each game, by name: kind, players, source, SHA-256 of its table.

    Raises `GameError` where the file is missing or damaged.
    """
    try:
        return json.loads(INDEX.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _broken(INDEX, error) from error


def names() -> list[str]:
    """Names of all games; raises `GameError` where the bank's file is missing or damaged."""
    return list(index())


def load(name: str) -> Solved:
    """The game of a name.

    Raises `GameError` for a name that no game has, and where a file of the bank is missing or
    damaged.
    """
    about = index().get(name)
    if about is None:
        raise GameError(f"the bank has no game {name!r}{hint(name, index())}; see bank.names().")
    table, values = _arrays(name)
    if digest(table, values) != about["sha256"]:
        raise GameError(f"the table of {name} in {TABLES} is damaged; install the package anew.")
    return Solved(name, about["kind"], about["source"], TabularGame(table, name), values)


def _arrays(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The table (2^d,) of a game and its Shapley values (d,)."""
    try:
        with np.load(TABLES, allow_pickle=False) as arrays:
            return arrays[name], arrays[f"{name} values"]
    except UNREADABLE as error:
        raise _broken(TABLES, error) from error


def _broken(path: Path, error: Exception) -> GameError:
    return GameError(f"{path} is missing or damaged ({error}); install the package anew.")


def digest(table: np.ndarray, values: np.ndarray) -> str:
    """SHA-256 of a table (2^d,) and its Shapley values (d,), as little-endian float64."""
    content = np.concatenate([table, values]).astype("<f8")
    return hashlib.sha256(content.tobytes()).hexdigest()
