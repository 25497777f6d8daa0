"""Games whose values are in a file: our own form, arrays of NumPy, CSV, and files of shapiq."""

import io
import os
import tempfile
from pathlib import Path

import numpy as np

from ..archives import UNREADABLE
from ..own_files import FolderError
from .base import DatasetError
from .game_rows import GameTable, by_coalition, in_order
from .game_texts import read_csv, read_json

FORMAT = "shapaudit game 1"  # of our own files
READ = (".npz", ".npy", ".csv", ".json")
# Beside "values" in archives of others; what shapiq subtracts from all values does not matter.
KNOWN = {"values", "coalitions", "n_players", "normalization_value"}


def read_game(path: str | Path, order: str | None = None) -> GameTable:
    """The game of a file, see `shapaudit.games.load`.

    Raises `DatasetError` naming the file, what is wrong with it, and the remedy.
    """
    path = Path(path)
    if not path.is_file():
        raise DatasetError(f"{path} does not exist or is no file; correct the path.")
    if path.suffix not in READ:
        raise DatasetError(
            f"{path} is of a kind that is not read; known are {', '.join(READ)}. A pickle runs "
            "code when it is read: open it with the program that wrote it, and save the values."
        )
    if path.suffix in (".npz", ".npy"):
        return _read_arrays(path, order)
    if order is not None:
        raise DatasetError(f"{path} names its coalitions; leave out order={order!r}.")
    return read_csv(path) if path.suffix == ".csv" else read_json(path)


def write_game(path: str | Path, table: GameTable) -> None:
    """Write a game in our own form, with a suffix .npz; equal games, equal bytes.

    Values that single precision holds exactly are stored so. Raises `DatasetError` for another
    suffix, and `FolderError` rather than overwrite a file that is no game of ours.
    """
    path = Path(path)
    if path.suffix != ".npz":
        raise DatasetError(f"{path}: games are saved in files that end in .npz; name it so.")
    if (path.exists() or path.is_symlink()) and not _is_ours(path):
        raise FolderError(
            f"{path} was not written by shapaudit, and is not overwritten; name another file"
        )
    with np.errstate(over="ignore"):
        single = table.values.astype(np.float32)
    exact = np.array_equal(single.astype(np.float64), table.values)
    content = io.BytesIO()
    np.savez_compressed(
        content,
        format=np.array(FORMAT),
        name=np.array(table.name),
        players=np.array(table.players, dtype=str),
        values=single if exact else table.values,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content.getvalue())
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def _is_ours(path: Path) -> bool:
    try:
        return "format" in (arrays := _arrays(path)) and str(arrays["format"]) == FORMAT
    except DatasetError:
        return False


def _read_arrays(path: Path, order: str | None) -> GameTable:
    arrays = _arrays(path)
    if "format" in arrays:
        return _own(path, arrays, order)
    if len(arrays) == 1:
        ((name, values),) = arrays.items()
    elif "values" in arrays and arrays.keys() <= KNOWN:
        name, values = "values", arrays["values"]
    else:
        raise DatasetError(
            f"{path} has the arrays {', '.join(arrays)}; a game has one array of values, or "
            "values and coalitions."
        )
    values = _real(values, name, path)
    if "coalitions" in arrays:
        coalitions = _coalitions(path, arrays["coalitions"], len(values))
        if order is not None:
            raise DatasetError(f"{path} names its coalitions; leave out order={order!r}.")
        players = range(coalitions.shape[1])
        values = by_coalition(coalitions, values, players, str(path))
    else:
        values = in_order(values, order, str(path))
    if "n_players" in arrays:
        _check_players(path, arrays["n_players"], values.size)
    return GameTable(path.stem, values)


def _check_players(path: Path, said: np.ndarray, size: int) -> None:
    """Raise `DatasetError` unless 2^d is the ``size`` of the values, for the number ``said``."""
    players = size.bit_length() - 1
    if said.size != 1 or said.dtype.kind not in "iuf" or said.item() != players:
        raise DatasetError(
            f"{path} says {said.tolist()!r} players and has {size} values, which are those of "
            f"{players}; correct n_players, or leave it out."
        )


def _own(path: Path, arrays: dict[str, np.ndarray], order: str | None) -> GameTable:
    if str(arrays["format"]) != FORMAT or not {"name", "values", "players"} <= arrays.keys():
        raise DatasetError(
            f"{path} is of the format {str(arrays['format'])!r}, and this version reads "
            f"{FORMAT!r}; save the game with this version."
        )
    values = in_order(_real(arrays["values"], "values", path), order or "binary", str(path))
    if arrays["players"].ndim != 1:
        raise DatasetError(
            f"{path}: 'players' has the shape {arrays['players'].shape}, and must have a name for "
            "each player; save the game again."
        )
    players = tuple(arrays["players"].tolist())
    if order == "size" or (players and values.size != 1 << len(players)):
        raise DatasetError(
            f"{path} has {len(players)} names of players and {values.size} values in binary "
            "order; save the game again, and leave out another order."
        )
    return GameTable(str(arrays["name"]), values, players)


def _coalitions(path: Path, given: np.ndarray, count: int) -> np.ndarray:
    """Coalitions (m, d) bool."""
    if given.ndim != 2 or len(given) != count or not np.isin(given, (0, 1)).all():
        raise DatasetError(
            f"{path} has coalitions of shape {given.shape} for {count} values; they must have a "
            "row of 0 and 1 for each value."
        )
    return given.astype(bool)


def _real(values: np.ndarray, name: str, path: Path) -> np.ndarray:
    if values.dtype.kind not in "fiub" or values.ndim != 1:
        raise DatasetError(
            f"{path}: {name!r} has the type {values.dtype} and the shape {values.shape}; values "
            "are real numbers (2^d,), one game in a file."
        )
    return values.astype(np.float64)


def _arrays(path: Path) -> dict[str, np.ndarray]:
    try:
        with path.open("rb") as file:
            content = np.load(file, allow_pickle=False)
            if isinstance(content, np.ndarray):
                return {"values": content}
            return {key: content[key] for key in content.files}
    except UNREADABLE as error:
        raise DatasetError(
            f"{path} cannot be read as arrays of numbers ({error}); write it again with "
            "numpy.save or numpy.savez, without objects."
        ) from error
