"""Games in text files: CSV with a row for each coalition, and the JSON files of shapiq."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .base import DatasetError
from .game_rows import GameTable, by_coalition, check_players
from .table import read_texts

if TYPE_CHECKING:
    import pandas

VALUE, MEMBERS = "value", "members"  # columns
EMPTY = "Empty"  # what shapiq calls the empty coalition in its JSON files
BRACKETS = "()[]{} "


def read_csv(path: Path) -> GameTable:
    """A row for each coalition, in any order, with its value in the column "value".

    The other columns are the players, with 1 for members and 0 for others; or the only other
    column is "members", with their names separated by semicolons, by commas where there are no
    semicolons in the column, and by spaces where there are no commas either.
    """
    table = read_texts(path)
    if VALUE not in table.columns or table.shape[1] < 2:
        raise DatasetError(
            f"{path} has the columns {list(table.columns)}; a game needs a column {VALUE!r}, and a "
            f"column of 0 and 1 for each player or one column {MEMBERS!r}."
        )
    values = _numbers(table[VALUE], path)
    columns = table.drop(columns=VALUE)
    if list(columns.columns) == [MEMBERS]:
        rows = _members(columns[MEMBERS].tolist())
        players = _in_order({member: None for row in rows for member in row})
        coalitions = coalitions_of(rows, players, str(path))
    else:
        players = tuple(columns.columns)
        coalitions = _zeros_and_ones(columns, path)
    return GameTable(path.stem, by_coalition(coalitions, values, players, str(path)), players)


def read_json(path: Path) -> GameTable:
    """A game as `shapiq.Game.save` writes it since shapiq 1.3.1: raw values, by their members.

    What shapiq subtracts so that the empty coalition is worth 0 is not subtracted; it changes no
    Shapley value.
    """
    content = _json(path)
    try:
        metadata, data = content["metadata"], content["data"]
        d, names = int(metadata["n_players"]), metadata.get("player_names")
        rows = [[] if key == EMPTY else [int(text) for text in key.split(",")] for key in data]
        values = np.array([float(value) for value in data.values()])
        players = tuple(map(str, names)) if names else ()
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DatasetError(
            f"{path} is no game that shapiq has saved ({type(error).__name__}: {error}); save it "
            "with the method save of a game, or as a CSV file."
        ) from error
    if content.get("data_type", "game") != "game":
        raise DatasetError(f"{path} holds {content['data_type']!r}; save the game itself.")
    if players and len(players) != d:
        raise DatasetError(f"{path} names {len(players)} of {d} players; name all, or none.")
    check_players(d, str(path))
    coalitions = coalitions_of(rows, range(d), str(path))
    values = by_coalition(coalitions, values, players or range(d), str(path))
    return GameTable(str(metadata.get("game_name") or path.stem), values, players)


def coalitions_of(rows: Sequence[Sequence[Any]], players: Sequence[Any], where: str) -> np.ndarray:
    """Coalitions (m, d) bool of lists of members; raises `DatasetError` for what is no player."""
    place = {player: j for j, player in enumerate(players)}
    check_players(len(place), where)
    coalitions = np.zeros((len(rows), len(place)), dtype=bool)
    for row, members in zip(coalitions, rows, strict=True):
        for member in members:
            if member not in place or row[place[member]]:
                what = "twice" if member in place else f"and the players are {list(players)}"
                raise DatasetError(f"{where}: coalition {list(members)} has {member!r} {what}.")
            row[place[member]] = True
    return coalitions


def _members(cells: Sequence[str]) -> list[list[str]]:
    """Names in each cell, as `read_csv` says."""
    separator = next((mark for mark in ";," if any(mark in cell for cell in cells)), None)
    split = (cell.strip(BRACKETS).split(separator) for cell in cells)
    names = ([part.strip().strip("'\"") for part in parts] for parts in split)
    return [[name for name in own if name] for own in names]


def _in_order(names: dict[str, None]) -> tuple[str, ...]:
    """Numbers by size, other names as they occur first."""
    if all(re.fullmatch("[0-9]+", name) for name in names):
        return tuple(sorted(names, key=int))
    return tuple(names)


def _numbers(column: "pandas.Series", path: Path) -> np.ndarray:
    try:
        return column.to_numpy().astype(np.float64)
    except ValueError as error:
        raise DatasetError(
            f"{path}: the column {VALUE!r} has a cell that is no number ({error}); give a finite "
            "number for each coalition."
        ) from error


def _zeros_and_ones(columns: "pandas.DataFrame", path: Path) -> np.ndarray:
    cells = columns.apply(lambda column: column.str.strip())
    ones = cells.isin(["1", "1.0", "True", "true"]).to_numpy()
    zeros = cells.isin(["0", "0.0", "False", "false"]).to_numpy()
    if not (ones | zeros).all():
        row, column = np.argwhere(~(ones | zeros))[0]
        raise DatasetError(
            f"{path}: {columns.iloc[row, column]!r} stands in column {columns.columns[column]!r}, "
            "which must have 1 for coalitions with this player and 0 for others."
        )
    return ones


def _json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_distinct)
    except (OSError, ValueError) as error:
        raise DatasetError(f"{path} cannot be read as JSON ({error}); save it again.") from error
    if not isinstance(content, dict):
        raise DatasetError(f"{path} is no game that shapiq has saved; save it again.")
    return content


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of some pairs, of which `json` would keep the last of equal keys."""
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"{twice!r} is there more than once")
    return content
