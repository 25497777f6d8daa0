"""Games in files: any table of values is a game."""

from pathlib import Path

from ..datasets.base import DatasetError
from ..datasets.game_files import read_game, write_game
from ..datasets.game_rows import GameTable
from .base import Game, GameError
from .tabular import TabularGame


def load(path: str | Path, order: str | None = None) -> TabularGame:
    """The game whose values for all coalitions are in a file.

    These files are read:

    - ``.npz`` that `save` wrote, with the names of its players;
    - ``.npy`` or ``.npz`` with one array of 2^d values: entry k is the value of the players j
      whose bit j of k is set, so that the first four are those of no player, player 0, player 1,
      and both;
    - ``.npz`` with arrays ``values`` (2^d,) and ``coalitions`` (2^d, d) of 0 and 1 in any order,
      as the method ``save_values`` of `shapiq.Game` writes them;
    - ``.json`` as the method ``save`` of `shapiq.Game` writes it;
    - ``.csv`` with a row for each coalition in any order: a column ``value``, and either a column
      of 0 and 1 for each player or one column ``members`` with names or numbers separated by
      semicolons; by commas where the column has no semicolons; by spaces where it has no commas.

    Values are raw: v(empty) need not be 0, and no ``normalization_value`` is subtracted.

    Parameters
    ----------
    path : the file; its suffix says what it is
    order : of values without coalitions: "binary", as above, or "size", those of few players
        first and equal sizes as `itertools.combinations` has them. By default binary, and values
        that are likely to be listed by size are refused.

    Raises
    ------
    GameError
        For a file that is missing, of another kind, or damaged; a table that is incomplete, has
        another number of values or a coalition twice; a value that is not finite; values that are
        likely to be in another order than is said.
    """
    try:
        table = read_game(path, order)
        return TabularGame(table.values, table.name, table.players)
    except DatasetError as error:
        raise GameError(str(error)) from error


def save(game: Game, path: str | Path) -> None:
    """Write the values, the name and the players of a table to a file ``.npz`` that `load` reads.

    Equal games give equal bytes. Raises `GameError` for a game that is no `TabularGame`, which
    `tabulate` makes of it, and for another suffix; `FolderError` rather than overwrite a file that
    is no game of ours.
    """
    if not isinstance(game, TabularGame):
        raise GameError(f"{type(game).__name__} is no table; save tabulate(game).")
    try:
        write_game(path, GameTable(game.name, game.values, game.players))
    except DatasetError as error:
        raise GameError(str(error)) from error
