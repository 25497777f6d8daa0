"""Data whose rows are the coalitions of games that are known by all their values."""

import hashlib
from pathlib import Path

import numpy as np

from ..registers import loader
from .base import Dataset, DatasetError, random_split
from .game_files import READ, read_game
from .game_rows import GameTable

MOST_OF_A_STUDY = 20


def game_files(path: str) -> tuple[Path, ...]:
    """The file, or those of a folder by their names; raises `DatasetError` where there is none."""
    place = Path(path)
    if place.is_file():
        return (place,)
    files = tuple(sorted(file for file in place.glob("*") if file.suffix in READ))
    if not files:
        raise DatasetError(
            f"{path} is no file, and no folder with files that end in {', '.join(READ)}; correct "
            "the path."
        )
    return files


@loader("game-tables")
def load(rng: np.random.Generator, *, path: str, order: str | None = None) -> Dataset:
    """Games of the same players: a row for each coalition, 1 for members, with its value as target.

    The 2^d coalitions of a game follow each other in binary order, game by game. The trainer
    "table" takes all of them, whatever their split.

    Parameters
    ----------
    rng : numpy.random.Generator
    path : file of a game, or a folder with a file for each game, which are taken by their names
    order : of values without coalitions, as in `shapaudit.games.load`

    Raises
    ------
    DatasetError
        For what `shapaudit.games.load` refuses, games of other players, and more than 20 players.
    """
    files = game_files(path)
    tables = [read_game(file, order) for file in files]
    first = tables[0]
    for file, table in zip(files, tables, strict=True):
        if table.values.size != first.values.size or table.players != first.players:
            raise DatasetError(
                f"{file} has {_players(table)}, and {files[0]} has {_players(first)}; put games of "
                "other players into a folder of their own."
            )
    d = first.values.size.bit_length() - 1
    if d > MOST_OF_A_STUDY:
        raise DatasetError(
            f"{path} has {d} players; a study takes tables of {MOST_OF_A_STUDY} at most."
        )
    coalitions = np.arange(1 << d)[:, None] >> np.arange(d) & 1
    digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    return Dataset(
        name=Path(path).stem,
        features=np.tile(coalitions, (len(tables), 1)),
        target=np.concatenate([table.values for table in tables]),
        feature_names=first.players or tuple(f"player {j}" for j in range(d)),
        split=random_split(len(tables) << d, rng),
        provenance=", ".join(
            f"{file}, SHA-256 {digest}" for file, digest in zip(files, digests, strict=True)
        ),
    )


def _players(table: GameTable) -> str:
    d = table.values.size.bit_length() - 1
    return f"the players {list(table.players)}" if table.players else f"{d} players"
